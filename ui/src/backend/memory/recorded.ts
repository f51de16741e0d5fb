// What a real engine showed and answered, as `tests/golden/example.rs` recorded it, and its replay. Each skill, server,
// client, folder and so on is a thing with recorded states; a call has an answer for the state that it meets, or takes
// some things to other states.

import { commands, type ConsentCommands, type MainCommands } from '../commands';
import type { ActionError, Client, ConnectPlan, Consent, Endpoint, Folder, FoundFolder, Keychain, ServerPage, ServerRow, ClientFolder, SkillPage, SkillRow, Snapshot, SourceRow, Trashed } from '../types';
import text from '../example.json?raw';

type States = Record<string, number>;

interface Call {
  ok?: unknown;
  error?: ActionError;
  /** The things that it changes, with the numbers of their new states. */
  to?: States;
  /** The thing that it is about, and its state. */
  about?: string;
  at?: number;
}

/** `lost` to `sources`: states of clients, servers and skills that one starts with. */
interface Recording extends Record<'lost' | 'used' | 'edited' | 'refused' | 'work' | 'added' | 'sources', States> {
  snapshot: Pick<Snapshot, 'version' | 'settings'>;
  found: FoundFolder[];
  /** The ids of the library's folders, in their order. */
  folders: string[];
  /** Without one, and with one. */
  keychain: [Keychain, Keychain];
  /** The plan for Claude Desktop while it runs. */
  runningPlan: ConnectPlan;
  states: Record<string, unknown[]>;
  calls: Record<string, Record<string, Call[]>>;
  /** How a command refuses what is out of date or is not there, and what it was asked. */
  refusals: Record<string, { arguments: string[]; error: ActionError }>;
}

/** The states of a thing, by the first word of its name. */
export interface Things {
  skill: { row: SkillRow; page: SkillPage };
  server: { row: ServerRow; page: ServerPage; consent: { ok?: Consent; error?: ActionError } };
  client: Client;
  folder: Folder;
  endpoint: Endpoint;
  trash: Trashed;
  /** Without its skills: they name it. */
  source: SourceRow;
  target: ClientFolder;
}

/** The moment of the recording, which becomes the moment of the replay. */
const MOMENT = '1767225600000';

export class Replay {
  readonly recording: Recording;
  /** Every command, answered as it was recorded. */
  readonly commands: MainCommands & ConsentCommands;
  private readonly things = new Map<string, { at: number; state: unknown }>();
  /** Things that are not shown; no recorded change brings them back. */
  private readonly hidden = new Set<string>();

  /** `keychain`: whether one answers; one did for the recording. `publish` sends the next snapshot. */
  constructor(keychain: boolean, readonly publish: () => void) {
    const now = text.replaceAll(MOMENT, String(Date.now()));
    this.recording = JSON.parse(keychain ? now : now.replaceAll('"onlyThisRun":false', '"onlyThisRun":true'));
    for (const name of Object.keys(this.recording.states)) this.go({ [name]: 0 });
    const replayed = Object.keys(commands).map((command) => [command, async (...given: unknown[]) => this.call(command, given)]);
    this.commands = Object.fromEntries(replayed);
  }

  /** Takes things to recorded states. */
  go(to: States): void {
    for (const [name, at] of Object.entries(to)) {
      const state = this.recording.states[name]?.[at] ?? null;
      if (state === null || this.hidden.has(name)) this.things.delete(name);
      else this.things.set(name, { at, state: structuredClone(state) });
    }
  }

  get<K extends keyof Things>(kind: K, id: string): Things[K] | undefined {
    return this.things.get(`${kind} ${id}`)?.state as Things[K] | undefined;
  }

  all<K extends keyof Things>(kind: K): Things[K][] {
    const named = [...this.things].filter(([name]) => name.startsWith(`${kind} `)).sort(([a], [b]) => (a < b ? -1 : 1));
    return named.map(([, { state }]) => state as Things[K]);
  }

  /** Takes things out of the example for good, by their whole names. */
  hide(names: RegExp): void {
    for (const name of Object.keys(this.recording.states).filter((name) => names.test(name))) {
      this.hidden.add(name);
      this.things.delete(name);
    }
  }

  /** Adds a copy of a skill under another name, and returns its key. */
  copy(from: string, folder: string, id: string): string {
    const skill = this.get('skill', from)!;
    const named = JSON.stringify(skill).replaceAll(skill.row.id, id);
    const placed = named.replaceAll(`${skill.row.folder}/${id}`, `${folder}/${id}`).replaceAll(`"folder":"${skill.row.folder}"`, `"folder":"${folder}"`);
    this.things.set(`skill ${folder}/${id}`, { at: -1, state: JSON.parse(placed) });
    return `${folder}/${id}`;
  }

  /** As if it had never come. */
  forget(kind: keyof Things, id: string): void {
    this.things.delete(`${kind} ${id}`);
  }

  /** What was recorded for a call; arguments that do not matter are left out of the recording at the end. */
  private find(command: string, given: unknown[]): Call | undefined {
    const calls = this.recording.calls[command] ?? {};
    for (let count = given.length; count >= 0; count -= 1) {
      const known = calls[JSON.stringify(given.slice(0, count).map(sorted))];
      if (known) return known.find(({ about, at }) => about !== undefined && this.things.get(about)?.at === at) ?? known[0];
    }
  }

  knows(command: string, given: unknown[]): boolean {
    return this.find(command, given) !== undefined;
  }

  /** Answers a call, and changes what it changed. What was not recorded is refused like a call that is out of date. */
  private call(command: string, given: unknown[]): unknown {
    const call = this.find(command, given) ?? { error: this.refusal(command, given) };
    if (call.error) throw structuredClone(call.error);
    if (call.to) {
      this.go(call.to);
      this.publish();
    }
    return structuredClone(call.ok);
  }

  /** The recorded refusal of a command, about what was asked now. */
  refusal(command: string, given: unknown[]): ActionError {
    const { [command]: refusal } = this.recording.refusals;
    if (!refusal) return { kind: 'unknown', message: `The example has no answer to ${command}(${JSON.stringify(given)}).`, hints: [] };
    const { arguments: recorded, error } = refusal;
    return { ...error, message: recorded.reduce((told, name, i) => told.replaceAll(name, String(given[i])), error.message) };
  }
}

/** The same with the fields of objects in order, as they are recorded. */
function sorted(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
}
