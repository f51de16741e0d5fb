// Dialogs with more in them than fits: everything keeps its height, and the dialog scrolls.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

/** Looks at a skill as if it were one of many: every thirteenth has something to look at. */
const many = `
  const plain = { carried: { scripts: [], programs: [], archives: [], hosts: [], servers: [], tools: [], commands: [], files: 1, size: 900 }, findings: [], leftOut: [] };
  const odd = { ...plain, carried: { ...plain.carried, scripts: [{ language: 'Shell', paths: ['scripts/sync.sh'] }], files: 2 },
    findings: [{ rule: 'download-and-run', severity: 'high', message: 'This downloads a program and runs it at once.', path: 'scripts/sync.sh', line: 2, column: 1 }] };
  let looked = 0;
  const trust = () => (looked++ % 13 === 0 ? odd : plain);
`;
const press = (name: string) => page.run('document.querySelector(arguments[0]).click()', name);

interface Case {
  name: string;
  /** The content of the in-memory backend, and what is changed in it. */
  at: string;
  change?: string;
  open: () => Promise<unknown>;
}

const cases: Case[] = [
  {
    name: 'enabling many skills',
    at: '?more=104',
    change: `${many} memory.lookAtSkill = async (key) => ({ key, digest: key, asks: true, unseen: false, trust: trust() }); memory.lookAtReady = async () => (await memory.current()).skills.map((skill) => ({ key: skill.key, digest: '1', asks: true, unseen: false, trust: trust() }));`,
    open: async () => {
      await press('[aria-label="Add skills"]');
      await page.press('Add folder…');
      await page.press('Add folder');
      await page.find('dialog [data-testid=finding]');
    },
  },
  {
    name: 'importing many skills',
    at: '',
    change: `${many} const look = memory.lookAtImport; memory.lookAtImport = async (path) => {
      const plan = await look(path);
      const skills = Array.from({ length: 60 }, (_, n) => ({ ...plan.skills[0], path: 'skills/s' + n, id: 's' + n, name: 'Skill ' + n, trust: trust() }));
      const refused = Array.from({ length: 40 }, (_, n) => ({ path: 'skills/broken-' + n, why: 'It has 812 files, and 512 are the most.' }));
      return { ...plan, skills, refused, leftOut: refused.map(({ path }) => path + ' is not part of a skill.') };
    };`,
    open: async () => {
      await page.run('memory.drop("/home/mei/Downloads/skills.zip")');
      await page.find('dialog [data-testid=finding]');
      await press('dialog .body > .fold > .fold-h');
    },
  },
  {
    name: 'putting many skills in a folder',
    at: '?clients',
    change: `const plan = memory.planClientFolder; memory.planClientFolder = async (...given) => {
      const found = await plan(...given);
      return { ...found, steps: Array.from({ length: 80 }, (_, n) => ({ skill: 'skill-' + n, does: n < 60 ? 'link' : 'leave', why: 'Somebody else put it there.' })) };
    };
    const folders = memory.clientFolders; memory.clientFolders = async () => (await folders()).map((folder) => ({ ...folder, skills: Array.from({ length: 20 }, (_, n) => ({ id: 'edited-' + n, state: 'edited', why: 'Its copy was edited.' })) }));`,
    open: async () => {
      await press('nav [title=Clients]');
      await press('[aria-label="Details of Codex"]');
      await (await page.find('[aria-label="Change the skills in ~/.agents/skills"]')).click();
      await page.find('dialog [data-testid=step]');
    },
  },
  {
    name: 'the checkup',
    at: '',
    change: `const doctor = memory.doctor; memory.doctor = async () => { const { checks } = await doctor(); return { checks: Array.from({ length: 5 }, () => checks).flat().map((check, n) => ({ ...check, state: n % 2 ? 'fine' : 'attention' })) } };`,
    open: async () => {
      await page.chord(Key.CONTROL, 'k');
      await page.keys('Check everything', Key.ENTER);
      await page.find('dialog [data-testid=check]');
      await press('dialog .fold-h');
    },
  },
  {
    name: 'the servers that others added',
    at: '?clients',
    change: `const servers = memory.configuredServers; memory.configuredServers = async () => { const found = await servers(); return Array.from({ length: 12 }, () => found).flat() };`,
    open: async () => {
      await press('nav [title=Clients]');
      await page.press(await page.run<string>(`return [...document.querySelectorAll('button')].map((each) => each.textContent.trim()).find((words) => words.includes('that others added'))`));
      await page.find('dialog [data-testid=server]');
    },
  },
  {
    name: 'a page of help',
    at: '',
    open: async () => {
      await page.keys(Key.F1);
      await page.press('Rules');
      await page.find('dialog [data-testid=help] h3');
    },
  },
  {
    name: 'a long change in the first run',
    at: '?first-run&clients',
    change: `const plan = memory.planClient; memory.planClient = async (...given) => { const found = await plan(...given); return { ...found, lines: Array.from({ length: 40 }, () => found.lines).flat(), notes: Array.from({ length: 12 }, () => 'It reads this file when it starts, and writes it when it ends.') } };`,
    open: async () => {
      // The plans are made as the page comes.
      await (await page.find('[aria-label^="See the change for"]')).click();
      await page.find('dialog');
    },
  },
  {
    name: 'a text that was kept',
    at: '',
    change: `memory.keepVersion('claude/code-review', Array.from({ length: 200 }, (_, n) => 'Line ' + n).join('\\n'), true)`,
    open: async () => {
      await page.openSkill('claude/code-review');
      await page.press('Compare…');
      await page.find('dialog');
    },
  },
  {
    name: 'an entry that was taken out',
    at: '?clients',
    change: `const drift = memory.readDrift; memory.readDrift = async (...given) => { const found = await drift(...given); return { ...found, theirs: null, ours: Array.from({ length: 60 }, () => found.ours).join('\\n') } };`,
    open: async () => {
      await press('nav [title=Clients]');
      await (await page.find('[aria-label="See the change in VS Code"]')).click();
      await page.find('dialog');
    },
  },
  {
    name: 'a set of many skills',
    at: '?more=200',
    open: async () => {
      await press('[data-testid=skill-row]');
      await page.run(`document.querySelector('[data-testid=skill-row]').focus()`);
      await page.chord(Key.CONTROL, 'a');
      await page.press('Make a set…');
      await page.find('dialog');
    },
  },
];

