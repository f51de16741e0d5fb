// The content of the clients' files, and adding, changing and removing Skilltender's entry.

import type { Backend } from '../backend';
import { claudeConfig } from '../example';
import type { Client, ClientChange, ConfiguredServer, ConnectPlan, DiffLine, Standing, Transport } from '../types';
import type { Shelf } from './shelf';
import { digest, failure } from './text';

/** The lines of Skilltender's entry in a client's file. */
function entry(client: string, transport: Transport): string[] {
  return transport === 'stdio'
    ? ['"skilltender": {', '  "command": "/usr/bin/skilltender",', `  "args": ["mcp", "--client", "${client}"]`, '}']
    : ['"skilltender": {', '  "url": "http://127.0.0.1:8363/mcp",', '  "headers": { "Authorization": "Bearer st_7Qd2-example" }', '}'];
}

function withEntry(client: string, transport: Transport): string {
  const lines = entry(client, transport).map((line) => `    ${line}\n`).join('');
  return claudeConfig.replace('    }\n  }\n', `    },\n${lines}  }\n`);
}

const edited = (client: string) => withEntry(client, 'stdio').replace('"args": ["mcp", ', '"args": ["mcp", "--port", "8080", ');

/** The text of a client's file. */
function textOf({ id, standing, transport }: Client): string {
  if (standing.state === 'added' || standing.state === 'outdated') return withEntry(id, transport ?? 'stdio');
  return standing.state === 'edited' ? edited(id) : claudeConfig;
}

function diff(before: string, after: string): Pick<ConnectPlan, 'lines' | 'added' | 'removed'> {
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
    lines: [
      ...numbered('same', fresh.slice(0, head), 1),
      ...removed,
      ...added,
      ...numbered('same', fresh.slice(fresh.length - tail, -1), fresh.length - tail + 1),
    ],
    added: added.length,
    removed: removed.length,
  };
}

/** A file with secret keys, and the change that moves the movable ones out, or puts them back. */
function moving(client: Client, out: boolean): ConnectPlan {
  const open = ['"command": "npx",', '"args": ["-y", "@modelcontextprotocol/server-github"],', '"env": { "GITHUB_TOKEN": "•••", "LINEAR_KEY": "•••" }'];
  const kept = ['"command": "/usr/bin/skilltender",', `"args": ["run", "github@${client.id}"]`];
  const file = (inner: string[]) => ['{', '  "mcpServers": {', '    "github": {', ...inner.map((line) => `      ${line}`), '    }', '  }', '}', ''].join('\n');
  const [before, after] = out ? [file(open), file(kept)] : [file(kept), file(open)];
  const at = { server: 'github', line: 6, keeps: `github@${client.id}` };
  return {
    client: client.id,
    id: digest(`${before}\0${after}`),
    place: client.place,
    file: 'changed',
    ...diff(before, after),
    notes: out ? [`${client.name} starts these servers through Skilltender from then on, and each gets its keys from the keychain.`, 'Undo puts the keys back into the file. Skilltender keeps no copy of the file with them.'] : [],
    reload: client.reload,
    rewrites: false,
    moves: out ? [{ ...at, name: 'GITHUB_TOKEN', column: 33 }, { ...at, name: 'LINEAR_KEY', column: 54 }] : [],
    stays: out ? [{ server: 'linear', names: ['api_key'], line: 12, column: 5, why: 'A secret stands in its address, which is shown and logged in many places. See whether the server takes it from a header.' }] : [],
  };
}

type Connecting = Pick<
  Backend,
  'planClient' | 'changeClient' | 'readDrift' | 'settleDrift' | 'entryText' | 'configuredServers' | 'addClient' | 'removeClient' | 'showConfig'
>;

/** The client commands for `shelf`. What is opened outside goes to `opened`; `running`: whether Claude Desktop runs.
    */
