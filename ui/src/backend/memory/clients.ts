// The commands of clients whose answers hang on which clients the example shows, and those that open something.

import type { MainCommands } from '../commands';
import type { Replay } from './recorded';

/** `running`: whether Claude Desktop runs. */
export function clients(replay: Replay, opened: string[], running: boolean): Partial<MainCommands> {
  const isShown = (id: string) => replay.get('client', id) !== undefined;
  return {
    async planClient(id, change) {
      if (running && id === 'claude-desktop' && change.change === 'connect') return replay.recording.runningPlan;
      return replay.commands.planClient(id, change);
    },
    configuredServers: async () => (await replay.commands.configuredServers()).filter(({ client }) => isShown(client)),
    showConfig: async (id) => void opened.push(replay.get('client', id)!.path),
    clientFolders: async () => replay.all('target').map((folder) => structuredClone({ ...folder, readers: folder.readers.filter(({ id }) => isShown(id)) })),
    saveReport: async (saveTo) => void opened.push(saveTo),
    readCalls: async (most) => (replay.all('client').some(({ live }) => live) ? (await replay.commands.readCalls(most)).slice(0, most) : []),
  };
}
