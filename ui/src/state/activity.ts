// Calls of clients as the page tells them. Pure, so that it can be tested with a table.

import type { Call } from '../backend/types';

export interface CallFilter {
  query: string;
  /** A client's id; empty for all. */
  client: string;
  failedOnly: boolean;
}

/** The calls that a filter leaves, and how many of them failed. */
export function callsLeft(calls: readonly Call[], { query, client, failedOnly }: CallFilter, nameOf: (client: string) => string): { left: Call[]; failed: number } {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (call: Call) => {
    const text = `${nameOf(call.client)}\n${call.method}\n${call.target}`.toLowerCase();
    return (!client || call.client === client) && words.every((word) => text.includes(word));
  };
  const fitting = calls.filter(fits);
  const failed = fitting.filter((call) => !call.ok);
  return { left: failedOnly ? failed : fitting, failed: failed.length };
}

/** What was called: a skill's address without what all addresses share. */
export function targetOf({ target }: Call): string {
  return target.replace(/^(skill|resource):\/\//, '');
}

export function tookOf(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
