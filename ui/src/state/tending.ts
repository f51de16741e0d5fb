// What the person does with skills as a whole: switching them on and off, bringing them in, moving them to the trash.
// Before a skill of somebody else's is switched on for the first time, the person sees what it carries.

import type { Chosen } from '../backend/backend';
import type { SkillRow } from '../backend/types';
import { t } from '../text';
import type { App, Look } from './app.svelte';

/** The engine's name for our own folder. */
export const own = 'own';

export class Tending {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Switches skills on or off; asks first where one is new to this computer's owner. */
  async enable(skills: readonly SkillRow[], on: boolean): Promise<void> {
    const app = this.#app;
    if (!on) return this.enableNow(skills, false);
    const asking = skills.filter((skill) => skill.asks);
    if (asking.length === 0) return this.enableNow(skills, true);
    const looks = await app.ask(Promise.all(asking.map(async (skill) => ({ skill, ...(await app.backend.lookAtSkill(skill.key)) }))));
    if (looks) app.dialog = { kind: 'enable', looks, others: skills.filter((skill) => !skill.asks) };
  }

  /** Asks whether the skills of folders that just joined the library are switched on, as far as they are ready. */
  async enableReady(folders: string[]): Promise<void> {
    const app = this.#app;
    // The snapshot with the new skills may still be on its way here.
    const answers = await app.ask(Promise.all([app.backend.lookAtReady(folders), app.backend.current()]));
    const [seen, { skills }] = answers ?? [[], { skills: [] }];
    const looks = seen.flatMap((look) => skills.filter((skill) => skill.key === look.key).map((skill) => ({ ...look, skill })));
    if (looks.length > 0) app.dialog = { kind: 'enable', looks, others: [] };
  }

  /** Switches skills on or off without a question. What the person was shown of them goes along: no more than that is switched on. */
  async enableNow(skills: readonly SkillRow[], on: boolean, looks: readonly Look[] = []): Promise<void> {
    const keys = skills.map((skill) => skill.key);
    const seen = Object.fromEntries(looks.map((look) => [look.key, look.digest]));
    const done = skills.length > 1 ? t(on ? 'picked.enabled' : 'picked.disabled', { n: skills.length }) : undefined;
    await this.#app.act(this.#app.backend.enableSkills(keys, on, seen), done);
  }

  /** Puts right what can be put right without a choice; asks for nothing and says what came of it. */
  async fix({ key, name, digest }: SkillRow): Promise<void> {
    const app = this.#app;
    if (app.skill.hasUnsaved(key)) {
      app.toasts.failed(t('tending.unsaved', { name }));
      return;
    }
    const saved = await app.ask(app.backend.fixSkill(key, digest));
    if (!saved) return;
    if (saved.outcome === 'changed') app.toasts.failed(t('problem.changed'));
    else app.toasts.done(t(saved.page.digest === digest ? 'problem.notFixable' : 'problem.fixedAll'));
    if (key === app.skill.key) await app.skill.read();
  }

  /** Moves skills to the trash, with a way back. */
  async trash(skills: readonly SkillRow[]): Promise<void> {
    const app = this.#app;
    const unsaved = skills.find((skill) => app.skill.hasUnsaved(skill.key));
    if (unsaved) {
      app.toasts.failed(t('tending.unsaved', { name: unsaved.name }));
      return;
    }
    const gone: string[] = [];
    for (const { key } of skills) {
      const id = await app.ask(app.backend.trashSkill(key));
      if (id === undefined) break;
      gone.push(id);
    }
    if (gone.length === 0) return;
    app.list.picked.clear();
    if (skills.some((skill) => skill.key === app.skill.key)) app.skill.close();
    const message = gone.length === 1 ? t('trash.done', { name: skills[0]!.name }) : t('trash.many', { n: gone.length });
    app.toasts.done(message, () => this.#restore(gone));
  }

  /** Shows what an import would bring, once the person has chosen a folder or a zip. */
  async importFrom(choosing: Promise<Chosen | null>): Promise<void> {
    const chosen = await this.#app.ask(choosing);
    if (chosen) this.#app.dialog = { kind: 'import', source: chosen };
  }

  /** The folder that a new skill goes to unless the person says otherwise: our own, or else the first that can be read. */
  ownFolder(): string | undefined {
    const folders = (this.#app.snapshot?.folders ?? []).filter((folder) => !folder.trouble);
    return (folders.find((folder) => folder.id === own) ?? folders[0])?.id;
  }

  async addFolder(): Promise<void> {
    const folder = await this.#app.chooseFolder();
    if (folder) this.#app.dialog = { kind: 'add-folder', folder };
  }

  async #restore(ids: readonly string[]): Promise<void> {
    const app = this.#app;
    let key: string | undefined;
    for (const id of ids) {
      key = await app.ask(app.backend.restoreSkill(id));
      if (key === undefined) return;
    }
    app.toasts.done(t('trash.restored', { n: ids.length }));
    if (key !== undefined && ids.length === 1) app.openSkill(key);
  }
}
