// The backend without Tauri, for `npm run dev` and the tests: a recording of the engine (`example.json`), replayed with
// small changes in memory.

import type { Backend, Choice, Consenting, Leave, Show } from './backend';
import { choices } from './memory/choices';
import { clients } from './memory/clients';
import { Replay } from './memory/recorded';
import { atWork } from './memory/running';
import { servers } from './memory/servers';
import { skills } from './memory/skills';
import type { World } from './memory/world';
import type { Notice, SkillSet, Snapshot } from './types';

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
  const replay = new Replay(!options.noKeychain, () => publish());
  const { recording } = replay;
  const { settings, endpoint, version } = structuredClone(recording.snapshot);
  const sets: SkillSet[] = options.empty ? [] : [{ id: 's1', name: 'Writing', skills: ['claude/release-notes', 'agents/weekly-plan', 'claude/accessibility-audit'], served: 3, clients: [] }];
  const opened: string[] = [];
  const world: World = { replay, publish: () => publish(), opened, settings };
  const texts = skills(world);
  let { firstRun = false, notices = [], noKeychain = false } = options;
  let paused = false;
  let revision = 0;

  if (options.clients) replay.go({ ...recording.lost, ...recording.edited });
  else replay.hide('client', (id) => id !== 'claude-desktop');
  if (options.desktop) replay.go(recording[options.desktop]);
  if (options.servers) atWork(replay);
  else for (const kind of ['skill', 'folder'] as const) replay.hide(kind, (id) => id.split('/')[0] === TEAM);
  if (options.empty) for (const kind of ['skill', 'folder'] as const) replay.hide(kind, () => true);
  for (let i = 1; i <= (options.more ?? 0); i += 1) {
    const id = `made-up-${String(i).padStart(4, '0')}`;
    replay.copy(i % 7 ? 'claude/pdf-forms' : 'claude/design-tokens', recording.folders[i % 3]!, id);
  }

  const snapshot = (): Snapshot => {
    const rows = replay.all('skill').map(({ row }) => row).sort((a, b) => a.name.localeCompare(b.name, 'en'));
    const on = rows.filter((row) => row.enabled).map(({ key }) => key);
    const clients = replay.all('client').map((client) => {
      const set = sets.find(({ id }) => id === client.set)?.skills;
      return { ...client, skills: on.filter((key) => !set || set.includes(key)).length };
    });
    const folders = recording.folders.flatMap((id) => replay.get('folder', id) ?? []);
    return structuredClone({
      revision, version, firstRun, skills: rows, clients, notices, settings,
      keychain: recording.keychain[noKeychain ? 0 : 1],
      // A server is there as long as a skill that is shown and on needs it.
      servers: replay.all('server').map(({ row }) => row).filter(({ skills }) => skills.some(({ key }) => on.includes(key))),
      folders: folders.map((folder) => ({ ...folder, skills: rows.filter((row) => row.folder === folder.id).length })),
      found: options.empty ? [] : recording.found,
      sets: sets.map((set) => ({ ...set, served: set.skills.filter((key) => on.includes(key)).length, clients: clients.filter((client) => client.set === set.id).map(({ id }) => id) })),
      trash: replay.all('trash'),
      endpoint: {
        ...endpoint, state: paused ? { state: 'paused' } : endpoint.state, address: `http://127.0.0.1:${settings.port}/mcp`,
        connected: clients.filter(({ live }) => live).length, served: on.length,
      },
    });
  };
  const told = { snapshot: new Set<(snapshot: Snapshot) => void>(), show: new Set<(show: Show) => void>(), leave: new Set<(wish: Leave) => void>(), drop: new Set<(dropped: Choice[]) => void>(), consent: new Set<(server: string | null) => void>() };
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

  return {
    ...replay.commands,
    ...texts,
    ...clients(world, options.running ?? false),
    ...choices(world, sets),
    ...servers(world),

    opened,
    get kept() {
      return texts.kept.map((version) => version.text);
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
    onConsent: listen(told.consent),

    chooseFolder: async () => chosen('/home/mei/more-skills'),
    chooseZip: async () => chosen('/home/mei/Downloads/skills.zip'),
    chooseFile: async () => chosen('/home/mei/.config/acme/mcp.json'),
    chooseSave: async (name) => chosen(`/home/mei/Documents/${name}`),
    readAgain: async () => {},
    async finishFirstRun(paths) {
      firstRun = false;
      publish();
      return replay.all('folder').filter(({ path }) => paths.includes(path)).map(({ id }) => id);
    },
    async retryKeychain() {
      noKeychain = false;
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
    async askConsent(server) {
      opened.push(`consent ${server}`);
      told.consent.forEach((listener) => listener(server));
    },
    async closeConsent() {
      opened.push('consent closed');
      told.consent.forEach((listener) => listener(null));
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
