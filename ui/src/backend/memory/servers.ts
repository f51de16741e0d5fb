// The commands of servers that are answered from their states, and signing in: that is done at a server elsewhere, which
// no recording may ask.

import type { ConsentCommands, MainCommands } from '../commands';
import type { Replay } from './recorded';

export function servers(replay: Replay): Partial<MainCommands & ConsentCommands> {
  const serverOf = (name: string) => {
    const server = replay.get('server', name);
    if (!server) throw replay.refusal('planServer', [name]);
    return server;
  };
  const signIn = (server: string, address: string | null) => {
    const { row } = serverOf(server);
    row.state = { kind: 'needs-sign-in', asked: address === null ? null : { address, host: new URL(address).host }, trouble: null };
    for (const { key } of row.skills) replay.get('skill', key)!.row.readiness = { state: 'needs-sign-in', server };
    replay.publish();
  };
  return {
    async planServer(name) {
      const { ok, error } = serverOf(name).consent;
      if (!ok) throw error;
      return structuredClone(ok);
    },
    readServer: async (name) => structuredClone(serverOf(name).page),
    async approveServer(name, digest, variables) {
      const { row, consent } = serverOf(name);
      if (row.url !== null && digest === consent.ok?.digest) signIn(name, null);
      else await replay.commands.approveServer(name, digest, variables);
    },
    signIn: async (name) => signIn(name, 'https://auth.example.com/authorize?client_id=1'),
    cancelSignIn: async (name) => signIn(name, null),
    signOut: async (name) => signIn(name, null),
    // The engine asks the login shell, which a recording leaves alone.
    lookForPrograms: async () => replay.publish(),
  };
}
