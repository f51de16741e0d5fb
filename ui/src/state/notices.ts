// What a person can do about a notice. The engine says what is wrong; the window knows where that is mended.

import type { Notice } from '../backend/types';
import { t, type TextKey } from '../text';
import type { App } from './app.svelte';

export interface NoticeAction {
  label: string;
  run: () => unknown;
}

/** The notice of an update that did not come up begins so; its version follows. */
const BACK = 'update-back:';

/** A notice in words. Three are the shell's own, in the window's language; the others are the engine's. */
export function saidBy(app: App, { id, message }: Notice): string {
  const { settings, version } = app.snapshot!;
  const { state } = settings.updates;
  if (id.startsWith(BACK)) return t('updates.back', { version: id.slice(BACK.length), ours: version });
  if (id === 'no-tray') return t('tray.absent');
  return id === 'update' && state.kind === 'found' ? t('updates.notice', { version: state.version }) : message;
}

type Does = [label: TextKey, run: (app: App, about: string) => unknown];

const checkup: Does = ['checkup.ask', (app) => (app.dialog = { kind: 'checkup' })];
const clients: Does = ['notice.clients', (app) => app.go('clients')];
const trash: Does = ['notice.trash', (app) => app.openSettings('trash')];

/** The action by the first word of a notice's id; `about` is what comes after its colon. */
const actions: Record<string, Does> = {
  'not-saved': checkup,
  unreadable: checkup,
  interrupted: checkup,
  tokens: checkup,
  program: checkup,
  socket: checkup,
  starters: checkup,
  usage: checkup,
  audit: checkup,
  'tokens-shown': clients,
  'client-folders': clients,
  'copied-instead': clients,
  'put-back': ['notice.clients', (app, client) => app.openClient(client)],
  held: ['notice.skills', (app, folder) => app.showFolder(folder, 'looks-harmful')],
  new: ['notice.skills', (app, folder) => app.showFolder(folder)],
  update: ['notice.update', (app) => app.openSettings('general')],
  watch: ['action.readAgain', (app) => app.readAgain(t('action.wasRead'))],
  trash,
  'trash-left': trash,
  'no-tray': ['tray.quit', (app) => app.act(app.backend.quit())],
};

/** The one action of a notice, if there is something to do. */
export function actionOn(app: App, { id }: Notice): NoticeAction | null {
  const [word, about] = split(id);
  const does = actions[word];
  // What was reported may be gone meanwhile.
  const isGone = (does === trash && !app.snapshot?.trash.length) || (['held', 'new'].includes(word) && !app.snapshot?.folders.some((folder) => folder.id === about));
  return does && !isGone ? { label: t(does[0]), run: () => does[1](app, about) } : null;
}

function split(id: string): [string, string] {
  const at = id.indexOf(':');
  return at < 0 ? [id, ''] : [id.slice(0, at), id.slice(at + 1)];
}

/** Whether it can be dismissed: what is not saved stays said until it is. */
export const canBeDismissed = ({ id }: Notice): boolean => id !== 'not-saved';
