// Skills that come, go, and are sent elsewhere.

import type { Backend } from '../backend';
import { carriedBy, findingsIn, templates } from '../example';
import { skillOf, type Shelf } from './shelf';
import { failure, field } from './text';

type Lifecycle = Pick<
  Backend,
  | 'enableSkills' | 'lookAtSkill' | 'templates' | 'newSkill' | 'duplicateSkill' | 'trashSkill' | 'restoreSkill'
>;

export function lifecycle(shelf: Shelf): Lifecycle {
  const put = (key: string, skill: ReturnType<typeof skillOf>) => {
    if (shelf.library.has(key)) throw failure('input', `There is a skill ${key} already. Nothing was written.`);
    shelf.library.set(key, skill);
    shelf.switched.add(key);
    shelf.publish();
    return key;
  };

  return {
    async enableSkills(keys, on) {
      for (const key of keys) {
        skillOf(shelf, key).enabled = on;
        shelf.switched.add(key);
      }
      shelf.publish();
    },
    async lookAtSkill(key) {
      const skill = skillOf(shelf, key);
      return { carried: carriedBy(skill), findings: findingsIn(skill), leftOut: [] };
    },

    templates: async () => templates,
    newSkill: async (folder, id) => {
      const text = `---\nname: ${id}\ndescription: Guides one task from its start to a finished result. Use when the user asks for this task.\n---\n\n# ${id}\n`;
      return put(`${folder}/${id}`, { id, folder, enabled: true, text, files: {}, needs: [] });
    },
    duplicateSkill: async (key, id) => {
      const skill = structuredClone(skillOf(shelf, key));
      const text = skill.text.replace(/^name: .*$/m, `name: ${id}`);
      return put(`${skill.folder}/${id}`, { ...skill, id, text, enabled: false });
    },
    async trashSkill(key) {
      const skill = skillOf(shelf, key);
      const id = `t${shelf.trash.length + 1}`;
      const place = shelf.folders.find((folder) => folder.id === skill.folder)?.place ?? '';
      shelf.trash.unshift({ id, key, skill, name: field(skill.text, 'name') ?? skill.id, place: `${place}/${skill.id}`, time: Date.now(), link: false, inside: 0 });
      shelf.library.delete(key);
      shelf.publish();
      return id;
    },
    async restoreSkill(id) {
      const at = shelf.trash.findIndex((one) => one.id === id);
      if (at < 0) throw failure('not-found', 'It is not in the trash any more.');
      const [{ key, skill }] = shelf.trash.splice(at, 1) as [Shelf['trash'][number]];
      shelf.library.set(key, skill);
      shelf.publish();
      return key;
    },
  };
}
