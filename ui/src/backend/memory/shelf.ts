// The data of the in-memory backend, and what its parts share.

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
  /** What is known of servers besides the skills' declarations. */
  servers: Map<string, ExampleServer>;
  /** Linked servers: a skill's key and the server, to the key of the skill whose server it uses. */
  links: Map<string, string>;
  /** Listeners for the server that the consent window asks about. */
  asking: Set<(server: string | null) => void>;
  /** Skills that the person has switched or written. */
  switched: Set<string>;
  /** Sends the next snapshot. */
  publish(): void;
}

export function skillOf(shelf: Shelf, key: string): ExampleSkill {
  const skill = shelf.library.get(key);
  if (!skill) throw failure('not-found', 'This skill is not in the library any more.');
  return skill;
}
