// What is heard when something changes for the worse.

import { expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import type { Readiness, ServerState, Snapshot } from '../src/backend/types';
import { heardBetween } from '../src/state/heard';
import { heardOf } from '../src/state/readiness';

const before = await memory('?servers').current();
const harmful: Readiness = { state: 'looks-harmful', message: 'It runs what it downloads.' };
const turned = (...keys: string[]): Snapshot => ({ ...before, skills: before.skills.map((skill) => (keys.includes(skill.key) ? { ...skill, readiness: harmful } : skill)) });
const server = (state: ServerState): Snapshot => ({ ...before, servers: before.servers.map((each) => (each.name === 'figma' ? { ...each, state } : each)) });

test('a skill that looks harmful from now on is heard, once', () => {
  const after = turned('claude/code-review');
  expect(heardBetween(before, after)).toBe('code-review: Looks harmful.');
  expect(heardBetween(after, after)).toBe('');
  expect(heardBetween(after, before)).toBe('');
});

test('a server that stops by itself is heard, and one that a person stopped is not', () => {
  expect(heardBetween(server({ kind: 'resting' }), server({ kind: 'down', message: 'It ended.' }))).toBe('The server figma: Down.');
  expect(heardBetween(server({ kind: 'resting' }), server({ kind: 'needs-sign-in', asked: null, trouble: null }))).toBe('The server figma: Needs sign-in.');
  expect(heardBetween(server({ kind: 'resting' }), server({ kind: 'stopped', message: 'You stopped it.' }))).toBe('');
});

test('of many the first few are named, and the rest counted', () => {
  const keys = before.skills.slice(0, 5).map(({ key }) => key);
  expect(heardBetween(before, turned(...keys))).toMatch(/^([^:]+: Looks harmful\. ){3}2 more need you\.$/);
});

test('what is there when the library was read is no change', () => {
  const after = turned('claude/code-review');
  expect([heardBetween(null, after), heardBetween({ ...before, reading: 3 }, after), heardBetween({ ...before, firstRun: true }, after)]).toEqual(['', '', '']);
});

test.each<[Readiness, string]>([
  [{ state: 'needs-consent', server: 'linear', changed: false }, 'Waiting for your approval: linear'],
  [{ state: 'needs-sign-in', server: 'sentry' }, 'Needs sign-in: sentry'],
  [{ state: 'tools-changed', server: 'figma' }, 'Tools changed: figma'],
  [{ state: 'server-down', server: 'figma', message: 'It ended.' }, 'Server down: figma'],
  [{ state: 'needs-values', server: 'github', names: ['TOKEN', 'REPO'], secret: true, runtime: null }, 'Needs secret TOKEN and REPO'],
  [{ state: 'problem', message: 'No frontmatter.', line: 3, column: 1 }, 'Problem: line 3'],
  [{ state: 'ready' }, 'Ready'],
])('%j is heard as “%s”', (readiness, heard) => expect(heardOf({ readiness, also: [] })).toBe(heard));
