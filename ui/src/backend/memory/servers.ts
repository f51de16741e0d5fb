// The servers that the example skills need: their states, and the person's answers.

import type { Backend, Consenting } from '../backend';
import type { ConsentForm, Need, ServerPage, ServerRow, ServerState } from '../types';
import { sharing } from './sharing';
import type { Shelf } from './shelf';
import { digest, failure } from './text';

/** What is known of a server besides the skills' declarations. */
export interface ExampleServer extends Pick<ServerRow, 'about' | 'calls'>, Pick<ServerPage, 'tools' | 'log' | 'changed'>, Partial<Pick<ServerPage, 'prompts' | 'heldBack' | 'resources'>> {
  state: ServerState;
  signedIn?: boolean;
  /** What was approved, and when. */
  agreed: ConsentForm | null;
  since: number | null;
}

type Serving = Pick<
  Backend,
  'askConsent' | 'onConsent' | 'readServer' | 'revokeServer' | 'restartServer' | 'stopServer' | 'signIn' | 'cancelSignIn' | 'signOut' | 'linkServer' | 'switchTool' | 'setToolMode'
> &
  Consenting;

const unseen: ExampleServer = { state: { kind: 'needs-consent', changed: false }, about: null, calls: 0, tools: [], log: [], changed: null, agreed: null, since: null };

export const known = (shelf: Shelf, name: string): ExampleServer => shelf.servers.get(name) ?? unseen;

/** The names of the values that a server still needs. */
export const missingOf = (need: Need): string[] => need.values.filter((value) => value.required && value.state.kind === 'secret-missing').map((value) => value.name);

/** The state of a server. */
export function stateOf(shelf: Shelf, need: Need, name = need.server): ServerState {
  const names = missingOf(need);
  return names.length ? { kind: 'needs-values', names } : known(shelf, name).state;
}

