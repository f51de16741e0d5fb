// How a server's state is shown: its shape, its word, and one sentence. One table for list, page and Needs.

import type { ServerRow, ServerState } from '../backend/types';
import type { ShapeName } from '../controls/Shape.svelte';
import { clauses, listed, sentences, t, translated } from '../text';
import { lasting, toTheSecond } from './when';

export interface ServerSaid {
  shape: ShapeName;
  word: string;
  kind: 'ready' | 'needs' | 'down' | 'problem' | 't2';
  /** A further sentence; empty when the word is enough. */
  more: string;
}

/** The state of a server at the moment `now`. */
export function serverSaid(state: ServerState, now: number): ServerSaid {
  const said = (shape: ShapeName, kind: ServerSaid['kind'], word: string, more = ''): ServerSaid => ({ shape, kind, word, more });
  switch (state.kind) {
    case 'needs-values': {
      const needs = t('server.needs', { names: listed(state.names) });
      return said('needs', 'needs', t('ready.needsAny'), sentences([state.runtime && t('server.noRuntime', { program: state.runtime }), needs]));
    }
    case 'refused':
      return said('problem', 'problem', t('server.refused'), translated(state.message));
    case 'no-program':
      return said('down', 'down', t('ready.noProgram', { program: state.program }), t('server.noProgram', { program: state.program }));
    case 'no-containers':
      return said('down', 'down', t('server.noContainersWord'), t('server.noContainers'));
    case 'containers-down':
      return said('down', 'down', t('ready.containersDown', { program: state.program }), t('server.containersDown', { program: state.program }));
    case 'needs-consent':
      return said('wait', 't2', t(state.changed ? 'ready.changed' : 'ready.consent'), t(state.changed ? 'server.changed' : 'server.consent'));
    case 'needs-sign-in':
      return said('needs', 'needs', t('ready.signIn'), signInSaid(state));
    case 'tools-changed':
      return said('needs', 'needs', t('ready.toolsChanged'), t('server.toolsChanged'));
    case 'resting':
      return said('ready', 'ready', t('ready.ready'), t('server.resting'));
    case 'starting':
      return said('busy', 't2', t('server.starting'), t('server.startingSince', { time: toTheSecond(state.since) }));
    case 'running':
      return said('ready', 'ready', t('server.running'), t('server.up', { time: lasting(now - state.since) }));
    case 'down':
      return said('down', 'down', t('server.down'), translated(state.message));
    case 'stopped':
      return said('down', 'down', t('server.stopped'), translated(state.message));
  }
}

function signInSaid({ asked, trouble }: Extract<ServerState, { kind: 'needs-sign-in' }>): string {
  if (asked) return t('server.signInAt', { host: asked.host });
  return trouble === null ? t('server.signIn') : t('server.signInFailed', { why: translated(trouble) });
}

const fine: ServerState['kind'][] = ['resting', 'starting', 'running'];

/** Whether the server needs the person before it can be used. */
export const serverWaits = ({ state }: ServerRow): boolean => !fine.includes(state.kind);

/** Whether the consent window is to ask the person. */
export const isAsked = ({ state }: ServerRow): boolean => state.kind === 'needs-consent' || state.kind === 'tools-changed';

/** The second line of a row. */
export function rowLine(row: ServerRow, now: number): string {
  const { word, more } = serverSaid(row.state, now);
  // What is needed comes first: a narrow row cuts what comes last.
  if (row.state.kind === 'needs-values') return t('server.lacks', { names: listed([...(row.state.runtime ? [row.state.runtime] : []), ...row.state.names]) });
  if (serverWaits(row)) return (isAsked(row) ? word : more).replaceAll('`', '');
  const tools = row.tools === null ? [] : [t('server.tools', { n: row.tools })];
  const line = clauses([...tools, (row.state.kind !== 'starting' && more) || word]);
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** The command that starts it, or its address. */
export const commandOf = ({ command, url }: { command: string[]; url: string | null }): string => url ?? command.join(' ');

/** Whether a server's data contains all typed words. */
export function isServerNamed(row: ServerRow, query: string): boolean {
  const text = [row.name, row.description ?? '', commandOf(row), ...row.skills.map((skill) => skill.name)].join(' ').toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
