// A team as the window shows it: what in it looks harmful, the values that a yes is to, and what is left of it.

import type { Snapshot, TeamLeft, TeamPage, TeamSkillRow, TeamWhy, Trust } from '../backend/types';

/** Plain values by their server and name. */
export type Values = Record<string, Record<string, string>>;

/** The skills in which something looks as if it meant harm. */
export const harmful = ({ skills }: TeamPage): TeamSkillRow[] => skills.filter(({ state }) => findingsOf(state).some(({ severity }) => severity === 'high'));

/** What the scanner found in a skill that comes or changes. */
export function findingsOf(state: TeamSkillRow['state']): Trust['findings'] {
  if (state.state === 'comes') return state.skill.trust.findings;
  return state.state === 'changes' ? state.update.findings : [];
}

/** The plain values that stand on the page, and those that were typed since. */
export function valuesSeen({ servers }: TeamPage, typed: Values): Values {
  const rows = servers.map(({ name, asks }): [string, Record<string, string>] => {
    const given = asks.flatMap(({ name, given }) => (given === null ? [] : [[name, given] as const]));
    return [name, { ...Object.fromEntries(given), ...typed[name] }];
  });
  // Two servers of one name are of different skills, and share the values on their pages.
  return rows.reduce<Values>((all, [name, values]) => ({ ...all, [name]: { ...all[name], ...values } }), {});
}

/** The servers of a team that still wait: what a person approved or signed in to meanwhile does not. */
export function waiting({ servers }: TeamLeft, snapshot: Snapshot): TeamWhy[] {
  const stateOf = (name: string) => snapshot.servers.find((row) => row.name === name)?.state.kind;
  const waits = { approve: 'needs-consent', 'sign-in': 'needs-sign-in' } as const;
  return servers.filter(({ name, act }) => act === null || stateOf(name) === undefined || stateOf(name) === waits[act]);
}

/** How many things of a team are left. */
export const countLeft = (left: TeamLeft, snapshot: Snapshot): number => left.skills.length + left.sets.length + left.secrets.length + left.values.length + waiting(left, snapshot).length;
