// The window without Tauri: the same promises as the engine's, kept in memory. `npm run dev` and the tests use it.
// It checks two things only, so that problems and fixes can be seen; the rules live in the engine.

import type { Backend, Leave, Show } from './backend';
import { claudeConfig, claudeDesktop, folders, found, skills, type ExampleSkill } from './example';
import type {
  ActionError, Client, ConnectPlan, DiffLine, EditorSplice, ErrorKind, Keychain, Need, Notice, Problem, Readiness,
  SkillPage, SkillRow, Snapshot, ValueState, Verdict,
} from './types';

export interface MemoryOptions {
  /** How many skills to make up besides the examples. */
  more?: number;
  firstRun?: boolean;
  empty?: boolean;
  keychain?: Keychain;
  client?: Partial<Client>;
  notices?: Notice[];
  stdioOnly?: string;
}

export interface MemoryBackend extends Backend {
  /** Somebody else saved the skill's SKILL.md. */
  touch(key: string, text: string): void;
  textOf(key: string): string;
  /** The tray asks the window to go somewhere. */
  show(show: Show): void;
  /** The tray, or the system, wants the program to end. */
  ask(wish: Leave): void;
  /** What was opened outside, in order. */
  opened: string[];
  kept: string[];
}

export function memory(options: MemoryOptions = {}): MemoryBackend {
  const library = new Map<string, ExampleSkill>();
  const shelf = structuredClone(folders);
  const client: Client = { ...claudeDesktop, ...options.client };
  const listeners = new Set<(snapshot: Snapshot) => void>();
  const showListeners = new Set<(show: Show) => void>();
  const leaveListeners = new Set<(wish: Leave) => void>();
  let config = claudeConfig;
  let firstRun = options.firstRun ?? false;
  let paused = false;
  let keychain: Keychain = options.keychain ?? { state: 'ready' };
  let notices = options.notices ?? [];
  let revision = 0;

  if (!options.empty) {
    for (const skill of [...structuredClone(skills), ...madeUp(options.more ?? 0)]) {
      library.set(`${skill.folder}/${skill.id}`, skill);
    }
  }

  const snapshot = (): Snapshot => {
    const rows = [...library].map(([key, skill]) => row(key, skill)).sort((a, b) => a.name.localeCompare(b.name, 'en'));
    return {
      revision,
      version: '0.1.0',
      firstRun,
      skills: rows,
      folders: options.empty ? [] : shelf.map((f) => ({ ...f, skills: rows.filter((r) => r.folder === f.id).length })),
      found: options.empty ? [] : found,
      sets: [],
      trash: [],
      clients: [{ ...client }],
      endpoint: {
        state: paused
          ? { state: 'paused' }
          : options.stdioOnly
            ? { state: 'stdio-only', message: options.stdioOnly }
            : { state: 'serving' },
        address: 'http://127.0.0.1:8363/mcp',
        connected: client.live ? 1 : 0,
        served: rows.filter((r) => r.enabled).length,
      },
      settings: { surfaces: { tools: true, prompts: true, resources: true, skills: true }, clients: {}, archives: false },
      keychain,
      notices,
    };
  };
  const publish = () => {
    revision += 1;
    const now = snapshot();
    for (const listener of listeners) listener(now);
  };
  const skillOf = (key: string): ExampleSkill => {
    const skill = library.get(key);
    if (!skill) throw failure('not-found', 'This skill is not in the library any more.');
    return skill;
  };
  const setState = (key: string, server: string, name: string, state: ValueState) => {
    const value = skillOf(key).needs.find((n) => n.server === server)?.values.find((v) => v.name === name);
    if (!value) throw failure('not-found', `${name} is not asked for by ${server} any more.`);
    value.state = state;
    publish();
  };
  const opened: string[] = [];
  const kept: string[] = [];

  return {
    opened,
    kept,
    touch(key, text) {
      skillOf(key).text = text;
      publish();
    },
    textOf: (key) => skillOf(key).text,
    show: (show) => showListeners.forEach((listener) => listener(show)),
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

    async enableSkill(key, on) {
      skillOf(key).enabled = on;
      publish();
    },
    readSkill: async (key) => page(key, skillOf(key)),
    readFile: async (key, path) => (path === 'SKILL.md' ? skillOf(key).text : (skillOf(key).files[path] ?? null)),
    checkText: async (_key, text) => check(text),
    async saveSkill(key, read, splices) {
      const skill = skillOf(key);
      if (digest(skill.text) !== read) return { outcome: 'changed', page: page(key, skill) };
      skill.text = applied(skill.text, splices);
      publish();
      return { outcome: 'saved', page: page(key, skill) };
    },
    async keepVersion(_key, text) {
      kept.push(text);
    },
    async showInFolder(key) {
      opened.push(key);
    },

    chooseFolder: async () => '/home/mei/more-skills',
    async addFolder(path, enable) {
      shelf.push({ id: `f${shelf.length}`, place: path.replace('/home/mei', '~'), path, skills: 0, enableNew: enable, trouble: null, remarks: [] });
      publish();
    },
    async removeFolder(id) {
      shelf.splice(shelf.findIndex((f) => f.id === id), 1);
      for (const [key, skill] of library) if (skill.folder === id) library.delete(key);
      publish();
    },
    async finishFirstRun() {
      firstRun = false;
      publish();
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
    async retryKeychain() {
      keychain = { state: 'ready' };
      publish();
    },

    planConnect: async () => plan(client, config, connectedConfig(config)),
    async connectClient(_id, planId) {
      if (planId !== digest(config)) throw failure('changed', 'The file changed since it was shown. Nothing was written.');
      config = connectedConfig(config);
      client.standing = { state: 'added' };
      client.written = Date.now();
      publish();
    },
    planDisconnect: async () => plan(client, config, claudeConfig),
    async disconnectClient() {
      config = claudeConfig;
      Object.assign(client, { standing: { state: 'absent' }, written: null, connected: null, live: false, called: null, calls: 0 });
      publish();
    },

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

/** The backend that a page's address asks for, as in `?more=1000&first-run`. It is also `window.memory`, for trying things out. */
export function memoryFromAddress(): MemoryBackend {
  const asked = new URLSearchParams(location.search);
  const backend = memory({
    more: Number(asked.get('more') ?? 0),
    firstRun: asked.has('first-run'),
    empty: asked.has('empty'),
    ...(asked.has('no-keychain') && {
      keychain: { state: 'absent', message: 'No keychain answers. Start GNOME Keyring or KWallet, then try again.' },
    }),
    ...(asked.has('refused') && {
      client: { standing: { state: 'refused', message: 'Its file has an error at 41:3. Nothing was changed. Open the file.' } },
    }),
    ...(asked.has('connected') && {
      client: {
        standing: { state: 'added' }, written: Date.now() - 86_400_000, connected: Date.now() - 180_000, live: true,
        peer: 'claude-ai 1.4.2, MCP 2025-11-25', calls: 12, called: Date.now() - 60_000,
      },
    }),
  });
  Object.assign(globalThis, { memory: backend });
  return backend;
}

function row(key: string, skill: ExampleSkill): SkillRow {
  const problems = check(skill.text);
  const count = (severity: Problem['severity']) => problems.filter((p) => p.severity === severity).length;
  return {
    key,
    id: skill.id,
    name: field(skill.text, 'name') ?? skill.id,
    description: field(skill.text, 'description') ?? '',
    version: field(skill.text, 'version') ?? null,
    tags: (field(skill.text, 'tags') ?? '').split(/[[\],\s]+/).filter(Boolean),
    folder: skill.folder,
    category: null,
    place: `${folders.find((f) => f.id === skill.folder)?.place}/${skill.id}/SKILL.md`,
    enabled: skill.enabled,
    readiness: readiness(skill, problems),
    problems: { error: count('error'), warning: count('warning'), advice: count('advice') },
    files: Object.keys(skill.files).length + 1,
    needs: skill.needs.length,
    digest: digest(skill.text),
  };
}

function readiness(skill: ExampleSkill, problems: Problem[]): Readiness {
  if (!skill.enabled) return { state: 'disabled' };
  const worst = problems.find((p) => p.severity === 'error');
  if (worst) return { state: 'problem', message: worst.message, line: worst.line, column: worst.column };
  for (const need of skill.needs) {
    const missing = need.values.filter((v) => v.required && v.state.kind === 'secret-missing');
    if (missing.length) return { state: 'needs-values', server: need.server, names: missing.map((v) => v.name), secret: true };
  }
  return { state: 'ready' };
}

function page(key: string, skill: ExampleSkill): SkillPage {
  const body = /^---\n[\s\S]*?\n---\n/.exec(skill.text)?.[0].length ?? 0;
  return {
    key,
    digest: digest(skill.text),
    text: skill.text,
    readOnly: null,
    body,
    lineEnds: 'LF',
    files: [
      { path: 'SKILL.md', size: new TextEncoder().encode(skill.text).length },
      ...Object.entries(skill.files).map(([path, text]) => ({ path, size: text?.length ?? 18_204 })),
    ],
    problems: check(skill.text),
    needs: structuredClone(skill.needs) as Need[],
    verdicts: verdicts(skill),
  };
}

function verdicts({ id, text }: ExampleSkill): Verdict[] {
  const loads = { verdict: 'loads' as const, nameShown: field(text, 'name') ?? id, descriptionShown: field(text, 'description') ?? null, why: [] };
  const refused = { verdict: 'refused' as const, nameShown: null, descriptionShown: null };
  const colon = check(text).find((problem) => problem.rule === 'yaml');
  return [
    { client: 'codex', name: 'Codex', ...loads },
    {
      client: 'copilot',
      name: 'Copilot',
      ...(colon ? { ...refused, why: [`Copilot refuses it: line ${colon.line} column ${colon.column} has a colon that is not in quotes.`] } : loads),
    },
  ];
}

function field(text: string, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)$`, 'm').exec(text)?.[1]?.replace(/^"(.*)"$/, '$1');
}

function check(text: string): Problem[] {
  const problems: Problem[] = [];
  const colon = /^description: (?!")(.*: .*)$/m.exec(text);
  if (colon) {
    const from = colon.index + 'description: '.length;
    problems.push(
      problem(text, 'yaml', 'error', 'The description holds a colon, so YAML reads it as a second key.', from, from + colon[1]!.length, {
        label: 'Quote the value',
        splices: [{ from, to: from, insert: '"' }, { from: from + colon[1]!.length, to: from + colon[1]!.length, insert: '"' }],
      }),
    );
  }
  const typo = /^verison/m.exec(text);
  if (typo) {
    const [from, to] = [typo.index, typo.index + typo[0].length];
    problems.push(
      problem(text, 'unknown-key', 'warning', '“verison” is not a known key. Did you mean “version”?', from, to, {
        label: 'Rename to version',
        splices: [{ from, to, insert: 'version' }],
      }),
    );
  }
  return problems;
}

function problem(
  text: string, rule: string, severity: Problem['severity'], message: string, from: number, to: number, fix: Problem['fix'],
): Problem {
  const before = text.slice(0, from).split('\n');
  return { rule, severity, message, field: null, line: before.length, column: before.at(-1)!.length + 1, from, to, fix };
}

function applied(text: string, splices: EditorSplice[]): string {
  return splices.reduceRight((rest, s) => rest.slice(0, s.from) + s.insert + rest.slice(s.to), text);
}

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
  };
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

function failure(kind: ErrorKind, message: string): ActionError {
  return { kind, message, hints: [] };
}

/** Enough to tell two texts apart; the engine uses SHA-256. */
function digest(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return `${sum}:${text.length}`;
}

