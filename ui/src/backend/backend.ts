// All requests of the window to the engine, and the events it receives. Each method is one command of the shell; a
// failed one rejects with an `ActionError`. Commands return "done" or an error; changes arrive as the next snapshot.

import type {
  Call, Checkup, ClientChange, ClientSees, ConfiguredServer, ConnectPlan, Consent, Drift, DriftChoice, EditorSplice, EntryText, FolderPlan, Hit, ImportPlan, Kept, Look, Need, Packed, PinOffer, PlaceWay, Problem, Saved, ServerPage, Settings, SkillFolder, SkillPage, Snapshot, Template, ToolMode, Transport,
} from './types';

/** A part of the server that can be switched off. */
export type Surface = keyof Settings['surfaces'];

/** The place in the window that the tray or a second start asks for. */
export type Show = { place: 'needs' } | { place: 'enable'; key: string } | { place: 'client'; id: string } | { place: 'skill'; key: string };

/** A choice from a desktop dialog or a drop; the shell keeps its path. */
export interface Chosen {
  /** Its id in commands. */
  id: string;
  /** Its location, for people. */
  place: string;
}

/** Who requests the quit: the person can be asked about unsaved edits, the system does not wait. */
export type Leave = 'person' | 'system';

/** The commands of the consent window, which asks whether a server may run. No other window may answer. */
export interface Consenting {
  /** What an approval would cover now. */
  planServer(server: string): Promise<Consent>;
  readServer(server: string): Promise<ServerPage>;
  /** Approves what the digest names, and starts the server; fails with `changed` when that is out of date. */
  approveServer(server: string, digest: string, variables: string[]): Promise<void>;
  approveTools(server: string, digest: string): Promise<void>;
  /** Asks the package's own client for the current version; this makes a connection. */
  offerVersion(server: string): Promise<PinOffer>;
  /** Pins the server's package to this version. */
  pinServer(server: string, version: string): Promise<void>;
  /** Searches again for the programs that run servers, including the login shell's path. */
  lookForPrograms(): Promise<void>;
  closeConsent(): Promise<void>;
}

export interface Backend {
  current(): Promise<Snapshot>;
  /** Calls `listener` with every snapshot from now on; the returned function stops it. */
  onSnapshot(listener: (snapshot: Snapshot) => void): Promise<() => void>;
  onShow(listener: (show: Show) => void): Promise<() => void>;
  /** The program is about to quit: the window answers with `leave`, or with `stay` while it asks the person. */
  onLeave(listener: (wish: Leave) => void): Promise<() => void>;

  /** A folder or a file was dropped on the window. */
  onDrop(listener: (dropped: Chosen[]) => void): Promise<() => void>;

  /** `seen`: for skills of other authors, by key, the digest of the `Look` that the person was shown. */
  enableSkills(keys: string[], on: boolean, seen: Record<string, string>): Promise<void>;
  /** What a skill carries and the scanner's findings, to show before it is switched on. */
  lookAtSkill(key: string): Promise<Look>;
  /** The same for every ready, unseen skill in these library folders, by id. */
  lookAtReady(folders: string[]): Promise<Look[]>;
  searchSkills(query: string, limit: number): Promise<Hit[]>;
  readSkill(key: string): Promise<SkillPage>;
  /** The text of one of the skill's files; `null` when it is not text. */
  readFile(key: string, path: string): Promise<string | null>;
  checkText(key: string, text: string): Promise<Problem[]>;
  saveSkill(key: string, digest: string, splices: EditorSplice[]): Promise<Saved>;
  /** Puts aside a text that would be lost. `unsaved`: it is the person's own, to be offered again. */
  keepVersion(key: string, text: string, unsaved: boolean): Promise<void>;
  /** The unsaved texts of a skill that were put aside, newest first. */
  keptVersions(key: string): Promise<Kept[]>;
  readKept(key: string, moment: number): Promise<string>;
  /** Stops offering one of them; it stays among the kept versions. */
  settleKept(key: string, moment: number): Promise<void>;
  fixSkill(key: string, digest: string): Promise<Saved>;
  showInFolder(key: string): Promise<void>;

  /** The templates of a new skill. */
  templates(): Promise<Template[]>;
  newSkill(folder: string, id: string, template: string): Promise<string>;
  duplicateSkill(key: string, id: string): Promise<string>;
  /** `source`: the id of a choice. */
  lookAtImport(source: string): Promise<ImportPlan>;
  /** Copies the skills at these paths of the plan, or all, into a folder; returns their keys. */
  importSkill(source: string, planId: string, folder: string, only: string[] | null): Promise<string[]>;
  /** `saveTo`: the chosen file. */
  packSkill(key: string, saveTo: string, flat: boolean, keepClaudeCode: boolean): Promise<Packed>;
  /** Returns the name for restoring it. */
  trashSkill(key: string): Promise<string>;
  restoreSkill(id: string): Promise<string>;