test.each(cases.flatMap((each) => [[each.name, 900, 640, each] as const, [each.name, 1280, 800, each] as const]))('%s at %i x %i: no box is lower than what is in it', async (_, width, height, { at, change, open }) => {
  await page.resize(width, height);
  try {
    await page.open(at);
    if (change) await page.run(change);
    await open();
    expect(await page.squeezed()).toEqual([]);
    // All of it can be reached, and the buttons stay.
    const [end, bottom, footer, window] = await page.run<[number, number, number, number]>(`
      const body = document.querySelector('dialog[open] .body');
      body.scrollTop = body.scrollHeight;
      const at = (each) => each.getBoundingClientRect().bottom;
      return [at(body.lastElementChild), at(body), at(document.querySelector('dialog[open] footer')), innerHeight]`);
    expect(end).toBeLessThanOrEqual(bottom + 1);
    expect(footer).toBeLessThanOrEqual(window);
  } finally {
    await page.resize(1280, 800);
  }
});

test('many skills are summed up first, and those with something to look at are open', async () => {
  const { at, change, open } = cases[0]!;
  await page.open(at);
  await page.run(change!);
  await open();
  const all = await page.run<number>('return memory.current().then(({ skills }) => skills.length)');
  const open_ = Math.ceil(all / 13);
  expect((await page.texts('dialog .body > .m')).join()).toBe(`${all - open_} carry nothing but text. ${open_} have something to look at.`);
  expect(await page.texts('dialog .body > h3')).toHaveLength(open_);
  expect(await page.run('return document.querySelector("dialog .fold-h").ariaExpanded')).toBe('false');
  expect(await page.texts('dialog .fold li')).toHaveLength(all - open_);
});
