// Everything the window can ask of the engine, and the one way news reach it.
// Each method is one command of the shell; a failed one rejects with an `ActionError`.
// Commands answer "done" or an error: what changed arrives as the next snapshot.

import type {
  Call, Checkup, ClientChange, ClientSees, ConfiguredServer, ConnectPlan, Consent, Drift, DriftChoice, EditorSplice, EntryText, FolderPlan, Hit, ImportPlan, Kept, Look, Need, Packed, PinOffer, PlaceWay, Problem, Saved, ServerPage, Settings, SkillFolder, SkillPage, Snapshot, Template, ToolMode, Transport,
} from './types';

/** A part of the server that can be switched off. */
export type Surface = keyof Settings['surfaces'];

/** Where the tray or a second start wants the window to go. */
export type Show = { place: 'needs' } | { place: 'enable'; key: string } | { place: 'client'; id: string } | { place: 'skill'; key: string };

/** What the person chose in a dialog of the desktop or dropped: the shell keeps its path. */
export interface Chosen {
  /** Names it in a command. */
  id: string;
  /** Where it is, for people. */
  place: string;
}

/** Who wants the program to end: the person can be asked about unsaved edits, the system waits for nobody. */
export type Leave = 'person' | 'system';

/** What the window that asks whether a server may run can do. No other may answer. */
export interface Consenting {
  /** What would be agreed to, as it is at this moment. */
  planServer(server: string): Promise<Consent>;
  readServer(server: string): Promise<ServerPage>;
  /** Agrees to what the digest names, and starts the server; `changed` when it would be something else by now. */
  approveServer(server: string, digest: string, variables: string[]): Promise<void>;
  approveTools(server: string, digest: string): Promise<void>;
  /** Asks the package's own client which version it is now: that makes a connection. */
  offerVersion(server: string): Promise<PinOffer>;
  /** Has the server's package be of this version from now on. */
  pinServer(server: string, version: string): Promise<void>;
  /** Looks again for the programs that run servers, and asks the login shell where it does. */
  lookForPrograms(): Promise<void>;
  closeConsent(): Promise<void>;
}

export interface Backend {
  current(): Promise<Snapshot>;
  /** Calls `listener` with every snapshot from now on; the answer stops that. */
  onSnapshot(listener: (snapshot: Snapshot) => void): Promise<() => void>;
  onShow(listener: (show: Show) => void): Promise<() => void>;
  /** The program is about to end: the window answers with `leave`, or with `stay` while it asks. */
  onLeave(listener: (wish: Leave) => void): Promise<() => void>;

  /** A folder or a file was dropped on the window. */
  onDrop(listener: (dropped: Chosen[]) => void): Promise<() => void>;

  /** `seen`: of somebody else's skills, by their keys, the digests of the looks that the person was shown. */
  enableSkills(keys: string[], on: boolean, seen: Record<string, string>): Promise<void>;
  /** What a skill carries and what the scanner found in it, to be shown before it is switched on. */
  lookAtSkill(key: string): Promise<Look>;
  /** The same of every skill in these folders of the library, by their ids, that is ready and that nobody has seen yet. */
  lookAtReady(folders: string[]): Promise<Look[]>;
  searchSkills(query: string, limit: number): Promise<Hit[]>;
  readSkill(key: string): Promise<SkillPage>;
  /** The text of one of the skill's files; `null` when it is not text. */
  readFile(key: string, path: string): Promise<string | null>;
  checkText(key: string, text: string): Promise<Problem[]>;
  saveSkill(key: string, digest: string, splices: EditorSplice[]): Promise<Saved>;
  /** Puts a text aside that would otherwise be lost. `unsaved`: it is the person's own, to be offered again. */
  keepVersion(key: string, text: string, unsaved: boolean): Promise<void>;
  /** The unsaved texts of a skill that were put aside, the newest first. */
  keptVersions(key: string): Promise<Kept[]>;
  readKept(key: string, moment: number): Promise<string>;
  /** Offers one of them no more; it stays among the kept versions. */
  settleKept(key: string, moment: number): Promise<void>;
  fixSkill(key: string, digest: string): Promise<Saved>;
  showInFolder(key: string): Promise<void>;

  /** What a new skill may begin as. */
  templates(): Promise<Template[]>;
  newSkill(folder: string, id: string, template: string): Promise<string>;
  duplicateSkill(key: string, id: string): Promise<string>;
  /** `source`: what was chosen. */
  lookAtImport(source: string): Promise<ImportPlan>;
  /** Copies the skills at these paths of what was shown, or all, into a folder; gives their keys. */
  importSkill(source: string, planId: string, folder: string, only: string[] | null): Promise<string[]>;
  /** `saveTo`: where the person chose. */
  packSkill(key: string, saveTo: string, flat: boolean, keepClaudeCode: boolean): Promise<Packed>;
  /** Gives the name by which it can be brought back. */
  trashSkill(key: string): Promise<string>;
  restoreSkill(id: string): Promise<string>;

