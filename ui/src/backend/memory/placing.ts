// The folders that clients read directly, and the enabled skills in them.

import type { FolderPlan, PlacedSkill, PlaceWay, SkillFolder } from '../types';
import type { Backend } from '../backend';
import type { Shelf } from './shelf';
import { digest, failure } from './text';

type Placing = Pick<Backend, 'skillFolders' | 'planSkillFolder' | 'linkSkills' | 'unlinkSkills' | 'settleCopy'>;

const readers: Record<string, string[]> = {
  '/home/mei/.claude/skills': ['claude-code', 'opencode'],
  '/home/mei/.agents/skills': ['codex', 'gemini-cli', 'copilot-cli', 'opencode'],
};

export function placing(shelf: Shelf): Placing {
  const ways = new Map<string, PlaceWay>();
  /** A copy placed in `~/.agents/skills` that was edited there. */
  let edited: string | null = 'weekly-plan';

  const enabled = () => [...shelf.library.values()].filter((skill) => skill.enabled);
  const folderAt = (path: string): SkillFolder => {
    const ids = readers[path];
    if (!ids) throw failure('not-found', `No client reads ${path}.`);
    const library = shelf.folders.find((folder) => folder.path === path)?.id ?? null;
    const way = ways.get(path) ?? null;
    const state = (skill: { id: string; folder: string }): PlacedSkill['state'] => {
      if (skill.folder === library) return 'here';
      return way === 'copy' ? (skill.id === edited ? 'edited' : 'copied') : 'linked';
    };
    const skills = way === null ? [] : enabled().map((skill): PlacedSkill => ({ id: skill.id, state: state(skill), why: '' }));
    const clients = shelf.clients.filter((client) => ids.includes(client.id)).map(({ id, name, found }) => ({ id, name, found }));
    return { path, place: path.replace('/home/mei', '~'), readers: clients, exists: true, library, way, skills };
  };
  const plan = (path: string, way: PlaceWay | null): FolderPlan => {
    const folder = folderAt(path);
    const steps = enabled().map(({ id, folder: home }): FolderPlan['steps'][number] => {
      if (home === folder.library) return { skill: id, does: 'leave', why: '' };
      if (id === 'sql-review') return { skill: id, does: 'leave', why: 'A folder of this name is there that is not ours.' };
      if (way === null) return { skill: id, does: folder.way ? 'remove' : 'leave', why: '' };
      return { skill: id, does: folder.way === way ? 'leave' : folder.way ? 'renew' : way, why: '' };
    });
    return { id: digest(JSON.stringify([path, way, steps])), path, place: folder.place, readers: folder.readers.map(({ name }) => name), creates: false, steps };
  };
  const carryOut = (path: string, way: PlaceWay | null, planId: string) => {
    if (plan(path, way).id !== planId) throw failure('changed', 'The folder changed since it was shown. Nothing was done.');
    if (way) ways.set(path, way);
    else ways.delete(path);
    shelf.publish();
  };

  return {
    skillFolders: async () => Object.keys(readers).map(folderAt),
    planSkillFolder: async (target, way) => plan(target, way),
    linkSkills: async (target, way, planId) => carryOut(target, way, planId),
    unlinkSkills: async (target, planId) => carryOut(target, null, planId),
    async settleCopy() {
      edited = null;
      shelf.publish();
    },
  };
}
