// What is chosen of skills that would come, from an import or a source: which of them, and into which folder.

import { SvelteSet } from 'svelte/reactivity';

import type { ActionError, ImportPlan, ImportSkill } from '../backend/types';
import { t } from '../text';
import type { App } from './app.svelte';

export class Incoming {
  folder = $state('');
  /** Whether they are being written. */
  writing = $state(false);
  refusal = $state.raw<ActionError | null>(null);

  readonly #app: App;
  readonly #leftOut = new SvelteSet<string>();

  constructor(app: App) {
    this.#app = app;
    this.folder = app.tending.ownFolder() ?? '';
  }

  /** Whether the folder has a skill of that name. */
  isTaken = ({ id }: ImportSkill): boolean => this.#app.snapshot!.skills.some((skill) => skill.key === `${this.folder}/${id}`);

  isWanted = (each: ImportSkill): boolean => !this.#leftOut.has(each.path) && !this.isTaken(each);

  flip = ({ path }: ImportSkill): void => void (this.#leftOut.delete(path) || this.#leftOut.add(path));

  wanted = ({ skills }: ImportPlan): ImportSkill[] => skills.filter(this.isWanted);

  /** Writes those that are wanted; then `onclose` is called and the first of them is shown. A plan that is out of date is
      made again by `again`. */
  async bring(plan: ImportPlan, write: (folder: string, only: string[] | null) => Promise<string[]>, { onclose, again }: { onclose: () => void; again: () => void }): Promise<void> {
    const app = this.#app;
    const wanted = this.wanted(plan);
    const only = wanted.length === plan.skills.length ? null : wanted.map((each) => each.path);
    let keys: string[] = [];
    this.writing = true;
    this.refusal = await app.tried(write(this.folder, only).then((made) => (keys = made)));
    this.writing = false;
    if (this.refusal) {
      if (this.refusal.kind === 'changed') again();
      return;
    }
    app.toasts.done(keys.length === 1 ? t('import.done', { name: wanted[0]!.name }) : t('import.doneMany', { n: keys.length }));
    onclose();
    app.list.clear();
    if (keys[0] !== undefined) app.openSkill(keys[0]);
  }
}
