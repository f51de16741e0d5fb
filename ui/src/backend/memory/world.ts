// What the parts of the in-memory backend share: the replayed recording, and what it does not hold.

import type { Settings, SkillSet, Trashed } from '../types';
import type { Replay, Things } from './recorded';

export interface World {
  replay: Replay;
  /** Sends the next snapshot. */
  publish(): void;
  /** What was opened outside the window, in order. */
  opened: string[];
  /** Texts that were put aside. */
  kept: { key: string; text: string; moment: number; unsaved: boolean }[];
  trash: (Trashed & { skill: Things['skill'] })[];
  settings: Settings;
  sets: SkillSet[];
  /** Listeners for the server that the consent window asks about. */
  asking: Set<(server: string | null) => void>;
  /** Whether Claude Desktop runs. */
  running: boolean;
}
