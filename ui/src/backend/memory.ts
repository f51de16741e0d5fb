// The backend without Tauri, for `npm run dev` and the tests: a recording of the engine (`example.json`), replayed with
// small changes in memory.

import type { Backend, Choice, Consenting, Leave, Show } from './backend';
import { clients } from './memory/clients';
import { Replay } from './memory/recorded';
import { atWork } from './memory/running';
import { servers } from './memory/servers';
import { bodyOf, skills } from './memory/skills';
import type { World } from './memory/world';
import type { Keychain, Notice, Snapshot } from './types';

export interface MemoryOptions {
  /** How many skills to generate in addition to the examples. */
  more?: number;
  firstRun?: boolean;
  empty?: boolean;
  noKeychain?: boolean;
  /** What Claude Desktop's file is like. */
  desktop?: 'refused' | 'used';
  /** All clients, not just Claude Desktop. */
  clients?: boolean;
  /** The skills that need servers, and servers in every state. */
  servers?: boolean;
  notices?: Notice[];
  /** Whether Claude Desktop runs. */
  running?: boolean;
}

export interface MemoryBackend extends Backend, Consenting {
  /** Another program saved the skill's SKILL.md. */
  touch(key: string, text: string): void;
  textOf(key: string): string | null;
  /** The tray asks the window to open a place. */
  show(show: Show): void;
  /** The tray or the system asks to quit. */
  ask(wish: Leave): void;
  /** A folder or a file is dropped on the window. */
  drop(path: string): void;
  /** What was opened outside the window, in order. */
  opened: string[];
  readonly kept: string[];
}

/** The folder whose skills need servers in every state. */
const TEAM = 'team';

