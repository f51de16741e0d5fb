// The commands that each window is granted. Generated from src-tauri/src/ipc and src-tauri/capabilities. Do not edit:
// cargo xtask golden

import { invoke } from '@tauri-apps/api/core';

import type { Answers, Choice, Surface, WayKind } from './backend';
import type {
  AppSwitch, Call, Checkup, ClientCall, ClientChange, ClientFolder, ClientFolderPlan, ClientSees, CommitPlan, ConfiguredServer, ConnectPlan, Consent, Drift, DriftChoice, EditorSplice, EntryText, Hit, ImportPlan, Kept, Language, Look, ManagedSkill, OwnWrite, Packed, PinOffer, PlaceWay, Problem, PullPlan, Pushed, Saved, ServerPage, SkillPage, SkillVersion, Snapshot, SourcePlan, TagPlan, Tagged, TeamLeft, TeamPage, TeamQuestion, Template, ToolMode, Transport, UpdatePlan, UsageReport, WorkTreeStatus,
} from './types';

export interface MainCommands {
  current(): Promise<Snapshot>;
  /** The page listens now. Returns what the page before it left when its window was closed; then come the events that
   * waited. */
  takeUp(): Promise<string | null>;
  /** Answers the event `closed` with what the next page needs, and the unsaved texts by key; the window ends then. Without
   * `state` the page keeps something, and its window. */
  putAway(state: string | null, unsaved: Record<string, string>): Promise<void>;
  /** Asks the person for a folder; nothing when they cancel. */
  chooseFolder(): Promise<Choice | null>;
  /** Asks the person for a zip; nothing when they cancel. */
  chooseZip(): Promise<Choice | null>;
  /** Asks the person for a file; nothing when they cancel. */
  chooseFile(): Promise<Choice | null>;
  /** Asks the person where a file of this name goes; nothing when they cancel. */
  chooseSave(name: string): Promise<Choice | null>;
  dismissNotice(id: string): Promise<void>;
  /** Shows every window dark, light or as the desktop is, with its content zoomed to this many percent. */
  showAs(dark: boolean | null, zoom: number): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Asks to quit; the page gets the event `leave`. */
  quit(): Promise<void>;
  leave(): Promise<void>;
  stay(): Promise<void>;
  /** `seen`: for skills of other authors, by key, the digest of the `Look` that the person was shown. */
  enableSkills(keys: string[], on: boolean, seen: Record<string, string>): Promise<void>;
  /** What a skill carries and the scanner's findings, to show before it is switched on. */
  lookAtSkill(key: string): Promise<Look>;
  /** The same for every ready, unseen skill in these library folders, by id. */
  lookAtReady(folders: string[]): Promise<Look[]>;
  searchSkills(query: string, limit: number): Promise<Hit[]>;
  readSkill(key: string): Promise<SkillPage>;
  /** The text of one of the skill's files; nothing when it is not text. */
  readFile(key: string, name: string): Promise<string | null>;
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
  /** How the tags of these skills would change. */
  planTags(keys: string[], add: string[], remove: string[]): Promise<TagPlan>;
  /** Changes the tags of the skills that a plan showed, each with the digest that it showed. */
  tagSkills(seen: Record<string, string>, add: string[], remove: string[]): Promise<Tagged>;
  showInFolder(key: string): Promise<void>;
  /** The templates of a new skill. */
  templates(): Promise<Template[]>;
  newSkill(folder: string, id: string, template: string): Promise<string>;
  duplicateSkill(key: string, id: string): Promise<string>;
  /** `source`: the id of a choice. */
  lookAtImport(source: string): Promise<ImportPlan>;
  /** Copies the skills at these paths of the plan, or all, into a folder; returns their keys. */
  importSkill(source: string, planId: string, folder: string, only: string[] | null): Promise<string[]>;
  /** Writes to the chosen file, and replaces an existing one: the desktop's dialog has asked. */
  packSkill(key: string, saveTo: string, flat: boolean, keepClaudeCode: boolean): Promise<Packed>;
  /** Writes to the chosen folder under the skill's name, and replaces nothing. */
  packInto(key: string, saveTo: string): Promise<Packed>;
  /** Moves a skill to another folder of the library; returns its key there. */
  moveSkill(key: string, folder: string): Promise<string>;
  /** Returns the name for restoring it. */
  trashSkill(key: string): Promise<string>;
  restoreSkill(id: string): Promise<string>;
  /** Reads the folders again, for changes without an event. */
  readAgain(): Promise<void>;
  /** Adds a chosen folder and returns its id. Its skills are off until the person has seen what they carry; those that
   * appear later are switched on or stay off. */
  addFolder(folder: string, enableNew: boolean): Promise<string | null>;
  /** Sets whether skills that appear in a folder are switched on; one that looks harmful never is. */
  switchNewSkills(id: string, on: boolean): Promise<void>;
  removeFolder(id: string): Promise<void>;
  /** `folders`: chosen folders, and the found folders that the person selected, then those of them whose later skills are
   * switched on as they appear. Returns the ids of all of them. */
  finishFirstRun(folders: string[], enableReady: boolean, newOn: string[]): Promise<string[]>;
  /** Fetches what a person wrote as a source, and shows what it holds. */
  lookAtSource(written: string): Promise<SourcePlan>;
  /** Adds the skills at these paths of the plan, or all, to a folder; returns their keys. */
  addSource(written: string, commit: string, planId: string, folder: string, only: string[] | null): Promise<string[]>;
  /** Ends what is being fetched. */
  cancelFetching(): Promise<void>;
  /** Asks the sources of all skills, or of these, whether they have other versions; the snapshot has the answers. */
  askSources(keys: string[] | null): Promise<void>;
  /** What updating a skill would change. */
  planUpdate(key: string): Promise<UpdatePlan>;
  /** Updates a skill as the plan showed, with an answer for each conflict. */
  updateSkill(key: string, commit: string, planId: string, answers: Answers): Promise<void>;
  /** The present version of a skill and those before it, the latest first. */
  skillVersions(key: string): Promise<SkillVersion[]>;
  /** What going back to a version, by its number, would change. */
  planBack(key: string, number: number): Promise<UpdatePlan>;
  /** Goes back to a version as the plan showed. */
  goBackTo(key: string, number: number, planId: string): Promise<void>;
  /** The skills, or those of these, that another program installed and Skilltender does not follow. */
  managedSkills(keys: string[] | null): Promise<ManagedSkill[]>;
  /** Follows the source that another program recorded for a skill. */
  adoptSkill(key: string): Promise<void>;
  /** Forgets where skills came from, with their versions. */
  forgetOrigins(keys: string[]): Promise<void>;
  /** Finds the file of a team in what a person wrote, fetches what it names, and shows all that would come and run. */
  lookAtTeam(written: string): Promise<TeamPage>;
  /** Opens the window that asks on the page of a team, or brings it to the front. With a folder, skills come into that. */
  askTeam(planId: string, folder: string | null): Promise<void>;
  /** What is left of a team, once no join is under way; nothing where nobody said yes. */
  teamLeft(planId: string): Promise<TeamLeft | null>;
  /** Calls Skilltender as a client's entry does. */
  callClient(client: string): Promise<ClientCall>;
  /** The status of the work tree that a folder lies in, as of its last fetch. */
  workTreeStatus(folder: string): Promise<WorkTreeStatus>;
  /** Fetches the upstream of a folder's work tree, and shows what a pull would bring. */
  planPull(folder: string): Promise<PullPlan>;
  /** Pulls as the plan showed; returns the commit. */
  pull(folder: string, planId: string): Promise<string>;
  /** Sets whether the switches and sets of a folder go along with its work tree. Nothing is written into it yet. */
  shareSwitches(folder: string, on: boolean): Promise<void>;
  /** What a commit of the skills of a folder would hold, and what its push would bring along. */
  planCommit(folder: string): Promise<CommitPlan>;
  /** Commits as the plan showed, with this message, and pushes it. */
  commitAndPush(folder: string, planId: string, message: string): Promise<Pushed>;
  /** Sends the value once; no command returns it. */
  setSecret(key: string, server: string, name: string, value: string): Promise<void>;
  deleteSecret(key: string, server: string, name: string): Promise<void>;
  setValue(key: string, server: string, name: string, value: string | null): Promise<void>;
  /** Selects how a skill's server is started; without a way, by the skill's first one. */
  pickWay(key: string, server: string, way: WayKind | null): Promise<void>;
  retryKeychain(): Promise<void>;
  /** Opens the consent window for a server, or brings it to the front. */
  askConsent(server: string): Promise<void>;
  /** Revokes an approval: the server stops, and does not start again. */
  revokeServer(server: string): Promise<void>;
  restartServer(server: string): Promise<void>;
  /** Stops it until the next call. */
  stopServer(server: string): Promise<void>;
  /** Asks a server for its sign-in address, and waits for the sign-in; the snapshot has the address. Opens nothing. */
  signIn(server: string): Promise<void>;
  cancelSignIn(server: string): Promise<void>;
  /** Signs out. */
  signOut(server: string): Promise<void>;
  readServer(server: string): Promise<ServerPage>;
  /** Lets a skill use another skill's server, or without one its own again. */
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
  /** What the client sees of the enabled skills, and their cost for its model; with a set, in the folders of that set. */
  clientSees(client: string, set: string | null): Promise<ClientSees>;
  /** Invalidates the client's token. The new one is not returned: the next change writes it to the client's file. */
  replaceToken(client: string): Promise<void>;
  /** Every folder that a client reads directly, and the skills that Skilltender placed there. */
  clientFolders(): Promise<ClientFolder[]>;
  /** The plan for placing enabled skills in a folder; without a way, for removing Skilltender's. */
  planClientFolder(target: string, way: PlaceWay | null): Promise<ClientFolderPlan>;
  linkSkills(target: string, way: PlaceWay, planId: string): Promise<void>;
  unlinkSkills(target: string, planId: string): Promise<void>;
  /** Replaces an edited copy, or leaves it to the person. */
  settleCopy(target: string, skill: string, replace: boolean): Promise<void>;
  makeSet(name: string, keys: string[]): Promise<string>;
  changeSet(id: string, name: string, keys: string[]): Promise<void>;
  /** Binds the set to exactly these folders, written as patterns. */
  setFolders(id: string, patterns: string[]): Promise<void>;
  deleteSet(id: string): Promise<void>;
  giveSet(client: string, set: string | null): Promise<void>;
  /** The latest calls of clients, newest first. */
  readCalls(most: number): Promise<Call[]>;
  /** What Skilltender itself wrote lately, besides clients' files, newest first. */
  ownWrites(): Promise<OwnWrite[]>;
  /** Undoes something that Skilltender wrote. */
  undoWrite(moment: number): Promise<void>;
  /** What skills and servers were used in the last days, today included. */
  readUsage(days: number): Promise<UsageReport>;
  /** Writes the counts of these days to a file, in lines with commas. */
  saveUsage(days: number, saveTo: string): Promise<void>;
  /** Forgets everything that was counted. */
  wipeUsage(): Promise<void>;
  /** Checks everything once, and changes nothing. */
  doctor(): Promise<Checkup>;
  /** Checks everything and writes the result to a file, without personal data. */
  saveReport(saveTo: string): Promise<void>;
  /** Without a client, sets the switch for all; without `on`, a client follows that one. */
  setSurface(client: string | null, surface: Surface, on: boolean | null): Promise<void>;
  /** Serves HTTP on another port of this computer. */
  setPort(port: number): Promise<void>;
  /** Sets whether skills that are not ready are withheld from clients. */
  setWithhold(on: boolean): Promise<void>;
  setArchives(on: boolean): Promise<void>;
  /** Chooses the language of the window and the tray; without one they follow the desktop. */
  setLanguage(language: Language | null): Promise<void>;
  /** Starts the app when its user logs in, or no longer. */
  setLoginStart(on: boolean): Promise<void>;
  /** Puts the app into the desktop's menu of programs, or takes it out. */
  setAppMenu(on: boolean): Promise<void>;
  /** Looks for new versions of Skilltender once a day, or no longer. */
  setUpdates(on: boolean): Promise<void>;
  /** Asks sources of skills for other versions once a day, or no longer. */
  setAskSources(on: boolean): Promise<void>;
  /** Switches something that the app does unasked. */
  setAppSwitch(what: AppSwitch, on: boolean): Promise<void>;
  /** Shows our data folder in the file manager. */
  showData(): Promise<void>;
  /** Looks for a new version now. */
  lookForUpdate(): Promise<void>;
  /** Takes the new version that was found, and starts it; or fetches its package. */
  takeUpdate(): Promise<void>;
  pause(on: boolean): Promise<void>;
}

