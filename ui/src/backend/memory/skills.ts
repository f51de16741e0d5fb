// The commands of the library: switches, texts, new skills, imports and the trash. Texts that nobody recorded keep the
// problems whose place is still there.

import type { MainCommands } from '../commands';
import type { EditorSplice, ImportPlan, Problem, SkillRow } from '../types';
import type { World } from './world';

type Commands = Pick<
  MainCommands,
  | 'enableSkills' | 'lookAtSkill' | 'lookAtReady' | 'searchSkills' | 'readSkill' | 'readFile' | 'checkText' | 'saveSkill' | 'fixSkill' | 'keepVersion' | 'keptVersions' | 'readKept'
  | 'settleKept' | 'showInFolder' | 'templates' | 'newSkill' | 'duplicateSkill' | 'lookAtImport' | 'importSkill' | 'packSkill' | 'trashSkill' | 'restoreSkill'
>;

export function skills({ replay, publish, opened, kept, trash }: World): Commands {
  const skillOf = (key: string) => {
    const skill = replay.get('skill', key);
    if (!skill) throw replay.refusal('readSkill');
    return skill;
  };
  const keptAt = (key: string, moment: number) => {
    const version = kept.find((each) => each.key === key && each.moment === moment);
    if (!version) throw replay.call('readKept', ['projects/quarterly-report', 1]);
    return version;
  };
  const check = (key: string, text: string): Problem[] => (replay.knows('checkText', [text]) ? replay.call('checkText', [text]) : stillThere(skillOf(key).page, text));
  const switchOne = (key: string, on: boolean, seen: Record<string, string>) => {
    const { row } = skillOf(key);
    if (row.enabled === on) return;
    const given = row.asks && key in seen ? { [key]: seen[key] } : {};
    if (replay.knows('enableSkills', [[key], on, given])) replay.call('enableSkills', [[key], on, given], `skill ${key}`);
    else Object.assign(row, { enabled: on, asks: false, readiness: { state: on ? 'ready' : 'disabled' } });
  };

  return {
    async enableSkills(keys, on, seen) {
      for (const key of keys) switchOne(key, on, seen);
      publish();
    },
    lookAtSkill: async (key) => replay.call('lookAtSkill', [key], `skill ${key}`),
    async lookAtReady(folders) {
      const asked = replay.all('skill').filter(({ row }) => row.asks && folders.includes(row.folder));
      return asked.map(({ row }) => replay.call('lookAtSkill', [row.key]));
    },
    async searchSkills(query, limit) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length === 0) return [];
      const hits = replay.all('skill').flatMap(({ row, page }) => {
        const texts = [`${row.id}\n${row.name}`, row.description, row.tags.join('\n'), page.text?.slice(page.body) ?? ''];
        const worst = Math.max(...words.map((word) => (texts.findIndex((text) => text.toLowerCase().includes(word)) + 5) % 5));
        if (words.some((word) => texts.every((text) => !text.toLowerCase().includes(word)))) return [];
        const hit = { key: row.key, foundIn: (['name', 'description', 'tag', 'body'] as const)[worst]!, snippet: worst === 3 ? snippet(texts[3]!, words) : null };
        return [{ hit, worst }];
      });
      return hits.sort((a, b) => a.worst - b.worst || (a.hit.key < b.hit.key ? -1 : 1)).slice(0, limit).map(({ hit }) => hit);
    },
    readSkill: async (key) => structuredClone(skillOf(key).page),
    readFile: async (key, name) => (name === 'SKILL.md' ? skillOf(key).page.text : replay.call('readFile', [key, name])),
    checkText: async (key, text) => check(key, text),
    async saveSkill(key, digest, splices) {
      const { row, page } = skillOf(key);
      if (page.digest !== digest) return { outcome: 'changed', page: structuredClone(page) };
      const text = applied(page.text ?? '', splices);
      const problems = check(key, text);
      Object.assign(page, { text, problems, digest: `${digest}+`, body: bodyOf(text) });
      Object.assign(row, { digest: page.digest, problems: counted(problems) });
      publish();
      return { outcome: 'saved', page: structuredClone(page) };
    },
    async fixSkill(key, digest) {
      const { page } = skillOf(key);
      if (page.digest !== digest) return { outcome: 'changed', page: structuredClone(page) };
      replay.call('fixSkill', [key], `skill ${key}`);
      publish();
      return { outcome: 'saved', page: structuredClone(skillOf(key).page) };
    },
    async keepVersion(key, text, unsaved) {
      kept.push({ key, text, moment: Date.now() + kept.length, unsaved });
    },
    keptVersions: async (key) => kept.filter((version) => version.key === key && version.unsaved).map(({ moment }) => ({ moment })).reverse(),
    readKept: async (key, moment) => keptAt(key, moment).text,
    settleKept: async (key, moment) => void (keptAt(key, moment).unsaved = false),
    showInFolder: async (key) => void opened.push(key),

    templates: async () => replay.call('templates', []),
    async newSkill(folder, id, template) {
      const key = `${folder}/${id}`;
      if (replay.get('skill', key)) throw replay.refusal('newSkill', 'new-skill', id);
      replay.call('newSkill', [template]);
      const made = JSON.stringify(replay.get('skill', 'projects/new-skill')).replaceAll('projects/new-skill', key).replaceAll('new-skill', id).replace('"folder":"projects"', `"folder":"${folder}"`);
      replay.forget('skill', 'projects/new-skill');
      replay.add('skill', key, JSON.parse(made));
      publish();
      return key;
    },
    async duplicateSkill(key, id) {
      const { row, page } = structuredClone(skillOf(key));
      const copy = `${row.folder}/${id}`;
      const text = page.text?.replace(/^name: .*$/m, `name: ${id}`) ?? null;
      const off: Partial<SkillRow> = { key: copy, id, name: id, enabled: false, asks: false, readiness: { state: 'disabled' }, place: row.place.replace(`/${row.id}/`, `/${id}/`) };
      replay.add('skill', copy, { row: { ...row, ...off }, page: { ...page, key: copy, text } });
      publish();
      return copy;
    },
    lookAtImport: async (source) => replay.call('lookAtImport', [source]),
    async importSkill(source, planId, _folder, only) {
      const plan = replay.call<ImportPlan>('lookAtImport', [source]);
      if (planId !== plan.id) throw replay.refusal('changeClient');
      const keys = plan.skills.filter(({ path }) => only === null || only.includes(path)).flatMap(({ path }) => replay.call<string[]>('importSkill', [path]));
      publish();
      return keys;
    },
    packSkill: async (key) => replay.call('packSkill', [key]),
    async trashSkill(key) {
      const { row, page } = skillOf(key);
      const id = `t${trash.length + 1}`;
      trash.unshift({ id, name: row.name, place: row.place.replace(/\/SKILL\.md$/, ''), time: Date.now(), link: false, inside: 0, skill: { row, page } });
      replay.remove('skill', key);
      publish();
      return id;
    },
    async restoreSkill(id) {
      const at = trash.findIndex((one) => one.id === id);
      if (at < 0) throw replay.refusal('restoreSkill');
      const [{ skill }] = trash.splice(at, 1) as [World['trash'][number]];
      replay.add('skill', skill.row.key, skill);
      publish();
      return skill.row.key;
    },
  };
}

