// What the window makes of the findings of the checkup.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import type { Check } from '../src/backend/types';
import { App } from '../src/state/app.svelte';
import { actionOnCheck, placeHere } from '../src/state/checks';

const check = (other: Partial<Check>): Check => ({ id: 'port', state: 'problem', what: 'It does not work.', place: null, todo: null, command: null, remedy: null, client: null, about: null, ...other });

test('no sentence of a finding names a command', () => {
  const checks = JSON.parse(readFileSync(join(import.meta.dirname, '../src/backend/example.json'), 'utf8'));
  const found = JSON.stringify(checks).match(/"todo":"[^"]*"/g)!;
  expect(found.length).toBeGreaterThan(3);
  for (const todo of found) expect(todo).not.toContain('skilltender ');
});

test('a path is named once', () => {
  expect(placeHere(check({ what: 'zed starts /opt/old.', place: '/opt/old' }))).toBeNull();
  expect(placeHere(check({ todo: 'Open ~/a.json and put it right.', place: '~/a.json' }))).toBeNull();
  expect(placeHere(check({ place: '~/a.json' }))).toBe('~/a.json');
});

test('a finding has the button that leads to where it is mended, and what is fine has none', async () => {
  const backend = memory('?clients');
  const app = new App(backend);
  app.snapshot = await backend.current();
  let left = 0;
  const press = (other: Partial<Check>) => {
    const action = actionOnCheck(app, check(other), () => (left += 1));
    action?.run();
    return action?.label ?? null;
  };
  expect(press({ remedy: 'file', client: 'zed' })).toBe('Show Zed');
  expect([app.place, app.clientShown, left]).toEqual(['clients', 'zed', 1]);
  expect(press({ remedy: 'folder' })).toBe('Show the folders');
  expect([app.place, app.sectionShown]).toEqual(['settings', 'folders']);
  expect(press({ remedy: 'install' })).toBe('Show the servers');
  expect(app.place).toBe('servers');
  expect([press({ remedy: 'port', state: 'fine' }), press({ remedy: 'tray' })]).toEqual([null, null]);
});
