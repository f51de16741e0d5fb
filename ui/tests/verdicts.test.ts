// What the Clients tab makes of the verdicts on a skill.

import { expect, test } from 'vitest';

import type { Verdict } from '../src/backend/types';
import { told } from '../src/state/verdicts';

const verdict = (client: string, verdict: Verdict['verdict']): Verdict => ({ client, name: client, verdict, nameShown: null, descriptionShown: null, why: [] });

test('what a validator says is no refusal by a client', () => {
  const { others, loading, refusing, validators } = told([verdict('codex', 'loads'), verdict('skills-ref', 'refused')]);
  expect([others.length, loading.length, refusing]).toEqual([0, 1, 0]);
  expect(validators.map(({ client }) => client)).toEqual(['skills-ref']);
});

test('a validator that accepts the skill is not named', () => expect(told([verdict('skills-ref', 'loads')]).validators).toEqual([]));

test('the clients that refuse come first', () => {
  expect(told([verdict('goose', 'changed'), verdict('codex', 'refused')]).others.map(({ client }) => client)).toEqual(['codex', 'goose']);
});
