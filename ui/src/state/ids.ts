// The id of a new skill, which is also its folder's name: made from the typed name, and checked during typing.

import type { SkillRow } from '../backend/types';
import { t } from '../text';

const longest = 64;

/** What is wrong with the id that a typed name gives in a folder, as a sentence; `null` when nothing is. */
export function wrongWith(name: string, folder: string, skills: readonly SkillRow[]): string | null {
  const id = idOf(name);
  if (!id) return name.trim() ? t('id.none') : null;
  return skills.some((skill) => skill.id === id && skill.folder === folder) ? t('id.taken') : null;
}

/** The other folder that already has a skill with this id; only one of the two is served. */
export function elsewhere(id: string, folder: string, skills: readonly SkillRow[]): string | null {
  return skills.find((skill) => skill.id === id && skill.folder !== folder)?.place ?? null;
}

/** An id that is still free in a folder: `release-notes-2`. */
export function freeId(wanted: string, folder: string, skills: readonly SkillRow[]): string {
  const taken = new Set(skills.filter((skill) => skill.folder === folder).map((skill) => skill.id));
  if (!taken.has(wanted)) return wanted;
  const base = wanted.slice(0, longest - 4);
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
  }
}

/** An id from a typed name: `Résumé & Letters!` becomes `resume-letters`. */
export function idOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '').slice(0, longest).replace(/-+$/, '');
}
