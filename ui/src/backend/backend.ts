// Everything the window can ask of the engine, and the one way news reach it.
// Each method is one command of the shell; a failed one rejects with an `ActionError`.
// Commands answer "done" or an error: what changed arrives as the next snapshot.

import type { ConnectPlan, EditorSplice, FirstRun, Problem, Saved, SkillPage, Snapshot } from './types';

/** Where the tray or a second start wants the window to go. */
export type Show = { place: 'needs' } | { place: 'client'; id: string } | { place: 'skill'; key: string };

/** Who wants the program to end: the person can be asked about unsaved edits, the system waits for nobody. */
export type Leave = 'person' | 'system';

export interface Backend {
  current(): Promise<Snapshot>;
  /** Calls `listener` with every snapshot from now on; the answer stops that. */
  onSnapshot(listener: (snapshot: Snapshot) => void): Promise<() => void>;
  onShow(listener: (show: Show) => void): Promise<() => void>;
  /** The program is about to end: the window answers with `leave`, or with `stay` while it asks. */
  onLeave(listener: (wish: Leave) => void): Promise<() => void>;

  enableSkill(key: string, on: boolean): Promise<void>;
  readSkill(key: string): Promise<SkillPage>;
  /** The text of one of the skill's files; `null` when it is not text. */
  readFile(key: string, path: string): Promise<string | null>;
  checkText(key: string, text: string): Promise<Problem[]>;
  saveSkill(key: string, digest: string, splices: EditorSplice[]): Promise<Saved>;
  /** Puts a text aside that would otherwise be lost. */
  keepVersion(key: string, text: string): Promise<void>;
  showInFolder(key: string): Promise<void>;

  /** Asks the person for a folder; `null` when they changed their mind. */
  chooseFolder(): Promise<string | null>;
  addFolder(path: string, enable: boolean): Promise<void>;
  removeFolder(id: string): Promise<void>;
  finishFirstRun(answers: FirstRun): Promise<void>;

  /** The value goes inwards once; nothing ever brings it back. */
  setSecret(key: string, server: string, name: string, value: string): Promise<void>;
  deleteSecret(key: string, server: string, name: string): Promise<void>;
  setValue(key: string, server: string, name: string, value: string | null): Promise<void>;
  retryKeychain(): Promise<void>;

  planConnect(client: string): Promise<ConnectPlan>;
  connectClient(client: string, planId: string): Promise<void>;
  planDisconnect(client: string): Promise<ConnectPlan>;
  disconnectClient(client: string, planId: string): Promise<void>;

  pause(on: boolean): Promise<void>;
  dismissNotice(id: string): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Asks to quit; what comes of it arrives by `onLeave`. */
  quit(): Promise<void>;
  leave(): Promise<void>;
  stay(): Promise<void>;
}
