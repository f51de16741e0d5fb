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

test('a notice that nobody can act on has no action', () => expect(actionOn(new App(memory()), notice('other'))).toBeNull());

test('what is not saved stays said', () => expect([canBeDismissed(notice('not-saved')), canBeDismissed(notice('no-tray'))]).toEqual([false, true]));

test('an update that did not come up is named with the version that is back', async () => {
  const app = new App(memory());
  app.snapshot = { ...(await app.backend.current()), version: '0.1.0' };
  expect(saidBy(app, notice('update-back:0.2.0'))).toBe('Skilltender 0.2.0 did not come up here, so 0.1.0 is back in its place.');
  expect(canBeDismissed(notice('update-back:0.2.0'))).toBe(true);
});
