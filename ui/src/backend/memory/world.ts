// What the parts of the in-memory backend share.

import type { Settings } from '../types';
import type { Replay } from './recorded';

export interface World {
  replay: Replay;
  /** Sends the next snapshot. */
  publish(): void;
  /** What was opened outside the window, in order. */
  opened: string[];
  settings: Settings;
}
