// A client's file before and after our entry.

import type { Backend } from '../backend';
import { claudeConfig } from '../example';
import type { Client, ClientChange, ConnectPlan, DiffLine } from '../types';
import type { Shelf } from './shelf';
import { digest, failure } from './text';

function connectedConfig(text: string): string {
  return text.replace(
    '    }\n  }\n',
    '    },\n    "skilltender": {\n      "command": "/usr/bin/skilltender",\n      "args": ["mcp", "--client", "claude-desktop"]\n    }\n  }\n',
  );
}

function plan(client: Client, before: string, after: string): ConnectPlan {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const numbered = (sign: DiffLine['sign'], lines: string[], first: number): DiffLine[] =>
    lines.map((text, i) => ({ sign, number: first + i, text }));
  const removed = numbered('removed', old.slice(head, old.length - tail), head + 1);
  const added = numbered('added', fresh.slice(head, fresh.length - tail), head + 1);
  return {
    client: client.id,
    id: digest(before),
    place: client.place,
    file: 'changed',
    lines: [
      ...numbered('same', fresh.slice(0, head), 1),
      ...removed,
      ...added,
      ...numbered('same', fresh.slice(fresh.length - tail, -1), fresh.length - tail + 1),
    ],
    added: added.length,
    removed: removed.length,
    notes: [],
    reload: client.reload,
    rewrites: false,
  };
}


type Connecting = Pick<
  Backend,
  'planClient' | 'changeClient' | 'readDrift' | 'settleDrift' | 'entryText' | 'configuredServers' | 'addClient' | 'removeClient' | 'showConfig'
>;

/** What the window asks about clients, with one client whose file is kept here. */
export function connecting(shelf: Shelf, client: Client, opened: string[]): Connecting {
  let config = claudeConfig;
  const ours = connectedConfig(claudeConfig);
  const after = (change: ClientChange) => {
    const adds = change.change === 'connect' || change.change === 'update' || (change.change === 'undo' && config !== ours);
    return adds ? connectedConfig(claudeConfig) : claudeConfig;
  };
  return {
    planClient: async (_id, change) => plan(client, config, after(change)),
    async changeClient(_id, change, planId) {
      if (planId !== digest(config)) throw failure('changed', 'The file changed since it was shown. Nothing was written.');
      config = after(change);
      const added = config === ours;
      const gone = { connected: null, live: false, token: false, called: null, calls: 0 };
      Object.assign(client, {
        standing: { state: added ? 'added' : 'absent' },
        written: added ? Date.now() : null,
        proof: added ? 'waiting' : 'not-added',
        transport: added ? 'stdio' : null,
        undo: { time: Date.now(), added },
        ...(added ? {} : gone),
      });
      shelf.publish();
    },
    readDrift: async () => ({
      id: digest(config),
      place: client.place,
      ours: '{ "command": "/usr/bin/skilltender", "args": ["mcp", "--client", "claude-desktop"] }',
      theirs: client.standing.state === 'edited' ? '{ "command": "/usr/bin/skilltender", "args": ["mcp"] }' : null,
      base: null,
    }),
    async settleDrift(_id, _project, _drift, choice) {
      client.standing = { state: choice === 'keep' ? 'added' : 'different' };
      client.proof = choice === 'keep' ? 'waiting' : 'not-added';
      shelf.publish();
    },
    entryText: async () => ({
      place: client.place,
      text: '{\n  "mcpServers": {\n    "skilltender": {\n      "command": "/usr/bin/skilltender",\n      "args": ["mcp", "--client", "claude-desktop"]\n    }\n  }\n}\n',
      command: '/usr/bin/skilltender mcp --client claude-desktop',
      links: [],
    }),
    configuredServers: async () => [
      {
        client: client.id, name: 'postgres', place: client.place, path: client.path, line: 3, column: 5,
        runs: { by: 'command', words: ['docker', 'run', '-i', '--rm', 'mcp/postgres'] }, secrets: [], off: false,
      },
    ],
    async addClient({ name, path }) {
      const id = `custom-${shelf.clients.length}`;
      shelf.clients.push({ ...client, id, name, path, place: path, standing: { state: 'absent' }, custom: true });
      shelf.publish();
      return id;
    },
    async removeClient(id) {
      shelf.clients = shelf.clients.filter((each) => each.id !== id);
      shelf.publish();
    },
    showConfig: async () => void opened.push(client.path),
  };
}
