// Updates of skills are replayed as they were recorded; each is noted among what was written, which a person may undo. Of
// the skills that other programs installed, those are shown that are here and not followed.

import type { MainCommands } from '../commands';
import type { SourceRow, SkillRow } from '../types';
import type { Replay } from './recorded';
import type { Written } from './writes';

/** `managed`: whether another program installed some of the skills. */
export function sources(replay: Replay, written: Written, managed: boolean): Partial<MainCommands> {
  const { commands } = replay;
  const noted = async (key: string, back: boolean, make: () => Promise<void>) => {
    const { row } = replay.get('skill', key)!;
    await make();
    const now = replay.get('skill', key)!.row;
    const what = { did: 'updated' as const, skill: row.name, source: row.origin!.source, from: row.origin!.commit, to: now.origin!.commit, back };
    written(what, async () => commands.goBackTo(key, 1, (await commands.planBack(key, 1)).id));
  };
  const isManaged = (key: string) => replay.get('skill', key)?.row.origin === null;
  return {
    managedSkills: async (keys) => (managed ? (await commands.managedSkills(null)).filter(({ key }) => (keys?.includes(key) ?? true) && isManaged(key)) : []),
    updateSkill: (key, commit, planId, answers) => noted(key, false, () => commands.updateSkill(key, commit, planId, answers)),
    goBackTo: (key, number, planId) => noted(key, true, () => commands.goBackTo(key, number, planId)),
  };
}

/** The sources of the skills that are shown. */
export function sourcesOf(replay: Replay, rows: readonly SkillRow[]): SourceRow[] {
  const from = ({ source, follows }: SourceRow) => rows.filter(({ origin }) => origin?.source === source && origin.follows === follows);
  return replay.all('source').flatMap((source) => {
    const skills = from(source);
    const [keys, outdated] = [skills, skills.filter(({ origin }) => origin?.newer)].map((some) => some.map(({ key }) => key)) as [string[], string[]];
    return keys.length ? [{ ...source, skills: keys, outdated }] : [];
  });
}
