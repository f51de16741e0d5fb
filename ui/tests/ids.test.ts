import { expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import { elsewhere, freeId, idOf, wrongWith } from '../src/state/ids';

const { skills } = await memory().current();

test.each([
  ['', null],
  ['tea', null],
  ['tea-2', null],
  ['Tea', 'Only lower-case letters: clients compare ids letter by letter.'],
  ['tea-', 'A hyphen needs a letter or digit on both sides.'],
  ['a--b', 'A hyphen needs a letter or digit on both sides.'],
  ['a b', 'Only lower-case letters, digits and hyphens.'],
  ['会议', 'Only lower-case letters, digits and hyphens.'],
  ['a'.repeat(65), 'At most 64 characters; this has 65.'],
  ['code-review', 'This folder already has a skill with this id.'],
])('the id %j in a folder: %j', (id, wrong) => expect(wrongWith(id, 'claude', skills)).toBe(wrong));

test('an id that stands in another folder is allowed and said', () => {
  expect(wrongWith('code-review', 'agents', skills)).toBeNull();
  expect(elsewhere('code-review', 'agents', skills)).toBe('~/.claude/skills/code-review/SKILL.md');
  expect(elsewhere('code-review', 'claude', skills)).toBeNull();
});

test('a free id is found beside those that are taken', () => {
  expect(freeId('tea', 'claude', skills)).toBe('tea');
  expect(freeId('code-review', 'claude', skills)).toBe('code-review-2');
  const long = skills.map((skill) => ({ ...skill, id: 'a'.repeat(64) }));
  expect(wrongWith(freeId('a'.repeat(64), 'claude', long), 'claude', long)).toBeNull();
});

test.each([['Weekly Plan!', 'weekly-plan'], ['  --x  ', 'x'], ['会议', ''], ['a'.repeat(80), 'a'.repeat(64)]])('%j becomes the id %j', (words, id) => {
  expect(idOf(words)).toBe(id);
});
