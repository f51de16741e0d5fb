// Why a search found a skill, as the row says it.

import { expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import type { Hit } from '../src/backend/types';
import { whyFound, withoutMarks } from '../src/state/hits';

const [skill] = (await memory().current()).skills;
const drawn = (hit: Omit<Hit, 'key'>, query: string, other = {}) => whyFound({ ...skill!, ...other }, { key: skill!.key, ...hit }, query)?.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('');

test('a find far inside a description is shown from shortly before it on', () => {
  const description = 'Split one topic into per-tenant queues without losing the order of messages.';
  expect(drawn({ foundIn: 'description', snippet: null }, 'losing', { description })).toBe('…queues without [losing] the order of messages.');
  expect(drawn({ foundIn: 'description', snippet: null }, 'split', { description })).toBe('[Split] one topic into per-tenant queues without losing the order of messages.');
  expect(drawn({ foundIn: 'description', snippet: null }, 'the order queue', { name: 'queue', description })).toBe('…losing [the] [order] of messages.');
  // What the engine found by another spelling is shown from its start.
  expect(drawn({ foundIn: 'description', snippet: null }, 'ordre', { description })).toBe(description);
});

test('a find in the text is shown without the marks of Markdown, and never far from the start', () => {
  const snippet = { before: '| **Regression** tests | run | before every ', found: 'release', after: ' | [see](docs/a.md) `now`' };
  expect(drawn({ foundIn: 'body', snippet }, 'release')).toBe('…run before every [release] see now');
  expect(drawn({ foundIn: 'body', snippet: { before: '', found: 'release', after: '' } }, 'release')).toBe('[release]');
  expect(drawn({ foundIn: 'body', snippet: null }, 'release')).toBeUndefined();
});

test('a find in a tag names it, and one in the name needs no reason', () => {
  expect(drawn({ foundIn: 'tag', snippet: null }, 'kitch', { tags: ['garden', 'kitchen'] })).toBe('Tagged [kitch]en');
  expect(drawn({ foundIn: 'name', snippet: null }, 'x')).toBeUndefined();
});

test.each([
  ['## Steps\n\n1. Boil *water*', ' Steps Boil *water*'],
  ['> [!NOTE]\n> Mind', ' [!NOTE] Mind'],
  ['| a | b |\n|---|:-:|\n| c | d |', ' a b c d '],
  ['see the [guide of', 'see the guide of'],
  [' the house](docs/a.md), then go', ' the house, then go'],
  ['a - b, C# and 2 > 1', 'a - b, C# and 2 > 1'],
  ['snake_case and 5 * 3', 'snake_case and 5 * 3'],
])('%j is read as %j', (text, plain) => expect(withoutMarks(text)).toBe(plain));