export function rowsOf(shelf: Shelf): ServerRow[] {
  const rows = sharing(shelf).map(({ name, need, users, beside }) => {
    const server = known(shelf, name);
    return {
      name,
      declared: name === need.server ? null : need.server,
      beside,
      description: need.description,
      state: stateOf(shelf, need, name),
      skills: users,
      client: null,
      tools: server.agreed && server.tools.length ? server.tools.length : null,
      command: need.command,
      url: need.url,
      approved: server.since,
      signedIn: server.signedIn ?? false,
      calls: server.calls,
      lines: server.log.length,
      about: server.about,
    };
  });
  return rows.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The index of the word that is a package without a version; less than 0 when none is. */
function packageAt(command: string[]): number {
  const at = command.findIndex((word, i) => i > 0 && !word.startsWith('-'));
  return command[0] !== 'npx' || at < 0 || command[at]!.includes('@', 1) ? -1 : at;
}

export function serving(shelf: Shelf, opened: string[]): Serving {
  const wanted = (name: string) => {
    const found = sharing(shelf).find((each) => each.name === name);
    if (!found) throw failure('not-found', `No skill that is switched on needs a server ${name}.`);
    return found;
  };
  const change = (name: string, to: Partial<ExampleServer>) => {
    shelf.servers.set(name, { ...known(shelf, name), ...to });
    shelf.publish();
  };
  const form = (name: string): ConsentForm => {
    const { need, users } = wanted(name);
    const filled = (text: string) => text.replaceAll(/\$\{(\w+)\}/g, (whole, value: string) => {
      const state = need.values.find((each) => each.name === value)?.state;
      return state?.kind === 'plain' ? (state.value ?? state.default ?? '') : whole;
    });
    return {
      command: need.command.map(filled),
      program: need.url ? null : `~/.local/share/mise/installs/node/24.11.0/bin/${need.command[0]}`,
      real: null,
      folder: need.url ? null : `~/.local/share/skilltender/servers/${name}`,
      url: need.url,
      values: need.values.filter(({ state }) => state.kind === 'secret-stored').map((value) => ({ name: value.name, value: null, secret: value.name })),
      files: [],
      held: null,
      skills: users.map((user) => `${user.name} (~/.claude/skills/${user.name})`),
    };
  };
  const running = (): ServerState => ({ kind: 'running', since: Date.now(), process: 4_213 });
  const tell = (server: string | null) => shelf.asking.forEach((listener) => listener(server));

  return {
    async askConsent(server) {
      wanted(server);
      opened.push(`consent ${server}`);
      tell(server);
    },
    async onConsent(listener) {
      shelf.asking.add(listener);
      return () => void shelf.asking.delete(listener);
    },
    async closeConsent() {
      opened.push('consent closed');
      tell(null);
    },
    async planServer(name) {
      const names = missingOf(wanted(name).need);
      if (names.length) throw failure('refused', `The server ${name} still needs ${names.join(', ')}. Enter it on the page of its skill, under Needs.`);
      const now = form(name);
      const redirects = now.values.map((value) => value.name).filter((value) => value.endsWith('_PROXY'));
      const at = packageAt(now.command);
      const unpinned = at < 0 ? [] : [now.command[at]!];
      const inherited = now.url ? [] : ['HOME', 'LANG', 'PATH', 'SHELL', 'USER'];
      const fetches = now.command[0] === 'npx' || now.command[0] === 'uvx' ? { by: now.command[0], what: now.command.find((word, i) => i > 0 && !word.startsWith('-')) ?? '' } : null;
      const reach = now.url ? 'elsewhere' : 'person';
      return { server: name, digest: digest(JSON.stringify(now)), now, before: known(shelf, name).agreed, changed: [], source: null, reach, fetches, unpinned, archived: null, redirects, inherited };
    },
    async readServer(name) {
      wanted(name);
      const { tools, prompts = [], heldBack = [], resources = null, log, changed, agreed, since } = known(shelf, name);
      return structuredClone({ name, tools, prompts, heldBack, resources, log, changed, approved: since === null ? null : agreed });
    },
    async approveServer(name, seen, variables) {
      const now = form(name);
      const unheard = now.values.filter((value) => value.name.endsWith('_PROXY') && !variables.includes(value.name));
      if (unheard.length) throw failure('refused', `${unheard[0]!.name} can make ${name} do something else than its command says, so it has to be agreed to by its name.`);
      if (digest(JSON.stringify(now)) !== seen) throw failure('changed', `What ${name} would be started with has changed since you looked. Look again.`);
      opened.push(`approved ${name}`);
      change(name, { agreed: now, since: Date.now(), state: running() });
    },
    async offerVersion(name) {
      const at = packageAt(form(name).command);
      if (at < 0) throw failure('refused', `Nothing is fetched for the server ${name}, so it has no version to pin.`);
      return { server: name, package: form(name).command[at]!, version: '2026.7.1' };
    },
    async pinServer(name, version) {
      const { command } = wanted(name).need;
      const at = packageAt(command);
      if (at >= 0) command[at] = `${command[at]}@${version}`;
      shelf.publish();
    },
    async approveTools(name, seen) {
      if (known(shelf, name).changed?.digest !== seen) throw failure('changed', `The tools of ${name} have changed again since you looked. Look again.`);
      opened.push(`tools of ${name}`);
      change(name, { changed: null, state: running() });
    },
    revokeServer: async (name) => change(name, { agreed: null, since: null, state: { kind: 'needs-consent', changed: false } }),
    restartServer: async (name) => change(name, { state: running(), log: [...known(shelf, name).log, { time: Date.now(), text: 'listening on stdio' }] }),
    signIn: async (name) => change(name, { state: { kind: 'needs-sign-in', asked: { address: 'https://auth.example.com/authorize?client_id=1', host: 'auth.example.com' }, trouble: null } }),
    cancelSignIn: async (name) => change(name, { state: { kind: 'needs-sign-in', asked: null, trouble: null } }),
    signOut: async (name) => change(name, { state: { kind: 'needs-sign-in', asked: null, trouble: null }, signedIn: false }),
    stopServer: async (name) => change(name, { state: { kind: 'resting' } }),
    lookForPrograms: async () => shelf.publish(),
    async linkServer(key, server, withKey) {
      if (withKey === null) shelf.links.delete(`${key} ${server}`);
      else shelf.links.set(`${key} ${server}`, withKey);
      shelf.publish();
    },
    async switchTool(client, name, tool, on) {
      if (client !== null) {
        const one = { client, server: name, ...(tool !== null && { tool }) };
        const others = shelf.settings.toolsOff.filter((off) => off.client !== client || off.server !== name || (off.tool ?? null) !== tool);
        shelf.settings.toolsOff = on ? others : [...others, one];
        opened.push(`${client}: ${name} ${tool ?? ''} ${on ? 'on' : 'off'}`);
        return shelf.publish();
      }
      change(name, { tools: known(shelf, name).tools.map((each) => (tool === null || each.name === tool ? { ...each, on } : each)) });
    },
    async setToolMode(client, mode) {
      if (mode === 'always') delete shelf.settings.toolModes[client];
      else shelf.settings.toolModes[client] = mode;
      shelf.publish();
    },
  };
}
