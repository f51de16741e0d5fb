// The settings and the sets of skills: a person combines them freely, so that no recording has them all.

import type { MainCommands } from '../commands';
import type { SkillSet } from '../types';
import type { World } from './world';

type Commands = Pick<MainCommands, 'makeSet' | 'changeSet' | 'deleteSet' | 'giveSet' | 'setSurface' | 'setArchives' | 'setPort' | 'setWithhold' | 'switchTool' | 'setToolMode'>;

export function choices({ replay, publish, opened, settings }: World, sets: SkillSet[]): Commands {
  const set = (change: Partial<typeof settings>) => {
    Object.assign(settings, change);
    publish();
  };
  return {
    async makeSet(name, keys) {
      const id = `s${sets.length + 1}`;
      sets.push({ id, name, skills: keys, served: 0, clients: [] });
      publish();
      return id;
    },
    async changeSet(id, name, keys) {
      Object.assign(sets.find((set) => set.id === id) ?? {}, { name, skills: keys });
      publish();
    },
    async deleteSet(id) {
      sets.splice(sets.findIndex((set) => set.id === id), 1);
      for (const client of replay.all('client')) if (client.set === id) client.set = null;
      publish();
    },
    async giveSet(client, set) {
      Object.assign(replay.get('client', client) ?? {}, { set });
      publish();
    },
    async setSurface(client, surface, on) {
      if (client === null) settings.surfaces[surface] = on ?? true;
      else if (on === null) delete settings.clients[client]?.[surface];
      else (settings.clients[client] ??= {})[surface] = on;
      publish();
    },
    setArchives: async (archives) => set({ archives }),
    setPort: async (port) => set({ port }),
    setWithhold: async (withhold) => set({ withhold }),
    async switchTool(client, server, tool, on) {
      if (client === null) {
        for (const each of replay.get('server', server)?.page.tools ?? []) if (tool === null || each.name === tool) each.on = on;
      } else {
        const others = settings.toolsOff.filter((off) => off.client !== client || off.server !== server || (off.tool ?? null) !== tool);
        settings.toolsOff = on ? others : [...others, { client, server, ...(tool !== null && { tool }) }];
        opened.push(`${client}: ${server} ${tool ?? ''} ${on ? 'on' : 'off'}`);
      }
      publish();
    },
    async setToolMode(client, mode) {
      if (mode === 'always') delete settings.toolModes[client];
      else settings.toolModes[client] = mode;
      publish();
    },
  };
}
