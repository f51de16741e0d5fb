// The list of skills, with search, filter and selection.

import type { Backend } from '../backend/backend';
import type { Hit, SkillRow } from '../backend/types';
import { choices, everything, filtered, found, grouped, ordered, orders, type Filter, type Order } from './list';
import { recall, remember } from './remembered';
import { Picked } from './picked.svelte';

/** The pause before a search, in milliseconds: a quickly typed word is one search, without a noticeable delay. */
const quiet = 60;
/** The most hits that are shown; typing more finds the rest. */
export const most = 1_000;

export class SkillList {
  query = $state('');
  filter = $state<Filter>({ ...everything });
  order = $state<Order>(recall('order', orders) ?? 'name');
  /** Whether to say how several skills are picked. */
  hintAtPicking = $state(false);

  /** The switches of single skills since the start, for the hint. */
  #switched = 0;
  readonly #backend: Backend;
  readonly #skills: () => readonly SkillRow[];
  readonly #folders: () => readonly string[];
  /** The hits of the last search; `null` without a search. */
  #hits = $state.raw<readonly Hit[] | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #left = $derived.by(() => filtered(found(this.#skills(), this.#hits), this.filter));
  readonly shown = $derived(this.#left.shown);
  readonly counts = $derived(this.#left.counts);
  readonly searching = $derived(this.#hits !== null);
  readonly items = $derived.by(() => grouped(this.searching ? this.shown : ordered(this.shown, this.order, this.#folders()), this.searching));
  /** The skill of the first drawn row. */
  readonly first = $derived.by(() => this.items.find((item) => item.kind === 'skill')?.skill);
  readonly choices = $derived.by(() => choices(this.#skills()));
  readonly narrowed = $derived(Object.entries(this.filter).some(([name, value]) => value !== everything[name as keyof Filter]));
  // In the order of the drawn rows: a range is what lies between its ends on the screen.
  readonly picked = new Picked(() => this.items.flatMap((item) => (item.kind === 'skill' ? [item.skill] : [])));

  /** `folders`: the ids of the library folders, in their order. */
  constructor(backend: Backend, skills: () => readonly SkillRow[], folders: () => readonly string[] = () => []) {
    this.#backend = backend;
    this.#skills = skills;
    this.#folders = folders;
  }

  /** Sets the search text. The list is unchanged until the answer arrives. */
  search(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    if (query.trim()) this.#timer = setTimeout(() => void this.#ask(), quiet);
    else this.#hits = null;
  }

  /** Prepares the first search before the first letter is typed. */
  expect(): void {
    void this.#backend.searchSkills('', 0).catch(() => []);
  }

  /** Searches again after a change of the library. */
  again(): void {
    if (this.#hits !== null) void this.#ask();
  }

  /** A single skill was switched. Whoever does it again and again, and never picked several, is told how. */
  switchedOne(): void {
    this.#switched += 1;
    if (this.#switched >= 3 && recall('picking', ['known']) === null) this.hintAtPicking = true;
  }

  /** The person knows how several are picked. */
  knowsPicking(): void {
    this.hintAtPicking = false;
    remember('picking', 'known');
  }

  sort(order: Order): void {
    this.order = order;
    remember('order', order);
  }

  narrow(to: Partial<Filter>): void {
    this.filter = { ...this.filter, ...to };
  }

  /** Clears the filters and keeps the search. */
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
