// What was written lately, and undoing it: the example's own list, because a person writes and undoes in any order.

import type { MainCommands } from '../commands';
import type { OwnWrite } from '../types';
import type { Replay } from './recorded';

/** Notes what was written, and what takes it back. */
export type Written = (what: OwnWrite['what'], back: () => unknown) => void;

export function writes(replay: Replay): { written: Written; commands: Pick<MainCommands, 'ownWrites' | 'undoWrite'> } {
  const all: { write: OwnWrite; back: () => unknown }[] = [];
  return {
    written(what, back) {
      const id = Math.max(Date.now(), (all[0]?.write.id ?? 0) + 1);
      all.unshift({ write: { id, time: id, what, undo: true, undone: false }, back });
    },
    commands: {
      ownWrites: async () => all.map(({ write }) => ({ ...write })),
      async undoWrite(moment) {
        const { write, back } = all.find(({ write: { id } }) => id === moment)!;
        await back();
        Object.assign(write, { undo: false, undone: true });
        replay.publish();
      },
    },
  };
}