export interface ConsentCommands {
  /** Shows every window dark, light or as the desktop is, with its content zoomed to this many percent. */
  showAs(dark: boolean | null, zoom: number): Promise<void>;
  openLink(url: string): Promise<void>;
  /** The page of a team that is asked about, and what is left of it once somebody said yes. */
  teamAsked(planId: string): Promise<TeamQuestion>;
  /** Does everything on the page that needs no answer, and lets its servers run with these plain values. */
  joinTeam(planId: string, values: Record<string, Record<string, string>>): Promise<TeamLeft>;
  /** Sends the value once; no command returns it. */
  setSecret(key: string, server: string, name: string, value: string): Promise<void>;
  setValue(key: string, server: string, name: string, value: string | null): Promise<void>;
  closeConsent(): Promise<void>;
  /** Makes the consent window as high as its content, in pixels. */
  fitConsent(height: number): Promise<void>;
  /** What an approval would cover now. */
  planServer(server: string): Promise<Consent>;
  /** Approves what the digest names, and starts the server; fails with `changed` when that is out of date. */
  approveServer(server: string, digest: string, variables: string[]): Promise<void>;
  /** Asks the package's own client for the current version; this makes a connection. */
  offerVersion(server: string): Promise<PinOffer>;
  /** Pins the server's package to this version. */
  pinServer(server: string, version: string): Promise<void>;
  approveTools(server: string, digest: string): Promise<void>;
  readServer(server: string): Promise<ServerPage>;
  /** Searches again for the programs that run servers, including the login shell's path. */
  lookForPrograms(): Promise<void>;
}

