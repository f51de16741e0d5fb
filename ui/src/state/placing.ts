// Texts about skills in the folders that clients read directly: the present state and the planned steps.

import type { ClientFolderAct, ClientFolderPlan, PlacedState, ClientFolder } from '../backend/types';
import { clauses, t, type TextKey } from '../text';

const states: [PlacedState, TextKey][] = [
  ['linked', 'placed.linked'], ['copied', 'placed.copied'], ['here', 'placed.here'], ['due', 'placed.due'], ['edited', 'placed.edited'], ['gone', 'placed.gone'], ['taken', 'placed.taken'],
];
const acts: [ClientFolderAct, TextKey][] = [['link', 'placing.link'], ['copy', 'placing.copy'], ['renew', 'placing.renew'], ['remove', 'placing.remove'], ['leave', 'placing.leave']];

const counted = <Kind>(texts: [Kind, TextKey][], kinds: Kind[]): string =>
  clauses(
    texts.map(([kind, text]) => {
      const n = kinds.filter((each) => each === kind).length;
      return n && t(text, { n });
    }),
  );

/** What a folder holds: Skilltender's skills and others. */
export function placedIn({ skills }: ClientFolder): string {
  return counted(states, skills.map(({ state }) => state)) || t('placed.none');
}

/** The planned steps in a folder. */
export function stepsOf({ steps }: ClientFolderPlan): string {
  return counted(acts, steps.map(({ does }) => does)) || t('placing.nothing');
}
