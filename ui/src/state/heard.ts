// What changed for the worse between two snapshots, in words: for ears, because the eye sees it at once. Pure.

import type { ServerRow, SkillRow, Snapshot } from '../backend/types';
import { sentences, t } from '../text';
import { heardOf } from './readiness';
import { serverSaid } from './servers';

/** As many are named as people remember. */
const few = 3;

const looksHarmful = ({ readiness }: SkillRow) => readiness.state === 'looks-harmful';
/** What a server does by itself; that a person stopped it is no news to them. */
const isBroken = ({ state }: ServerRow) => ['down', 'refused', 'needs-sign-in', 'tools-changed'].includes(state.kind) || (state.kind === 'needs-consent' && state.changed);

/** The skills that look harmful and the servers that wait for somebody or do not run, and were not so before. */
export function heardBetween(before: Snapshot | null, now: Snapshot): string {
  if (!before || before.reading !== null || before.firstRun || now.reading !== null) return '';
  const skills = turned(before.skills, now.skills, (skill) => skill.key, looksHarmful).map((skill) => t('heard.skill', { name: skill.name, state: heardOf(skill) }));
  const servers = turned(before.servers, now.servers, (server) => server.name, isBroken).map((server) => t('heard.server', { name: server.name, state: serverSaid(server.state, 0).word }));
  const all = [...skills, ...servers];
  const more = all.length - few;
  return sentences([...all.slice(0, few).map((text) => t('words.sentence', { text })), more > 0 && t('words.sentence', { text: t('heard.more', { n: more }) })]);
}

/** Those that are so now and were not before, or were not there. */
function turned<T>(before: readonly T[], now: readonly T[], key: (each: T) => string, is: (each: T) => boolean): T[] {
  const so = now.filter(is);
  if (so.length === 0) return [];
  const already = new Set(before.filter(is).map(key));
  return so.filter((each) => !already.has(key(each)));
}
