// The list of skills as the person has searched and filtered it.

import type { SkillRow } from '../backend/types';
import { filtered, grouped, type Filter, type Segment } from './list';

export class SkillList {
  query = $state('');
  segment = $state<Segment>('all');
  folder = $state('');
  /** Set by "focus the search field"; the field takes it. */
  searchAsked = $state(0);

  readonly #skills: () => readonly SkillRow[];
  readonly filter: Filter = $derived({ query: this.query.trim(), segment: this.segment, folder: this.folder });
  readonly #found = $derived.by(() => filtered(this.#skills(), this.filter));
  readonly shown = $derived(this.#found.shown);
  readonly counts = $derived(this.#found.counts);
  readonly items = $derived(grouped(this.shown));

  constructor(skills: () => readonly SkillRow[]) {
    this.#skills = skills;
  }

  clear(): void {
    this.query = '';
    this.segment = 'all';
    this.folder = '';
  }
}
