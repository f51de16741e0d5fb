import { describe, expect, test } from 'vitest';

import type { SkillRow } from '../src/backend/types';
import { filtered, grouped, matches, needsAttention } from '../src/state/list';

const skill = (name: string, other: Partial<SkillRow> = {}): SkillRow => ({
  key: `f/${name}`, id: name, name, description: '', version: null, tags: [], folder: 'f', category: null, place: `~/${name}/SKILL.md`, enabled: true,
  readiness: { state: 'ready' }, problems: { error: 0, warning: 0, advice: 0 }, files: 1, needs: 0, digest: '', ...other,
});
const broken = skill('broken', { readiness: { state: 'problem', message: 'It is empty.', line: 1, column: 1 } });
const off = skill('off', { enabled: false, readiness: { state: 'disabled' } });
const tea = skill('tea', { description: 'Brews a cup.', tags: ['Kitchen'] });
const everything = { query: '', segment: 'all', folder: '' } as const;

describe('search', () => {
  test.each(['tea', 'TEA', 'brews', 'kitchen', 'cup tea', ''])('finds name, description and tags by "%s"', (query) => {
    expect(matches(tea, query)).toBe(true);
  });

  test('wants every word', () => expect(matches(tea, 'tea coffee')).toBe(false));

  test('finds Chinese words', () => expect(matches(skill('会议纪要'), '会议')).toBe(true));
});

describe('filters', () => {
  const skills = [broken, off, tea, skill('elsewhere', { folder: 'g' })];

  test('count what each segment would show under the search and the folder', () => {
    expect(filtered(skills, { ...everything, folder: 'f' }).counts).toEqual({ all: 3, enabled: 2, attention: 1 });
    expect(filtered(skills, { ...everything, query: 'tea' }).counts).toEqual({ all: 1, enabled: 1, attention: 0 });
  });

  test('show the chosen segment', () => {
    expect(filtered(skills, { ...everything, segment: 'attention' }).shown).toEqual([broken]);
  });
});

describe('groups', () => {
  test('put what needs attention first and not again below', () => {
    const names = grouped([off, broken, tea]).map((item) => (item.kind === 'group' ? `# ${item.group}` : item.skill.name));
    expect(names).toEqual(['# attention', 'broken', '# others', 'off', 'tea']);
  });

  test('have no head without rows', () => expect(grouped([tea]).map((item) => item.kind)).toEqual(['group', 'skill']));

  test('call a disabled skill no reason for attention', () => expect(needsAttention(off)).toBe(false));
});
