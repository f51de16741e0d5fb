// Updates reviewed one after another: what is asked of the engine, and what stays.

import { expect, test } from 'vitest';

import type { UpdatePlan } from '../src/backend/types';
import type { App } from '../src/state/app.svelte';
import { Given, Reviews } from '../src/state/reviews.svelte';

const plan = (key: string, other: Partial<UpdatePlan> = {}): UpdatePlan => ({
  id: `plan of ${key}`, key, name: key, source: 'acme/skills', from: 'a', to: 'b', notes: [], files: [], gains: [], losses: [], findings: [], textOnly: true, edited: false, conflicts: 0, ...other,
});
const questions = [{ path: 'SKILL.md', how: 'conflict' as const, lines: [], conflicts: [{ base: 'a', mine: 'b', theirs: 'c' }, { base: 'd', mine: 'e', theirs: 'f' }] }];

/** An app whose skills have these updates; those without a plan cannot be looked at. */
function app(plans: Record<string, UpdatePlan>, unsaved = '') {
  const made: unknown[][] = [];
  const tried = async (wish: Promise<unknown>) => wish.then(() => null, (failure: unknown) => failure);
  const backend = {
    planUpdate: async (key: string) => plans[key] ?? Promise.reject({ kind: 'refused', message: `${key} cannot be reached.`, hints: [] }),
    updateSkill: async (...given: unknown[]) => void made.push(given),
  };
  return { made, app: { tried, backend, skill: { hasUnsaved: (key: string) => key === unsaved } } as unknown as App };
}

test('an update waits until each of its questions is answered, and sends the answers in their order', async () => {
  const { app: window, made } = app({ tea: plan('tea', { files: questions, conflicts: 2, textOnly: false }) });
  const reviews = new Reviews(window, ['tea']);
  await reviews.look();
  reviews.answers!.give('SKILL.md', 1, 'theirs');
  expect(reviews.answers!.open).toBe(1);
  await reviews.update();
  expect(made).toEqual([]);
  reviews.answers!.give('SKILL.md', 0, 'mine');
  await reviews.update();
  expect(made).toEqual([['tea', 'b', 'plan of tea', { 'SKILL.md': ['mine', 'theirs'] }]]);
  expect([reviews.left, reviews.updated]).toEqual([[], 1]);
});

test('of all, only those that change nothing but text are made; what has questions, can do more, is odd or cannot be reached stays', async () => {
  const { app: window, made } = app({ a: plan('a'), b: plan('b', { textOnly: false }), d: plan('d'), e: plan('e', { notes: ['The tag v1 was moved: it named another commit before.'] }) });
  const reviews = new Reviews(window, ['a', 'b', 'c', 'd', 'e']);
  await reviews.texts();
  expect(made.map(([key]) => key)).toEqual(['a', 'd']);
  expect([reviews.left, reviews.plan?.key, reviews.together]).toEqual([['b', 'c', 'e'], 'b', 2]);
  await reviews.later();
  expect([reviews.left, reviews.failure?.message]).toEqual([['c', 'e'], 'c cannot be reached.']);
});

test('a skill with unsaved edits is not updated', async () => {
  const { app: window, made } = app({ tea: plan('tea') }, 'tea');
  const reviews = new Reviews(window, ['tea']);
  await reviews.look();
  await reviews.update();
  expect([made, reviews.left, reviews.failure?.message]).toEqual([[], ['tea'], 'tea has unsaved edits. Save or revert them first.']);
});

test('an answer is counted once, however often it is changed', () => {
  const given = new Given(plan('tea', { files: questions, conflicts: 2 }));
  for (const take of ['mine', 'theirs', 'mine'] as const) given.give('SKILL.md', 0, take);
  expect([given.open, given.of('SKILL.md', 0), given.of('SKILL.md', 1)]).toEqual([1, 'mine', undefined]);
});
