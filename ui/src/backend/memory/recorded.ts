// What a real engine showed and answered, as `tests/golden/example.rs` recorded it, and its replay. Each skill, server,
// client and folder of a client is a thing with recorded states; a call has an answer for the state that it meets, or
// takes some things to other states.

import type { ActionError, Client, Consent, FoundFolder, ServerPage, ServerRow, SkillFolder, SkillPage, SkillRow, Snapshot } from '../types';
import text from '../example.json?raw';

type States = Record<string, number>;

interface Call {
  ok?: unknown;
  error?: ActionError;
  /** The things that it changes, with the numbers of their new states. */
  to?: States;
  /** The state of the thing that it is about; without it, the first one. */
  at?: number;
}

interface Recording {
  snapshot: Pick<Snapshot, 'version' | 'folders' | 'endpoint' | 'settings' | 'keychain'>;
  found: FoundFolder[];
  /** States of clients that no command leads to. */
  lost: States;
  used: States;
  edited: States;
  refused: States;
  states: Record<string, unknown[]>;
  calls: Record<string, Record<string, Call[]>>;
}

/** The states of a thing, by the first word of its name. */
export interface Things {
  skill: { row: SkillRow; page: SkillPage };
  server: { row: ServerRow; page: ServerPage; consent: { ok?: Consent; error?: ActionError } };
  client: Client;
  target: SkillFolder;
}

/** The moment of the recording, which becomes the moment of the replay. */
const MOMENT = '1767225600000';

export class Replay {
  readonly recording: Recording;
  private readonly things = new Map<string, { at: number; state: unknown }>();
  /** Things that were taken out; no recorded change brings them back. */
  private readonly gone = new Set<string>();

  /** `keychain`: whether one answers; none was there for the recording. */
  constructor(keychain = true) {
    const now = text.replaceAll(MOMENT, String(Date.now()));
    this.recording = JSON.parse(keychain ? now.replaceAll('"onlyThisRun":true', '"onlyThisRun":false') : now);
    for (const name of Object.keys(this.recording.states)) this.put(name, 0);
  }

  /** Takes things to recorded states. */
  go(to: States): void {
    for (const [name, at] of Object.entries(to)) if (!this.gone.has(name)) this.put(name, at);
  }

  private put(name: string, at: number): void {
    const state = this.recording.states[name]?.[at] ?? null;
    if (state === null) this.things.delete(name);
    else this.things.set(name, { at, state: structuredClone(state) });
  }

  get<K extends keyof Things>(kind: K, id: string): Things[K] | undefined {
    return this.things.get(`${kind} ${id}`)?.state as Things[K] | undefined;
  }

  all<K extends keyof Things>(kind: K): Things[K][] {
    const named = [...this.things].filter(([name]) => name.startsWith(`${kind} `)).sort(([a], [b]) => (a < b ? -1 : 1));
    return named.map(([, { state }]) => state as Things[K]);
  }

  /** Adds a thing that was not recorded. */
  add<K extends keyof Things>(kind: K, id: string, state: Things[K]): void {
    this.things.set(`${kind} ${id}`, { at: -1, state });
    this.gone.delete(`${kind} ${id}`);
  }

  remove(kind: keyof Things, id: string): void {
    this.gone.add(`${kind} ${id}`);
    this.forget(kind, id);
  }

  /** As if it had never come. */
  forget(kind: keyof Things, id: string): void {
    this.things.delete(`${kind} ${id}`);
  }

  /** What was recorded for a call about a thing. */
  private find(command: string, given: unknown[], about: string): Call | undefined {
    const calls = this.recording.calls[command]?.[JSON.stringify(given.map(sorted))];
    const at = this.things.get(about)?.at ?? 0;
    return calls?.find((call) => (call.at ?? 0) === at) ?? calls?.[0];
  }

  knows(command: string, given: unknown[]): boolean {
    return this.find(command, given, '') !== undefined;
  }

  /** Answers a call, and changes what it changed. */
  call<T>(command: string, given: unknown[], about = ''): T {
    const call = this.find(command, given, about);
    if (!call) throw { kind: 'unknown', message: `The example has no answer to ${command}(${JSON.stringify(given)}).`, hints: [] } satisfies ActionError;
    if (call.error) throw structuredClone(call.error);
    this.go(call.to ?? {});
    return structuredClone(call.ok) as T;
  }

  /** How the engine refuses a call that is out of date or names nothing; `name` takes the place of the recorded one. */
  refusal(command: string, recorded = '', name = ''): ActionError {
    const { [command]: calls = {}, readSkill } = this.recording.calls;
    const [refused] = [...(calls['[]'] ?? []), ...(readSkill?.['["gone"]'] ?? [])].filter((call) => call.error);
    const error = JSON.stringify(refused!.error);
    return JSON.parse(recorded ? error.replaceAll(recorded, name) : error);
  }
}

/** The same with the fields of objects in order, as they are recorded. */
function sorted(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
}
