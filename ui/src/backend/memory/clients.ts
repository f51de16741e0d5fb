// The commands of clients and of the folders that they read: each change and its plan as it was recorded.

import type { MainCommands } from '../commands';
import type { Client, ClientChange, ConnectPlan, ConfiguredServer, Drift, FolderPlan, PlaceWay } from '../types';
import type { World } from './world';

type Commands = Pick<
  MainCommands,
  | 'planClient' | 'changeClient' | 'readDrift' | 'settleDrift' | 'entryText' | 'configuredServers' | 'addClient' | 'removeClient' | 'showConfig' | 'clientSees' | 'replaceToken'
  | 'skillFolders' | 'planSkillFolder' | 'linkSkills' | 'unlinkSkills' | 'settleCopy' | 'doctor' | 'saveReport' | 'readCalls'
>;

export function clients({ replay, publish, opened, running }: World): Commands {
  const clientOf = (id: string): Client => {
    const client = replay.get('client', id);
    if (!client) throw replay.refusal('readSkill');
    return client;
  };
  const about = (id: string) => `client ${id}`;
  /** The change as it was recorded: for a custom client as for the recorded one. */
  const plan = (id: string, change: ClientChange): ConnectPlan => {
    const given = 'again' in change ? { ...change, again: false } : change;
    if (change.change === 'undo' && clientOf(id).undo?.moved) return backwards(replay.call('planClient', [id, { change: 'rescue', file: null }], about(id)));
    if (running && id === 'claude-desktop' && change.change === 'connect') return replay.call('planClient', [id, 'running']);
    return replay.call('planClient', [id, given], about(id));
  };
  const carryOut = (command: 'linkSkills' | 'unlinkSkills', target: string, way: PlaceWay | null, planId: string) => {
    const { id } = replay.call<FolderPlan>('planSkillFolder', [target, way], `target ${target}`);
    if (id !== planId) throw replay.refusal('linkSkills');
    replay.call(command, way ? [target, way] : [target], `target ${target}`);
    publish();
  };

  return {
    planClient: async (id, change) => plan(id, change),
    async changeClient(id, change, planId) {
      const client = clientOf(id);
      const { id: now, moves } = plan(id, change);
      if (planId !== now) throw replay.refusal('changeClient');
      // No keychain was recorded, so that these two were not.
      if (change.change === 'rescue') Object.assign(client, { plain: 0, undo: { time: Date.now(), added: false, moved: moves.length } });
      else if (client.undo?.moved) Object.assign(client, { plain: client.undo.moved, undo: null });
      else replay.call('changeClient', [id, 'again' in change ? { ...change, again: false } : change], about(id));
      publish();
    },
    readDrift: async (id, project) => replay.call('readDrift', [id, project], about(id)),
    async settleDrift(id, project, driftId, choice) {
      if (replay.call<Drift>('readDrift', [id, project], about(id)).id !== driftId) throw replay.refusal('settleDrift');
      replay.call('settleDrift', [id, project, choice], about(id));
      publish();
    },
    entryText: async (id, transport) => replay.call('entryText', [id, transport]),
    async configuredServers() {
      const shown = new Set(replay.all('client').map(({ id }) => id));
      return replay.call<ConfiguredServer[]>('configuredServers', []).filter(({ client }) => shown.has(client));
    },
    async addClient(name) {
      const id = replay.call<string>('addClient', []);
      Object.assign(clientOf(id), { name });
      publish();
      return id;
    },
    async removeClient(id) {
      replay.forget('client', id);
      publish();
    },
    showConfig: async (id) => void opened.push(clientOf(id).path),
    clientSees: async (id) => replay.call('clientSees', [id]),
    async replaceToken(id) {
      replay.call('replaceToken', [id], about(id));
      publish();
    },
    async skillFolders() {
      const shown = new Map(replay.all('client').map((client) => [client.id, client]));
      return replay.all('target').map((folder) => structuredClone({ ...folder, readers: folder.readers.filter(({ id }) => shown.has(id)) }));
    },
    planSkillFolder: async (target, way) => replay.call('planSkillFolder', [target, way], `target ${target}`),
    linkSkills: async (target, way, planId) => carryOut('linkSkills', target, way, planId),
    unlinkSkills: async (target, planId) => carryOut('unlinkSkills', target, null, planId),
    settleCopy: async () => publish(),
    doctor: async () => replay.call('doctor', []),
    saveReport: async (saveTo) => void opened.push(saveTo),
    readCalls: async (most) => (replay.all('client').some(({ live }) => live) ? replay.call<[]>('readCalls', []).slice(0, most) : []),
  };
}

/** The plan that takes another one back. */
function backwards(plan: ConnectPlan): ConnectPlan {
  const other = { same: 'same', added: 'removed', removed: 'added' } as const;
  const lines = plan.lines.map((line) => ({ ...line, sign: other[line.sign] }));
  return { ...plan, lines, added: plan.removed, removed: plan.added, notes: [], moves: [], stays: [] };
}
