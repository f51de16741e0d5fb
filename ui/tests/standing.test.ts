// What the window says about a skill, a server, a client and a moment.

import { describe, expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import type { Client, NeedValue, Readiness, ValueState } from '../src/backend/types';
import { groupOf, initials, isNamed, needsYou, proofOf, saidBy } from '../src/state/clients';
import { languageOf } from '../src/state/language';
import { isMissing } from '../src/state/needs';
import { shortened } from '../src/state/paths';
import { heardOf, reasonOf, wordOf } from '../src/state/readiness';
import { serverSaid } from '../src/state/servers';
import { stamp, when } from '../src/state/when';

const { clients, skills } = await memory().current();
const [claudeDesktop, skill] = [clients[0]!, skills[0]!];
const client = (other: Partial<Client>): Client => ({ ...claudeDesktop, ...other });

test.each<[string, Partial<Client>, string]>([
  ['found and not added', {}, 'found'],
  ['not on this computer', { found: false }, 'missing'],
  ['added and waiting for its restart', { standing: { state: 'added' }, proof: 'waiting' }, 'restart'],
  ['added and seen', { standing: { state: 'added' }, proof: 'connected', connected: 1 }, 'added'],
  ['running with its old config', { standing: { state: 'added' }, proof: 'waiting', connected: 1, live: true }, 'restart'],
  ['reading the entry of another', { standing: { state: 'shared', with: 'VS Code' } }, 'added'],
  ['added for one project alone', { projects: [{ project: '/p', place: '/p/.mcp.json', standing: { state: 'added' }, written: 1 }] }, 'added'],
  ['changed in one project', { projects: [{ project: '/p', place: '/p/.mcp.json', standing: { state: 'edited' }, written: 1 }] }, 'needsYou'],
  ['added and connected now', { standing: { state: 'added' }, proof: 'connected', connected: 1, live: true }, 'connected'],
  ['holding an entry that is not ours, or not any more', { standing: { state: 'different' } }, 'found'],
  ['holding an entry that is not ours in one project', { projects: [{ project: '/p', place: '/p/.mcp.json', standing: { state: 'different' }, written: null }] }, 'added'],
  ['holding our entry in another form', { standing: { state: 'edited' } }, 'needsYou'],
  ['waiting for its end to get our entry back', { standing: { state: 'dropped', waiting: true } }, 'restart'],
  ['refused', { standing: { state: 'refused', message: 'It has a comment at 3:1.' } }, 'found'],
  ['refused, with our entry in it', { standing: { state: 'refused', message: 'It has a comment at 3:1.' }, written: 1 }, 'needsYou'],
])('a client that is %s', (_name, other, group) => {
  expect(groupOf(client(other))).toBe(group);
  expect(needsYou(client(other))).toBe(group === 'needsYou');
});

test.each([['desk claude', true], ['CONFIG', true], ['claude cursor', false]])('typing “%s” finds Claude Desktop: %s', (query, found) => {
  expect(isNamed(claudeDesktop, query)).toBe(found);
});

test.each([['Claude Desktop', 'CD'], ['Cursor', 'Cu'], ['VS Code', 'VC'], ['VSCodium (Flatpak)', 'VS']])('%s is drawn as %s', (name, letters) => expect(initials(name)).toBe(letters));

describe('the proof of a client', () => {
  const now = 1_000_000_000_000;
  const steps = (other: Partial<Client>) => proofOf(client({ standing: { state: 'added' }, written: now, ...other }), now).map(({ text, todo }) => (todo ? `(${text})` : text));

  test('goes step by step: what has not happened is hollow', () => {
    expect(steps({ proof: 'waiting' })).toEqual(['Written just now', '(Connects after its restart)', '(Not called yet)']);
    expect(steps({ proof: 'connected', connected: now - 300_000 })).toEqual(['Written just now', 'Connected 5 min ago', '(Not called yet)']);
    const called = { at: now, method: 'tools/call', target: 'get_skill', ok: true };
    expect(steps({ proof: 'called', connected: now, live: true, calls: 2, called })).toEqual(['Written just now', 'Connected now', 'Called 2 times, last just now']);
  });

  test('does not count what was before the entry was written, even while the client is connected', () => {
    expect(steps({ proof: 'waiting', connected: now - 300_000, live: true })[1]).toBe('(Connects after its restart)');
  });

  test('ends with the entry where somebody changed it: the row says what happened, once', () => {
    expect(steps({ standing: { state: 'edited' }, connected: now })).toEqual(['Written just now']);
    expect(steps({ standing: { state: 'dropped', waiting: true } })).toEqual(['Written just now']);
  });

  test('is none while no entry of ours stands there', () => {
    expect(steps({ standing: { state: 'absent' } })).toEqual([]);
    expect(steps({ standing: { state: 'different' } })).toEqual([]);
  });
});

test('what a client said of itself is one line, without what it did not say', () => {
  const peer = { name: 'codex', version: '0.169.0', protocol: '2025-06-18', capabilities: ['roots', 'skills'], transport: 'stdio' as const };
  expect(saidBy(peer)).toBe('codex 0.169.0 · MCP 2025-06-18 · roots, skills · over the bridge program');
  expect(saidBy({ ...peer, name: null, version: null, capabilities: [], transport: 'http' })).toBe('MCP 2025-06-18 · over HTTP');
});

describe('a value is missing', () => {
  const value = (state: ValueState, required = true): NeedValue => ({ name: 'A', description: null, required, example: null, state });
  test.each<[boolean, NeedValue]>([
    [true, value({ kind: 'secret-missing' })],
    [false, value({ kind: 'secret-missing' }, false)],
    [false, value({ kind: 'secret-stored', since: 0, onlyThisRun: false })],
    [true, value({ kind: 'plain', value: null, default: null })],
    [false, value({ kind: 'plain', value: null, default: 'x' })],
    [false, value({ kind: 'plain', value: 'x', default: null })],
  ])('%s: %j', (missing, given) => expect(isMissing(given)).toBe(missing));
});

test('a missing value that is no secret is not called one', () => {
  expect(wordOf({ state: 'needs-values', server: 's', names: ['A'], secret: false, runtime: null })).toBe('Needs a value');
});

test('what is missing is told at once, the program that runs it first', () => {
  const readiness: Readiness = { state: 'needs-values', server: 'github', names: ['TOKEN', 'OWNER'], secret: true, runtime: 'npx' };
  expect(reasonOf({ ...skill, readiness })).toBe('Needs npx, TOKEN and OWNER for the server github');
  expect(serverSaid({ kind: 'needs-values', names: ['TOKEN'], runtime: 'npx' }, 0).more).toBe('npx is not on this computer. Still missing: TOKEN');
});

test('what several servers lack is told at once, to the eye and to the ear', () => {
  const readiness: Readiness = { state: 'no-program', server: 'kettle', program: 'npx' };
  const also: Readiness[] = [
    { state: 'needs-values', server: 'github', names: ['TOKEN'], secret: true, runtime: null },
    { state: 'needs-consent', server: 'mail', changed: false },
  ];
  expect(reasonOf({ ...skill, readiness, also })).toBe('npx is not on this computer; the server kettle needs it, and 2 more');
  expect(heardOf({ readiness, also })).toBe('npx not found: kettle, Needs secret TOKEN, Waiting for your approval: mail');
});

test.each([
  ['~/.claude/skills', '~/.claude/skills'],
  ['~/.local/share/skilltender/skills', '~/…/skills'],
  ['/srv/team/shared/agent/skills', '/srv/…/skills'],
  ['~\\AppData\\Roaming\\somewhere\\skills', '~\\…\\skills'],
  ['~/a-very-long-folder-name-indeed-it-is', '…/a-very-long-folder-name-indeed-it-is'],
])('the path %s is drawn as %s', (path, short) => expect(shortened(path, 24)).toBe(short));

test.each([['会议纪要', 'zh'], ['議事録を作る', 'ja'], ['회의록', 'ko'], ['minutes', undefined]])('%s is drawn as %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test('an event of today is told to the second, an older one by its day', () => {
  const now = new Date(2026, 10, 21, 14, 30).getTime();
  expect(stamp(new Date(2026, 10, 21, 9, 5, 7).getTime(), now)).toBe('09:05:07');
  expect(stamp(new Date(2026, 10, 20, 9, 5, 7).getTime(), now)).toBe('Nov 20, 09:05');
});

test('moments are relative up to an hour, then the clock, then the date', () => {
  const now = new Date(2026, 10, 21, 14, 30).getTime();
  const minute = 60_000;
  expect(when(now - 20_000, now)).toBe('just now');
  expect(when(now - 5 * minute, now)).toBe('5 min ago');
  expect(when(now - 90 * minute, now)).toBe('13:00');
  expect(when(new Date(2026, 10, 3).getTime(), now)).toBe('Nov 3');
  expect(when(new Date(2025, 10, 3).getTime(), now)).toBe('Nov 3, 2025');
});
