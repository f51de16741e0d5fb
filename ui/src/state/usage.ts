// What was used, as the page draws it. Pure, so that a table can test it.

import type { ServerUsage, SkillUsage, UsageReport, UsageVerdict, Used } from '../backend/types';
import { speech } from '../speech.svelte';

/** One day of a chart. */
export interface Day {
  /** `2026-11-24`. */
  day: string;
  calls: number;
  failed: number;
}

const length = 86_400_000;

/** Every day of a report, the days without a call too. */
export function daysOf({ from, days }: UsageReport): string[] {
  const first = Date.parse(from);
  return Array.from({ length: days }, (_, at) => new Date(first + at * length).toISOString().slice(0, 10));
}

/** The calls of each day. */
export function perDay(report: UsageReport, used: readonly Used[]): Day[] {
  const all = new Map(daysOf(report).map((day) => [day, { day, calls: 0, failed: 0 }]));
  for (const { day, calls, failed } of used) {
    const at = all.get(day);
    if (!at) continue;
    at.calls += calls;
    at.failed += failed;
  }
  return [...all.values()];
}

/** The calls of one client. */
export const callsOf = (skill: SkillUsage | ServerUsage, client: string): number =>
  skill.used.reduce((sum, used) => sum + (used.client === client ? used.calls : 0), 0);

/** The ids of clients that called, the busiest first. */
export function callers(report: UsageReport): string[] {
  const calls = new Map<string, number>();
  for (const { used } of report.skills) for (const { client, calls: more } of used) calls.set(client, (calls.get(client) ?? 0) + more);
  return [...calls].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([client]) => client);
}

/** How dark a cell is, from 0 for nothing to 4 for the most. */
export const levelOf = (calls: number, most: number): number => (calls === 0 ? 0 : Math.max(1, Math.ceil((4 * calls) / Math.max(most, 1))));

/** The skills that lists spend most on each time, with their lines. */
export const dearest = ({ skills }: UsageReport): SkillUsage[] =>
  skills.filter(({ enabled, line }) => enabled && line > 0).sort((a, b) => b.line - a.line);

/** A skill, and one thing that follows for it. */
export interface Finding {
  skill: SkillUsage;
  verdict: UsageVerdict;
}

/** What follows, by what it is. */
export function findings({ skills }: UsageReport, verdict: UsageVerdict['verdict']): Finding[] {
  return skills.flatMap((skill) => skill.verdicts.filter((each) => each.verdict === verdict).map((each) => ({ skill, verdict: each })));
}

/** Clients that get skills twice from one folder, with the names of those skills. */
export function twice(report: UsageReport): { client: string; name: string; path: string; place: string; ours: boolean; skills: SkillUsage[] }[] {
  const found = new Map<string, ReturnType<typeof twice>[number]>();
  for (const { skill, verdict } of findings(report, 'loaded-twice')) {
    if (verdict.verdict !== 'loaded-twice') continue;
    const { client, name, path, place, ours } = verdict;
    const id = `${client}\n${path}\n${ours}`;
    const one = found.get(id) ?? { client, name, path, place, ours, skills: [] };
    one.skills.push(skill);
    found.set(id, one);
  }
  return [...found.values()];
}

/** From so many failures on, if they are one call in so many, something often fails: the engine's rule for skills. */
const [failures, oneIn] = [3, 4];
/** From so many calls on, with so long a mean in milliseconds, a server is slow. */
const [enough, slow] = [3, 5_000];

/** Servers that often fail, and those that are slow. One that fails is not judged by its time. */
export function serverFindings({ servers }: UsageReport): { server: ServerUsage; verdict: ServerVerdict }[] {
  return servers.flatMap((server) => {
    const verdict = server.name && verdictOn(server);
    return verdict ? [{ server, verdict }] : [];
  });
}

type ServerVerdict = 'often-fails' | 'slow';

function verdictOn({ calls, failed, ms }: ServerUsage): ServerVerdict | null {
  if (failed >= failures && failed * oneIn >= calls) return 'often-fails';
  return calls >= enough && ms / calls >= slow ? 'slow' : null;
}

/** A day for people: `24 Nov`. */
export const dayName = (day: string): string => new Intl.DateTimeFormat(speech().tag, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day));

/** The sum of one number. */
export const total = <T>(all: readonly T[], of: (each: T) => number): number => all.reduce((sum, each) => sum + of(each), 0);
