// The calls of clients as the page shows them. Pure, so that a table can test it.

import type { Call } from '../backend/types';
import { formatNumber, t } from '../text';

export interface CallFilter {
  query: string;
  /** A client's id; empty for all. */
  client: string;
  failedOnly: boolean;
}

const reasons = { off: 'why.off', 'not-there': 'why.notThere', unreadable: 'why.unreadable', server: 'why.server' } as const;

/** Why a call failed; empty where that is not known. */
export const whyOf = ({ ok, why }: Call): string => (ok || why === null ? '' : t(reasons[why]));

/** A call in everyday words, and the skill that it is about. */
export interface Told {
  text: string;
  /** The skill's id, when the call read one. */
  skill: string | null;
}

/** What a client did: "Read csv-profile" rather than `tools/call get_skill csv-profile`. */
export function toldOf({ method, target }: Call): Told {
  const plain = (text: string): Told => ({ text, skill: null });
  switch (method) {
    case 'tools/call': {
      const [tool, ...rest] = target.split(' ');
      if (tool === 'list_skills') return plain(t('did.listed'));
      const skill = rest.join(' ');
      if (tool === 'get_skill') return skill ? { text: t('did.read', { name: skill }), skill } : plain(t('did.readUnknown'));
      const [server, name] = split(target, '__');
      return plain(name ? t('did.calledOf', { tool: name, server }) : t('did.called', { tool: target }));
    }
    case 'prompts/get': {
      const [server, name] = split(target, '__');
      return name ? plain(t('did.promptOf', { prompt: name, server })) : { text: t('did.prompt', { name: target }), skill: target };
    }
    case 'resources/read': {
      if (target === 'skill://index.json' || target === 'resource://catalog/skills_index') return plain(t('did.listed'));
      const found = /^skill:\/\/(?:.*\/)?([^/]+)\/SKILL\.md$/.exec(target) ?? /^resource:\/\/skills\/([^/]+)\/document$/.exec(target);
      if (found) return { text: t('did.read', { name: decoded(found[1]!) }), skill: decoded(found[1]!) };
      return plain(t('did.readFile', { file: decoded(target.replace(/^(skill|resource):\/\//, '')) }));
    }
    case 'skills/list': return plain(t('did.listed'));
    case 'skills/get': return plain(t('did.looked', { file: decoded(target.replace(/^skill:\/\//, '')) }));
    case 'resources/directory/read': return plain(t('did.folder', { file: decoded(target.replace(/^skill:\/\//, '')) }));
    case 'tools/list': return plain(t('did.tools'));
    case 'prompts/list': return plain(t('did.prompts'));
    case 'resources/list':
    case 'resources/templates/list': return plain(t('did.resources'));
    case 'resources/subscribe':
    case 'subscriptions/listen': return plain(t('did.follows'));
    case 'resources/unsubscribe': return plain(t('did.followsNot'));
    case 'completion/complete': return plain(t('did.completed'));
    default: return plain(`${method} ${target}`.trim());
  }
}

function split(text: string, between: string): [string, string] {
  const at = text.indexOf(between);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + between.length)];
}

/** A part of an address as people write it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The calls that match a filter, and how many of them failed. */
export function callsLeft(calls: readonly Call[], { query, client, failedOnly }: CallFilter, nameOf: (client: string) => string): { left: Call[]; failed: number } {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (call: Call) => {
    const text = `${nameOf(call.client)}\n${toldOf(call).text}\n${call.method}\n${call.target}`.toLowerCase();
    return (!client || call.client === client) && words.every((word) => text.includes(word));
  };
  const fitting = calls.filter(fits);
  const failed = fitting.filter((call) => !call.ok);
  return { left: failedOnly ? failed : fitting, failed: failed.length };
}

export function tookOf(ms: number): string {
  return ms < 1_000 ? t('took.milliseconds', { n: ms }) : t('took.seconds', { time: formatNumber(ms / 1_000, ms < 10_000 ? 2 : 1) });
}
