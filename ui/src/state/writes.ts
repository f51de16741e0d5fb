// What Skilltender itself wrote, in everyday words. Pure, so that a table can test it.

import type { Client, OwnWrite, Wrote } from '../backend/types';
import { listed, t, type TextKey } from '../text';
import { short } from './sources.svelte';

/** The most names in one line; how many more there are follows. */
const FEW = 3;

/** One write as the page shows it, and what undoes it: a number of ours, or the client whose last change it is. */
export interface Line {
  time: number;
  what: string;
  undo: { moment: number } | { client: string } | null;
  undone: boolean;
}

const edits: Record<Extract<Wrote, { did: 'edited' }>['how'], TextKey> = { saved: 'wrote.saved', fixed: 'wrote.fixed', tagged: 'wrote.tagged', back: 'wrote.back' };

function named(skills: readonly string[]): string {
  const rest = skills.length - FEW;
  return rest > 0 ? t('wrote.andMore', { names: skills.slice(0, FEW).join(t('words.comma')), n: rest }) : listed([...skills]);
}

export function wordsOf(what: Wrote): string {
  switch (what.did) {
    case 'switched':
      return t(what.on ? 'wrote.on' : 'wrote.off', { names: named(what.skills) });
    case 'added':
      return t(what.imported ? 'wrote.imported' : 'wrote.made', { names: named(what.skills), place: what.place });
    case 'moved':
      return t('wrote.moved', { name: what.skill, from: what.from, to: what.to });
    case 'trashed':
      return t('wrote.trashed', { name: what.skill, place: what.place });
    case 'restored':
      return t('wrote.restored', { name: what.skill, place: what.place });
    case 'edited':
      return t(edits[what.how], { name: what.skill });
    case 'updated':
      return t(what.back ? 'wrote.wentBack' : 'wrote.updated', { name: what.skill, source: what.source, commit: short(what.to) });
    case 'asked':
      return what.silent ? t('wrote.askedSilent', { names: named(what.sources), n: what.silent }) : t('wrote.asked', { names: named(what.sources) });
    case 'pulled':
      return t('wrote.pulled', { place: what.place, upstream: what.upstream, commit: short(what.to) });
    case 'committed':
      return t(what.pushed ? 'wrote.pushed' : 'wrote.committed', { place: what.place, upstream: what.upstream, commit: short(what.commit) });
    case 'placed':
      return t(what.there ? 'wrote.placed' : 'wrote.takenOut', { place: what.place });
  }
}

/** The newest writes of tags of skills with these names, one for each: what just tagged them. */
export function taggings(writes: readonly OwnWrite[], names: readonly string[]): number[] {
  const tagged = writes.filter(({ what, undo }) => undo && what.did === 'edited' && what.how === 'tagged' && names.includes(what.skill));
  return tagged.slice(0, names.length).map(({ id }) => id);
}

/** All of them, newest first, with the last change of each client's file. */
export function linesOf(writes: readonly OwnWrite[], clients: readonly Client[]): Line[] {
  const ours = writes.map(({ id, time, what, undo, undone }) => ({ time, what: wordsOf(what), undo: undo ? { moment: id } : null, undone }));
  const theirs = clients.flatMap(({ id, name, undo }) => {
    if (!undo) return [];
    const what = undo.switched ? t('activity.switched', { n: undo.switched, name }) : undo.moved ? t('activity.moved', { n: undo.moved, name }) : t(undo.added ? 'activity.wrote' : 'activity.tookOut', { name });
    return [{ time: undo.time, what, undo: { client: id }, undone: false }];
  });
  return [...ours, ...theirs].sort((a, b) => b.time - a.time);
}
