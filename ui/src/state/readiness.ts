// The readiness light as shape and words: one table for list, page and screen reader.

import type { ShapeName } from '../controls/Shape.svelte';
import type { Readiness, SkillRow } from '../backend/types';
import { clauses, listed, t, translated } from '../text';

export function shapeOf(readiness: Readiness): ShapeName {
  const shapes: Record<Readiness['state'], ShapeName> = {
    ready: 'ready',
    disabled: 'off',
    'needs-values': 'needs',
    'needs-consent': 'wait',
    'needs-sign-in': 'needs',
    'tools-changed': 'needs',
    'no-program': 'down',
    'containers-down': 'down',
    'server-down': 'down',
    problem: 'problem',
    'looks-harmful': 'problem',
    shadowed: 'needs',
  };
  return shapes[readiness.state];
}

export function wordOf(readiness: Readiness): string {
  switch (readiness.state) {
    case 'ready':
      return t('ready.ready');
    case 'disabled':
      return t('ready.disabled');
    case 'needs-values':
      return readiness.secret ? t('ready.needsSecret') : t('ready.needsValue');
    case 'needs-consent':
      return t(readiness.changed ? 'ready.changed' : 'ready.consent');
    case 'needs-sign-in':
      return t('ready.signIn');
    case 'tools-changed':
      return t('ready.toolsChanged');
    case 'no-program':
      return t('ready.noProgram', { program: readiness.program });
    case 'containers-down':
      return t('ready.containersDown', { program: readiness.program });
    case 'server-down':
      return t('ready.serverDown');
    case 'problem':
      return t('ready.problem');
    case 'looks-harmful':
      return t('ready.looksHarmful');
    case 'shadowed':
      return t('ready.shadowed');
  }
}

/** The words as they are heard in the name of a row: with all that is missing, and with the server or the line. */
export function heardOf({ readiness, also }: Pick<SkillRow, 'readiness' | 'also'>): string {
  return clauses([readiness, ...also].map(heard));
}

function heard(readiness: Readiness): string {
  const state = wordOf(readiness);
  if (readiness.state === 'needs-values') return readiness.names.length ? `${state} ${listed(readiness.names)}` : t('ready.heard', { state, what: readiness.server });
  if (readiness.state === 'problem') return t('ready.heard', { state, what: t('ready.line', { line: String(readiness.line) }) });
  return hangsOnServer(readiness) ? t('ready.heard', { state, what: readiness.server }) : state;
}

/** The second line of a row: the reason when something is wrong, and how much else is; otherwise the description. */
export function reasonOf(skill: SkillRow): string {
  const first = firstReasonOf(skill);
  return skill.also.length ? t('row.also', { first, n: skill.also.length }) : first;
}

function firstReasonOf(skill: SkillRow): string {
  const { readiness } = skill;
  switch (readiness.state) {
    case 'needs-values':
      return t('row.needs', { names: listed([...(readiness.runtime ? [readiness.runtime] : []), ...readiness.names]), server: readiness.server });
    case 'needs-consent':
      return t(readiness.changed ? 'row.changed' : 'row.consent', { server: readiness.server });
    case 'needs-sign-in':
      return t('row.signIn', { server: readiness.server });
    case 'tools-changed':
      return t('row.toolsChanged', { server: readiness.server });
    case 'no-program':
      return t('row.noProgram', { server: readiness.server, program: readiness.program });
    case 'containers-down':
      return t('row.containersDown', { server: readiness.server, program: readiness.program });
    case 'server-down':
      return translated(readiness.message).replaceAll('`', '');
    case 'problem':
      return t('row.problem', { line: String(readiness.line), message: translated(readiness.message).replaceAll('`', '') });
    case 'looks-harmful':
      return t(skill.enabled ? 'row.looksHarmful' : 'row.held', { message: translated(readiness.message).replaceAll('`', '') });
    case 'shadowed':
      return t('row.shadowed');
    default:
      return skill.description;
  }
}

/** Whether a required server keeps the skill from being ready. */
export const hangsOnServer = (readiness: Readiness): readiness is Extract<Readiness, { server: string }> => 'server' in readiness;
