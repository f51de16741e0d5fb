// The commands of skills whose answers hang on what a person types: names, texts, searches, texts that were put aside.
// No recording has them all.

import type { MainCommands } from '../commands';
import type { MemoryBackend } from '../memory';
import type { Problem, SkillRow } from '../types';
import type { Replay } from './recorded';
import type { Written } from './writes';

export function skills(replay: Replay, opened: string[], written: Written): Partial<MainCommands> & Pick<MemoryBackend, 'kept' | 'touch'> {
  const kept: MemoryBackend['kept'] = [];
  const skillOf = (key: string) => {
    const skill = replay.get('skill', key);
    if (!skill) throw replay.refusal('readSkill', [key]);
    return skill;
  };
  const keptAt = (key: string, moment: number) => kept.find((each) => each.key === key && each.moment === moment)!;
  /** Of a text that was not recorded, the known problems in front of its first change. */
  const check = async (key: string, text: string): Promise<Problem[]> => {
    if (replay.knows('checkText', [key, text])) return replay.commands.checkText(key, text);
    const { page } = skillOf(key);
    return page.problems.filter(({ to }) => text.startsWith(page.text!.slice(0, to)));
  };
  const write = (key: string, text: string, problems: Problem[]) => {
    const { row, page } = skillOf(key);
    Object.assign(page, { text, problems, digest: `${page.digest}+`, body: /^---\n[\s\S]*?\n---\n/.exec(text)?.[0].length ?? 0 });
    Object.assign(row, { modified: Date.now(), digest: page.digest, problems: counted(problems) });
    replay.publish();
  };

  return {
    kept,
    touch: (key, text) => write(key, text, skillOf(key).page.problems),
    async enableSkills(keys, on, seen) {
      for (const key of keys) {
        const { row } = skillOf(key);
        const given = row.asks && key in seen ? { [key]: seen[key]! } : {};
        if (replay.knows('enableSkills', [[key], on, given])) await replay.commands.enableSkills([key], on, given);
        else Object.assign(row, { enabled: on, readiness: { state: on ? 'ready' : 'disabled' } });
      }
      replay.publish();
    },
    async lookAtReady(folders) {
      const asked = replay.all('skill').filter(({ row }) => row.asks && folders.includes(row.folder));
      return Promise.all(asked.map(({ row }) => replay.commands.lookAtSkill(row.key)));
    },
    async searchSkills(query, limit) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const hits = replay.all('skill').flatMap(({ row, page }) => {
        const body = page.text?.slice(page.body) ?? '';
        const texts = [`${row.id}\n${row.name}`, row.description, row.tags.join('\n'), body].map((text) => text.toLowerCase());
        const places = words.map((word) => texts.findIndex((text) => text.includes(word)));
        const worst = Math.max(...places);
        if (words.length === 0 || places.includes(-1)) return [];
        return [{ worst, hit: { key: row.key, foundIn: (['name', 'description', 'tag', 'body'] as const)[worst]!, snippet: worst === 3 ? snippet(body, words) : null } }];
      });
      return hits.sort((a, b) => a.worst - b.worst || (a.hit.key < b.hit.key ? -1 : 1)).slice(0, limit).map(({ hit }) => hit);
    },
    readSkill: async (key) => structuredClone(skillOf(key).page),
    readFile: async (key, name) => (name === 'SKILL.md' ? skillOf(key).page.text : replay.commands.readFile(key, name)),
    checkText: check,
    async saveSkill(key, digest, splices) {
      const { page } = skillOf(key);
      if (page.digest !== digest) return { outcome: 'changed', page: structuredClone(page) };
      const text = splices.reduceRight((rest, { from, insert, to }) => rest.slice(0, from) + insert + rest.slice(to), page.text!);
      write(key, text, await check(key, text));
      return { outcome: 'saved', page: structuredClone(page) };
    },
    async keepVersion(key, text, unsaved) {
      kept.push({ key, text, moment: Date.now() + kept.length, unsaved });
    },
    keptVersions: async (key) => kept.filter((version) => version.key === key && version.unsaved).map(({ moment }) => ({ moment })).reverse(),
    readKept: async (key, moment) => keptAt(key, moment).text,
    settleKept: async (key, moment) => void (keptAt(key, moment).unsaved = false),
    showInFolder: async (key) => void opened.push(key),
    showData: async () => void opened.push('data'),
    async newSkill(folder, id, template) {
      if (replay.get('skill', `${folder}/${id}`)) throw replay.refusal('newSkill', [folder, id]);
      const recorded = await replay.commands.newSkill('projects', 'new-skill', template);
      const made = replay.copy(recorded, folder, id);
      if (made !== recorded) replay.forget('skill', recorded);
      replay.publish();
      return made;
    },
    async duplicateSkill(key, id) {
      const copy = replay.copy(key, skillOf(key).row.folder, id);
      replay.publish();
      return copy;
    },
    async planTags(keys, add, remove) {
      const changes = keys.map(skillOf).flatMap(({ row: { key, name, digest, tags: before } }) => {
        const after = [...before.filter((tag) => !remove.includes(tag)), ...add.filter((tag) => !before.includes(tag))];
        return after.join() === before.join() ? [] : [{ key, name, digest, before, after }];
      });
      return { changes, refused: [] };
    },
    async tagSkills(seen, add, remove) {
      const { changes } = await this.planTags!(Object.keys(seen), add, remove);
      for (const { key, name, before, after } of changes) {
        const { row } = skillOf(key);
        row.tags = after;
        written({ did: 'edited', skill: name, how: 'tagged' }, () => (row.tags = before));
      }
      replay.publish();
      return { changed: changes.map(({ key }) => key), refused: [] };
    },
    async moveSkill(key, folder) {
      const { id } = skillOf(key).row;
      if (replay.get('skill', `${folder}/${id}`)) throw replay.refusal('moveSkill', [id]);
      const moved = replay.copy(key, folder, id);
      replay.forget('skill', key);
      replay.publish();
      return moved;
    },
    packInto: async (key, folder) => replay.commands.packSkill(replay.knows('packSkill', [key]) ? key : 'claude/release-notes', folder, false, false),
  };
}

function counted(problems: Problem[]): SkillRow['problems'] {
  const count = (severity: Problem['severity']) => problems.filter((problem) => problem.severity === severity).length;
  return { error: count('error'), warning: count('warning'), advice: count('advice') };
}

function snippet(body: string, words: string[]): { before: string; found: string; after: string } {
  const text = body.replace(/\s+/g, ' ');
  const word = words.find((each) => text.toLowerCase().includes(each)) ?? '';
  const at = text.toLowerCase().indexOf(word);
  const end = at + word.length;
  return { before: `…${text.slice(Math.max(0, at - 32), at)}`, found: text.slice(at, end), after: `${text.slice(end, end + 32)}…` };
}
