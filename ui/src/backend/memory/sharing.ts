// Which example skills share a server, and which of them use the same name for another one.

import type { Need, SkillName } from '../types';
import type { Shelf } from './shelf';
import { field } from './text';

/** One server with the skills that use it. */
export interface Shared {
  /** Its name in the list: `teapot-2`, when the name in its skills is taken. */
  name: string;
  need: Need;
  users: SkillName[];
  /** The first skill of the server that already has the name. */
  beside: SkillName | null;
}

export function sharing(shelf: Shelf): Shared[] {
  const found: Shared[] = [];
  for (const [key, skill] of shelf.library) {
    if (!skill.enabled) continue;
    for (const need of skill.needs) {
      const user = { key, name: field(skill.text, 'name') ?? skill.id };
      const alike = found.filter((each) => each.need.server === need.server);
      const linked = shelf.links.has(`${key} ${need.server}`);
      const same = alike.find((each) => linked || JSON.stringify(each.need.command) === JSON.stringify(need.command));
      const name = alike.length ? `${need.server}-${alike.length + 1}` : need.server;
      if (same) same.users.push(user);
      else found.push({ name, need, users: [user], beside: alike[0]?.users[0] ?? null });
    }
  }
  return found;
}
