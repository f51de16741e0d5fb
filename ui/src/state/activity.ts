// The calls of clients as the page shows them. Pure, so that a table can test it.

import type { Call } from '../backend/types';
import { formatNumber, t } from '../text';

export interface CallFilter {
  query: string;
  /** A client's id; empty for all. */
  client: string;
  failedOnly: boolean;
}

/** The calls that match a filter, and how many of them failed. */
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

/** The target of a call: a skill's address without the common prefix. */
export function targetOf({ target }: Call): string {
  return target.replace(/^(skill|resource):\/\//, '');
}

export function tookOf(ms: number): string {
  return ms < 1_000 ? t('took.milliseconds', { n: ms }) : t('took.seconds', { time: formatNumber(ms / 1_000, ms < 10_000 ? 2 : 1) });
}
