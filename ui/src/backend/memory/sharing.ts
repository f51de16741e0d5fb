// Which example skills share a server, and which of them call another one by its name.

import type { Need, SkillName } from '../types';
import type { Shelf } from './shelf';
import { field } from './text';

/** One server with the skills that use it, and those that cannot have the name. */
export interface Shared {
  need: Need;
  users: SkillName[];
  others: SkillName[];
}

export function sharing(shelf: Shelf): Shared[] {
  const found = new Map<string, Shared>();
  for (const [key, skill] of shelf.library) {
    if (!skill.enabled) continue;
    for (const need of skill.needs) {
      const name = { key, name: field(skill.text, 'name') ?? skill.id };
      const first = found.get(need.server);
      if (!first) found.set(need.server, { need, users: [name], others: [] });
      else if (shelf.links.has(`${key} ${need.server}`) || JSON.stringify(first.need.command) === JSON.stringify(need.command)) first.users.push(name);
      else first.others.push(name);
    }
  }
  return [...found.values()];
}
