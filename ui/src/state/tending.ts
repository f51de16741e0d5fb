// Actions on whole skills: switching on and off, importing, moving to the trash. Before a skill of another author is
// first switched on, the person sees what it carries.

import type { Choice } from '../backend/backend';
import type { Folder, SkillRow } from '../backend/types';
import { t } from '../text';
import type { App, Look } from './app.svelte';

/** The engine's id of Skilltender's own folder. */
export const own = 'own';

/** A folder in little space: our own place says nothing to anybody, its name does. */
export const folderName = ({ id, place }: Pick<Folder, 'id' | 'place'>): string => (id === own ? t('app.name') : place);

export class Tending {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Switches skills on or off; asks first when the person has not seen one of them. */
  async enable(skills: readonly SkillRow[], on: boolean): Promise<void> {
    if (skills.length === 1) this.#app.list.switchedOne();
    if (!on) return this.enableNow(skills, false);
    const asks = (skill: SkillRow) => skill.asks || skill.readiness.state === 'looks-harmful';
    const asking = skills.filter(asks);
    if (asking.length === 0) return this.enableNow(skills, true);
    await this.look(asking, skills.filter((skill) => !asks(skill)));
  }

  /** Shows what skills carry, and asks whether they are to be on; `others` are switched on along with them. */
  async look(asking: readonly SkillRow[], others: SkillRow[] = []): Promise<void> {
    const app = this.#app;
    const looks = await app.ask(Promise.all(asking.map(async (skill) => ({ skill, ...(await app.backend.lookAtSkill(skill.key)) }))));
    if (looks) app.dialog = { kind: 'enable', looks, others };
  }

  /** Leaves off what the person was asked about: a skill that waits for their decision has it. */
  async leaveOff(looks: readonly Look[]): Promise<void> {
    const waiting = looks.filter(({ skill }) => skill.readiness.state === 'looks-harmful').map(({ skill }) => skill);
    if (waiting.length > 0) await this.enableNow(waiting, false);
  }

  /** Asks whether to switch on the ready skills of newly added folders. */
  async enableReady(folders: string[]): Promise<void> {
    const app = this.#app;
    // The snapshot with the new skills may not have arrived yet.
    const answers = await app.ask(Promise.all([app.backend.lookAtReady(folders), app.backend.current()]));
    const [seen, { skills }] = answers ?? [[], { skills: [] }];
    const looks = seen.flatMap((look) => skills.filter((skill) => skill.key === look.key).map((skill) => ({ ...look, skill })));
    if (looks.length > 0) app.dialog = { kind: 'enable', looks, others: [] };
  }

  /** Switches skills on or off without a question. It sends what the person was shown; nothing else is switched on.
      */
  async enableNow(skills: readonly SkillRow[], on: boolean, looks: readonly Look[] = []): Promise<void> {
    const keys = skills.map((skill) => skill.key);
    const seen = Object.fromEntries(looks.map((look) => [look.key, look.digest]));
    const done = skills.length > 1 ? t(on ? 'picked.enabled' : 'picked.disabled', { n: skills.length }) : undefined;
    await this.#app.act(this.#app.backend.enableSkills(keys, on, seen), done);
  }

  /** Applies all fixes that need no decision, and reports the result. */
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

  /** Moves skills to the trash, with undo. */
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
  async importFrom(choosing: Promise<Choice | null>): Promise<void> {
    const chosen = await this.#app.ask(choosing);
    if (chosen) this.#app.dialog = { kind: 'import', source: chosen };
  }

  /** The default folder of a new skill: Skilltender's own, else the first readable one. */
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
