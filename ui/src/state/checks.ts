// What the window offers for a finding of the checkup: the button for the remedy that the engine names.

import type { Check } from '../backend/types';
import { t } from '../text';
import type { App } from './app.svelte';

export interface CheckAction {
  label: string;
  run: () => unknown;
}

/** The one thing that the window can do about it; what leads elsewhere closes the dialog by `leave`. */
export function actionOnCheck(app: App, { remedy, about, client, state }: Check, leave: () => void): CheckAction | null {
  if (state === 'fine') return null;
  const there = (label: string, go: () => void): CheckAction => ({ label, run: () => (leave(), go()) });
  const known = client === null ? undefined : app.snapshot!.clients.find((each) => each.id === client);
  if (known) return there(t('checkup.client', { name: known.name }), () => app.openClient(known.id));
  switch (remedy) {
    case 'folder':
      return there(t('checkup.folders'), () => app.openSettings('folders'));
    case 'port':
      return there(t('checkup.port'), () => app.openSettings('endpoint'));
    case 'server':
      return about === null ? there(t('checkup.servers'), () => app.openServer(null)) : there(t('checkup.client', { name: about }), () => app.openServer(about));
    case 'install':
      return there(t('checkup.servers'), () => app.openServer(null));
    case 'link': {
      const skill = app.snapshot!.skills.find(({ key }) => key === about);
      return skill ? there(t('checkup.client', { name: skill.name }), () => app.openSkill(skill.key, 'needs')) : null;
    }
    case 'file':
    case 'drift':
    case 'connect':
    case 'disconnect':
    case 'reload':
      return there(t('notice.clients'), () => app.go('clients'));
    case 'keychain':
      return { label: t('failure.again'), run: () => app.act(app.backend.retryKeychain()) };
    case 'private':
    case 'set-aside':
      return { label: t('checkup.data'), run: () => app.act(app.backend.showData()) };
    default:
      return null;
  }
}

/** The place of a finding, unless one of its sentences names it already. */
export function placeHere({ place, what, todo }: Check): string | null {
  return place !== null && !what.includes(place) && !todo?.includes(place) ? place : null;
}
