// The selected rows: with Ctrl one by one, with Shift a range, or all.

import { SvelteSet } from 'svelte/reactivity';

import type { SkillRow } from '../backend/types';

export class Picked {
  readonly #keys = new SvelteSet<string>();
  readonly #shown: () => readonly SkillRow[];
  /** The start of a range. */
  #from: string | null = null;

  /** Only shown rows can be selected, so that no action affects a hidden row. They are in the order in which they are drawn. */
  readonly rows: readonly SkillRow[] = $derived.by(() => this.#shown().filter((row) => this.#keys.has(row.key)));
  readonly many = $derived(this.rows.length > 0);

  constructor(shown: () => readonly SkillRow[]) {
    this.#shown = shown;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Sets the start of a later Shift range. */
  startAt(key: string): void {
    this.#from = key;
  }

  /** Adds a row. */
  add(key: string): void {
    this.#keys.add(key);
  }

  /** Adds or removes a row; the row that was open before is added, because it was chosen too. */
  toggle(key: string, open: string | null): void {
    if (!this.many && open !== null && open !== key) this.#keys.add(open);
    if (!this.#keys.delete(key)) this.#keys.add(key);
    this.#from = key;
  }

  /** Selects everything that is drawn between the start of the range and this row. A start that is not shown (any
      more) is no start: the open row is, or else this row alone is selected. */
  stretchTo(key: string, open: string | null): void {
    const keys = this.#shown().map((row) => row.key);
    const from = [this.#from, open].find((each) => each !== null && keys.includes(each)) ?? key;
    const ends = [keys.indexOf(from), keys.indexOf(key)];
    this.#keys.clear();
    for (const each of keys.slice(Math.min(...ends), Math.max(...ends) + 1)) this.#keys.add(each);
    this.#from = from;
  }

  all(): void {
    for (const row of this.#shown()) this.#keys.add(row.key);
  }

  clear(): void {
    this.#keys.clear();
    this.#from = null;
  }
}
