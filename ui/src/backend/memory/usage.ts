// What was used: days that end today, so that no recording has them. Always the same for the same skills.

import type { MainCommands } from '../commands';
import type { SkillUsage, UsageReport, UsageVerdict, Used } from '../types';
import type { Replay } from './recorded';

const length = 86_400_000;
const date = (at: number) => new Date(at).toISOString().slice(0, 10);

/** `counted`: for how many days anything was counted; none for 0. */
export function usage(replay: Replay, counted: number, opened: string[]): Partial<MainCommands> {
  let wiped = counted === 0;
  // A number below `most` that hangs on its words.
  const some = (most: number, ...words: (string | number)[]) => {
    let hash = 7;
    for (const letter of words.join('/')) hash = (hash * 31 + letter.codePointAt(0)!) % 99_991;
    return hash % most;
  };
  return {
    async readUsage(days) {
      const today = Date.now();
      const shown = Math.min(days, counted);
      const clients = replay.all('client').filter(({ found }) => found).slice(0, 4);
      const rows = replay.all('skill').map(({ row }) => row);
      const used = (name: string, weight: number, cost: number): Used[] =>
        wiped || weight === 0 ? [] : Array.from({ length: shown }, (_, at) => at).flatMap((at) =>
          clients.flatMap(({ id }, place) => {
            const calls = some(2 + place, name, at, id) === 0 ? some(weight * 3, at, name, id) % (weight + 1) : 0;
            const failed = calls > 4 ? some(2, name, at) : 0;
            return calls ? [{ day: date(today - (shown - 1 - at) * length), client: id, calls, failed, cost: calls * cost }] : [];
          }));
      const sum = (all: Used[], of: 'calls' | 'failed' | 'cost') => all.reduce((total, each) => total + each[of], 0);
      const skills = rows.map((row, at): SkillUsage => {
        const weight = at % 4 === 3 ? 0 : 1 + some(9, row.id);
        const mine = row.enabled ? used(row.id, weight, 400 + some(2_000, row.id)) : [];
        const line = Math.ceil((row.id.length + row.name.length + row.description.length + 34) / 4);
        const lists = wiped || !row.enabled ? 0 : shown * 6;
        const verdicts: UsageVerdict[] = [];
        const [client] = clients;
        if (row.enabled && row.folder === 'claude' && client && !wiped && at % 3 === 0) verdicts.push({ verdict: 'loaded-twice', client: client.id, name: client.name, path: '/home/mei/.claude/skills', place: '~/.claude/skills', ours: at % 2 === 0 });
        if (sum(mine, 'failed') >= 3 && sum(mine, 'failed') * 4 >= sum(mine, 'calls')) verdicts.push({ verdict: 'often-fails' });
        if (row.enabled && mine.length === 0 && shown >= days) verdicts.push({ verdict: 'never-used' });
        if (row.enabled && mine.length > 0 && line * lists >= 2_000 && line * lists > 10 * sum(mine, 'cost')) verdicts.push({ verdict: 'costs-more' });
        return {
          id: row.id, key: row.key, name: row.name, enabled: row.enabled, calls: sum(mine, 'calls'), failed: sum(mine, 'failed'), loaded: sum(mine, 'cost'),
          lists, listed: line * lists, line, last: mine.at(-1)?.day ?? null, used: mine, verdicts,
        };
      }).filter((skill) => skill.enabled || skill.calls > 0);
      const servers = replay.all('server').map(({ row: { name } }) => name).slice(0, 3).map((name) => {
        const mine = used(name, 4, 180 + some(900, name));
        return { name, calls: sum(mine, 'calls'), failed: sum(mine, 'failed'), ms: sum(mine, 'cost'), used: mine };
      }).filter(({ calls }) => calls > 0);
      const report: UsageReport = {
        days, from: date(today - (days - 1) * length), to: date(today), since: wiped ? null : date(today - (counted - 1) * length),
        skills: skills.sort((a, b) => b.calls - a.calls || b.listed - a.listed || (a.id < b.id ? -1 : 1)),
        servers: servers.sort((a, b) => b.calls - a.calls),
      };
      return report;
    },
    saveUsage: async (days, saveTo) => void opened.push(`usage of ${days} days to ${saveTo}`),
    async wipeUsage() {
      wiped = true;
      opened.push('usage wiped');
    },
  };
}
