// What a person does about what Insight says. Each is undone with one click, on the page, until it is left.

import type { Backend } from '../backend/backend';
import type { Client, SkillRow, SkillUsage } from '../backend/types';
import { t } from '../text';
import type { App } from './app.svelte';
import { groupOf } from './clients';
import { splices } from './diff';
import { switchedOn } from './fields';

/** Switches skills off. */
export async function switchOff(app: App, skills: readonly SkillRow[]): Promise<void> {
  const keys = skills.map(({ key }) => key);
  if (!(await app.act(app.backend.enableSkills(keys, false, {})))) return;
  // As the engine has them at the undo: one that changed meanwhile is shown first.
  await app.usage.did(() => t('insight.wasOff', { n: keys.length }), () => app.tending.enable(app.snapshot!.skills.filter(({ key }) => keys.includes(key)), true));
}

/** Gives a client a set of all that it sees now but for what it loads by itself. */
export const offerOnlyWhatItLacks = (app: App, client: string, name: string, twice: readonly SkillUsage[]): Promise<void> =>
  leaveOut(app, client, name, twice, t('insight.setName', { client: name }));

/** Gives a client a set of all that it sees now but for some. */
export async function leaveOut(app: App, client: string, name: string, without: readonly SkillUsage[], wanted = t('insight.setLess', { client: name })): Promise<void> {
  const snapshot = app.snapshot!;
  const before = snapshot.clients.find(({ id }) => id === client)?.set ?? null;
  const sees = snapshot.sets.find(({ id }) => id === before)?.skills;
  const out = new Set(without.map(({ key }) => key));
  const keys = snapshot.skills.filter(({ key, enabled }) => enabled && !out.has(key) && (!sees || sees.includes(key))).map(({ key }) => key);
  const taken = new Set(snapshot.sets.map((set) => set.name));
  let called = wanted;
  for (let n = 2; taken.has(called); n += 1) called = `${wanted} ${n}`;
  const set = await app.ask(app.backend.makeSet(called, keys));
  if (set === undefined || !(await app.act(app.backend.giveSet(client, set)))) return;
  await app.usage.did(() => t('insight.wasLimited', { client: name, set: called }), async () => {
    if (await app.act(app.backend.giveSet(client, before))) await app.act(app.backend.deleteSet(set));
  });
}

/** The clients that could be given another set: those that have our entry. */
export const clientsWithSets = (clients: readonly Client[]): Client[] => clients.filter((client) => ['restart', 'connected', 'added'].includes(groupOf(client)));

/** Takes a skill out of the lists for models: only people call it, by its name. */
export async function onlyByName(app: App, { key, name }: SkillRow): Promise<void> {
  if (app.skill.hasUnsaved(key)) {
    app.toasts.failed(t('tending.unsaved', { name }));
    return;
  }
  const before = await app.ask(app.backend.readSkill(key));
  const text = before?.text ?? '';
  if (!before || !(await write(app, key, before.digest, switchedOn(text, 'disable-model-invocation')))) return;
  const written = await app.ask(app.backend.readSkill(key));
  await app.usage.did(() => t('insight.wasByName', { name }), async () => {
    if (written) await write(app, key, written.digest, splices(written.text ?? '', text));
  });
}

async function write(app: App, key: string, digest: string, changes: Parameters<Backend['saveSkill']>[2]): Promise<boolean> {
  const saved = await app.ask(app.backend.saveSkill(key, digest, changes));
  if (saved?.outcome === 'changed') app.toasts.failed(t('problem.changed'));
  return saved?.outcome === 'saved';
}