/** Where the Markdown of a text begins. */
export const bodyOf = (text: string): number => /^---\n[\s\S]*?\n---\n/.exec(text)?.[0].length ?? 0;

function applied(text: string, splices: EditorSplice[]): string {
  return splices.reduceRight((rest, s) => rest.slice(0, s.from) + s.insert + rest.slice(s.to), text);
}

function counted(problems: Problem[]): SkillRow['problems'] {
  const count = (severity: Problem['severity']) => problems.filter((problem) => problem.severity === severity).length;
  return { error: count('error'), warning: count('warning'), advice: count('advice') };
}

/** The problems of a page whose line stands in the text unchanged, at its new place. */
function stillThere(page: { text: string | null; problems: Problem[] }, text: string): Problem[] {
  const [before, after] = [page.text?.split('\n') ?? [], text.split('\n')];
  const start = (lines: string[], line: number) => lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return page.problems.flatMap((problem) => {
    const { line, from, to, fix } = problem;
    if (before[line - 1] !== after[line - 1]) return [];
    const by = start(after, line) - start(before, line);
    const splices = fix?.splices.map((splice) => ({ ...splice, from: splice.from + by, to: splice.to + by }));
    return [{ ...problem, from: from + by, to: to + by, fix: fix && { ...fix, splices: splices! } }];
  });
}

function snippet(body: string, words: string[]): { before: string; found: string; after: string } {
  const text = body.replace(/\s+/g, ' ');
  const word = words.find((each) => text.toLowerCase().includes(each)) ?? '';
  const at = text.toLowerCase().indexOf(word);
  const end = at + word.length;
  return { before: `…${text.slice(Math.max(0, at - 32), at)}`, found: text.slice(at, end), after: `${text.slice(end, end + 32)}…` };
}
