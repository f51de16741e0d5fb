// How a client's standing is told: its group on the page and the three steps of its proof.

import type { Client, Peer } from '../backend/types';

export type ClientGroup = 'needsYou' | 'added' | 'found' | 'missing';

/** Whether the client waits for the person: it has to be restarted, or its file holds an entry that is not ours. */
export function needsYou(client: Client): boolean {
  return groupOf(client) === 'needsYou';
}

export function groupOf(client: Client): ClientGroup {
  const { state } = client.standing;
  if (state === 'different') return 'needsYou';
  if (state === 'added') return client.proof === 'waiting' ? 'needsYou' : 'added';
  return client.found ? 'found' : 'missing';
}

/** Two letters that stand for the client; we show nobody's logo. */
export function initials(name: string): string {
  const words = name.split(/\s+/);
  return words.length > 1 ? words[0]![0]! + words[1]![0]! : name.slice(0, 2);
}

/** What a client said of itself, in one line. */
export function said(peer: Peer): string {
  const name = [peer.name, peer.version].filter(Boolean).join(' ');
  return [name, `MCP ${peer.protocol}`, ...peer.capabilities].filter(Boolean).join(', ');
}
