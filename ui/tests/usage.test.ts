import { describe, expect, test } from 'vitest';

import type { ServerUsage, SkillUsage, UsageReport, UsageVerdict, Used } from '../src/backend/types';
import { callers, callsOf, dayName, daysOf, dearest, findings, levelOf, perDay, serverFindings, twice } from '../src/state/usage';

const used = (day: string, client: string, calls: number, failed = 0): Used => ({ day, client, calls, failed, cost: calls * 100 });
const skill = (id: string, more: Partial<SkillUsage> = {}): SkillUsage => ({
  id, key: `f1/${id}`, name: id, enabled: true, calls: 0, failed: 0, loaded: 0, lists: 0, listed: 0, line: 20, last: null, used: [], verdicts: [], ...more,
});
const report = (skills: SkillUsage[], days = 3): UsageReport => ({ days, from: '2026-02-27', to: '2026-03-01', since: '2026-02-27', skills, servers: [] });
const both = (ours: boolean): UsageVerdict => ({ verdict: 'loaded-twice', client: 'codex', name: 'Codex', path: '/x', place: '~/x', ours });

describe('what was used', () => {
  test('every day is there, over the end of a month', () => {
    expect(daysOf(report([]))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysOf(report([], 1))).toHaveLength(1);
    expect(dayName('2026-03-01')).toBe('Mar 1');
  });

  test('calls are added up by day, and what is of no day of the report is left out', () => {
    const days = perDay(report([]), [used('2026-02-28', 'codex', 2, 1), used('2026-02-28', 'cursor', 3), used('2025-01-01', 'codex', 9)]);
    expect(days.map(({ calls, failed }) => [calls, failed])).toEqual([[0, 0], [5, 1], [0, 0]]);
  });

  test('clients come by their calls, and each has its own', () => {
    const tea = skill('tea', { used: [used('2026-02-28', 'codex', 1), used('2026-03-01', 'cursor', 3), used('2026-03-01', 'codex', 1)] });
    expect(callers(report([tea]))).toEqual(['cursor', 'codex']);
    expect([callsOf(tea, 'codex'), callsOf(tea, 'zed')]).toEqual([2, 0]);
  });

  test.each([[0, 9, 0], [1, 100, 1], [25, 100, 1], [26, 100, 2], [100, 100, 4], [1, 1, 4], [0, 0, 0]])('%i of at most %i calls is level %i', (calls, most, level) => {
    expect(levelOf(calls, most)).toBe(level);
  });

  test('the dearest lines are those of skills that models are told of', () => {
    expect(dearest(report([skill('a', { line: 3 }), skill('b', { line: 9 }), skill('c', { line: 0 }), skill('d', { line: 99, enabled: false })])).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('skills that one client gets twice from one folder are told together', () => {
    const skills = [skill('a', { verdicts: [both(true)] }), skill('b', { verdicts: [both(true), { verdict: 'never-used' }] }), skill('c', { verdicts: [both(false)] })];
    expect(twice(report(skills)).map(({ ours, skills: found }) => [ours, found.map(({ id }) => id)])).toEqual([[true, ['a', 'b']], [false, ['c']]]);
    expect(findings(report(skills), 'never-used').map(({ skill: { id } }) => id)).toEqual(['b']);
  });
});

test('a server that often fails or takes long is found, and one that was hardly called is not', () => {
  const server = (name: string, calls: number, failed: number, ms: number): ServerUsage => ({ name, calls, failed, ms, used: [] });
  const judged = (...servers: ServerUsage[]) => serverFindings({ ...report([]), servers }).map(({ server, verdict }) => `${server.name} ${verdict}`);
  expect(judged(server('figma', 12, 3, 900), server('linear', 13, 3, 900), server('sentry', 2, 2, 900))).toEqual(['figma often-fails']);
  expect(judged(server('figma', 3, 0, 15_000), server('linear', 2, 0, 60_000), server('sentry', 3, 0, 14_999), server('', 9, 9, 99_000))).toEqual(['figma slow']);
});
