// What skills and servers were used, as it was last read: for the page Insight and for each skill's page.

import type { UsageReport } from '../backend/types';
import type { App } from './app.svelte';

/** How long what was read is good enough for a skill's page, in milliseconds. */
const fresh = 30_000;

/** How long the page waits between two looks of its own, in milliseconds. */
const pause = 2_000;

/** What was done about a verdict on this visit of the page. */
export interface Deed {
  id: number;
  /** What was done, in the language of the window. */
  text: () => string;
  undo: () => unknown;
}

export class Usage {
  /** What was done since the page was opened, the last first. */
  deeds = $state.raw<readonly Deed[]>([]);
  /** What was done last, unless something was undone since. */
  said = $state.raw<Deed | null>(null);
  report = $state.raw<UsageReport | null>(null);
  days = $state(30);
  /** The same of 30 days, for the pages of skills. */
  month = $state.raw<UsageReport | null>(null);
  #read = 0;
  #looked = 0;
  #next: ReturnType<typeof setTimeout> | undefined;
  #reading = false;
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Reads it again after a change, at most every two seconds: while clients work, changes come many a second. */
  follow(): void {
    this.#next ??= setTimeout(() => void this.look(), Math.max(0, this.#looked + pause - Date.now()));
  }

  /** Reads it for the page. */
  async look(): Promise<void> {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.#looked = Date.now();
    const { days } = this;
    const report = await this.#app.ask(this.#app.backend.readUsage(days));
    // A choice made meanwhile has its own answer.
    if (report && days === this.days) this.report = report;
    if (report && days === 30) this.month = report;
  }

  /** Reads it for a skill's page, unless that was done just now. A failure is no news there. */
  async glance(): Promise<void> {
    if (this.#reading || Date.now() - this.#read < fresh) return;
    this.#reading = true;
    await this.#app.tried(this.#app.backend.readUsage(30).then((report) => (this.month = report)));
    this.#read = Date.now();
    this.#reading = false;
  }

  /** Something was done: it stands on the page with its undo, until the page is left. */
  async did(text: () => string, undo: () => unknown): Promise<void> {
    const id = (this.deeds[0]?.id ?? 0) + 1;
    const take = async () => {
      this.said = null;
      this.deeds = this.deeds.filter((deed) => deed.id !== id);
      await undo();
      await this.look();
    };
    this.said = { id, text, undo: take };
    this.deeds = [this.said, ...this.deeds];
    await this.look();
  }

  /** The page is left. */
  leave(): void {
    this.deeds = [];
    this.said = null;
  }

  /** Forgets everything. */
  async wipe(): Promise<boolean> {
    const done = await this.#app.act(this.#app.backend.wipeUsage());
    if (done) {
      this.month = null;
      this.#read = 0;
      await this.look();
    }
    return done;
  }
}
