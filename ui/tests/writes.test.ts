// What Skilltender wrote, in words.

import { expect, test } from 'vitest';

import type { Client, OwnWrite, Wrote } from '../src/backend/types';
import { linesOf, taggings, wordsOf } from '../src/state/writes';

test.each<[Wrote, string]>([
  [{ did: 'switched', skills: ['tea'], on: true }, 'Switched on: tea'],
  [{ did: 'switched', skills: ['a', 'b', 'c', 'd', 'e'], on: false }, 'Switched off: a, b, c and 2 more'],
  [{ did: 'added', skills: ['tea', 'milk'], place: '~/skills', imported: true }, 'Imported into ~/skills: tea and milk'],
  [{ did: 'moved', skill: 'tea', from: '~/a/tea', to: '~/b/tea' }, 'tea moved from ~/a/tea to ~/b/tea'],
  [{ did: 'edited', skill: 'tea', how: 'tagged' }, 'Tags of tea changed'],
  [{ did: 'updated', skill: 'tea', source: 'acme/skills', from: 'a'.repeat(40), to: '0123456789abcdef', back: false }, 'tea updated from acme/skills to 0123456789ab'],
  [{ did: 'updated', skill: 'tea', source: 'acme/skills', from: 'a'.repeat(40), to: '0123456789abcdef', back: true }, 'tea taken back to 0123456789ab of acme/skills'],
  [{ did: 'placed', place: '~/.codex/skills', there: false }, 'Skills taken out of ~/.codex/skills'],
])('%j', (what, words) => expect(wordsOf(what)).toBe(words));

test('with the last changes of clients they are listed newest first, each with what undoes it', () => {
  const write = (id: number, undo: boolean): OwnWrite => ({ id, time: id, what: { did: 'edited', skill: 'tea', how: 'saved' }, undo, undone: !undo });
  const client = { id: 'codex', name: 'Codex', undo: { time: 2, added: true, moved: 0, switched: 0 } } as Client;
  const lines = linesOf([write(3, true), write(1, false)], [client, { ...client, undo: null }]);
  expect(lines.map(({ time, undo, undone }) => [time, undo, undone])).toEqual([
    [3, { moment: 3 }, false],
    [2, { client: 'codex' }, false],
    [1, null, true],
  ]);
});

test('of writes of tags, the newest of the skills that were just tagged are these', () => {
  const write = (id: number, what: Wrote, undo = true): OwnWrite => ({ id, time: id, what, undo, undone: !undo });
  const tagged = (skill: string): Wrote => ({ did: 'edited', skill, how: 'tagged' });
  const writes = [write(7, { did: 'edited', skill: 'tea', how: 'saved' }), write(6, tagged('milk')), write(5, tagged('tea'), false), write(4, tagged('coffee')), write(3, tagged('tea')), write(2, tagged('milk')), write(1, tagged('tea'))];
  expect(taggings(writes, ['tea', 'milk'])).toEqual([6, 3]);
  expect(taggings(writes, ['tea', 'tea'])).toEqual([3, 1]);
  expect(taggings(writes, [])).toEqual([]);
});
