// Updates of several skills, reviewed one after another: what each would change, the answers to its conflicts, and what
// came of it.

import { SvelteMap } from 'svelte/reactivity';

import type { Answers } from '../backend/backend';
import type { ActionError, Take, UpdatePlan } from '../backend/types';
import { t } from '../text';
import type { App } from './app.svelte';

/** The answers to a plan's conflicts: of some, none was given yet. */
export class Given {
  readonly #takes = new SvelteMap<string, Take>();
  readonly #plan: UpdatePlan;

  constructor(plan: UpdatePlan) {
    this.#plan = plan;
  }

  of(path: string, at: number): Take | undefined {
    return this.#takes.get(`${at} ${path}`);
  }

  give(path: string, at: number, take: Take): void {
    this.#takes.set(`${at} ${path}`, take);
  }

  /** How many conflicts have no answer. */
  get open(): number {
    return this.#plan.conflicts - this.#takes.size;
  }

  /** As the engine takes them. */
  all(): Answers {
    const asked = this.#plan.files.filter(({ conflicts }) => conflicts.length > 0);
    return Object.fromEntries(asked.map(({ path, conflicts }) => [path, conflicts.map((_, at) => this.of(path, at) ?? 'mine')]));
  }
}

export class Reviews {
  /** The keys of the skills that are left; the first is shown. */
  left = $state.raw<readonly string[]>([]);
  plan = $state.raw<UpdatePlan | null>(null);
  answers = $state.raw<Given | null>(null);
  failure = $state.raw<ActionError | null>(null);
  /** What is being done. */
  busy = $state<'planning' | 'updating' | 'texts' | null>(null);
  /** How many were updated. */
  updated = $state(0);
  /** How many of those that change only text were just updated together. */
  together = $state<number | null>(null);
  /** Whether the plan was made again because something changed. */
  anew = $state(false);

  readonly #app: App;
  #stopped = false;
  #ended = false;

  constructor(app: App, keys: readonly string[]) {
    this.#app = app;
    this.left = keys;
  }

  /** Plans the update of the first skill. */
  async look(): Promise<void> {
    const key = this.left[0];
    [this.plan, this.answers, this.failure] = [null, null, null];
    if (key === undefined || this.#ended) return;
    this.busy = 'planning';
    let plan: UpdatePlan | null = null;
    const failure = await this.#app.tried(this.#app.backend.planUpdate(key).then((made) => (plan = made)));
    // It was put off meanwhile.
    if (this.left[0] !== key) return;
    this.busy = null;
    this.failure = failure;
    this.#show(plan);
  }

  /** Updates the first skill as it was shown. */
  async update(): Promise<void> {
    const { plan, answers } = this;
    if (!plan || !answers || answers.open > 0 || this.busy) return;
    this.busy = 'updating';
    const failure = await this.#app.tried(this.#make(plan, answers.all()));
    this.busy = null;
    if (this.#ended && failure) this.#app.toasts.failed(failure.message, failure.hints);
    this.anew = failure?.kind === 'changed';
    if (this.anew) return this.look();
    this.failure = failure;
    if (!failure) await this.#next();
  }

  /** Leaves the first skill as it is, for another day. */
  async later(): Promise<void> {
    if (this.busy === 'updating' || this.busy === 'texts') return;
    this.anew = false;
    await this.#next();
  }

  /** Plans every update that is left, and makes those that change nothing but text and have nothing to be known before, as
      a tag that moved. The others stay to be reviewed. */
  async texts(): Promise<void> {
    this.busy = 'texts';
    this.#stopped = false;
    const before = this.updated;
    const others: string[] = [];
    const all = this.left;
    for (const [at, key] of all.entries()) {
      if (this.#stopped) {
        others.push(...all.slice(at));
        break;
      }
      const failure = await this.#app.tried(
        this.#app.backend.planUpdate(key).then(async (plan) => {
          if (plan.textOnly && plan.notes.length === 0) await this.#make(plan, {});
          else others.push(key);
        }),
      );
      // It says why when its turn comes.
      if (failure) others.push(key);
    }
    this.busy = null;
    this.left = others;
    this.together = this.updated - before;
    await this.look();
  }

  /** Ends the planning of those that change only text, after the one that is under way. */
  stop(): void {
    this.#stopped = true;
    void this.#app.act(this.#app.backend.cancelFetching());
  }

  /** The person leaves: what is being fetched for them ends. */
  end(): void {
    this.#ended = true;
    // What is being written is written to its end.
    if (this.busy !== null && this.busy !== 'updating') this.stop();
  }

  async #make(plan: UpdatePlan, answers: Answers): Promise<void> {
    const { key, name, to, id } = plan;
    if (this.#app.skill.hasUnsaved(key)) throw { kind: 'refused', message: t('tending.unsaved', { name }), hints: [] } satisfies ActionError;
    await this.#app.backend.updateSkill(key, to, id, answers);
    this.updated += 1;
  }

  #show(plan: UpdatePlan | null): void {
    this.plan = plan;
    this.answers = plan && new Given(plan);
  }

  async #next(): Promise<void> {
    this.together = null;
    this.left = this.left.slice(1);
    await this.look();
  }
}
