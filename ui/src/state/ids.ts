// The name of a new skill's folder, checked during typing.

import type { SkillRow } from '../backend/types';
import { t } from '../text';

const longest = 64;

/** What is wrong with an id in a folder, as a sentence; `null` when nothing is. */
export function wrongWith(id: string, folder: string, skills: readonly SkillRow[]): string | null {
  if (id === '') return null;
  if (/[A-Z]/.test(id)) return t('id.capitals');
  if (/^-|-$|--/.test(id)) return t('id.hyphens');
  if (!/^[a-z0-9-]+$/.test(id)) return t('id.characters');
  if (id.length > longest) return t('id.long', { n: id.length });
  if (skills.some((skill) => skill.id === id && skill.folder === folder)) return t('id.taken');
  return null;
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

/** An id from typed text: `Release Notes!` becomes `release-notes`. */
export function idOf(words: string): string {
  return words.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, longest);
}
