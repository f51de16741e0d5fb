// Where skills came from: the sources, which skills have another version there, and asking for them.

import type { ActionError, SkillRow, SourceRow } from '../backend/types';
import type { App } from './app.svelte';

/** A commit, or a digest behind `sha256:`, as people compare it. */
export const short = (version: string): string => version.slice(0, version.indexOf(':') + 1 + 12);

/** A source with the branch or tag that is followed, and the commit: `acme/skills · main · 3f2a1b9c04d1`. */
export const cited = ({ source, follows, commit }: { source: string; follows: string | null; commit?: string }): string =>
  [source, follows, commit && short(commit)].filter(Boolean).join(' · ');

export class Sources {
  /** Whether sources are being asked. */
  asking = $state(false);
  failure = $state.raw<ActionError | null>(null);

  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  get rows(): SourceRow[] {
    return this.#app.snapshot?.sources ?? [];
  }

  /** The skills that have another version at their source, by name. */
  get outdated(): SkillRow[] {
    return this.#app.snapshot?.skills.filter(({ origin }) => origin?.newer) ?? [];
  }

  /** When one of them was asked last. */
  get asked(): number | null {
    return this.rows.reduce<number | null>((latest, { asked }) => (asked !== null && asked > (latest ?? 0) ? asked : latest), null);
  }

  /** Asks the sources of these skills, or all. */
  async ask(keys: string[] | null): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.failure = await this.#app.tried(this.#app.backend.askSources(keys));
    this.asking = false;
  }

  cancel(): Promise<boolean> {
    return this.#app.act(this.#app.backend.cancelFetching());
  }
}
