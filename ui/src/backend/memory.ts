// The backend without Tauri: the engine's commands, in memory. `npm run dev` and the tests use it.

import type { Backend, Choice, Consenting, Leave, Show } from './backend';
import { calls, claudeDesktop, folders, found, sets, skills, type ExampleSkill } from './example';
import { check } from './memory/check';
import { manyClients } from './memory/clients';
import { connecting } from './memory/connect';
import { looking } from './memory/looking';
import { lifecycle } from './memory/lifecycle';
import { offering } from './memory/offering';
import { placing } from './memory/placing';
import { addServers } from './memory/manyServers';
import { rowsOf, serving } from './memory/servers';
import { search } from './memory/search';
import { skillOf as skillIn, type Shelf } from './memory/shelf';
import { applied, digest, failure, field } from './memory/text';
import { page, row } from './memory/views';
import type { Client, Keychain, Notice, Snapshot, ValueState } from './types';

export interface MemoryOptions {
  /** How many skills to generate in addition to the examples. */
  more?: number;
  firstRun?: boolean;
  empty?: boolean;
  keychain?: Keychain;
  client?: Partial<Client>;
  /** All clients, not just one. */
  clients?: Client[];
  /** Whether skills need servers in every state. */
  servers?: boolean;
  notices?: Notice[];
  stdioOnly?: string;
  /** Whether Claude Desktop runs. */
  running?: boolean;
}

