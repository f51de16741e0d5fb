// A client's file before and after our entry.

import type { Client, ConnectPlan, DiffLine } from '../types';
import { digest } from './text';

export function connectedConfig(text: string): string {
  return text.replace(
    '    }\n  }\n',
    '    },\n    "skilltender": {\n      "command": "/usr/bin/skilltender",\n      "args": ["mcp", "--client", "claude-desktop"]\n    }\n  }\n',
  );
}

export function plan(client: Client, before: string, after: string): ConnectPlan {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const numbered = (sign: DiffLine['sign'], lines: string[], first: number): DiffLine[] =>
    lines.map((text, i) => ({ sign, number: first + i, text }));
  const removed = numbered('removed', old.slice(head, old.length - tail), head + 1);
  const added = numbered('added', fresh.slice(head, fresh.length - tail), head + 1);
  return {
    client: client.id,
    id: digest(before),
    place: client.place,
    file: 'changed',
    lines: [
      ...numbered('same', fresh.slice(0, head), 1),
      ...removed,
      ...added,
      ...numbered('same', fresh.slice(fresh.length - tail, -1), fresh.length - tail + 1),
    ],
    added: added.length,
    removed: removed.length,
  };
}

