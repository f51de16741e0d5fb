// Joining a team: its page is replayed as it was recorded, or made larger; what a yes leaves hangs on what is given then.

import type { ConsentCommands, MainCommands } from '../commands';
import type { Asked } from '../backend';
import type { TeamLeft, TeamMissing, TeamPage } from '../types';
import type { Replay } from './recorded';

/** `how`: what is shown of a team; `ask` opens the window that asks. */
export function team(replay: Replay, how: string | null, ask: (asked: Asked) => void): Partial<MainCommands & ConsentCommands> {
  const { commands } = replay;
  const recorded = async (): Promise<TeamPage> => {
    const page = await commands.lookAtTeam('acme/team');
    if (how === 'many') return many(page);
    return how === 'hostile' ? hostile(page) : page;
  };
  const given = new Set<string>();
  let yes = how === 'joined' || how === 'missing' || how === 'done';
  let end = () => {};

  const leftOf = ({ servers, skills }: TeamPage): TeamLeft => {
    const all = servers.flatMap(({ name, skills, asks }) => asks.filter(({ required, given }) => required && given === null).map((ask) => ({ ...ask, server: name, skills: skills.map((id) => `own/${id}`) })));
    const open = how === 'done' ? [] : all.filter(({ server, name }) => !given.has(`${server} ${name}`));
    const rows = (secret: boolean): TeamMissing[] => open.filter((one) => one.secret === secret).map(({ skills, server, name, how, address }) => ({ skills, server, name, how, address }));
    const waits = new Set(open.map(({ server }) => server));
    const left = how === 'joined' ? [{ name: skills[0]!.name, why: `${skills[0]!.name} was changed here, so it stays: updating it merges both.`, act: null }] : [];
    const asks = how === 'joined' ? [{ name: servers[0]!.name, why: `Another form of ${servers[0]!.name} was approved before, so it is asked about by itself.`, act: 'approve' as const }] : [];
    return { skills: left, sets: [], secrets: rows(true), values: rows(false), servers: asks, ready: servers.map(({ name }) => name).filter((name) => !waits.has(name) && !asks.length) };
  };

  return {
    async lookAtTeam(written) {
      if (how === 'hangs') await new Promise<void>((_, no) => (end = () => no({ kind: 'refused', message: 'It was ended, so nothing was fetched.', hints: [] })));
      return replay.knows('lookAtTeam', [written]) && how !== 'many' && how !== 'hostile' ? commands.lookAtTeam(written) : written.includes('/home/') ? commands.lookAtTeam(written) : recorded();
    },
    async cancelFetching() {
      end();
    },
    async askTeam(id) {
      const { name, from } = await recorded();
      ask({ kind: 'team', id, name: name ?? from });
    },
    async teamAsked() {
      const page = await recorded();
      return { page, left: yes ? leftOf(page) : null, keychain: replay.recording.keychain[1] };
    },
    async joinTeam() {
      yes = true;
      return leftOf(await recorded());
    },
    teamLeft: async () => (yes ? leftOf(await recorded()) : null),
    async setSecret(key, server, name, value) {
      if (replay.knows('setSecret', [key, server, name])) await commands.setSecret(key, server, name, value);
      else given.add(`${server} ${name}`);
    },
    async setValue(key, server, name, value) {
      if (replay.knows('setValue', [key, server, name, value])) await commands.setValue(key, server, name, value);
      else given.add(`${server} ${name}`);
    },
    callClient: async (id) => (id === 'codex' ? { state: 'silent', why: 'Its entry was called: the server closed the connection.' } : { state: 'answered', tools: 12 }),
  };
}

/** Thirty skills, ten servers and twelve secrets, with long names. */
function many(page: TeamPage): TeamPage {
  const long = (n: number) => 'a-name-that-says-what-it-is-about-'.repeat((n % 3) + 1) + n;
  const skills = Array.from({ length: 30 }, (_, n) => ({ ...page.skills[n % page.skills.length]!, name: long(n) }));
  const [server] = page.servers as [TeamPage['servers'][number]];
  const ask = (n: number) => ({ ...server.asks[0]!, required: true, given: null, name: `${'A_SECRET_OF_THE_TEAM_'.repeat((n % 4) + 1)}${n}` });
  const servers = Array.from({ length: 10 }, (_, n) => ({
    ...server,
    name: `server-${n}`,
    skills: [long(n), long(n + 10)],
    command: [...server.command, ...Array.from({ length: n }, (_, at) => `--option-${at}=${'value'.repeat(at * 6 + 1)}`)],
    unpinned: n === 3 ? '@acme/unpinned' : null,
    redirects: n === 4 ? ['NODE_OPTIONS'] : [],
    asks: n < 2 ? [ask(n), ask(n + 10), { ...ask(n), name: 'REGION', secret: false, default: n ? 'north' : null }] : [ask(n)],
  }));
  return { ...page, skills, servers, sets: [{ name: 'Everything', skills: skills.map(({ name }) => name), here: true }], clients: [...page.clients, { id: 'a-client-of-tomorrow', name: null, installed: false, connected: false }] };
}

/** What others write to be taken for the window's own words; the engine has spelled out what nobody sees. */
function hostile(page: TeamPage): TeamPage {
  const text = '<b>Approved by Skilltender</b> [click](https://evil.example) `code` **safe** <U+202E>gnp.exe\n\n# Everything is as the team’s file says.';
  return {
    ...page,
    name: `<img src=x onerror=alert(1)> ${'very '.repeat(12)}<U+202E>safe`,
    advice: text,
    servers: page.servers.map((server) => ({ ...server, command: ['npx', '-y', text, 'x'.repeat(900)], asks: server.asks.map((ask) => ({ ...ask, how: text, address: 'https://evil.example/' + 'long/'.repeat(60) })) })),
    sets: [{ name: text, skills: ['x'.repeat(200)], here: false }],
  };
}
