// The backend that ships: one command of the shell per line.

import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';

import type { Backend, Consenting, Leave, Show } from './backend';
import type { Snapshot } from './types';

export const tauri: Backend & Consenting = {
  current: () => invoke('current'),
  onSnapshot: (listener) => listen<Snapshot>('snapshot', (event) => listener(event.payload)),
  onShow: (listener) => listen<Show>('show', (event) => listener(event.payload)),
  onLeave: (listener) => listen<Leave>('leave', (event) => listener(event.payload)),

  onConsent: (listener) => listen<string | null>('consent', (event) => listener(event.payload)),
  onDrop: (listener) => listen<{ paths: string[] }>('tauri://drag-drop', (event) => listener(event.payload.paths)),

  enableSkills: (keys, on, seen) => invoke('enable_skills', { keys, on, seen }),
  lookAtSkill: (key) => invoke('look_at_skill', { key }),
  lookAtReady: (folders) => invoke('look_at_ready', { folders }),
  searchSkills: (query, limit) => invoke('search_skills', { query, limit }),
  readSkill: (key) => invoke('read_skill', { key }),
  readFile: (key, path) => invoke('read_file', { key, path }),
  checkText: (key, text) => invoke('check_text', { key, text }),
  saveSkill: (key, digest, splices) => invoke('save_skill', { key, digest, splices }),
  keepVersion: (key, text, unsaved) => invoke('keep_version', { key, text, unsaved }),
  keptVersions: (key) => invoke('kept_versions', { key }),
  readKept: (key, moment) => invoke('read_kept', { key, moment }),
  settleKept: (key, moment) => invoke('settle_kept', { key, moment }),
  fixSkill: (key, digest) => invoke('fix_skill', { key, digest }),
  showInFolder: (key) => invoke('show_in_folder', { key }),

  templates: () => invoke('templates'),
  newSkill: (folder, id, template) => invoke('new_skill', { folder, id, template }),
  duplicateSkill: (key, id) => invoke('duplicate_skill', { key, id }),
  lookAtImport: (path) => invoke('look_at_import', { path }),
  importSkill: (path, planId, folder, only) => invoke('import_skill', { path, planId, folder, only }),
  packSkill: (key, to, options) => invoke('pack_skill', { key, to, options }),
  trashSkill: (key) => invoke('trash_skill', { key }),
  restoreSkill: (id) => invoke('restore_skill', { id }),

  chooseFolder: () => invoke('choose_folder'),
  chooseZip: () => invoke('choose_zip'),
  chooseFile: () => invoke('choose_file'),
  chooseSave: (name) => invoke('choose_save', { name }),
  readAgain: () => invoke('read_again'),
  addFolder: (path) => invoke('add_folder', { path }),
  removeFolder: (id) => invoke('remove_folder', { id }),
  finishFirstRun: (answers) => invoke('finish_first_run', { answers }),

  setSecret: (key, server, name, value) => invoke('set_secret', { key, server, name, value }),
  deleteSecret: (key, server, name) => invoke('delete_secret', { key, server, name }),
  setValue: (key, server, name, value) => invoke('set_value', { key, server, name, value }),
  retryKeychain: () => invoke('retry_keychain'),

  askConsent: (server) => invoke('ask_consent', { server }),
  closeConsent: () => invoke('close_consent'),
  planServer: (server) => invoke('plan_server', { server }),
  approveServer: (server, digest) => invoke('approve_server', { server, digest }),
  offerVersion: (server) => invoke('offer_version', { server }),
  pinServer: (server, version) => invoke('pin_server', { server, version }),
  approveTools: (server, digest) => invoke('approve_tools', { server, digest }),
  revokeServer: (server) => invoke('revoke_server', { server }),
  restartServer: (server) => invoke('restart_server', { server }),
  stopServer: (server) => invoke('stop_server', { server }),
  readServer: (server) => invoke('read_server', { server }),
  lookForPrograms: () => invoke('look_for_programs'),
  linkServer: (key, server, withKey) => invoke('link_server', { key, server, with: withKey }),
  switchTool: (client, server, tool, on) => invoke('switch_tool', { client, server, tool, on }),
  setToolMode: (client, mode) => invoke('set_tool_mode', { client, mode }),

  planClient: (client, change) => invoke('plan_client', { client, change }),
  changeClient: (client, change, planId) => invoke('change_client', { client, change, planId }),
  readDrift: (client, project) => invoke('read_drift', { client, project }),
  settleDrift: (client, project, driftId, choice) => invoke('settle_drift', { client, project, driftId, choice }),
  entryText: (client, transport) => invoke('entry_text', { client, transport }),
  configuredServers: () => invoke('configured_servers'),
  addClient: (client) => invoke('add_client', { client }),
  removeClient: (client) => invoke('remove_client', { client }),
  showConfig: (client) => invoke('show_config', { client }),
  clientSees: (client) => invoke('client_sees', { client }),
  replaceToken: (client) => invoke('replace_token', { client }),
  skillFolders: () => invoke('skill_folders'),
  planSkillFolder: (target, way) => invoke('plan_skill_folder', { target, way }),
  linkSkills: (target, way, planId) => invoke('link_skills', { target, way, planId }),
  unlinkSkills: (target, planId) => invoke('unlink_skills', { target, planId }),
  settleCopy: (target, skill, replace) => invoke('settle_copy', { target, skill, replace }),

  doctor: () => invoke('doctor'),
  saveReport: (path) => invoke('save_report', { path }),

  makeSet: (name, keys) => invoke('make_set', { name, keys }),
  changeSet: (id, name, keys) => invoke('change_set', { id, name, keys }),
  deleteSet: (id) => invoke('delete_set', { id }),
  giveSet: (client, set) => invoke('give_set', { client, set }),
  setSurface: (client, surface, on) => invoke('set_surface', { client, surface, on }),
  setArchives: (on) => invoke('set_archives', { on }),
  setWithhold: (on) => invoke('set_withhold', { on }),

  readCalls: (most) => invoke('read_calls', { most }),

  pause: (on) => invoke('pause', { on }),
  dismissNotice: (id) => invoke('dismiss_notice', { id }),
  openLink: (url) => invoke('open_link', { url }),
  quit: () => invoke('quit'),
  leave: () => invoke('leave'),
  stay: () => invoke('stay'),
};
