// What the window offers for a finding of the checkup. The engine's hints name commands for the terminal, too: here a
// button does the same, so the commands are left out.

import type { Check } from '../backend/types';
import { t } from '../text';
import type { App } from './app.svelte';

export interface CheckAction {
  label: string;
  run: () => unknown;
}

/** The one thing that the window can do about it; what leads elsewhere closes the dialog by `leave`. */
export function actionOnCheck(app: App, { id, client, state }: Check, leave: () => void): CheckAction | null {
  if (state === 'fine') return null;
  const there = (label: string, go: () => void): CheckAction => ({ label, run: () => (leave(), go()) });
  const known = client === null ? undefined : app.snapshot!.clients.find((each) => each.id === client);
  if (known) return there(t('checkup.client', { name: known.name }), () => app.openClient(known.id));
  switch (id) {
    case 'library':
      return there(t('checkup.folders'), () => app.openSettings('folders'));
    case 'port':
      return there(t('checkup.port'), () => app.openSettings('endpoint'));
    case 'runtimes':
    case 'containers':
    case 'servers':
    case 'server-names':
      return there(t('checkup.servers'), () => app.openServer(null));
    case 'journal':
    case 'old-config':
      return there(t('notice.clients'), () => app.go('clients'));
    case 'keychain':
      return { label: t('failure.again'), run: () => app.act(app.backend.retryKeychain()) };
    case 'private-files':
    case 'state-files':
    case 'unsaved':
      return { label: t('checkup.data'), run: () => app.act(app.backend.showData()) };
    default:
      return null;
  }
}

const command = '`skilltender [^`]*`';
/** How the engine's sentences offer a command beside something else. */
const besides = new RegExp(`,? or (?:with )?${command}|, then ${command}|: ${command}(?=[.;]|$)`, 'g');

/** What to do, without commands for the terminal; empty where nothing else was said. */
export function todoHere({ todo }: Check): string {
  const sentences = (todo ?? '').replaceAll(besides, '').split(/(?<=[.!?]) (?=[A-Z`])/);
  // A sentence that still names a command, or that only led to one, is of no use here.
  return sentences.filter((sentence) => !sentence.includes('`skilltender ') && !/^To [^,]*\.$/.test(sentence)).join(' ');
}

/** The place of a finding, unless one of its sentences names it already. */
export function placeHere(check: Check): string | null {
  const { place, what } = check;
  return place !== null && !what.includes(place) && !todoHere(check).includes(place) ? place : null;
}
