// How a client's state is shown: its group on the page, its word, and the three steps of its proof.

import type { Client, ClientChange, Peer, Standing, Transport } from '../backend/types';
import type { ShapeName } from '../controls/Shape.svelte';
import { t } from '../text';
import { when } from './when';

/** The groups of the page, from top to bottom. */
export const clientGroups = ['needsYou', 'restart', 'connected', 'added', 'found', 'missing'] as const;
export type ClientGroup = (typeof clientGroups)[number];

// An entry of our name that is not ours asks for nothing: it is what somebody wants there.
const asking: Standing['state'][] = ['edited', 'dropped', 'outdated'];
const isAsking = ({ standing }: { standing: Standing }): boolean => asking.includes(standing.state);

/** Whether the client needs the person: our entry differs from the written one. */
export function needsYou(client: Client): boolean {
  return groupOf(client) === 'needsYou';
}

export function groupOf(client: Client): ClientGroup {
  const { standing, projects } = client;
  // It needs no decision: the next restart of the client finishes it.
  const waits = (standing.state === 'added' && client.proof === 'waiting') || (standing.state === 'dropped' && standing.waiting);
  if (waits && !projects.some(isAsking)) return 'restart';
  if (isAsking(client) || projects.some(isAsking)) return 'needsYou';
  if (standing.state === 'refused' && client.written !== null) return 'needsYou';
  if (standing.state === 'added') return client.live ? 'connected' : 'added';
  if (standing.state === 'shared' || projects.length > 0) return 'added';
  return client.found ? 'found' : 'missing';
}

/** Whether a client's name or the path of its file contains all typed words. */
export function isNamed(client: Client, query: string): boolean {
  const text = `${client.name} ${client.id} ${client.place}`.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The client of `others` before this one that reads the same file: one entry is enough for both. */
export function sharedWith(client: Client, others: readonly Client[]): Client | undefined {
  return others.slice(0, others.indexOf(client)).find((other) => client.shared.includes(other.name));
}

/** Two letters for the client; the window shows no logos. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\w/.test(word));
  return words.length > 1 ? words[0]![0]! + words[1]![0]! : name.slice(0, 2);
}

/** The state of a client in one word; absent when it needs none. */
export interface Said {
  shape: ShapeName;
  word: string;
  kind: 'ready' | 'needs' | 'problem' | 't2';
}

export function saidOf(client: Client): Said | null {
  const { standing } = client;
  const needs = (word: string): Said => ({ shape: 'needs', word, kind: 'needs' });
  const waits: Said = { shape: 'wait', word: t('client.waiting'), kind: 't2' };
  const added: Said = { shape: 'ready', word: t('client.added'), kind: 'ready' };
  switch (standing.state) {
    case 'refused':
      return { shape: 'problem', word: t('client.refused'), kind: 'problem' };
    case 'different':
      return { shape: 'off', word: t('client.different'), kind: 't2' };
    case 'edited':
      return needs(t('client.edited'));
    case 'dropped':
      return standing.waiting ? waits : needs(t('client.dropped'));
    case 'outdated':
      return needs(t('client.outdated'));
    case 'shared':
      return added;
    case 'absent':
      return client.projects.length ? { ...added, word: t('client.inProjects', { n: client.projects.length }) } : null;
    case 'added':
      if (client.proof === 'waiting') return waits;
      return client.live ? { ...added, word: t('client.isConnected') } : added;
  }
}

/** One step of the proof that a client works. */
export interface Step {
  shape: ShapeName;
  text: string;
  /** Whether it has not happened yet. */
  todo: boolean;
}

const done = (text: string): Step => ({ shape: 'done', text, todo: false });
const todo = (shape: ShapeName, text: string): Step => ({ shape, text, todo: true });

/** Written, connected, called: the proven steps of a client's connection at the moment `now`. Empty without Skilltender's entry. */
export function proofOf(client: Client, now: number): Step[] {
  const { standing, written, connected, called } = client;
  if (written === null || !['added', 'outdated', 'edited', 'dropped'].includes(standing.state)) return [];
  const first = done(t('client.written', { when: when(written, now) }));
  const since = connected === null ? t('client.notConnected') : t('client.connected', { when: when(connected, now) });
  // What happened to the entry since is said once, in the row's own words.
  if (standing.state === 'edited' || standing.state === 'dropped') return [first];
  const second = client.proof === 'waiting' ? todo('wait', t('client.connectsAfterRestart')) : done(client.live ? t('client.connectedNow') : since);
  if (client.proof !== 'called' || called === null) return [first, second, todo('off', t('client.notCalled'))];
  const last = when(called.at, now);
  return [first, second, done(client.calls ? t('client.called', { n: client.calls, when: last }) : t('client.calledOnce', { when: last }))];
}

/** What a client reported about itself, in one line. */
export function saidBy({ name, version, protocol, capabilities, transport }: Peer): string {
  const words = [[name, version].filter(Boolean).join(' '), `MCP ${protocol}`, capabilities.join(', '), t(transport === 'stdio' ? 'way.overStdio' : 'way.overHttp')];
  return words.filter(Boolean).join(' · ');
}

/** The request to add Skilltender's entry. */
export type Connect = Extract<ClientChange, { change: 'connect' }>;

export const toConnect = (project: string | null = null, transport: Transport | null = null): Connect => ({ change: 'connect', transport, project, again: false });
export const toDisconnect = (project: string | null = null): ClientChange => ({ change: 'disconnect', project });
export const toUpdate = (project: string | null = null, transport: Transport | null = null): ClientChange => ({ change: 'update', transport, project });
