// What is offered to clients: sets of skills, surfaces, archives.

import type { Backend } from '../backend';
import type { Shelf } from './shelf';
import { failure } from './text';

type Offering = Pick<Backend, 'makeSet' | 'changeSet' | 'deleteSet' | 'giveSet' | 'setSurface' | 'setArchives' | 'setWithhold' | 'setPort'>;

export function offering(shelf: Shelf): Offering {
  const clientOf = (id: string) => {
    const client = shelf.clients.find((each) => each.id === id);
    if (!client) throw failure('not-found', 'This client is not known.');
    return client;
  };

  return {
    async makeSet(name, skills) {
      const id = `s${shelf.sets.length + 1}`;
      shelf.sets.push({ id, name, skills, served: 0, clients: [] });
      shelf.publish();
      return id;
    },
    async changeSet(id, name, skills) {
      Object.assign(shelf.sets.find((set) => set.id === id) ?? {}, { name, skills });
      shelf.publish();
    },
    async deleteSet(id) {
      shelf.sets.splice(shelf.sets.findIndex((set) => set.id === id), 1);
      for (const client of shelf.clients) if (client.set === id) client.set = null;
      shelf.publish();
    },
    async giveSet(client, set) {
      clientOf(client).set = set;
      shelf.publish();
    },
    async setSurface(client, surface, on) {
      const { settings } = shelf;
      if (client === null) {
        settings.surfaces[surface] = on ?? true;
      } else {
        const own = (settings.clients[clientOf(client).id] ??= {});
        if (on === null) delete own[surface];
        else own[surface] = on;
      }
      shelf.publish();
    },
    async setArchives(on) {
      shelf.settings.archives = on;
      shelf.publish();
    },
    async setPort(port) {
      shelf.settings.port = port;
      shelf.publish();
    },
    async setWithhold(on) {
      shelf.settings.withhold = on;
      shelf.publish();
    },
  };
}
