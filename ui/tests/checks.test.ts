// What the window makes of the findings of the checkup.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import type { Check } from '../src/backend/types';
import { App } from '../src/state/app.svelte';
import { actionOnCheck, placeHere, todoHere } from '../src/state/checks';

const check = (other: Partial<Check>): Check => ({ id: 'port', state: 'problem', what: 'It does not work.', place: null, todo: null, client: null, ...other });

test.each([
  ['Update the entry under Clients, or with `skilltender connect zed`.', 'Update the entry under Clients.'],
  ['Look at both versions under Clients, or with `skilltender clients drift zed`, and keep one.', 'Look at both versions under Clients, and keep one.'],
  ['Open ~/.config/zed/settings.json and put it right there: we touch no file that we cannot read. Then `skilltender connect zed` adds us.', 'Open ~/.config/zed/settings.json and put it right there: we touch no file that we cannot read.'],
  ['Nothing, if that is meant. To let them share one: `skilltender servers link team/plan linear --with claude/notes`.', 'Nothing, if that is meant.'],
  ['Quit that program, then start Skilltender again, or take another port: `skilltender settings port 8400`. Clients over HTTP are told.', 'Quit that program, then start Skilltender again, or take another port. Clients over HTTP are told.'],
  ['Unlock it, then `skilltender secrets retry`: secrets cannot be read or stored before.', 'Unlock it: secrets cannot be read or stored before.'],
  ['`skilltender servers` shows its state. `skilltender connect zed --direct` takes out what may not run.', ''],
  ['Install jira-mcp, or put its folder on PATH. `skilltender doctor` says whether it is found then.', 'Install jira-mcp, or put its folder on PATH.'],
])('%j is shown as %j', (todo, shown) => expect(todoHere(check({ todo }))).toBe(shown));

test('no hint of the engine leaves a command in the window', () => {
  const sources = ['clients', 'state', 'system'].map((name) => readFileSync(join(import.meta.dirname, `../../crates/engine/src/doctor/${name}.rs`), 'utf8'));
  const hints = sources.join('\n').match(/"[^"\n]*`skilltender [^"]*"/g)!.map((each) => each.slice(1, -1).replaceAll(/\\\n\s*/g, ''));
  expect(hints.length).toBeGreaterThan(10);
  for (const todo of hints) expect(todoHere(check({ todo }))).not.toContain('`skilltender ');
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
  expect(press({ id: 'client-file', client: 'zed' })).toBe('Show Zed');
  expect([app.place, app.clientShown, left]).toEqual(['clients', 'zed', 1]);
  expect(press({ id: 'library' })).toBe('Show the folders');
  expect([app.place, app.sectionShown]).toEqual(['settings', 'folders']);
  expect(press({ id: 'runtimes' })).toBe('Show the servers');
  expect(app.place).toBe('servers');
  expect([press({ id: 'port', state: 'fine' }), press({ id: 'tray' })]).toEqual([null, null]);
});
