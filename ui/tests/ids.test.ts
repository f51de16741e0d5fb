import { expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import { elsewhere, freeId, idOf, wrongWith } from '../src/state/ids';

const { skills } = await memory().current();

test.each([
  ['', null],
  ['tea', null],
  ['Weekly Plan', null],
  ['会议', 'A name needs a letter from a to z or a digit, for its id.'],
  ['Code review', 'This folder already has a skill with this id.'],
])('the name %j in a folder: %j', (name, wrong) => expect(wrongWith(name, 'claude', skills)).toBe(wrong));

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

test.each([['Weekly Plan!', 'weekly-plan'], ['  --x  ', 'x'], ['会议', ''], ['Résumé & Letters', 'resume-letters'], ['a'.repeat(80), 'a'.repeat(64)], [`${'a'.repeat(63)} b`, 'a'.repeat(63)]])('%j becomes the id %j', (words, id) => {
  expect(idOf(words)).toBe(id);
});
