// The open skill: its page, its visible tab, and its draft. Drafts of other skills stay until they are saved.

import { SvelteMap } from 'svelte/reactivity';

import type { Backend } from '../backend/backend';
import type { Kept, SkillPage, SkillRow } from '../backend/types';
import { Draft } from './draft.svelte';
import type { LeftDraft } from './left';

export type Tab = 'read' | 'edit' | 'files' | 'needs' | 'problems' | 'clients';

export class OpenSkill {
  key = $state<string | null>(null);
  tab = $state<Tab>('read');
  page = $state.raw<SkillPage | null>(null);
  /** The file in the Files tab. */
  file = $state('SKILL.md');
  /** The caret's position when the editor opens next. */
  caret: number | null = null;
  /** Whether the person asked to enter missing values: the first of their fields takes focus. */
  entering = $state(false);
  /** The newest unsaved text that was put aside and is still to be offered. */
  kept = $state.raw<Kept | null>(null);
  /** Why the skill cannot be shown, as a sentence. */
  trouble = $state<string | null>(null);

  readonly row: SkillRow | undefined = $derived.by(() => this.#rows().find((row) => row.key === this.key));
  readonly draft: Draft | undefined = $derived.by(() => (this.key === null ? undefined : this.#drafts.get(this.key)));

  readonly #backend: Backend;
  readonly #rows: () => readonly SkillRow[];
  readonly #drafts = new SvelteMap<string, Draft>();
  #seen = '';

  constructor(backend: Backend, rows: () => readonly SkillRow[]) {
    this.#backend = backend;
    this.#rows = rows;
  }

  async open(key: string, tab: Tab = 'read'): Promise<void> {
    if (key !== this.key) {
      this.page = null;
      this.kept = null;
      this.entering = false;
      this.file = 'SKILL.md';
      this.trouble = null;
    }
    this.key = key;
    this.tab = tab;
    await this.read();
    await this.lookForKept();
  }

  close(): void {
    this.key = null;
    this.page = null;
    this.kept = null;
    this.trouble = null;
  }

  /** Lets go of a draft whose text is somewhere else now. */
  forget(draft: Draft): void {
    this.#drafts.delete(draft.base.key);
  }

  /** Takes over the unsaved text that the page before this one left, and the file as that page knew it. */
  takeUp({ base, text, caret, kept }: LeftDraft): void {
    const draft = new Draft(this.#backend, base);
    draft.typed(text);
    Object.assign(draft, { caret, kept });
    this.#drafts.set(base.key, draft);
  }

  takeCaret(): number | null {
    const caret = this.caret;
    this.caret = null;
    return caret;
  }

  enterMissing(): void {
    this.entering = true;
    this.tab = 'needs';
  }

  /** Gives focus to the first field that asks for something missing. */
  takeEntry = (field: HTMLInputElement): void => {
    if (!this.entering) return;
    this.entering = false;
    field.focus();
  };

  /** The drafts that hold unsaved edits. */
  get unsaved(): Draft[] {
    return [...this.#drafts.values()].filter((draft) => draft.unsaved);
  }

  hasUnsaved(key: string): boolean {
    return this.#drafts.get(key)?.unsaved ?? false;
  }

  /** Looks for an unsaved text that was put aside, unless the skill is being edited. */
  async lookForKept(): Promise<void> {
    const { key } = this;
    if (key === null || this.draft?.unsaved) return;
    // A read-only engine keeps no texts, so none is offered.
    const [newest] = await this.#backend.keptVersions(key).catch(() => []);
    if (key === this.key) this.kept = newest ?? null;
  }

  /** Reads the skill again when its row has changed. */
  async follow(): Promise<void> {
    if (this.key !== null && JSON.stringify(this.row) !== this.#seen) await this.read();
  }

  async read(): Promise<void> {
    const key = this.key;
    if (key === null) return;
    this.#seen = JSON.stringify(this.row);
    try {
      const page = await this.#backend.readSkill(key);
      if (key === this.key) this.#show(page);
    } catch (error) {
      if (key === this.key) this.trouble = (error as Error).message;
    }
  }

  #show(page: SkillPage): void {
    this.page = page;
    this.trouble = null;
    const draft = this.#drafts.get(page.key);
    if (draft) draft.onDisk(page);
    else if (page.text !== null) this.#drafts.set(page.key, new Draft(this.#backend, page));
  }
}
