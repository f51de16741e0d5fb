import { describe, expect, test } from 'vitest';

import type { Backend } from '../src/backend/backend';
import type { Hit, SkillRow } from '../src/backend/types';
import { choices, everything, filtered, found, grouped, needsAttention, ordered, type Filter } from '../src/state/list';
import { SkillList } from '../src/state/list.svelte';
import { marked } from '../src/state/marked';

const skill = (name: string, other: Partial<SkillRow> = {}): SkillRow => ({
  key: `f/${name}`, id: name, name, description: '', version: null, tags: [], folder: 'f', category: null, place: `~/${name}/SKILL.md`, enabled: true, asks: false,
  readiness: { state: 'ready' }, also: [], problems: { error: 0, warning: 0, advice: 0 }, files: 1, needs: 0, renamed: [], modified: 0, digest: '', origin: null, ...other,
});
const broken = skill('broken', { readiness: { state: 'problem', message: 'It is empty.', line: 1, column: 1 } });
const off = skill('off', { modified: 2, enabled: false, readiness: { state: 'disabled' } });
const tea = skill('tea', { description: 'Brews a cup.', tags: ['kitchen'], category: 'home' });
const elsewhere = skill('elsewhere', { modified: 1, folder: 'g', key: 'g/elsewhere', tags: ['kitchen', 'garden'] });
const rows = (...skills: SkillRow[]) => skills.map((each) => ({ skill: each }));
const hit = (key: string): Hit => ({ key, foundIn: 'name', snippet: null });

test('a search keeps its own order and forgets skills that are gone', () => {
  const shown = found([broken, off, tea], [hit('f/tea'), hit('f/gone'), hit('f/broken')]);
  expect(shown.map((each) => each.skill.name)).toEqual(['tea', 'broken']);
});

test('whoever is about to search waits for nothing: what the first search needs is made before a letter is typed', () => {
  const asked: string[] = [];
  const backend = { searchSkills: (words: string) => (asked.push(words), Promise.resolve([])) } as unknown as Backend;
  new SkillList(backend, () => []).expect();
  expect(asked).toEqual(['']);
});

test.each([
  ['name', ['broken', 'elsewhere', 'off', 'tea']],
  ['folder', ['elsewhere', 'broken', 'off', 'tea']],
  ['enabled', ['broken', 'elsewhere', 'tea', 'off']],
  ['modified', ['off', 'elsewhere', 'broken', 'tea']],
] as const)('rows are ordered by %s', (order, names) => {
  expect(ordered(rows(broken, elsewhere, off, tea), order, ['g', 'f']).map((each) => each.skill.name)).toEqual(names);
});

describe('filters', () => {
  const all = rows(broken, off, tea, elsewhere);
  const names = (filter: Partial<Filter>) => filtered(all, { ...everything, ...filter }).shown.map((each) => each.skill.name);

  test('count what each segment would show under the others', () => {
    expect(filtered(all, { ...everything, folder: 'f' }).counts).toEqual({ all: 3, enabled: 2, attention: 1 });
  });

  test.each<[Partial<Filter>, string[]]>([
    [{ segment: 'attention' }, ['broken']],
    [{ folder: 'g' }, ['elsewhere']],
    [{ folder: 'f/home' }, ['tea']],
    [{ tag: 'kitchen' }, ['tea', 'elsewhere']],
    [{ tag: 'kitchen', folder: 'f' }, ['tea']],
    [{ state: 'disabled' }, ['off']],
  ])('%j leaves %j', (filter, left) => expect(names(filter)).toEqual(left));

  test('offer the categories of each folder and every tag with its count', () => {
    const { categories, tags } = choices(all.map((each) => each.skill));
    expect([...categories]).toEqual([['f', ['home']]]);
    expect(tags).toEqual([['garden', 1], ['kitchen', 2]]);
  });
});

describe('groups', () => {
  const heads = (...given: Parameters<typeof grouped>) => grouped(...given).map((item) => (item.kind === 'group' ? `# ${item.group}` : item.skill.name));

  test('put what needs attention first and not again below', () => {
    expect(heads(rows(off, broken, tea), false)).toEqual(['# attention', 'broken', '# others', 'off', 'tea']);
  });

  test('leave a search in its order', () => expect(heads(rows(tea, broken), true)).toEqual(['# found', 'tea', 'broken']));

  test('have no head without rows', () => expect(heads(rows(tea), false)).toEqual(['# others', 'tea']));

  test('call a disabled skill no reason for attention', () => expect(needsAttention(off)).toBe(false));
});

describe('a range', () => {
  const [first, second, third] = [skill('a'), skill('c'), skill('d')];
  // Sorted by name the broken one is second; it is drawn first.
  const skills = [first, broken, second, third];
  const list = (held = skills) => new SkillList({} as Backend, () => held);
  const names = ({ picked }: SkillList) => picked.rows.map((row) => row.name);

  test('holds what is drawn between its ends, and nothing that is drawn elsewhere', () => {
    const drawn = list();
    drawn.picked.startAt(first.key);
    drawn.picked.stretchTo(third.key, null);
    expect(names(drawn)).toEqual(['a', 'c', 'd']);
    drawn.picked.stretchTo(broken.key, null);
    expect(names(drawn)).toEqual(['broken', 'a']);
  });

  test('starts at the row itself when its start is not shown', () => {
    const drawn = list();
    drawn.picked.startAt(broken.key);
    drawn.filter = { ...everything, segment: 'enabled', state: 'ready' };
    drawn.picked.stretchTo(third.key, broken.key);
    expect(names(drawn)).toEqual(['d']);
  });

  test('starts at the open row when nothing else was chosen', () => {
    const drawn = list();
    drawn.picked.stretchTo(third.key, second.key);
    expect(names(drawn)).toEqual(['c', 'd']);
  });
});

test.each([
  ['release-notes', 'rel', ['[rel]', 'ease-notes']],
  ['Release notes', 'NOTES rel', ['[Rel]', 'ease ', '[notes]']],
  ['a.b', '.', ['a', '[.]', 'b']],
  ['会议纪要', '会议', ['[会议]', '纪要']],
  ['tea', '', ['tea']],
])('in %j the words of %j stand out', (text, query, pieces) => {
  expect(marked(text, query).map((piece) => (piece.hit ? `[${piece.text}]` : piece.text))).toEqual(pieces);
});
