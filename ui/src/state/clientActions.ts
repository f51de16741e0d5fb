// The actions of a client's menu.

import type { Client } from '../backend/types';
import type { MenuItem } from '../controls/menu';
import { t } from '../text';
import type { App } from './app.svelte';
import { toConnect, toDisconnect } from './clients';

const ours = ['added', 'outdated', 'edited'];

export function actionsOnClient(app: App, client: Client): MenuItem[][] {
  const { id, name, standing } = client;
  const ask = (dialog: NonNullable<App['dialog']>) => () => (app.dialog = dialog);
  const isOurs = ours.includes(standing.state);
  const free = standing.state === 'absent' || standing.state === 'dropped';

  const changes: MenuItem[] = [];
  if (free && !client.found) changes.push({ id: 'add', label: t('client.addAnyway'), icon: 'plus', run: ask({ kind: 'connect', client: id, change: toConnect() }) });
  if (client.takesProjects) changes.push({ id: 'project', label: t('client.addToProject'), icon: 'folder', run: () => addToProject(app, client) });
  if (client.undo) changes.push({ id: 'undo', label: t('client.undo'), icon: 'undo', run: ask({ kind: 'connect', client: id, change: { change: 'undo' } }) });
  if (client.redo) changes.push({ id: 'redo', label: t('client.redo'), icon: 'restart', run: ask({ kind: 'connect', client: id, change: { change: 'redo' } }) });

  const looks: MenuItem[] = [];
  if (client.path) looks.push({ id: 'open', label: t('client.openFile'), icon: 'open', run: () => app.act(app.backend.showConfig(id)) });
  looks.push({ id: 'entry', label: t('client.copyEntry'), icon: 'copy', run: ask({ kind: 'entry', client: id }) });
  looks.push({ id: 'look', label: t('clients.lookAgain'), icon: 'restart', run: () => app.readAgain(t('clients.looked')) });

  if (client.token) changes.push({ id: 'token', label: t('client.replaceToken'), icon: 'key', run: ask({ kind: 'token', client: id }) });

  const ends: MenuItem[] = [];
  if (isOurs || client.direct.length) ends.push({ id: 'remove', label: t('client.remove'), icon: 'trash', danger: true, run: ask({ kind: 'connect', client: id, change: toDisconnect() }) });
  if (client.custom && !isOurs) ends.push({ id: 'forget', label: t('client.forget'), icon: 'x', danger: true, run: () => app.act(app.backend.removeClient(id), t('client.forgotten', { name })) });
  return [changes, looks, ends].filter((group) => group.length > 0);
}

/** Asks for a project's folder, and shows the change of the client's file there. */
async function addToProject(app: App, client: Client): Promise<void> {
  const project = await app.chooseFolder();
  if (project) app.dialog = { kind: 'connect', client: client.id, change: toConnect(project.id) };
}
