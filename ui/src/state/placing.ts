// Skills in the folders that clients read by themselves: how what is there, and what would happen, is told.

import type { FolderAct, FolderPlan, PlacedState, SkillFolder } from '../backend/types';
import { t, type TextKey } from '../text';

const states: [PlacedState, TextKey][] = [
  ['linked', 'placed.linked'], ['copied', 'placed.copied'], ['here', 'placed.here'], ['due', 'placed.due'], ['edited', 'placed.edited'], ['gone', 'placed.gone'], ['taken', 'placed.taken'],
];
const acts: [FolderAct, TextKey][] = [['link', 'placing.link'], ['copy', 'placing.copy'], ['renew', 'placing.renew'], ['remove', 'placing.remove'], ['leave', 'placing.leave']];

const counted = <Kind>(texts: [Kind, TextKey][], kinds: Kind[]): string =>
  texts
    .flatMap(([kind, text]) => {
      const n = kinds.filter((each) => each === kind).length;
      return n ? [t(text, { n })] : [];
    })
    .join(', ');

/** What stands in a folder of ours and beside ours. */
export function placedIn({ skills }: SkillFolder): string {
  return counted(states, skills.map(({ state }) => state)) || t('placed.none');
}

/** What would happen in a folder. */
export function stepsOf({ steps }: FolderPlan): string {
  return counted(acts, steps.map(({ does }) => does)) || t('placing.nothing');
}
