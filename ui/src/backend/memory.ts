// The backend without Tauri, for `npm run dev` and the tests: a recording of the engine (`example.json`), replayed with
// small changes in memory.

import type { Asked, Backend, Choice, Consenting, Leave, Show } from './backend';
import { Speech, show } from '../speech.svelte';
import { choices } from './memory/choices';
import { clients } from './memory/clients';
import { pseudoTexts } from './memory/pseudo';
import { Replay } from './memory/recorded';
import { servers } from './memory/servers';
import { skills } from './memory/skills';
import { sources, sourcesOf } from './memory/sources';
import { team } from './memory/team';
import { workTrees } from './memory/workTrees';
import { usage } from './memory/usage';
import { writes } from './memory/writes';
import type { Notice, SkillSet, Snapshot, UpdateState } from './types';

export interface MemoryBackend extends Backend, Consenting {
  /** Another program saved the skill's SKILL.md. */
  touch(key: string, text: string): void;
  textOf(key: string): string | null;
  /** The tray asks the window to open a place. */
  show(show: Show): void;
  /** The tray or the system asks to quit. */
  ask(wish: Leave): void;
  /** The library was read. */
  readAll(): void;
  /** What the app knows of new versions. */
  knowUpdate(state: UpdateState): void;
  /** The window is closed and the program runs on. */
  close(): void;
  /** What the page left when its window was closed: the next page takes it up. */
  left: string | null;
  /** What the engine has to say. */
  notices: Notice[];
  /** Sends the state as it is now. */
  publish(): void;
  /** Something in a skill looks harmful from now on. */
  turnHarmful(key: string): void;
  /** Something is dragged over the window, or not any more. */
  drag(over: boolean): void;
  /** Folders or files are dropped on the window. */
  drop(...paths: string[]): void;
  /** Shows the window in the tests' own language. */
  pseudo(): void;
  /** What was opened outside the window, in order. */
  opened: string[];
  /** The heights that the consent window asked for. */
  heights: number[];
  /** Texts that were put aside. */
  kept: { key: string; text: string; moment: number; unsaved: boolean }[];
}

/**
 * The backend for an address such as `?more=1000&first-run`. These words select what it shows:
 * `more`: so many generated skills in addition to the examples; `empty`: none; `first-run`; `no-keychain`;
 * `clients`: all of them, not just Claude Desktop; `servers`: the skills that need servers, and servers in every state;
 * `harmful`: a skill that waits because something in it looks harmful, and one that is on and does so;
 * `reading=N`: the library is being read, and N skills were; `memory.readAll()` ends that;
 * `silent`: the first snapshot never comes;
 * `sources`: skills from repositories, some of which have updates; `sources=added`: before that was asked;
 * `team`: what a yes to the page of a team has left: `joined`, `missing` or `done`; `many`: a large page, before a yes; `hostile`: one
 *  whose texts try to be something else; `hangs`: the fetch never ends;
 * `usage`: what was used in so many days, 40 without a number; nothing without the word;
 * `refused`, `connected`, `running`: Claude Desktop's file has an error, it is connected, it runs.
 */
