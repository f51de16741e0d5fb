// The settings and the sets of skills: a person combines them freely, so that no recording has them all.

import type { MainCommands } from '../commands';
import type { Settings, SkillSet, UpdateState } from '../types';
import type { Replay } from './recorded';

export function choices(replay: Replay, settings: Settings, sets: SkillSet[]): Partial<MainCommands> {
  const change = <T>(what: T, to: Partial<T>) => {
    Object.assign(what as object, to);
    replay.publish();
  };
  const knowUpdate = (state: UpdateState) => change(settings, { updates: { ...settings.updates, state } });
  return {
    async makeSet(name, keys) {
      const id = `s${sets.length + 1}`;
      sets.push({ id, name, skills: keys, served: 0, clients: [], folders: [] });
      replay.publish();
      return id;
    },
    changeSet: async (id, name, keys) => change(sets.find((set) => set.id === id)!, { name, skills: keys }),
    setFolders: async (id, folders) => change(sets.find((set) => set.id === id)!, { folders }),
    async deleteSet(id) {
      sets.splice(sets.findIndex((set) => set.id === id), 1);
      for (const client of replay.all('client')) if (client.set === id) client.set = null;
      replay.publish();
    },
    // In the folders of a set that the person made.
    async clientSees(client, set) {
      const sees = await replay.commands.clientSees(client, null);
      const bound = sets.find((one) => one.id === set);
      if (!bound) return sees;
      const folder = `This set counts in ${bound.folders.join(', ')}, whatever the client's own set is.`;
      return { ...sees, endpoint: { ...sees.endpoint, set: bound.name, folder, skills: bound.served } };
    },
    giveSet: async (client, set) => change(replay.get('client', client)!, { set }),
    async setSurface(client, surface, on) {
      if (client === null) settings.surfaces[surface] = on ?? true;
      else if (on === null) delete settings.clients[client]?.[surface];
      else (settings.clients[client] ??= {})[surface] = on;
      replay.publish();
    },
    async addFolder(folder, enableNew) {
      const id = await replay.commands.addFolder(folder, enableNew);
      if (id !== null) change(replay.get('folder', id)!, { enableNew });
      return id;
    },
    switchNewSkills: async (id, on) => change(replay.get('folder', id)!, { enableNew: on }),
    setArchives: async (archives) => change(settings, { archives }),
    setPort: async (port) => change(settings, { port }),
    setWithhold: async (withhold) => change(settings, { withhold }),
    setAppSwitch: async (which, on) => change(settings, { app: { ...settings.app, [which]: on } }),
    setAskSources: async (on) => change(settings, { askSources: on }),
    setUpdates: async (on) => change(settings, { updates: { ...settings.updates, on } }),
    setLanguage: async (chosen) => change(settings, { language: { chosen, shown: chosen ?? 'en' } }),
    lookForUpdate: async () => knowUpdate({ kind: 'found', version: '0.2.0', notes: '- Sources with a memory.\n- A page about what skills are *worth*.', itself: true }),
    takeUpdate: async () => knowUpdate({ kind: 'installed', version: '0.2.0' }),
    setAppMenu: async (on) => change(settings, { menu: { on, trouble: null } }),
    setLoginStart: async (on) => change(settings, { login: { on, trouble: null } }),
    async switchTool(client, server, tool, on) {
      if (client === null) {
        for (const each of replay.get('server', server)?.page.tools ?? []) if (tool === null || each.name === tool) each.on = on;
      } else {
        const others = settings.toolsOff.filter((off) => off.client !== client || off.server !== server || (off.tool ?? null) !== tool);
        settings.toolsOff = on ? others : [...others, { client, server, ...(tool !== null && { tool }) }];
      }
      replay.publish();
    },
    async setToolMode(client, mode) {
      if (mode === 'always') delete settings.toolModes[client];
      else settings.toolModes[client] = mode;
      replay.publish();
    },
  };
}
