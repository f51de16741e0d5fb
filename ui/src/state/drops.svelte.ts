// What is dropped on the window: each is reviewed as an import, one after the other. An open dialog is never replaced.

import type { Choice } from '../backend/backend';
import { t } from '../text';
import type { App } from './app.svelte';

export class Drops {
  /** Whether something is dragged over the window. */
  over = $state(false);
  /** What is reviewed after the open review. */
  waiting = $state.raw<readonly Choice[]>([]);
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Takes what was dropped: shows it now, or says when. */
  take(dropped: readonly Choice[]): void {
    const app = this.#app;
    this.over = false;
    if (dropped.length === 0) return;
    if (app.snapshot?.firstRun || !app.whole) {
      app.toasts.done(t('drop.later'));
    } else if (app.dialog?.kind !== 'import' && this.#isBusy()) {
      app.toasts.failed(t('drop.busy'));
      return;
    }
    this.waiting = [...this.waiting, ...dropped];
    this.show();
  }

  /** Takes a source that an address of ours names: asks for it with the answer filled in, and asks nobody else. */
  takeSource(written: string): void {
    const app = this.#app;
    if (app.snapshot?.firstRun || !app.whole || this.#isBusy()) app.toasts.failed(t('source.busy'));
    else app.dialog = { kind: 'source', written };
  }

  /** Shows the next one, if nothing is in its way. */
  show(): void {
    const app = this.#app;
    const [source, ...rest] = this.waiting;
    if (!source || !app.whole || app.snapshot?.firstRun || this.#isBusy()) return;
    this.waiting = rest;
    app.dialog = { kind: 'import', source };
  }

  /** Closes the open review and shows the next. */
  next(): void {
    this.#app.dialog = null;
    this.show();
  }

  #isBusy(): boolean {
    const { dialog, palette, shortcuts, leaving, asking } = this.#app;
    return dialog !== null || palette || shortcuts || leaving || asking !== null;
  }
}