export interface MemoryBackend extends Backend, Consenting {
  /** Another program saved the skill's SKILL.md. */
  touch(key: string, text: string): void;
  textOf(key: string): string;
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

export function memory(options: MemoryOptions = {}): MemoryBackend {
  const shelf: Shelf = {
    library: new Map(),
    folders: structuredClone(folders),
    clients: options.clients ?? [{ ...claudeDesktop, ...options.client }],
    sets: options.empty ? [] : structuredClone(sets),
    settings: { surfaces: { tools: true, prompts: true, resources: true, skills: true }, clients: {}, archives: false, port: 8363, withhold: false, toolModes: {}, toolsOff: [] },
    trash: [],
    servers: new Map(),
    links: new Map(),
    asking: new Set(),
    switched: new Set(),
    publish: () => publish(),
  };
  const { library } = shelf;
  const listeners = new Set<(snapshot: Snapshot) => void>();
  const showListeners = new Set<(show: Show) => void>();
  const dropListeners = new Set<(dropped: Choice[]) => void>();
  /** In memory, a choice's id is its path. */
  const chosen = (path: string): Choice => ({ id: path, place: path.replace('/home/mei', '~') });
  const leaveListeners = new Set<(wish: Leave) => void>();
  let firstRun = options.firstRun ?? false;
  let paused = false;
  let keychain: Keychain = options.keychain ?? { state: 'ready' };
  let notices = options.notices ?? [];
  let revision = 0;

  if (!options.empty) {
    for (const skill of [...structuredClone(skills), ...madeUp(options.more ?? 0)]) {
      const key = [skill.folder, ...(skill.category ? [skill.category] : []), skill.id].join('/');
      library.set(key, skill);
      if (skill.enabled || skill.folder !== 'projects') shelf.switched.add(key);
    }
  }

  if (options.servers) addServers(shelf, Date.now());

  const seenBy = ({ set }: Client) => {
    const enabled = [...library].filter(([, skill]) => skill.enabled).map(([key]) => key);
    const chosen = shelf.sets.find((each) => each.id === set)?.skills;
    return enabled.filter((key) => !chosen || chosen.includes(key)).length;
  };
  const snapshot = (): Snapshot => {
    const rows = [...library].map(([key, skill]) => row(shelf, key, skill)).sort((a, b) => a.name.localeCompare(b.name, 'en'));
    return {
      revision,
      version: '0.1.0',
      firstRun,
      skills: rows,
      servers: rowsOf(shelf),
      folders: options.empty ? [] : shelf.folders.map((f) => ({ ...f, skills: rows.filter((r) => r.folder === f.id).length })),
      found: options.empty ? [] : found,
      clients: shelf.clients.map((each) => ({ ...each, skills: seenBy(each) })),
      endpoint: {
        state: paused
          ? { state: 'paused' }
          : options.stdioOnly
            ? { state: 'stdio-only', message: options.stdioOnly }
            : { state: 'serving' },
        address: `http://127.0.0.1:${shelf.settings.port}/mcp`,
        connected: shelf.clients.filter((each) => each.live).length,
        served: rows.filter((r) => r.enabled).length,
      },
      keychain,
      notices,
      sets: shelf.sets.map((set) => ({
        ...set,
        served: set.skills.filter((key) => library.get(key)?.enabled).length,
        clients: shelf.clients.filter((each) => each.set === set.id).map((each) => each.id),
      })),
      settings: structuredClone(shelf.settings),
      trash: shelf.trash.map(({ key: _key, skill: _skill, ...trashed }) => trashed),
    };
  };
  const publish = () => {
    revision += 1;
    const now = snapshot();
    for (const listener of listeners) listener(now);
  };
  const skillOf = (key: string) => skillIn(shelf, key);
  const setState = (key: string, server: string, name: string, state: ValueState) => {
    const value = skillOf(key).needs.find((n) => n.server === server)?.values.find((v) => v.name === name);
    if (!value) throw failure('not-found', `${name} is not asked for by ${server} any more.`);
    value.state = state;
    publish();
  };
  const versionOf = (key: string, moment: number) => {
    const version = kept.find((each) => each.key === key && each.moment === moment);
    if (!version) throw failure('not-found', 'This text is not kept any more.');
    return version;
  };
  const opened: string[] = [];
  const kept: { key: string; text: string; moment: number; unsaved: boolean }[] = [];

  return {
    opened,
    get kept() {
      return kept.map((version) => version.text);
    },
    touch(key, text) {
      skillOf(key).text = text;
      publish();
    },
    textOf: (key) => skillOf(key).text,
    show: (show) => showListeners.forEach((listener) => listener(show)),
    drop: (path) => dropListeners.forEach((listener) => listener([chosen(path)])),
    ask: (wish) => leaveListeners.forEach((listener) => listener(wish)),

    current: async () => snapshot(),
    async onSnapshot(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async onShow(listener) {
      showListeners.add(listener);
      return () => void showListeners.delete(listener);
    },
    async onLeave(listener) {
      leaveListeners.add(listener);
      return () => void leaveListeners.delete(listener);
    },
    async onDrop(listener) {
      dropListeners.add(listener);
      return () => void dropListeners.delete(listener);
    },

    ...lifecycle(shelf),
    ...offering(shelf),
    ...connecting(shelf, opened, options.running ?? false),
    ...looking(shelf, opened),
    ...placing(shelf),
    ...serving(shelf, opened),
    searchSkills: async (query, limit) => search(shelf, query, limit),
    async readSkill(key) {
      const read = page(key, skillOf(key));
      for (const need of read.needs) {
        const other = shelf.links.get(`${key} ${need.server}`);
        if (other) need.sharesWith = { key: other, name: field(skillOf(other).text, 'name') ?? other };
      }
      return read;
    },
    readFile: async (key, path) => (path === 'SKILL.md' ? skillOf(key).text : (skillOf(key).files[path] ?? null)),
    checkText: async (_key, text) => check(text),
    async saveSkill(key, read, splices) {
      const skill = skillOf(key);
      if (digest(skill.text) !== read) return { outcome: 'changed', page: page(key, skill) };
      skill.text = applied(skill.text, splices);
      publish();
      return { outcome: 'saved', page: page(key, skill) };
    },
    async keepVersion(key, text, unsaved) {
      kept.push({ key, text, moment: Date.now() + kept.length, unsaved });
    },
    keptVersions: async (key) => kept.filter((version) => version.key === key && version.unsaved).map(({ moment }) => ({ moment })).reverse(),
    readKept: async (key, moment) => versionOf(key, moment).text,
    async settleKept(key, moment) {
      versionOf(key, moment).unsaved = false;
    },
    async fixSkill(key, read) {
      const skill = skillOf(key);
      if (digest(skill.text) !== read) return { outcome: 'changed', page: page(key, skill) };
      for (let fix = check(skill.text).find((p) => p.fix)?.fix; fix; fix = check(skill.text).find((p) => p.fix)?.fix) skill.text = applied(skill.text, fix.splices);
      publish();
      return { outcome: 'saved', page: page(key, skill) };
    },
    async showInFolder(key) {
      opened.push(key);
    },

    chooseFolder: async () => chosen('/home/mei/more-skills'),
    chooseZip: async () => chosen('/home/mei/Downloads/skills.zip'),
    chooseFile: async () => chosen('/home/mei/.config/acme/mcp.json'),
    chooseSave: async (name) => chosen(`/home/mei/Documents/${name}`),
    readAgain: async () => {},
    async addFolder(path) {
      const id = `f${shelf.folders.length}`;
      shelf.folders.push({ id, place: path.replace('/home/mei', '~'), path, skills: 0, enableNew: false, trouble: null, remarks: [] });
      publish();
      return id;
    },
    async removeFolder(id) {
      shelf.folders.splice(shelf.folders.findIndex((f) => f.id === id), 1);
      for (const [key, skill] of library) if (skill.folder === id) library.delete(key);
      publish();
    },
    async finishFirstRun(folders) {
      firstRun = false;
      publish();
      return shelf.folders.filter(({ path }) => folders.includes(path)).map(({ id }) => id);
    },

    async setSecret(key, server, name) {
      if (keychain.state === 'absent') throw failure('keychain', keychain.message);
      setState(key, server, name, { kind: 'secret-stored', since: Date.now(), onlyThisRun: false });
    },
    deleteSecret: async (key, server, name) => setState(key, server, name, { kind: 'secret-missing' }),
    async setValue(key, server, name, value) {
      const now = skillOf(key).needs.find((n) => n.server === server)?.values.find((v) => v.name === name)?.state;
      setState(key, server, name, { kind: 'plain', value, default: now?.kind === 'plain' ? now.default : null });
    },
    async pickWay(key, server, way) {
      const skill = skillOf(key);
      // An example of a container; the other ways are the skill's.
      skill.needs = skill.needs.map((need) => (need.server === server ? { ...need, way: way ?? need.ways[0] ?? null, command: way === 'docker' ? ['docker', 'run', `mcp/${server}`] : need.command } : need));
      publish();
    },
    async retryKeychain() {
      keychain = { state: 'ready' };
      publish();
    },

    readCalls: async (most) => (shelf.clients.some((each) => each.live) ? calls(Date.now()).slice(0, most) : []),
    async pause(on) {
      paused = on;
      publish();
    },
    async dismissNotice(id) {
      notices = notices.filter((n) => n.id !== id);
      publish();
    },
    async openLink(url) {
      opened.push(url);
    },
    quit: async () => leaveListeners.forEach((listener) => listener('person')),
    async leave() {
      opened.push('left');
    },
    async stay() {
      opened.push('stayed');
    },
  };
}

/** The backend for the page's address, such as `?more=1000&first-run`. It is also `window.memory`, for experiments.
    */
export function memoryFromAddress(): MemoryBackend {
  const asked = new URLSearchParams(location.search);
  const backend = memory({
    more: Number(asked.get('more') ?? 0),
    firstRun: asked.has('first-run'),
    empty: asked.has('empty'),
    servers: asked.has('servers'),
    running: asked.has('running'),
    ...(asked.has('clients') && { clients: manyClients(Date.now()) }),
    ...(asked.has('no-keychain') && {
      keychain: { state: 'absent', message: 'No keychain answers. Start GNOME Keyring or KWallet, then try again.' },
    }),
    ...(asked.has('refused') && {
      client: { standing: { state: 'refused', message: 'Its file has an error at 41:3. Nothing was changed. Open the file.' } },
    }),
    ...(asked.has('connected') && {
      client: {
        standing: { state: 'added' }, transport: 'stdio', written: Date.now() - 86_400_000, connected: Date.now() - 180_000, live: true,
        proof: 'called', calls: 12, called: { at: Date.now() - 60_000, method: 'tools/call', target: 'get_skill', ok: true },
        peer: { name: 'claude-ai', version: '1.4.2', protocol: '2025-11-25', capabilities: ['roots'], transport: 'stdio' },
      },
    }),
  });
  Object.assign(globalThis, { memory: backend });
  return backend;
}

function madeUp(count: number): ExampleSkill[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `made-up-${String(i + 1).padStart(4, '0')}`,
    folder: folders[i % folders.length]!.id,
    enabled: i % 7 !== 0,
    text: `---\nname: made-up-${String(i + 1).padStart(4, '0')}\ndescription: One of many skills, number ${i + 1}.\n---\n`,
    files: {},
    needs: [],
  }));
}
