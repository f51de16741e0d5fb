// What the engine is about to offer; it goes when `types.ts` has it.

import type { Backend } from './backend';

export type SkillFolder = { path: string; place: string; readers: FolderReader[]; exists: boolean; library: string | null; way: PlaceWay | null; skills: PlacedSkill[] };
export type FolderReader = { id: string; name: string; found: boolean };
export type PlaceWay = 'link' | 'copy';
export type PlacedSkill = { id: string; state: PlacedState; why: string };
export type PlacedState = 'linked' | 'copied' | 'due' | 'here' | 'taken' | 'edited' | 'gone';
export type FolderPlan = { id: string; path: string; place: string; readers: string[]; creates: boolean; steps: FolderStep[] };
export type FolderStep = { skill: string; does: FolderAct; why: string };
export type FolderAct = 'link' | 'copy' | 'renew' | 'remove' | 'leave';

const notYet = () => Promise.reject(new Error('This is not there yet.'));

export const later: Pick<Backend, 'skillFolders' | 'planSkillFolder' | 'linkSkills' | 'unlinkSkills' | 'settleCopy' | 'doctor' | 'saveReport'> = {
  skillFolders: notYet,
  planSkillFolder: notYet,
  linkSkills: notYet,
  unlinkSkills: notYet,
  settleCopy: notYet,
  doctor: notYet,
  saveReport: notYet,
};
