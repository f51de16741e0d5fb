// What a client sees, tokens, and the checkup.

import type { Backend } from '../backend';
import type { Check, SeenSkill } from '../types';
import { check } from './check';
import { skillOf, type Shelf } from './shelf';
import { failure, field } from './text';

type Looking = Pick<Backend, 'clientSees' | 'replaceToken' | 'doctor' | 'saveReport'>;

export function looking(shelf: Shelf, opened: string[]): Looking {
  const clientOf = (id: string) => {
    const client = shelf.clients.find((each) => each.id === id);
    if (!client) throw failure('not-found', `Skilltender knows no client "${id}".`);
    return client;
  };

  return {
    async clientSees(id) {
      const { name, set } = clientOf(id);
      const chosen = shelf.sets.find((each) => each.id === set);
      const keys = [...shelf.library].filter(([key, skill]) => skill.enabled && (!chosen || chosen.skills.includes(key))).map(([key]) => key);
      const seen = keys.map((key): SeenSkill => {
        const { text, id: folder } = skillOf(shelf, key);
        const wrong = check(text).filter((problem) => problem.severity === 'error');
        return { key, name: field(text, 'name') ?? folder, verdict: wrong.length ? 'refused' : 'loads', cut: null, tokens: 40, why: wrong.map((problem) => problem.message) };
      });
      const refused = seen.filter((skill) => skill.verdict === 'refused').length;
      const isRead = id === 'claude-code' || id === 'codex';
      return {
        client: id,
        name,
        endpoint: { set: chosen?.name ?? null, skills: keys.length, tokens: 38 * keys.length, off: [], partly: [] },
        native: isRead ? { loads: seen.length - refused, changed: 0, refused, cut: 0, tokens: 42 * seen.length, budget: null, skills: seen } : null,
        remark: isRead ? null : `${name} reads no skill folder that we know of.`,
      };
    },
    async replaceToken(id) {
      const client = clientOf(id);
      if (client.transport === 'http') client.standing = { state: 'outdated', message: 'The token in our entry is no longer the one that opens the door.' };
      shelf.publish();
    },
    doctor: async () => ({ version: '0.1.0', system: 'linux x86_64', time: Date.now(), checks }),
    saveReport: async (path) => void opened.push(path),
  };
}

const found = (state: Check['state'], id: string, what: string, other: Partial<Check> = {}): Check => ({ id, state, what, place: null, todo: null, client: null, ...other });

const checks: Check[] = [
  found('fine', 'engine', 'The engine runs and holds its lock.'),
  found('fine', 'port', 'The endpoint answers at http://127.0.0.1:8363/mcp.'),
  found('problem', 'client-file', 'The file of Zed has an error at 41:3, so nothing can be added to it.', { place: '~/.config/zed/settings.json', todo: 'Open the file and put the line right.', client: 'zed' }),
  found('attention', 'old-config', 'Claude Desktop has been running since before its entry was written.', { todo: 'Quit it from its menu and start it again.', client: 'claude-desktop' }),
  found('unknown', 'tray', 'Whether this desktop shows tray icons could not be found out.'),
  found('fine', 'keychain', 'The keychain answers.'),
  found('fine', 'private-files', 'Only you can read the files with tokens.'),
];
