import { describe, expect, test } from 'vitest';

import type { Call } from '../src/backend/types';
import { callsLeft, tookOf, toldOf, whyOf } from '../src/state/activity';

const call = (client: string, target: string, ok = true): Call => ({ at: 0, client, method: 'tools/call', target, ok, why: ok ? null : 'not-there', ms: 1, size: 0 });
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

test.each([
  ['tools/call', 'get_skill csv-profile', 'Read csv-profile', 'csv-profile'],
  ['tools/call', 'get_skill', 'Asked for a skill that it does not see', null],
  ['tools/call', 'list_skills', 'Listed the skills', null],
  ['tools/call', 'figma__get_file', 'Called get_file of figma', null],
  ['tools/call', 'find_tools', 'Called find_tools', null],
  ['prompts/get', 'tea', 'Used tea as a prompt', 'tea'],
  ['prompts/get', 'figma__review', 'Used the prompt review of figma', null],
  ['resources/read', 'skill://team/tea/SKILL.md', 'Read tea', 'tea'],
  ['resources/read', 'resource://skills/tea/document', 'Read tea', 'tea'],
  ['resources/read', 'skill://tea/references/hot%20water.md', 'Read the file tea/references/hot water.md', null],
  ['resources/read', 'skill://tea/%zz', 'Read the file tea/%zz', null],
  ['resources/read', 'skill://index.json', 'Listed the skills', null],
  ['skills/list', '', 'Listed the skills', null],
  ['tools/list', '', 'Listed the tools', null],
  ['some/thing', 'else', 'some/thing else', null],
])('%s %s is told as "%s"', (method, target, text, skill) => {
  expect(toldOf({ ...call('c', target), method })).toEqual({ text, skill });
});

test.each([[0, '0 ms'], [999, '999 ms'], [1_240, '1.24 s'], [30_000, '30.0 s']])('%i ms are told as %s', (ms, words) => expect(tookOf(ms)).toBe(words));

test('a failure says why, as far as it is known', () => {
  const failed = call('c', 'get_skill', false);
  expect([whyOf(call('c', 'x')), whyOf(failed), whyOf({ ...failed, why: 'server' }), whyOf({ ...failed, why: null })]).toEqual(['', 'Failed: not found', 'Failed: server refused', '']);
});
