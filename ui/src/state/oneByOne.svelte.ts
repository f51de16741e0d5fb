// One thing done to each of several skills, in their order: what is done, what failed and why. A failure stops nothing.

import { SvelteMap } from 'svelte/reactivity';

import type { ActionError, SkillRow } from '../backend/types';
import type { App } from './app.svelte';

/** How it ended for one skill: a sentence, in the language that is shown when it is, or why it was not done. */
export type Ended = { said: () => string } | { failure: ActionError };

export class OneByOne {
  readonly ended = new SvelteMap<string, Ended>();
  /** Whether it was begun, and has not come to the last skill. */
  busy = $state(false);

  readonly #app: App;
  readonly skills: readonly SkillRow[];

  constructor(app: App, skills: readonly SkillRow[]) {
    this.#app = app;
    this.skills = skills;
  }

  get done(): number {
    return [...this.ended.values()].filter((each) => 'said' in each).length;
  }

  get failed(): number {
    return this.ended.size - this.done;
  }

  /** Does it to every skill that it was not done to yet. */
  async run(work: (skill: SkillRow) => Promise<() => string>): Promise<void> {
    this.busy = true;
    for (const skill of this.skills) {
      const before = this.ended.get(skill.key);
      if (before && 'said' in before) continue;
      let said = () => '';
      const failure = await this.#app.tried(work(skill).then((sentence) => (said = sentence)));
      this.ended.set(skill.key, failure ? { failure } : { said });
    }
    this.busy = false;
  }
}