export function connecting(shelf: Shelf, opened: string[], running: boolean): Connecting {
  const clientOf = (id: string) => {
    const client = shelf.clients.find((each) => each.id === id);
    if (!client) throw failure('not-found', `Skilltender knows no client "${id}".`);
    return client;
  };
  const wanted = (client: Client, change: ClientChange): Transport | null => {
    if (change.change === 'disconnect' || change.change === 'rescue') return null;
    if (change.change === 'undo') return client.undo?.added ? null : (client.transport ?? 'stdio');
    if (change.change === 'redo') return client.redo?.added ? (client.transport ?? 'stdio') : null;
    if (change.change === 'direct') return client.transport;
    return change.transport ?? client.transport ?? client.transports[0] ?? 'stdio';
  };
  const inProject = (change: ClientChange) => ('project' in change ? change.project : null);
  const plan = (client: Client, change: ClientChange): ConnectPlan => {
    const { standing } = client;
    if (change.change === 'rescue' || (change.change === 'undo' && client.undo?.moved)) return moving(client, change.change === 'rescue');
    if (!client.path) throw failure('refused', `${client.name} keeps its servers where no other program can write them.`, ['Copy our entry and put it there by hand.']);
    if (standing.state === 'refused') throw failure('refused', `${client.name}’s file has an error at 41:3. Nothing was changed.`, ['Put the line right, or add the entry by hand.']);
    const project = inProject(change);
    const transport = wanted(client, change);
    const ours = client.projects.some((each) => each.project === project);
    const before = project === null ? textOf(client) : ours ? withEntry(client.id, 'stdio') : '';
    const after = transport ? withEntry(client.id, transport) : project === null ? claudeConfig : '';
    const adding = transport !== null;
    return {
      client: client.id,
      id: digest(`${before}\0${after}`),
      place: project === null ? client.place : `${project.replace('/home/mei', '~')}/.mcp.json`,
      file: before === '' ? 'created' : after === '' ? 'deleted' : 'changed',
      ...diff(before, after),
      notes: transport === 'http' ? ['The file will hold a token of this client alone. Whoever can read the file can use your skills through it.'] : [],
      reload: client.reload,
      rewrites: adding && running && client.id === 'claude-desktop',
      moves: [],
      stays: [],
    };
  };
  /** Sets the new state of a client's file. */
  const stand = (client: Client, transport: Transport | null, change: ClientChange['change']) => {
    const gone = { connected: null, live: false, token: false, called: null, calls: 0 };
    Object.assign(client, {
      standing: { state: transport ? 'added' : 'absent' } satisfies Standing,
      written: transport ? Date.now() : null,
      proof: transport ? 'waiting' : 'not-added',
      transport,
      token: transport === 'http',
      undo: change === 'undo' ? null : { time: Date.now(), added: transport !== null, moved: 0 },
      redo: change === 'undo' ? client.undo : null,
      ...(transport ? {} : gone),
    });
  };

  return {
    planClient: async (id, change) => plan(clientOf(id), change),
    async changeClient(id, change, planId) {
      const client = clientOf(id);
      const { id: now, place } = plan(client, change);
      if (change.change === 'rescue' || (change.change === 'undo' && client.undo?.moved)) {
        const moved = change.change === 'rescue' ? client.plain : 0;
        Object.assign(client, { undo: moved ? { time: Date.now(), added: false, moved } : null, plain: moved ? 0 : client.undo!.moved });
        return shelf.publish();
      }
      if (planId !== now) throw failure('changed', 'The file changed since it was shown. Nothing was written.');
      const transport = wanted(client, change);
      const project = inProject(change);
      if (project === null) stand(client, transport, change.change);
      else client.projects = [...client.projects.filter((each) => each.project !== project), ...(transport ? [{ project, place, standing: { state: 'added' as const }, written: Date.now() }] : [])];
      shelf.publish();
    },
    async readDrift(id) {
      const client = clientOf(id);
      const inner = (text: string) => text.split('\n').slice(6, 10).map((line) => line.slice(4)).filter(Boolean).join('\n');
      return {
        id: digest(textOf(client)),
        place: client.place,
        ours: inner(withEntry(id, 'stdio')),
        theirs: client.standing.state === 'edited' ? inner(edited(id)) : null,
        base: null,
      };
    },
    async settleDrift(id, _project, driftId, choice) {
      const client = clientOf(id);
      if (driftId !== digest(textOf(client))) throw failure('changed', 'Something else stands there now. Look at it again.');
      client.standing = { state: choice === 'keep' ? 'added' : client.standing.state === 'edited' ? 'different' : 'absent' };
      shelf.publish();
    },
    async entryText(id, transport) {
      const client = clientOf(id);
      const lines = entry(id, transport ?? client.transports[0] ?? 'stdio').map((line) => `    ${line}\n`).join('');
      return {
        place: client.place,
        text: `{\n  "mcpServers": {\n${lines}  }\n}\n`,
        command: (transport ?? client.transports[0]) === 'http' ? null : `/usr/bin/skilltender mcp --client ${id}`,
        links: id === 'cursor' ? [{ name: 'Cursor', address: 'cursor://anysphere.cursor-deeplink/mcp/install?name=skilltender&config=eyJjb21tYW5kIjoiL3Vzci9iaW4vc2tpbGx0ZW5kZXIifQ==' }] : [],
      };
    },
    configuredServers: async () => shelf.clients.flatMap((client) => others.slice(0, client.others).map((server) => ({ ...server, client: client.id, place: client.place, path: client.path }))),
    async addClient(name, path, like) {
      const id = `custom-${shelf.clients.length}`;
      const place = path.replace('/home/mei', '~');
      const fresh: Partial<Client> = { standing: { state: 'absent' }, written: null, proof: 'not-added', transport: null, token: false, undo: null, projects: [], connected: null, live: false, peer: null, calls: 0, called: null };
      shelf.clients.push({ ...clientOf(like), ...fresh, id, name, path, place, found: true, custom: true, mark: 'unverified', others: 0, reload: `Start ${name} anew.` });
      shelf.publish();
      return id;
    },
    async removeClient(id) {
      shelf.clients = shelf.clients.filter((each) => each.id !== id);
      shelf.publish();
    },
    showConfig: async (id) => void opened.push(clientOf(id).path),
  };
}

const others: Omit<ConfiguredServer, 'client' | 'place' | 'path'>[] = [
  { name: 'postgres', line: 3, column: 5, runs: { by: 'command', words: ['docker', 'run', '-i', '--rm', 'mcp/postgres'] }, off: true, secrets: [] },
  { name: 'linear', line: 8, column: 5, runs: { by: 'address', address: 'https://mcp.linear.app/mcp' }, off: false, secrets: ['Authorization'] },
  { name: 'github', line: 14, column: 5, runs: { by: 'command', words: ['npx', '-y', '@modelcontextprotocol/server-github'] }, off: false, secrets: ['GITHUB_TOKEN'] },
];
