// All requests of the window to the engine, and the events it receives. Each method of `commands.ts` is one command of
// the shell; a failed one rejects with an `ActionError`. Commands return "done" or an error; changes arrive as the next
// snapshot.

import type { ConsentCommands, MainCommands } from './commands';
import type { Need, Settings, Snapshot, Take } from './types';

/** A part of the server that can be switched off. */
export type Surface = keyof Settings['surfaces'];

/** A way of starting a server. */
export type WayKind = Need['ways'][number];

/** The answers to the conflicts of an update: by the path of the file, one for each of its conflicts, in order. */
export type Answers = Record<string, Take[]>;

/** The place in the window that the tray or a second start asks for. */
export type Show =
  | { place: 'needs' | 'skills' | 'servers' | 'clients' }
  | { place: 'enable' | 'skill'; key: string }
  | { place: 'client'; id: string }
  | { place: 'review'; source: Choice }
  | { place: 'source'; written: string }
  | { place: 'server'; name: string };

/** A choice from a desktop dialog or a drop; the shell keeps its path. */
export interface Choice {
  /** Its id in commands. */
  id: string;
  /** Its location, for people. */
  place: string;
}

/** Who requests the quit: the person can be asked about unsaved edits, the system does not wait. */
export type Leave = 'person' | 'system';

/** What the window that asks asks about. */
export type Asked = { kind: 'server'; name: string } | { kind: 'team'; id: string; name: string };

/** The main window's requests and events. */
export interface Backend extends MainCommands {
  /** Calls `listener` with every snapshot from now on; the returned function stops it. */
  onSnapshot(listener: (snapshot: Snapshot) => void): Promise<() => void>;
  onShow(listener: (show: Show) => void): Promise<() => void>;
  /** The program is about to quit: the window answers with `leave`, or with `stay` while it asks the person. */
  onLeave(listener: (wish: Leave) => void): Promise<() => void>;
  /** The window was closed and the program runs on: the page answers with `putAway`. */
  onClosed(listener: () => void): Promise<() => void>;
  /** Something that can be dropped is over the window, or not any more. */
  onDrag(listener: (over: boolean) => void): Promise<() => void>;
  /** Folders or files were dropped on the window. */
  onDrop(listener: (dropped: Choice[]) => void): Promise<() => void>;
  /** Calls `listener` with what the window that asks asks about, and with `null` when it closes. */
  onConsent(listener: (asked: Asked | null) => void): Promise<() => void>;
}

/** The consent window's requests: it asks whether a server may run, or a team is joined. No other window may answer. */
export type Consenting = ConsentCommands;
