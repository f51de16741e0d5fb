// What the in-memory backend holds, and what its parts share.

import type { ExampleServer } from './servers';
import { folders, type ExampleSkill } from '../example';
import type { Client, Settings, SkillSet, Trashed } from '../types';
import { failure } from './text';

export interface Shelf {
  /** The skills by key. */
  library: Map<string, ExampleSkill>;
  folders: typeof folders;
  clients: Client[];
  sets: SkillSet[];
  settings: Settings;
  trash: (Trashed & { key: string; skill: ExampleSkill })[];
  /** What is known of servers besides what skills say of them. */
  servers: Map<string, ExampleServer>;
  /** Whose server a skill uses by link: its key and the server, and the other's key. */
  links: Map<string, string>;
  /** Who hears which server is asked about. */
  asking: Set<(server: string | null) => void>;
  /** Skills that the person has switched, or wrote. */
  switched: Set<string>;
  /** Sends the next snapshot. */
  publish(): void;
}

export function skillOf(shelf: Shelf, key: string): ExampleSkill {
  const skill = shelf.library.get(key);
  if (!skill) throw failure('not-found', 'This skill is not in the library any more.');
  return skill;
}
