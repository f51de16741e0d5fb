// What the list of skills shows: searched, filtered and grouped. Pure, so that it can be tested with a table.

import type { SkillRow } from '../backend/types';

export type Segment = 'all' | 'enabled' | 'attention';

export interface Filter {
  query: string;
  segment: Segment;
  /** A folder's id; empty for all. */
  folder: string;
}

export type ListItem = { kind: 'group'; group: 'attention' | 'others' } | { kind: 'skill'; skill: SkillRow };

/** Whether a person has to do something before the skill works as it should. */
export function needsAttention(skill: SkillRow): boolean {
  const { state } = skill.readiness;
  return state === 'needs-values' || state === 'problem' || state === 'shadowed';
}

/** Whether every word of the query stands in the name, the description or a tag. */
export function matches(skill: SkillRow, query: string): boolean {
  const text = [skill.name, skill.id, skill.description, ...skill.tags].join('\n').toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The skills that the search and the folder leave, and how many of them each segment holds. */
export function filtered(skills: readonly SkillRow[], filter: Filter): { shown: SkillRow[]; counts: Record<Segment, number> } {
  const found = skills.filter((s) => (!filter.folder || s.folder === filter.folder) && matches(s, filter.query));
  const segments: Record<Segment, SkillRow[]> = {
    all: found,
    enabled: found.filter((s) => s.enabled),
    attention: found.filter(needsAttention),
  };
  return {
    shown: segments[filter.segment],
    counts: { all: found.length, enabled: segments.enabled.length, attention: segments.attention.length },
  };
}

/** The rows of the list: what needs attention first, and not again below. */
export function grouped(skills: readonly SkillRow[]): ListItem[] {
  const attention = skills.filter(needsAttention);
  const others = skills.filter((s) => !needsAttention(s));
  const section = (group: 'attention' | 'others', rows: SkillRow[]): ListItem[] =>
    rows.length ? [{ kind: 'group', group }, ...rows.map((skill) => ({ kind: 'skill' as const, skill }))] : [];
  return [...section('attention', attention), ...section('others', others)];
}
