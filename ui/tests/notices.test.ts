// What the window offers to do about a notice.

import { expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import { App } from '../src/state/app.svelte';
import { actionOn, canBeDismissed, saidBy } from '../src/state/notices';

const notice = (id: string) => ({ id, message: 'Something is wrong.' });

test('a notice about a file leads to the checks, and one about tokens to the clients', () => {
  const app = new App(memory());
  actionOn(app, notice('unreadable:/home/mei/choices.json'))?.run();
  expect(app.dialog).toEqual({ kind: 'checkup' });
  actionOn(app, notice('tokens-shown'))?.run();
  expect(app.place).toBe('clients');
});

test('new skills and harmful ones are shown: those of their folder, and of the harmful ones only they', async () => {
  const backend = memory('?harmful');
  const app = new App(backend);
  app.snapshot = await backend.current();
  actionOn(app, notice('held:projects'))?.run();
  expect(app.list.filter).toMatchObject({ folder: 'projects', state: 'looks-harmful' });
  expect(app.list.shown.map(({ skill }) => skill.key)).toEqual(['projects/prompt-library']);
  actionOn(app, notice('new:projects'))?.run();
  expect(app.list.filter).toMatchObject({ folder: 'projects', state: '' });
  expect(app.list.shown.length).toBeGreaterThan(1);
  // A folder that is gone has nothing to show.
  expect(actionOn(app, notice('new:gone'))).toBeNull();
});

test('each notice of the engine that somebody can act on leads to the place', async () => {
  const backend = memory('?clients');
  const app = new App(backend);
  app.snapshot = { ...(await backend.current()), trash: [{ id: 't1', name: 'Old', place: '~/old', time: 0, link: false, inside: 0 }] };
  const after = (id: string) => {
    Object.assign(app, { place: 'skills', dialog: null, sectionShown: null, clientShown: null });
    actionOn(app, notice(id))?.run();
    return [app.place, app.dialog?.kind ?? app.sectionShown ?? app.clientShown].join(' ').trim();
  };
  for (const id of ['program', 'socket', 'starters', 'interrupted:0', 'usage', 'audit']) expect([id, after(id)]).toEqual([id, 'skills checkup']);
  expect(after('update')).toBe('settings general');
  expect([after('trash'), after('trash-left')]).toEqual(['settings trash', 'settings trash']);
  expect([after('client-folders'), after('copied-instead')]).toEqual(['clients', 'clients']);
  expect(after('put-back:codex')).toBe('clients codex');
  expect(actionOn(app, notice('watch'))?.label).toBe('Read all library folders again');
  // An empty trash is no section of the settings.
  app.snapshot = { ...app.snapshot, trash: [] };
  expect(actionOn(app, notice('trash'))).toBeNull();
});

test('a notice that nobody can act on has no action', () => expect(actionOn(new App(memory()), notice('other'))).toBeNull());

test('what is not saved stays said', () => expect([canBeDismissed(notice('not-saved')), canBeDismissed(notice('no-tray'))]).toEqual([false, true]));

test('an update that did not come up is named with the version that is back', async () => {
  const app = new App(memory());
  app.snapshot = { ...(await app.backend.current()), version: '0.1.0' };
  expect(saidBy(app, notice('update-back:0.2.0'))).toBe('Skilltender 0.2.0 did not come up here, so 0.1.0 is back in its place.');
  expect(canBeDismissed(notice('update-back:0.2.0'))).toBe(true);
});