  /** Asks the person for a folder; `null` when they changed their mind. */
  chooseFolder(): Promise<Chosen | null>;
  /** Asks the person for a zip; `null` when they changed their mind. */
  chooseZip(): Promise<Chosen | null>;
  /** Asks the person for a file; `null` when they changed their mind. */
  chooseFile(): Promise<Chosen | null>;
  /** Asks the person where a file of this name goes; `null` when they changed their mind. */
  chooseSave(name: string): Promise<Chosen | null>;
  /** Reads the folders again, for what no event told. */
  readAgain(): Promise<void>;
  /** Adds a chosen folder and gives its id. Its skills are off until the person has seen what they carry. */
  addFolder(folder: string): Promise<string | null>;
  removeFolder(id: string): Promise<void>;
  /** `folders`: chosen ones, and found ones by their paths. Gives their ids. */
  finishFirstRun(folders: string[], enableReady: boolean): Promise<string[]>;

  /** The value goes inwards once; nothing ever brings it back. */
  setSecret(key: string, server: string, name: string, value: string): Promise<void>;
  deleteSecret(key: string, server: string, name: string): Promise<void>;
  setValue(key: string, server: string, name: string, value: string | null): Promise<void>;
  /** Picks how a skill's server is started; `null` takes what the skill says first. */
  pickWay(key: string, server: string, way: Need['way']): Promise<void>;
  retryKeychain(): Promise<void>;

  /** Asks in a window of its own whether a server may run, or brings it to the front. */
  askConsent(server: string): Promise<void>;
  /** Calls `listener` with the server that the other window asks about, and with `null` when it is closed. */
  onConsent(listener: (server: string | null) => void): Promise<() => void>;
  readServer(server: string): Promise<ServerPage>;
  /** Takes an agreement back: the server stops, and does not start again. */
  revokeServer(server: string): Promise<void>;
  restartServer(server: string): Promise<void>;
  /** Stops it until somebody calls it. */
  stopServer(server: string): Promise<void>;
  /** Asks a server where one signs in, and waits there; the snapshot says where. Nothing is opened by it. */
  signIn(server: string): Promise<void>;
  cancelSignIn(server: string): Promise<void>;
  /** Forgets who is signed in. */
  signOut(server: string): Promise<void>;
  /** Lets a skill use the server of another one, or with `null` its own again. */
  linkServer(key: string, server: string, withKey: string | null): Promise<void>;
  /** Offers a tool, or leaves it out: for one client or for all; without a tool all of the server. */
  switchTool(client: string | null, server: string, tool: string | null, on: boolean): Promise<void>;
  setToolMode(client: string, mode: ToolMode): Promise<void>;

  /** The project of a change is a chosen folder, or one that the client is connected for. */
  planClient(client: string, change: ClientChange): Promise<ConnectPlan>;
  /** Writes what the plan showed; `changed` when it would be something else by now. */
  changeClient(client: string, change: ClientChange, planId: string): Promise<void>;
  /** What was written, what stands there and what stood there, where the standing is `edited` or `dropped`. */
  readDrift(client: string, project: string | null): Promise<Drift>;
  settleDrift(client: string, project: string | null, driftId: string, choice: DriftChoice): Promise<void>;
  /** Our entry, to be put into a file by hand; without a transport, in the client's usual way. */
  entryText(client: string, transport: Transport | null): Promise<EntryText>;
  /** The servers in all clients' files that we did not add. */
  configuredServers(): Promise<ConfiguredServer[]>;
  /** `source`: its file, chosen. Gives the new client's id. */
  addClient(name: string, source: string, like: string): Promise<string>;
  removeClient(client: string): Promise<void>;
  showConfig(client: string): Promise<void>;
  /** What the client sees of the skills that are on, and what that costs its model. */
  clientSees(client: string): Promise<ClientSees>;
  /** Every folder that a client reads by itself, and what we put there. */
  skillFolders(): Promise<SkillFolder[]>;
  /** What putting enabled skills into a folder would do; without a way, what taking ours out would. */
  planSkillFolder(target: string, way: PlaceWay | null): Promise<FolderPlan>;
  linkSkills(target: string, way: PlaceWay, planId: string): Promise<void>;
  unlinkSkills(target: string, planId: string): Promise<void>;
  /** Replaces a copy that somebody edited, or leaves it to them. */
  settleCopy(target: string, skill: string, replace: boolean): Promise<void>;
  /** The client's old token opens nothing from now on; its file still holds it until the entry is written anew. */
  replaceToken(client: string): Promise<void>;

  /** Looks at everything once, and changes nothing. */
  doctor(): Promise<Checkup>;
  /** Looks at everything and writes what was found into a file, without what is the person's own. */
  saveReport(saveTo: string): Promise<void>;

  makeSet(name: string, keys: string[]): Promise<string>;
  changeSet(id: string, name: string, keys: string[]): Promise<void>;
  deleteSet(id: string): Promise<void>;
  giveSet(client: string, set: string | null): Promise<void>;
  /** Without a client the switch that holds for all; `null` lets a client follow that one. */
  setSurface(client: string | null, surface: Surface, on: boolean | null): Promise<void>;
  setArchives(on: boolean): Promise<void>;
  /** Keeps skills that are not ready from clients, or no longer. */
  setWithhold(on: boolean): Promise<void>;
  /** Serves HTTP at another port of this computer. */
  setPort(port: number): Promise<void>;

  /** The latest calls of clients, the last one first. */
  readCalls(most: number): Promise<Call[]>;

  pause(on: boolean): Promise<void>;
  dismissNotice(id: string): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Asks to quit; what comes of it arrives by `onLeave`. */
  quit(): Promise<void>;
  leave(): Promise<void>;
  stay(): Promise<void>;
}
