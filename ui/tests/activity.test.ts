import { describe, expect, test } from 'vitest';

import type { Call } from '../src/backend/types';
import { callsLeft, targetOf, tookOf } from '../src/state/activity';

const call = (client: string, target: string, ok = true): Call => ({ at: 0, client, method: 'tools/call', target, ok, ms: 1, size: 0 });
const calls = [call('codex', 'list_skills'), call('codex', 'get_skill', false), call('claude-desktop', 'get_skill')];
const nameOf = (id: string) => (id === 'codex' ? 'Codex' : 'Claude Desktop');
const everything = { query: '', client: '', failedOnly: false };

describe('calls', () => {
  test.each([
    [{}, 3, 1],
    [{ failedOnly: true }, 1, 1],
    [{ client: 'codex' }, 2, 1],
    [{ query: 'DESKTOP get' }, 1, 0],
    [{ query: 'codex get', failedOnly: true }, 1, 1],
    [{ query: 'nothing' }, 0, 0],
  ])('filtered by %j: %i left, %i of them failed', (filter, left, failed) => {
    const found = callsLeft(calls, { ...everything, ...filter }, nameOf);
    expect([found.left.length, found.failed]).toEqual([left, failed]);
  });
});

test.each([['skill://tea/SKILL.md', 'tea/SKILL.md'], ['resource://x', 'x'], ['get_skill', 'get_skill']])('%s is told as %s', (target, words) => {
  expect(targetOf(call('c', target))).toBe(words);
});

test.each([[0, '0 ms'], [999, '999 ms'], [1_240, '1.24 s'], [30_000, '30.0 s']])('%i ms are told as %s', (ms, words) => expect(tookOf(ms)).toBe(words));