export const commands: MainCommands & ConsentCommands = {
  current: () => invoke('current'),
  takeUp: () => invoke('take_up'),
  putAway: (state, unsaved) => invoke('put_away', { state, unsaved }),
  chooseFolder: () => invoke('choose_folder'),
  chooseZip: () => invoke('choose_zip'),
  chooseFile: () => invoke('choose_file'),
  chooseSave: (name) => invoke('choose_save', { name }),
  dismissNotice: (id) => invoke('dismiss_notice', { id }),
  showAs: (dark, zoom) => invoke('show_as', { dark, zoom }),
  openLink: (url) => invoke('open_link', { url }),
  quit: () => invoke('quit'),
  leave: () => invoke('leave'),
  stay: () => invoke('stay'),
  enableSkills: (keys, on, seen) => invoke('enable_skills', { keys, on, seen }),
  lookAtSkill: (key) => invoke('look_at_skill', { key }),
  lookAtReady: (folders) => invoke('look_at_ready', { folders }),
  searchSkills: (query, limit) => invoke('search_skills', { query, limit }),
  readSkill: (key) => invoke('read_skill', { key }),
  readFile: (key, name) => invoke('read_file', { key, name }),
  checkText: (key, text) => invoke('check_text', { key, text }),
  saveSkill: (key, digest, splices) => invoke('save_skill', { key, digest, splices }),
  keepVersion: (key, text, unsaved) => invoke('keep_version', { key, text, unsaved }),
  keptVersions: (key) => invoke('kept_versions', { key }),
  readKept: (key, moment) => invoke('read_kept', { key, moment }),
  settleKept: (key, moment) => invoke('settle_kept', { key, moment }),
  fixSkill: (key, digest) => invoke('fix_skill', { key, digest }),
  planTags: (keys, add, remove) => invoke('plan_tags', { keys, add, remove }),
  tagSkills: (seen, add, remove) => invoke('tag_skills', { seen, add, remove }),
  showInFolder: (key) => invoke('show_in_folder', { key }),
  templates: () => invoke('templates'),
  newSkill: (folder, id, template) => invoke('new_skill', { folder, id, template }),
  duplicateSkill: (key, id) => invoke('duplicate_skill', { key, id }),
  lookAtImport: (source) => invoke('look_at_import', { source }),
  importSkill: (source, planId, folder, only) => invoke('import_skill', { source, planId, folder, only }),
  packSkill: (key, saveTo, flat, keepClaudeCode) => invoke('pack_skill', { key, saveTo, flat, keepClaudeCode }),
  packInto: (key, saveTo) => invoke('pack_into', { key, saveTo }),
  moveSkill: (key, folder) => invoke('move_skill', { key, folder }),
  trashSkill: (key) => invoke('trash_skill', { key }),
  restoreSkill: (id) => invoke('restore_skill', { id }),
  readAgain: () => invoke('read_again'),
  addFolder: (folder, enableNew) => invoke('add_folder', { folder, enableNew }),
  switchNewSkills: (id, on) => invoke('switch_new_skills', { id, on }),
  removeFolder: (id) => invoke('remove_folder', { id }),
  finishFirstRun: (folders, enableReady, newOn) => invoke('finish_first_run', { folders, enableReady, newOn }),
  lookAtSource: (written) => invoke('look_at_source', { written }),
  addSource: (written, commit, planId, folder, only) => invoke('add_source', { written, commit, planId, folder, only }),
  cancelFetching: () => invoke('cancel_fetching'),
  askSources: (keys) => invoke('ask_sources', { keys }),
  planUpdate: (key) => invoke('plan_update', { key }),
  updateSkill: (key, commit, planId, answers) => invoke('update_skill', { key, commit, planId, answers }),
  skillVersions: (key) => invoke('skill_versions', { key }),
  planBack: (key, number) => invoke('plan_back', { key, number }),
  goBackTo: (key, number, planId) => invoke('go_back_to', { key, number, planId }),
  managedSkills: (keys) => invoke('managed_skills', { keys }),
  adoptSkill: (key) => invoke('adopt_skill', { key }),
  forgetOrigins: (keys) => invoke('forget_origins', { keys }),
  lookAtTeam: (written) => invoke('look_at_team', { written }),
  askTeam: (planId, folder) => invoke('ask_team', { planId, folder }),
  teamAsked: (planId) => invoke('team_asked', { planId }),
  joinTeam: (planId, values) => invoke('join_team', { planId, values }),
  teamLeft: (planId) => invoke('team_left', { planId }),
  callClient: (client) => invoke('call_client', { client }),
  workTreeStatus: (folder) => invoke('work_tree_status', { folder }),
  planPull: (folder) => invoke('plan_pull', { folder }),
  pull: (folder, planId) => invoke('pull', { folder, planId }),
  shareSwitches: (folder, on) => invoke('share_switches', { folder, on }),
  planCommit: (folder) => invoke('plan_commit', { folder }),
  commitAndPush: (folder, planId, message) => invoke('commit_and_push', { folder, planId, message }),
  setSecret: (key, server, name, value) => invoke('set_secret', { key, server, name, value }),
  deleteSecret: (key, server, name) => invoke('delete_secret', { key, server, name }),
  setValue: (key, server, name, value) => invoke('set_value', { key, server, name, value }),
  pickWay: (key, server, way) => invoke('pick_way', { key, server, way }),
  retryKeychain: () => invoke('retry_keychain'),
  askConsent: (server) => invoke('ask_consent', { server }),
  closeConsent: () => invoke('close_consent'),
  fitConsent: (height) => invoke('fit_consent', { height }),
  planServer: (server) => invoke('plan_server', { server }),
  approveServer: (server, digest, variables) => invoke('approve_server', { server, digest, variables }),
  offerVersion: (server) => invoke('offer_version', { server }),
  pinServer: (server, version) => invoke('pin_server', { server, version }),
  approveTools: (server, digest) => invoke('approve_tools', { server, digest }),
  revokeServer: (server) => invoke('revoke_server', { server }),
  restartServer: (server) => invoke('restart_server', { server }),
  stopServer: (server) => invoke('stop_server', { server }),
  signIn: (server) => invoke('sign_in', { server }),
  cancelSignIn: (server) => invoke('cancel_sign_in', { server }),
  signOut: (server) => invoke('sign_out', { server }),
  readServer: (server) => invoke('read_server', { server }),
  lookForPrograms: () => invoke('look_for_programs'),
  linkServer: (key, server, withKey) => invoke('link_server', { key, server, withKey }),
  switchTool: (client, server, tool, on) => invoke('switch_tool', { client, server, tool, on }),
  setToolMode: (client, mode) => invoke('set_tool_mode', { client, mode }),
  planClient: (client, change) => invoke('plan_client', { client, change }),
  changeClient: (client, change, planId) => invoke('change_client', { client, change, planId }),
  readDrift: (client, project) => invoke('read_drift', { client, project }),
  settleDrift: (client, project, driftId, choice) => invoke('settle_drift', { client, project, driftId, choice }),
  entryText: (client, transport) => invoke('entry_text', { client, transport }),
  configuredServers: () => invoke('configured_servers'),
  addClient: (name, source, like) => invoke('add_client', { name, source, like }),
  removeClient: (client) => invoke('remove_client', { client }),
  showConfig: (client) => invoke('show_config', { client }),
  clientSees: (client, set) => invoke('client_sees', { client, set }),
  replaceToken: (client) => invoke('replace_token', { client }),
  clientFolders: () => invoke('client_folders'),
  planClientFolder: (target, way) => invoke('plan_client_folder', { target, way }),
  linkSkills: (target, way, planId) => invoke('link_skills', { target, way, planId }),
  unlinkSkills: (target, planId) => invoke('unlink_skills', { target, planId }),
  settleCopy: (target, skill, replace) => invoke('settle_copy', { target, skill, replace }),
  makeSet: (name, keys) => invoke('make_set', { name, keys }),
  changeSet: (id, name, keys) => invoke('change_set', { id, name, keys }),
  setFolders: (id, patterns) => invoke('set_folders', { id, patterns }),
  deleteSet: (id) => invoke('delete_set', { id }),
  giveSet: (client, set) => invoke('give_set', { client, set }),
  readCalls: (most) => invoke('read_calls', { most }),
  ownWrites: () => invoke('own_writes'),
  undoWrite: (moment) => invoke('undo_write', { moment }),
  readUsage: (days) => invoke('read_usage', { days }),
  saveUsage: (days, saveTo) => invoke('save_usage', { days, saveTo }),
  wipeUsage: () => invoke('wipe_usage'),
  doctor: () => invoke('doctor'),
  saveReport: (saveTo) => invoke('save_report', { saveTo }),
  setSurface: (client, surface, on) => invoke('set_surface', { client, surface, on }),
  setPort: (port) => invoke('set_port', { port }),
  setWithhold: (on) => invoke('set_withhold', { on }),
  setArchives: (on) => invoke('set_archives', { on }),
  setLanguage: (language) => invoke('set_language', { language }),
  setLoginStart: (on) => invoke('set_login_start', { on }),
  setAppMenu: (on) => invoke('set_app_menu', { on }),
  setUpdates: (on) => invoke('set_updates', { on }),
  setAskSources: (on) => invoke('set_ask_sources', { on }),
  setAppSwitch: (what, on) => invoke('set_app_switch', { what, on }),
  showData: () => invoke('show_data'),
  lookForUpdate: () => invoke('look_for_update'),
  takeUpdate: () => invoke('take_update'),
  pause: (on) => invoke('pause', { on }),
};
