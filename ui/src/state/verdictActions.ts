// What a person does about what Insight says: each is undone with one click.

import type { SkillRow, SkillUsage } from '../backend/types';
import { t } from '../text';
import type { App } from './app.svelte';

/** Switches skills off. */
export async function switchOff(app: App, skills: readonly SkillRow[]): Promise<void> {
  const keys = skills.map(({ key }) => key);
  if (await app.act(app.backend.enableSkills(keys, false, {}))) {
    app.toasts.done(t('insight.wasOff', { n: keys.length }), async () => {
      // As the engine has them now: one that changed meanwhile is shown first.
      await app.tending.enable(app.snapshot!.skills.filter(({ key }) => keys.includes(key)), true);
      await app.usage.look();
    });
    await app.usage.look();
  }
}

/** Gives a client a set of all that it sees now but for what it loads by itself. */
export async function offerOnlyWhatItLacks(app: App, client: string, name: string, twice: readonly SkillUsage[]): Promise<void> {
  const snapshot = app.snapshot!;
  const before = snapshot.clients.find(({ id }) => id === client)?.set ?? null;
  const sees = snapshot.sets.find(({ id }) => id === before)?.skills;
  const own = new Set(twice.map(({ key }) => key));
  const keys = snapshot.skills.filter(({ key, enabled }) => enabled && !own.has(key) && (!sees || sees.includes(key))).map(({ key }) => key);
  const wanted = t('insight.setName', { client: name });
  const taken = new Set(snapshot.sets.map((set) => set.name));
  let called = wanted;
  for (let n = 2; taken.has(called); n += 1) called = `${wanted} ${n}`;
  const set = await app.ask(app.backend.makeSet(called, keys));
  if (set === undefined || !(await app.act(app.backend.giveSet(client, set)))) return;
  app.toasts.done(t('insight.wasLimited', { client: name, set: called }), async () => {
    if (await app.act(app.backend.giveSet(client, before))) await app.act(app.backend.deleteSet(set));
    await app.usage.look();
  });
  await app.usage.look();
}