export function memory(options: MemoryOptions = {}): MemoryBackend {
  const replay = new Replay(!options.noKeychain);
  const { recording } = replay;
  const { folders, settings, endpoint, version } = structuredClone(recording.snapshot);
  const world: World = {
    replay, publish: () => publish(), opened: [], kept: [], trash: [], settings, asking: new Set(), running: options.running ?? false,
    sets: options.empty ? [] : [{ id: 's1', name: 'Writing', skills: ['claude/release-notes', 'agents/weekly-plan', 'claude/accessibility-audit'], served: 3, clients: [] }],
  };
  const { opened, kept, sets, trash, asking } = world;
  let keychain: Keychain = options.noKeychain ? recording.snapshot.keychain : { state: 'ready' };
  let { firstRun = false, notices = [] } = options;
  let paused = false;
  let revision = 0;

  const leaveOut = (kind: 'skill' | 'client', which: (id: string) => boolean) => {
    for (const each of replay.all(kind)) {
      const id = 'row' in each ? each.row.key : each.id;
      if (which(id)) replay.remove(kind, id);
    }
  };
  if (options.clients) replay.go({ ...recording.lost, ...recording.edited });
  else leaveOut('client', (id) => id !== 'claude-desktop');
  if (options.desktop) replay.go(recording[options.desktop]);
  if (options.servers) atWork(replay);
  else leaveOut('skill', (key) => key.startsWith(`${TEAM}/`));
  if (options.empty) leaveOut('skill', () => true);
  for (let i = 1; i <= (options.more ?? 0); i += 1) {
    const skill = structuredClone(replay.get('skill', i % 7 ? 'claude/pdf-forms' : 'claude/design-tokens')!);
    const id = `made-up-${String(i).padStart(4, '0')}`;
    const folder = folders[i % 3]!.id;
    replay.add('skill', `${folder}/${id}`, JSON.parse(JSON.stringify(skill).replaceAll(/claude\/(pdf-forms|design-tokens)/g, `${folder}/${id}`).replaceAll(/pdf-forms|design-tokens/g, id).replace('"folder":"claude"', `"folder":"${folder}"`)));
  }

  const snapshot = (): Snapshot => {
    const rows = replay.all('skill').map(({ row }) => row).sort((a, b) => a.name.localeCompare(b.name, 'en'));
    const on = rows.filter((row) => row.enabled).map(({ key }) => key);
    const clients = replay.all('client').map((client) => {
      const set = sets.find(({ id }) => id === client.set)?.skills;
      return { ...client, skills: on.filter((key) => !set || set.includes(key)).length };
    });
    // A server is there as long as a skill that is shown and on needs it.
    const servers = replay.all('server').map(({ row }) => row).filter(({ skills }) => skills.some(({ key }) => on.includes(key)));
    return structuredClone({
      revision, version, firstRun, skills: rows, servers, clients, keychain, notices, settings,
      folders: options.empty ? [] : folders.filter(({ id }) => id !== TEAM || options.servers).map((folder) => ({ ...folder, skills: rows.filter((row) => row.folder === folder.id).length })),
      found: options.empty ? [] : recording.found,
      sets: sets.map((set) => ({ ...set, served: set.skills.filter((key) => on.includes(key)).length, clients: clients.filter((client) => client.set === set.id).map(({ id }) => id) })),
      trash: trash.map(({ skill: _, ...trashed }) => trashed),
      endpoint: {
        ...endpoint, state: paused ? { state: 'paused' } : endpoint.state, address: `http://127.0.0.1:${settings.port}/mcp`,
        connected: clients.filter(({ live }) => live).length, served: on.length,
      },
    });
  };
  const told = { snapshot: new Set<(snapshot: Snapshot) => void>(), show: new Set<(show: Show) => void>(), leave: new Set<(wish: Leave) => void>(), drop: new Set<(dropped: Choice[]) => void>() };
  const listen = <T>(listeners: Set<T>) => async (listener: T) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const publish = () => {
    revision += 1;
    const now = snapshot();
    for (const listener of told.snapshot) listener(now);
  };
  /** In memory, a choice's id is its path. */
  const chosen = (path: string): Choice => ({ id: path, place: path.replace('/home/mei', '~') });
  const clientOf = (id: string) => {
    const client = replay.get('client', id);
    if (!client) throw replay.refusal('readSkill');
    return client;
  };

  return {
    opened,
    get kept() {
      return kept.map((version) => version.text);
    },
    touch(key, text) {
      const { row, page } = replay.get('skill', key)!;
      Object.assign(page, { text, digest: `${page.digest}+`, body: bodyOf(text) });
      row.digest = page.digest;
      publish();
    },
    textOf: (key) => replay.get('skill', key)?.page.text ?? null,
    show: (show) => told.show.forEach((listener) => listener(show)),
    drop: (path) => told.drop.forEach((listener) => listener([chosen(path)])),
    ask: (wish) => told.leave.forEach((listener) => listener(wish)),

    current: async () => snapshot(),
    onSnapshot: listen(told.snapshot),
    onShow: listen(told.show),
    onLeave: listen(told.leave),
    onDrop: listen(told.drop),
    onConsent: listen(asking),

    ...skills(world),
    ...clients(world),
    ...servers(world),

    chooseFolder: async () => chosen('/home/mei/more-skills'),
    chooseZip: async () => chosen('/home/mei/Downloads/skills.zip'),
    chooseFile: async () => chosen('/home/mei/.config/acme/mcp.json'),
    chooseSave: async (name) => chosen(`/home/mei/Documents/${name}`),
    readAgain: async () => {},
    async addFolder(path) {
      const id = `f${folders.length}`;
      folders.push({ id, place: path.replace('/home/mei', '~'), path, skills: 0, enableNew: false, trouble: null, remarks: [] });
      publish();
      return id;
    },
    async removeFolder(id) {
      folders.splice(folders.findIndex((folder) => folder.id === id), 1);
      leaveOut('skill', (key) => key.startsWith(`${id}/`));
      publish();
    },
    async finishFirstRun(paths) {
      firstRun = false;
      publish();
      return folders.filter(({ path }) => paths.includes(path)).map(({ id }) => id);
    },
    async retryKeychain() {
      keychain = { state: 'ready' };
      publish();
    },
    async makeSet(name, keys) {
      const id = `s${sets.length + 1}`;
      sets.push({ id, name, skills: keys, served: 0, clients: [] });
      publish();
      return id;
    },
    async changeSet(id, name, keys) {
      Object.assign(sets.find((set) => set.id === id) ?? {}, { name, skills: keys });
      publish();
    },
    async deleteSet(id) {
      sets.splice(sets.findIndex((set) => set.id === id), 1);
      for (const client of replay.all('client')) if (client.set === id) client.set = null;
      publish();
    },
    async giveSet(client, set) {
      clientOf(client).set = set;
      publish();
    },
    async setSurface(client, surface, on) {
      if (client === null) settings.surfaces[surface] = on ?? true;
      else if (on === null) delete settings.clients[client]?.[surface];
      else (settings.clients[client] ??= {})[surface] = on;
      publish();
    },
    async setArchives(on) {
      settings.archives = on;
      publish();
    },
    async setPort(port) {
      settings.port = port;
      publish();
    },
    async setWithhold(on) {
      settings.withhold = on;
      publish();
    },
    async pause(on) {
      paused = on;
      publish();
    },
    async dismissNotice(id) {
      notices = notices.filter((notice) => notice.id !== id);
      publish();
    },
    openLink: async (url) => void opened.push(url),
    quit: async () => told.leave.forEach((listener) => listener('person')),
    leave: async () => void opened.push('left'),
    stay: async () => void opened.push('stayed'),
  };
}

/** The backend for the page's address, such as `?more=1000&first-run`. It is also `window.memory`, for experiments. */
export function memoryFromAddress(): MemoryBackend {
  const asked = new URLSearchParams(location.search);
  const backend = memory({
    more: Number(asked.get('more') ?? 0),
    firstRun: asked.has('first-run'),
    empty: asked.has('empty'),
    noKeychain: asked.has('no-keychain'),
    clients: asked.has('clients'),
    servers: asked.has('servers'),
    running: asked.has('running'),
    ...(asked.has('refused') && { desktop: 'refused' }),
    ...(asked.has('connected') && { desktop: 'used' }),
  });
  Object.assign(globalThis, { memory: backend });
  return backend;
}