  /** Asks the person for a folder; `null` when they cancel. */
  chooseFolder(): Promise<Chosen | null>;
  /** Asks the person for a zip; `null` when they cancel. */
  chooseZip(): Promise<Chosen | null>;
  /** Asks the person for a file; `null` when they cancel. */
  chooseFile(): Promise<Chosen | null>;
  /** Asks the person where a file of this name goes; `null` when they cancel. */
  chooseSave(name: string): Promise<Chosen | null>;
  /** Reads the folders again, for changes without an event. */
  readAgain(): Promise<void>;
  /** Adds a chosen folder and returns its id. Its skills are off until the person has seen what they carry. */
  addFolder(folder: string): Promise<string | null>;
  removeFolder(id: string): Promise<void>;
  /** `folders`: chosen ones, and found ones by path. Returns their ids. */
  finishFirstRun(folders: string[], enableReady: boolean): Promise<string[]>;

  /** Sends the value once; no command returns it. */
  setSecret(key: string, server: string, name: string, value: string): Promise<void>;
  deleteSecret(key: string, server: string, name: string): Promise<void>;
  setValue(key: string, server: string, name: string, value: string | null): Promise<void>;
  /** Selects how a skill's server is started; `null` selects the skill's first way. */
  pickWay(key: string, server: string, way: Need['way']): Promise<void>;
  retryKeychain(): Promise<void>;

  /** Opens the consent window for a server, or brings it to the front. */
  askConsent(server: string): Promise<void>;
  /** Calls `listener` with the server that the consent window asks about, and with `null` when it closes. */
  onConsent(listener: (server: string | null) => void): Promise<() => void>;
  readServer(server: string): Promise<ServerPage>;
  /** Revokes an approval: the server stops, and does not start again. */
  revokeServer(server: string): Promise<void>;
  restartServer(server: string): Promise<void>;
  /** Stops it until the next call. */
  stopServer(server: string): Promise<void>;
  /** Asks a server for its sign-in address, and waits for the sign-in; the snapshot has the address. Opens nothing.
      */
  signIn(server: string): Promise<void>;
  cancelSignIn(server: string): Promise<void>;
  /** Signs out. */
  signOut(server: string): Promise<void>;
  /** Lets a skill use another skill's server, or with `null` its own again. */
  linkServer(key: string, server: string, withKey: string | null): Promise<void>;
  /** Switches a tool on or off, for one client or for all; without a tool, the whole server. */
  switchTool(client: string | null, server: string, tool: string | null, on: boolean): Promise<void>;
  setToolMode(client: string, mode: ToolMode): Promise<void>;

  /** A change's project is a chosen folder, or one that the client is connected for. */
  planClient(client: string, change: ClientChange): Promise<ConnectPlan>;
  /** Writes what the plan showed; fails with `changed` when that is out of date. */
  changeClient(client: string, change: ClientChange, planId: string): Promise<void>;
  /** The entry as Skilltender wrote it, as it is now, and as it was, when its status is `edited` or `dropped`. */
  readDrift(client: string, project: string | null): Promise<Drift>;
  settleDrift(client: string, project: string | null, driftId: string, choice: DriftChoice): Promise<void>;
  /** Skilltender's entry, for adding by hand; without a transport, in the client's usual way. */
  entryText(client: string, transport: Transport | null): Promise<EntryText>;
  /** The servers in all clients' files that Skilltender did not add. */
  configuredServers(): Promise<ConfiguredServer[]>;
  /** `source`: its chosen file. Returns the new client's id. */
  addClient(name: string, source: string, like: string): Promise<string>;
  removeClient(client: string): Promise<void>;
  showConfig(client: string): Promise<void>;
  /** What the client sees of the enabled skills, and their cost for its model. */
  clientSees(client: string): Promise<ClientSees>;
  /** Every folder that a client reads directly, and the skills that Skilltender placed there. */
  skillFolders(): Promise<SkillFolder[]>;
  /** The plan for placing enabled skills in a folder; without a way, for removing Skilltender's. */
  planSkillFolder(target: string, way: PlaceWay | null): Promise<FolderPlan>;
  linkSkills(target: string, way: PlaceWay, planId: string): Promise<void>;
  unlinkSkills(target: string, planId: string): Promise<void>;
  /** Replaces an edited copy, or leaves it to the person. */
  settleCopy(target: string, skill: string, replace: boolean): Promise<void>;
  /** Invalidates the client's token; its file keeps the old one until the entry is rewritten. */
  replaceToken(client: string): Promise<void>;

  /** Checks everything once, and changes nothing. */
  doctor(): Promise<Checkup>;
  /** Checks everything and writes the result to a file, without personal data. */
  saveReport(saveTo: string): Promise<void>;

  makeSet(name: string, keys: string[]): Promise<string>;
  changeSet(id: string, name: string, keys: string[]): Promise<void>;
  deleteSet(id: string): Promise<void>;
  giveSet(client: string, set: string | null): Promise<void>;
  /** Without a client, sets the switch for all; `null` makes a client follow that one. */
  setSurface(client: string | null, surface: Surface, on: boolean | null): Promise<void>;
  setArchives(on: boolean): Promise<void>;
  /** Sets whether skills that are not ready are withheld from clients. */
  setWithhold(on: boolean): Promise<void>;
  /** Serves HTTP on another port of this computer. */
  setPort(port: number): Promise<void>;

  /** The latest calls of clients, newest first. */
  readCalls(most: number): Promise<Call[]>;

  pause(on: boolean): Promise<void>;
  dismissNotice(id: string): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Asks to quit; the answer arrives by `onLeave`. */
  quit(): Promise<void>;
  leave(): Promise<void>;
  stay(): Promise<void>;
}
