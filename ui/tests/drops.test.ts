// Drops: each is reviewed, one after the other, and nothing that is open is replaced.

import { expect, test } from 'vitest';

import type { App, Question } from '../src/state/app.svelte';
import { Drops } from '../src/state/drops.svelte';

const choice = (id: string) => ({ id, place: id });

/** What drops use of the window's state. */
function window(changed: { firstRun?: boolean; whole?: boolean; dialog?: Question; palette?: boolean } = {}) {
  const said: string[] = [];
  const app = {
    snapshot: { firstRun: changed.firstRun ?? false }, whole: changed.whole ?? true, dialog: changed.dialog ?? null as Question | null,
    palette: changed.palette ?? false, shortcuts: false, leaving: false, asking: null,
    toasts: { done: (message: string) => said.push(message), failed: (message: string) => said.push(message) },
  };
  return { app, said, drops: new Drops(app as unknown as App) };
}
const shown = ({ dialog }: { dialog: Question | null }) => (dialog?.kind === 'import' ? dialog.source.id : dialog?.kind);

test('several are reviewed in their order, and those of a second drop after them', () => {
  const { app, drops } = window();
  drops.over = true;
  drops.take([choice('a'), choice('b')]);
  expect([shown(app), drops.waiting.length, drops.over]).toEqual(['a', 1, false]);
  drops.take([choice('c')]);
  expect(shown(app)).toBe('a');
  const order = [];
  for (let dialog = app.dialog; dialog; dialog = app.dialog) {
    order.push(shown(app));
    drops.next();
  }
  expect(order).toEqual(['a', 'b', 'c']);
});

test.each<{ dialog?: Question; palette?: boolean }>([{ dialog: { kind: 'new' } }, { palette: true }])('what is open stays, and it is said: %j', (open) => {
  const { app, drops, said } = window(open);
  drops.take([choice('a')]);
  expect(shown(app)).toBe(shown({ dialog: open.dialog ?? null }));
  expect(said).toEqual(['Close the open dialog first, then drop it again.']);
  drops.next();
  expect(app.dialog).toBeNull();
});

test('during the first run and while the library is read it waits, and that is said', () => {
  const { app, drops, said } = window({ firstRun: true });
  drops.take([choice('a')]);
  expect([app.dialog, said.length]).toEqual([null, 1]);
  app.snapshot.firstRun = false;
  drops.show();
  expect(shown(app)).toBe('a');
});

test('a source that a link names is asked for with the answer filled in, and replaces nothing that is open', () => {
  const { app, drops } = window();
  drops.takeSource('acme/skills');
  expect(app.dialog).toEqual({ kind: 'source', written: 'acme/skills' });
  const busy = window({ dialog: { kind: 'new' } });
  busy.drops.takeSource('acme/skills');
  expect([busy.app.dialog, busy.said]).toEqual([{ kind: 'new' }, ['Close the open dialog first, then open the link again.']]);
});
