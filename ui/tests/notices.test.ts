// What the window offers to do about a notice.

import { expect, test } from 'vitest';

import { memory } from '../src/backend/memory';
import { App } from '../src/state/app.svelte';
import { actionOn, canBeDismissed } from '../src/state/notices';

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
