// Where skills came from: the sources, which skills have another version there, and asking for them; and the skills that
// other programs installed.

import type { ActionError, ManagedSkill, SkillRow, SourceRow } from '../backend/types';
import { clauses, t, translated } from '../text';
import type { App } from './app.svelte';

/** A commit, or a digest behind `sha256:`, as people compare it. */
export const short = (version: string): string => version.slice(0, version.indexOf(':') + 1 + 12);

/** A source with the branch or tag that is followed, and the commit: `acme/skills · main · 3f2a1b9c04d1`. */
export const cited = ({ source, follows, commit }: { source: string; follows: string | null; commit?: string }): string =>
  [source, follows, commit && short(commit)].filter(Boolean).join(' · ');

/** Who installed a skill, from where: `installed by npx skills, from acme/skills, v2`. */
export const managedBy = ({ by, source, version }: ManagedSkill): string => clauses([t('managed.by', { by: translated(by), source }), version]);

export class Sources {
  /** What other programs installed, as it was when that was looked at. */
  managed = $state.raw<ManagedSkill[]>([]);
  /** The skill that is being adopted. */
  adopting = $state<string | null>(null);
  #ended = false;

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

  /** Looks which skills other programs installed. What cannot be looked at is not shown: nothing depends on it. */
  async glance(): Promise<void> {
    this.managed = await this.#app.backend.managedSkills(null).catch(() => []);
  }

  /** Follows the sources of these skills. */
  async adopt(skills: ManagedSkill[]): Promise<void> {
    const app = this.#app;
    if (this.adopting) return;
    this.#ended = false;
    const adopted: ManagedSkill[] = [];
    for (const skill of skills) {
      this.adopting = skill.key;
      const failure = await app.tried(app.backend.adoptSkill(skill.key));
      // Who ended it knows why it ended.
      if (this.#ended) break;
      if (failure) app.toasts.failed(failure.message, failure.hints);
      else adopted.push(skill);
    }
    this.adopting = null;
    const [first] = adopted;
    if (first) {
      const keys = adopted.map(({ key }) => key);
      app.toasts.done(keys.length === 1 ? t('managed.adopted', { name: first.name }) : t('managed.adoptedMany', { n: keys.length }), () => this.forget(keys));
    }
    await this.glance();
  }

  endAdopting(): void {
    this.#ended = true;
    void this.cancel();
  }

  /** Forgets where skills came from. */
  async forget(keys: string[]): Promise<void> {
    await this.#app.act(this.#app.backend.forgetOrigins(keys), t('sources.forgotten', { n: keys.length }));
    await this.glance();
  }
}
