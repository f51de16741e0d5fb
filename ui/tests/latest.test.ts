// Snapshots that the page fetches when it is told that there are news.

import { expect, test } from 'vitest';

import { latest } from '../src/backend/latest';

/** A program that answers when the test says so. */
function program() {
  const asked: { answer: (value: string) => void; fail: () => void }[] = [];
  const fetch = () => new Promise<string>((answer, fail) => asked.push({ answer, fail: () => fail(new Error('gone')) }));
  const taken: string[] = [];
  return { asked, taken, news: latest(fetch, (value) => taken.push(value)) };
}
const turns = () => new Promise((done) => setTimeout(done));

test('each news is fetched, and of those that come while one is fetched the last alone', async () => {
  const { asked, taken, news } = program();
  void news();
  expect(asked).toHaveLength(1);
  for (let more = 0; more < 3; more += 1) void news();
  expect(asked).toHaveLength(1);
  asked[0]!.answer('first');
  await turns();
  expect([taken, asked.length]).toEqual([['first'], 2]);
  asked[1]!.answer('last');
  await turns();
  expect([taken, asked.length]).toEqual([['first', 'last'], 2]);
  void news();
  expect(asked).toHaveLength(3);
});

test('news after one that was not answered is fetched again', async () => {
  const { asked, taken, news } = program();
  const told = news();
  asked[0]!.fail();
  await told;
  void news();
  asked[1]!.answer('there');
  await turns();
  expect(taken).toEqual(['there']);
});
