// Creating, importing, deleting and exporting skills.

import type { Backend } from '../backend';
import type { ImportPlan, Look } from '../types';
import { carriedBy, findingsIn, imported, templates, type ExampleSkill } from '../example';
import { check } from './check';
import { skillOf, type Shelf } from './shelf';
import { digest, failure, field } from './text';

type Lifecycle = Pick<
  Backend,
  | 'enableSkills' | 'lookAtSkill' | 'lookAtReady' | 'templates' | 'newSkill' | 'duplicateSkill' | 'lookAtImport' | 'importSkill' | 'packSkill' | 'trashSkill' | 'restoreSkill'
>;

export function lifecycle(shelf: Shelf): Lifecycle {
  const put = (key: string, skill: ReturnType<typeof skillOf>) => {
    if (shelf.library.has(key)) throw failure('input', `There is a skill ${key} already. Nothing was written.`);
    shelf.library.set(key, skill);
    shelf.switched.add(key);
    shelf.publish();
    return key;
  };

  const look = (key: string): Look => {
    const skill = skillOf(shelf, key);
    const trust = { carried: carriedBy(skill), findings: findingsIn(skill), leftOut: [] };
    return { key, digest: digest(skill.text), trust };
  };

  /** The skills in a folder or a zip of this name: one, or three when its name contains "skills". */
  const held = (path: string): ExampleSkill[] => {
    const more = (id: string) => ({ ...imported, id, text: imported.text.replaceAll('web-scraper', id), files: {} });
    return path.includes('skills') ? [more('invoice-reader'), imported, more('code-review')] : [imported];
  };
  const plan = (path: string): ImportPlan => ({
    id: digest(path),
    place: path.replace('/home/mei', '~'),
    archive: path.endsWith('.zip'),
    refused: [],
    leftOut: [],
    skills: held(path).map((skill) => {
      const count = (severity: string) => check(skill.text).filter((problem) => problem.severity === severity).length;
      const carried = carriedBy(skill);
      return {
        path: skill.id,
        id: skill.id,
        name: skill.id,
        description: field(skill.text, 'description') ?? '',
        files: ['SKILL.md', ...Object.keys(skill.files)].map((file) => ({ path: file, size: 1_024 })),
        size: carried.size,
        problems: { error: count('error'), warning: count('warning'), advice: count('advice') },
        sameId: [...shelf.library].find(([, other]) => other.id === skill.id)?.[0] ?? null,
        trust: { carried, findings: findingsIn(skill), leftOut: [] },
      };
    }),
  });

  return {
    async enableSkills(keys, on, seen) {
      const unseen = keys.find((key) => on && !skillOf(shelf, key).enabled && !shelf.switched.has(key) && !seen[key]);
      if (unseen) throw failure('refused', `${unseen} is somebody else's, and nobody has seen yet what it carries.`);
      for (const key of keys) {
        skillOf(shelf, key).enabled = on;
        shelf.switched.add(key);
      }
      shelf.publish();
    },
    lookAtSkill: async (key) => look(key),
    async lookAtReady(paths) {
      const folders = shelf.folders.filter((folder) => paths.includes(folder.path)).map((folder) => folder.id);
      const asks = ([key, skill]: [string, ExampleSkill]) => folders.includes(skill.folder) && !skill.enabled && !shelf.switched.has(key);
      return [...shelf.library].filter(asks).map(([key]) => look(key));
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
    async lookAtImport(path) {
      if (path.endsWith('.pdf')) throw failure('refused', `${path} is neither a folder with a SKILL.md nor a zip file of one.`);
      return plan(path);
    },
    importSkill: async (path, planId, folder, only) => {
      if (planId !== plan(path).id) throw failure('changed', 'It changed since it was shown. Nothing was written.');
      const wanted = held(path).filter(({ id }) => only === null || only.includes(id));
      return wanted.map((skill) => put(`${folder}/${skill.id}`, { ...structuredClone(skill), folder }));
    },

    async packSkill(key, to, _flat, keepClaudeCode) {
      const skill = skillOf(shelf, key);
      const wrong = check(skill.text).filter((problem) => problem.severity === 'error');
      if (wrong.length) throw failure('refused', `${skill.id} was not packed, because an upload would refuse it.`, wrong.map((problem) => problem.message));
      const known = ['allowed-tools', 'model', 'hooks'].filter((name) => !keepClaudeCode && field(skill.text, name) !== undefined);
      const moved = /^requires-mcp-servers:/m.test(skill.text) ? ['requires-mcp-servers'] : [];
      return { path: to, place: to.replace('/home/mei', '~'), files: Object.keys(skill.files).length + 1, size: 4_312, dropped: known, moved, leftBehind: [] };
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
