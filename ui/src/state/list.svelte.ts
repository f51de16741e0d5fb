// The list of skills as the person has searched, filtered and picked from it.

import type { Backend } from '../backend/backend';
import type { Hit, SkillRow } from '../backend/types';
import { choices, everything, filtered, found, grouped, type Filter } from './list';
import { Picked } from './picked.svelte';

/** Long enough that a word typed at speed is one question, too short to be waited for. */
const quiet = 60;
/** More hits than anybody looks through; what is beyond them is found by one more letter. */
export const most = 1_000;

export class SkillList {
  query = $state('');
  filter = $state<Filter>({ ...everything });
  /** Set by "focus the search field"; the field takes it. */
  searchAsked = $state(0);

  readonly #backend: Backend;
  readonly #skills: () => readonly SkillRow[];
  /** What the last answered search found; `null` while nothing is searched. */
  #hits = $state.raw<readonly Hit[] | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #left = $derived.by(() => filtered(found(this.#skills(), this.#hits), this.filter));
  readonly shown = $derived(this.#left.shown);
  readonly counts = $derived(this.#left.counts);
  readonly searching = $derived(this.#hits !== null);
  readonly items = $derived(grouped(this.shown, this.searching));
  readonly choices = $derived.by(() => choices(this.#skills()));
  readonly narrowed = $derived(Object.entries(this.filter).some(([name, value]) => value !== everything[name as keyof Filter]));
  readonly picked = new Picked(() => this.shown.map(({ skill }) => skill));

  constructor(backend: Backend, skills: () => readonly SkillRow[]) {
    this.#backend = backend;
    this.#skills = skills;
  }

  /** The search field now holds this. The list stays as it is until the answer is there. */
  search(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    if (query.trim()) this.#timer = setTimeout(() => void this.#ask(), quiet);
    else this.#hits = null;
  }

  /** Somebody is about to search: what the first search needs is made before the first letter is typed. */
  expect(): void {
    void this.#backend.searchSkills('', 0).catch(() => []);
  }

  /** Asks again: the library changed. */
  again(): void {
    if (this.#hits !== null) void this.#ask();
  }

  narrow(to: Partial<Filter>): void {
    this.filter = { ...this.filter, ...to };
  }

  /** Takes the filters away and leaves the search. */
  showAll(): void {
    this.filter = { ...everything };
  }

  clear(): void {
    this.search('');
    this.showAll();
  }

  async #ask(): Promise<void> {
    const query = this.query.trim();
    const hits = await this.#backend.searchSkills(query, most).catch(() => []);
    if (query === this.query.trim()) this.#hits = hits;
  }
}
