// The rows of the skill list: found, filtered and grouped. Pure, so that a table can test it.

import type { Hit, SkillRow } from '../backend/types';

export type Segment = 'all' | 'enabled' | 'attention';

/** The orders of the rows: by name, by folder, those that are on first, or the last changed first. A search has its own. */
export const orders = ['name', 'folder', 'enabled', 'modified'] as const;
export type Order = (typeof orders)[number];

export interface Filter {
  segment: Segment;
  /** A folder's id, or one of its categories as `claude/writing`; empty for all. */
  folder: string;
  /** A tag; empty for all. */
  tag: string;
  /** A state of the readiness light; empty for all. */
  state: SkillRow['readiness']['state'] | '';
}

export const everything: Filter = { segment: 'all', folder: '', tag: '', state: '' };

/** A skill in the list; in a search with its hit. */
export interface Shown {
  skill: SkillRow;
  hit?: Hit;
}

export type ListItem = { kind: 'group'; group: 'attention' | 'others' | 'found' } | ({ kind: 'skill' } & Shown);

/** Whether the skill needs the person before it works. */
export function needsAttention(skill: SkillRow): boolean {
  const { state } = skill.readiness;
  return state !== 'ready' && state !== 'disabled';
}

/** The filter choices: each folder's categories and every tag, sorted, with their number of skills. */
export function choices(skills: readonly SkillRow[]): { categories: Map<string, string[]>; tags: [string, number][] } {
  const categories = new Map<string, Set<string>>();
  const tags = new Map<string, number>();
  for (const skill of skills) {
    if (skill.category) categories.set(skill.folder, (categories.get(skill.folder) ?? new Set()).add(skill.category));
    for (const tag of skill.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  }
  const sorted = (names: Iterable<string>) => [...names].sort((a, b) => a.localeCompare(b, 'en'));
  return {
    categories: new Map([...categories].map(([folder, names]) => [folder, sorted(names)])),
    tags: sorted(tags.keys()).map((tag) => [tag, tags.get(tag)!]),
  };
}

/** The skills that a search found, in its order; without a search, all. */
export function found(skills: readonly SkillRow[], hits: readonly Hit[] | null): Shown[] {
  if (hits === null) return skills.map((skill) => ({ skill }));
  const byKey = new Map(skills.map((skill) => [skill.key, skill]));
  return hits.flatMap((hit) => {
    const skill = byKey.get(hit.key);
    return skill ? [{ skill, hit }] : [];
  });
}

/** The skills that match the filter, and the number in each segment. */
export function filtered(rows: readonly Shown[], filter: Filter): { shown: Shown[]; counts: Record<Segment, number> } {
  const left = rows.filter(({ skill }) => fits(skill, filter));
  const segments: Record<Segment, Shown[]> = {
    all: left,
    enabled: left.filter(({ skill }) => skill.enabled),
    attention: left.filter(({ skill }) => needsAttention(skill)),
  };
  return {
    shown: segments[filter.segment],
    counts: { all: left.length, enabled: segments.enabled.length, attention: segments.attention.length },
  };
}

/** The rows of the list: skills that need attention first, without repeating them below. Search results keep their order. */
export function grouped(rows: readonly Shown[], searching: boolean): ListItem[] {
  const section = (group: 'attention' | 'others' | 'found', members: readonly Shown[]): ListItem[] =>
    members.length ? [{ kind: 'group', group }, ...members.map((member) => ({ kind: 'skill' as const, ...member }))] : [];
  if (searching) return section('found', rows);
  const attention = rows.filter(({ skill }) => needsAttention(skill));
  const others = rows.filter(({ skill }) => !needsAttention(skill));
  return [...section('attention', attention), ...section('others', others)];
}

/** The rows in an order; rows that it does not tell apart stay in theirs, which is by name. */
export function ordered(rows: readonly Shown[], order: Order, folders: readonly string[]): readonly Shown[] {
  const places: Record<Order, (skill: SkillRow) => number> = {
    name: () => 0,
    folder: ({ folder }) => folders.indexOf(folder),
    enabled: ({ enabled }) => Number(!enabled),
    modified: ({ modified }) => -modified,
  };
  const place = places[order];
  return order === 'name' ? rows : [...rows].sort((a, b) => place(a.skill) - place(b.skill));
}

function fits(skill: SkillRow, { folder, tag, state }: Filter): boolean {
  if (folder && skill.folder !== folder && `${skill.folder}/${skill.category}` !== folder) return false;
  if (tag && !skill.tags.includes(tag)) return false;
  return !state || skill.readiness.state === state;
}
