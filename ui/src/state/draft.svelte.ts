// A SKILL.md being edited: the file on disk, the edited text, and its problems. It never chooses between two
// versions: when the file changes under unsaved edits, both stay until the person decides.

import type { Backend } from '../backend/backend';
import type { EditorSplice, Problem, SkillPage } from '../backend/types';
import { t } from '../text';
import { applied, splices } from './diff';

const quiet = 250;

export class Draft {
  /** The file as this draft last read it. */
  base = $state.raw<SkillPage>() as SkillPage;
  text = $state('');
  problems = $state.raw<Problem[]>([]);
  /** The text that `problems` refers to. */
  checked = $state('');
  /** The version of another program, until the person has chosen. */
  conflict = $state.raw<SkillPage | null>(null);
  noticed = $state(0);
  saving = $state(false);
  /** The editor's state for the next time its tab opens: its history and its caret. */
  editorState: unknown = null;
  /** Where the caret was, while the editor is not open. */
  caret: number | null = null;
  /** The moment of the kept text that it goes on with. That text is offered again unless this one is saved or kept. */
  kept: number | null = null;

  readonly unsaved = $derived(this.text !== (this.base.text ?? ''));

  readonly #backend: Backend;
  #editor: ((changes: EditorSplice[]) => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(backend: Backend, page: SkillPage) {
    this.#backend = backend;
    this.#read(page);
    this.text = page.text ?? '';
  }

  /** Lets an open editor apply the changes, so that they can be undone there; the returned function ends that. */
  attach(editor: (changes: EditorSplice[]) => void): () => void {
    this.#editor = editor;
    return () => (this.#editor = null);
  }

  /** The editor's text is now `text`. */
  typed(text: string): void {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), quiet);
  }

  /** Changes the text, through the editor if one is open. */
  change(changes: EditorSplice[]): void {
    if (this.#editor) this.#editor(changes);
    else this.typed(applied(this.text, changes));
  }

  /** Goes on with a text that was kept, still unsaved. */
  async use(text: string, moment: number): Promise<void> {
    this.kept = moment;
    this.#become(text);
    if (!this.unsaved) await this.#settle();
  }

  revert(): void {
    this.kept = null;
    this.#become(this.base.text ?? '');
  }

  /** The file was read again. */
  onDisk(page: SkillPage): void {
    if (this.saving) return;
    if (page.digest === this.base.digest) {
      this.base = page;
      this.conflict = null;
      return;
    }
    if (this.unsaved && page.text !== this.text) {
      this.conflict = page;
      this.noticed = Date.now();
      return;
    }
    const follow = !this.unsaved;
    this.#read(page);
    if (follow) this.#become(page.text ?? '');
    this.conflict = null;
  }

  /** Writes the draft. `false`: the file has changed and the person must choose. */
  async save(): Promise<boolean> {
    if (this.conflict) return false;
    const text = this.text;
    this.saving = true;
    try {
      const saved = await this.#backend.saveSkill(this.base.key, this.base.digest, splices(this.base.text ?? '', text));
      if (saved.outcome === 'changed') {
        this.conflict = saved.page;
        this.noticed = Date.now();
        return false;
      }
      this.#read(saved.page);
      await this.#settle();
      return true;
    } finally {
      this.saving = false;
    }
  }

  /** The id of its skill, which names it also when the skill is gone. */
  get id(): string {
    return this.base.key.slice(this.base.key.lastIndexOf('/') + 1);
  }

  /** Writes the text into another skill, one that was just made for it. */
  async saveInto(key: string): Promise<void> {
    const page = await this.#backend.readSkill(key);
    const saved = await this.#backend.saveSkill(key, page.digest, splices(page.text ?? '', this.text));
    if (saved.outcome === 'changed') throw { kind: 'changed', message: t('problem.changed'), hints: [] };
    await this.#settle();
  }

  /** Keeps the draft in the engine's folder; the file is unchanged. */
  async putAside(): Promise<void> {
    await this.#backend.keepVersion(this.base.key, this.text, true);
    await this.#settle();
  }

  /** Resolves a conflict with the other version; the draft is put aside. */
  async useDisk(): Promise<void> {
    const page = this.conflict;
    if (!page) return;
    await this.putAside();
    this.#read(page);
    this.#become(page.text ?? '');
    this.conflict = null;
  }

  /** Resolves a conflict with the draft, still unsaved; the other version is put aside. */
  async keepMine(): Promise<void> {
    const page = this.conflict;
    if (!page) return;
    await this.#backend.keepVersion(this.base.key, page.text ?? '', false);
    this.#read(page);
    this.conflict = null;
    void this.#check();
  }

  #read(page: SkillPage): void {
    this.base = page;
    this.problems = page.problems;
    this.checked = page.text ?? '';
  }

  /** Its text is safe, so the one that it went on with is not offered any more. */
  async #settle(): Promise<void> {
    const { kept } = this;
    if (kept === null) return;
    this.kept = null;
    // Otherwise it is offered once too often, which loses nothing.
    await this.#backend.settleKept(this.base.key, kept).catch(() => {});
  }

  #become(text: string): void {
    this.change(splices(this.text, text));
  }

  async #check(): Promise<void> {
    const text = this.text;
    // A skill that was deleted during typing cannot be checked; saving will report it.
    const problems = await this.#backend.checkText(this.base.key, text).catch(() => null);
    if (problems === null || text !== this.text) return;
    this.problems = problems;
    this.checked = text;
  }
}