export function memory(address = ''): MemoryBackend {
  const asked = new URLSearchParams(address);
  let reading = asked.has('reading') ? Number(asked.get('reading')) : null;
  let [firstRun, noKeychain] = [asked.has('first-run'), asked.has('no-keychain')];
  const replay = new Replay(!noKeychain, () => publish());
  const { recording } = replay;
  const wrote = writes(replay);
  const { settings, version } = structuredClone(recording.snapshot);
  const sets: SkillSet[] = asked.has('empty') ? [] : [{ id: 's1', name: 'Writing', skills: ['claude/release-notes', 'agents/weekly-plan', 'claude/accessibility-audit'], served: 3, clients: [], folders: ['~/texts/**'] }];
  const opened: string[] = [];
  const heights: number[] = [];
  const notices: Notice[] = [];
  let revision = 0;

  const harm = (key: string) => {
    const { message } = replay.get('skill', 'projects/prompt-library')!.page.findings[0]!;
    replay.get('skill', key)!.row.readiness = { state: 'looks-harmful', message };
  };
  if (asked.has('clients')) replay.go({ ...recording.lost, ...recording.edited });
  else replay.hide(/^client (?!claude-desktop$)/);
  if (asked.has('refused')) replay.go(recording.refused);
  if (asked.has('connected')) replay.go(recording.used);
  if (asked.has('servers')) replay.go(recording.work);
  else replay.hide(/^(skill|folder) team(\/|$)/);
  if (asked.has('sources')) replay.go({ ...recording.added, ...(asked.get('sources') !== 'added' && recording.sources) });
  if (asked.has('harmful')) {
    for (const key of ['projects/prompt-library', 'claude/code-review']) harm(key);
  }
  if (asked.has('empty')) replay.hide(/^(skill|folder) /);
  for (let i = 1; i <= Number(asked.get('more') ?? 0); i += 1) {
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
      revision, version, firstRun, reading, skills: reading === null ? rows : [], clients, settings, notices,
      keychain: recording.keychain[noKeychain ? 0 : 1],
      // A server is there as long as a skill that is shown and on needs it.
      servers: replay.all('server').map(({ row }) => row).filter(({ skills }) => skills.some(({ key }) => on.includes(key))),
      folders: folders.map((folder) => ({ ...folder, skills: rows.filter((row) => row.folder === folder.id).length })),
      found: asked.has('empty') ? [] : recording.found,
      sets: sets.map((set) => ({ ...set, served: set.skills.filter((key) => on.includes(key)).length, clients: clients.filter((client) => client.set === set.id).map(({ id }) => id) })),
      trash: replay.all('trash'),
      sources: sourcesOf(replay, rows),
      endpoint: {
        ...replay.get('endpoint', 'here')!, address: `http://127.0.0.1:${settings.port}/mcp`,
        connected: clients.filter(({ live }) => live).length, served: on.length,
      },
    });
  };
  const told = { snapshot: new Set<(snapshot: Snapshot) => void>(), show: new Set<(show: Show) => void>(), leave: new Set<(wish: Leave) => void>(), closed: new Set<() => void>(), drag: new Set<(over: boolean) => void>(), drop: new Set<(dropped: Choice[]) => void>(), consent: new Set<(asked: Asked | null) => void>() };
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
    ...skills(replay, opened, wrote.written),
    ...wrote.commands,
    ...sources(replay, wrote.written, asked.has('sources')),
    ...workTrees(replay),
    ...clients(replay, opened, asked.has('running')),
    ...choices(replay, settings, sets),
    ...servers(replay),
    ...team(replay, asked.get('team'), (asked) => {
      opened.push(`team ${asked.name}`);
      told.consent.forEach((listener) => listener(asked));
    }),
    ...usage(replay, asked.has('usage') ? Number(asked.get('usage') || 40) : 0, opened),

    opened,
    heights,
    notices,
    publish,
    turnHarmful(key) {
      harm(key);
      publish();
    },
    pseudo: () => {
      show(new Speech('en', pseudoTexts()));
      // What is marked as English is the engine's, not all of it.
      document.documentElement.lang = 'en-XA';
    },
    textOf: (key) => replay.get('skill', key)?.page.text ?? null,
    show: (show) => told.show.forEach((listener) => listener(show)),
    readAll() {
      reading = null;
      publish();
    },
    knowUpdate(state) {
      settings.updates = { ...settings.updates, state };
      publish();
    },
    close: () => told.closed.forEach((listener) => listener()),
    left: null,
    drag: (over) => told.drag.forEach((listener) => listener(over)),
    drop: (...paths) => told.drop.forEach((listener) => listener(paths.map(chosen))),
    ask: (wish) => told.leave.forEach((listener) => listener(wish)),

    current: async () => (asked.has('silent') ? new Promise<never>(() => {}) : snapshot()),
    onSnapshot: listen(told.snapshot),
    onShow: listen(told.show),
    onLeave: listen(told.leave),
    onClosed: listen(told.closed),
    onDrag: listen(told.drag),
    onDrop: listen(told.drop),
    onConsent: listen(told.consent),

    chooseFolder: async () => chosen('/home/mei/more-skills'),
    chooseZip: async () => chosen('/home/mei/Downloads/skills.zip'),
    chooseFile: async () => chosen('/home/mei/.config/acme/mcp.json'),
    chooseSave: async (name) => chosen(`/home/mei/Documents/${name}`),
    async finishFirstRun(paths, _, newOn) {
      firstRun = false;
      for (const folder of replay.all('folder')) if (paths.includes(folder.path)) folder.enableNew = newOn.includes(folder.path);
      publish();
      return replay.all('folder').filter(({ path }) => paths.includes(path)).map(({ id }) => id);
    },
    async retryKeychain() {
      noKeychain = false;
      publish();
    },
    async askConsent(server) {
      opened.push(`consent ${server}`);
      told.consent.forEach((listener) => listener({ kind: 'server', name: server }));
    },
    fitConsent: async (height) => void heights.push(height),
    async closeConsent() {
      opened.push('consent closed');
      told.consent.forEach((listener) => listener(null));
    },
    // The page shows a theme by itself; only the shell zooms.
    showAs: async (_dark, zoom) => void opened.push(`zoom ${zoom}`),
    openLink: async (url) => void opened.push(url),
    quit: async () => told.leave.forEach((listener) => listener('person')),
    async takeUp() {
      const { left } = this;
      this.left = null;
      return left;
    },
    async putAway(state) {
      this.left = state;
      opened.push(state === null ? 'kept its window' : 'put away');
    },
    leave: async () => void opened.push('left'),
    stay: async () => void opened.push('stayed'),
  };
}

/** The backend for the page's address. It is also `window.memory`, for experiments. */
export function memoryFromAddress(): MemoryBackend {
  const backend = memory(location.search);
  backend.left = sessionStorage.getItem('left');
  return Object.assign(globalThis, { memory: backend }).memory;
}
