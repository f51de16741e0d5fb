// What a person can do about a notice. The engine says what is wrong; the window knows where that is mended.

import type { Notice } from '../backend/types';
import { t } from '../text';
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

/** The one action of a notice, if there is something to do. */
export function actionOn(app: App, { id }: Notice): NoticeAction | null {
  const checkup = { label: t('checkup.ask'), run: () => (app.dialog = { kind: 'checkup' }) };
  if (id.startsWith('unreadable:')) return checkup;
  const actions: Record<string, NoticeAction> = {
    'not-saved': checkup,
    tokens: checkup,
    'tokens-shown': { label: t('notice.clients'), run: () => app.go('clients') },
    'no-tray': { label: t('tray.quit'), run: () => app.act(app.backend.quit()) },
  };
  return actions[id] ?? null;
}

/** Whether it can be dismissed: what is not saved stays said until it is. */
export const canBeDismissed = ({ id }: Notice): boolean => id !== 'not-saved';
