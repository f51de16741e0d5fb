// The commands of servers: their values as they were recorded, approvals and runs as small changes of the recorded
// states, because no server was run.

import type { ConsentCommands, MainCommands } from '../commands';
import type { Consent, Readiness, ServerState } from '../types';
import type { Replay, Things } from './recorded';
import type { World } from './world';

type Commands = Omit<ConsentCommands, 'closeConsent'> &
  Pick<
    MainCommands,
    'readServer' | 'revokeServer' | 'restartServer' | 'stopServer' | 'signIn' | 'cancelSignIn' | 'signOut'
  >;

export function servers({ replay, publish, opened }: World): Commands {
  const serverOf = (name: string): Things['server'] => {
    const server = replay.get('server', name);
    if (!server) throw replay.refusal('planServer', [name]);
    return server;
  };
  const consentOf = (name: string): Consent => {
    const { consent, row, page } = serverOf(name);
    if (!consent.ok) throw consent.error!;
    return structuredClone({ ...consent.ok, before: page.approved ?? (row.state.kind === 'needs-consent' && row.state.changed ? consent.ok.before : null) });
  };
  const change = (name: string, state: ServerState) => {
    const { row } = serverOf(name);
    row.state = state;
    for (const { key } of row.skills) look(replay, key);
    publish();
  };
  const running = (): ServerState => ({ kind: 'running', since: Date.now(), process: 4_213 });
  const signIn = (name: string, address: string | null) =>
    change(name, { kind: 'needs-sign-in', asked: address === null ? null : { address, host: new URL(address).host }, trouble: null });

  return {
    planServer: async (name) => consentOf(name),
    readServer: async (name) => structuredClone(serverOf(name).page),
    async approveServer(name, digest, variables) {
      const plan = consentOf(name);
      if (plan.digest !== digest) throw replay.refusal('approveServer', [name]);
      if (plan.redirects.some((redirect) => !variables.includes(redirect))) await replay.commands.approveServer(name, digest, []);
      opened.push(`approved ${name}`);
      const { row, page } = serverOf(name);
      Object.assign(row, { approved: Date.now() });
      Object.assign(page, { approved: plan.now });
      change(name, running());
    },
    async offerVersion(name) {
      const [unpinned] = consentOf(name).unpinned;
      if (unpinned === undefined) throw replay.refusal('offerVersion', [name]);
      return { server: name, package: unpinned, version: '2026.7.1' };
    },
    async pinServer(name, version) {
      const { consent } = serverOf(name);
      const { now, unpinned } = consent.ok!;
      now.command = now.command.map((word) => (unpinned.includes(word) ? `${word}@${version}` : word));
      consent.ok!.unpinned = [];
      publish();
    },
    async approveTools(name, digest) {
      const { page } = serverOf(name);
      if (page.changed?.digest !== digest) throw replay.refusal('approveServer', [name]);
      opened.push(`tools of ${name}`);
      page.changed = null;
      change(name, running());
    },
    async revokeServer(name) {
      const { row, page } = serverOf(name);
      row.approved = null;
      page.approved = null;
      change(name, { kind: 'needs-consent', changed: false });
    },
    async restartServer(name) {
      const { row, page } = serverOf(name);
      page.log.push({ time: Date.now(), text: 'listening on stdio' });
      row.lines = page.log.length;
      change(name, running());
    },
    stopServer: async (name) => change(name, { kind: 'resting' }),
    signIn: async (name) => signIn(name, 'https://auth.example.com/authorize?client_id=1'),
    cancelSignIn: async (name) => signIn(name, null),
    async signOut(name) {
      serverOf(name).row.signedIn = false;
      signIn(name, null);
    },
    lookForPrograms: async () => publish(),
  };
}

/** A skill waits for the first of its servers that is not at work. */
export function look(replay: Replay, key: string): void {
  const skill = replay.get('skill', key);
  if (!skill?.row.enabled) return;
  const all = replay.all('server').map(({ row }) => row);
  const needed = skill.page.needs.map((need) => all.find((row) => (row.declared ?? row.name) === need.server && row.skills.some((user) => user.key === key)));
  const troubles = needed.map((row) => row && trouble(row.name, row.state));
  skill.row.readiness = troubles.find((each) => each) ?? { state: 'ready' };
}

function trouble(server: string, state: ServerState): Readiness | null {
  switch (state.kind) {
    case 'needs-values':
      return { state: 'needs-values', server, names: state.names, secret: true };
    case 'needs-consent':
      return { state: 'needs-consent', server, changed: state.changed };
    case 'no-program':
      return { state: 'no-program', server, program: state.program };
    case 'needs-sign-in':
    case 'tools-changed':
      return { state: state.kind, server };
    case 'stopped':
      return { state: 'server-down', server, message: state.message };
    default:
      return null;
  }
}
