// Skills from repositories: added after a look, updated after a review, taken back.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const gone = () => page.until('the dialog closes', async () => (await page.all('dialog')).length === 0);
const dialog = async () => (await page.find('dialog')).getText();
const says = (words: string) => page.until(words, async () => (await dialog()).includes(words));
const fromGit = async (source: string) => {
  await (await page.find('[aria-label="Add skills"]')).click();
  await page.press('Add from git…');
  await page.keys(source, Key.ENTER);
};
/** What is on it is followed by its key. */
const updateNow = () => page.find('dialog .primary');
const review = async (key: string) => {
  await page.openSkill(key);
  await page.press('Update available');
  await page.find('dialog .review');
};
const toasts = () => page.texts('[data-testid=toast]');
const isOutdated = async () => (await page.texts('[data-testid=origin]')).join().includes('Update available');

test('a repository is looked at only when asked, and its skills come pinned and off', async () => {
  await page.open();
  await page.run('window.looked = []; const look = memory.lookAtSource; memory.lookAtSource = (source) => { looked.push(source); return look(source); }');
  await (await page.find('[aria-label="Add skills"]')).click();
  await page.press('Add from git…');
  expect(await page.focused()).toBe('');
  await page.keys('acme/skills');
  expect(await page.run('return looked')).toEqual([]);
  await page.keys(Key.ENTER);
  await says('acme/skills · 52f01f01af39');
  expect(await page.run('return looked')).toEqual(['acme/skills']);
  expect(await dialog()).toContain('is a link');
  expect(await page.focused()).toBe('Cancel');
  await page.press('Add 3 skills');
  await gone();
  const added = await page.run<[boolean, string][]>('return memory.current().then(({ skills }) => skills.filter(({ origin }) => origin).map(({ enabled, id }) => [enabled, id]))');
  expect(added).toEqual([[false, 'api-review'], [false, 'changelog'], [false, 'incident-report']]);
  await page.until('the first is shown', async () => (await page.texts('[data-testid=origin]')).join().startsWith('from acme/skills'));
});

test('of the skills of a repository those that were chosen come', async () => {
  await page.open();
  await fromGit('acme/skills');
  await page.find('dialog .choice');
  await (await page.all('dialog .ck'))[0]!.click();
  await page.press('Add 2 skills');
  await gone();
  expect(await page.run('return memory.current().then(({ skills }) => skills.filter(({ origin }) => origin).length)')).toBe(2);
});

test('a refused repository is told in the dialog, what was typed stays, and nothing is kept of a look that was ended', async () => {
  await page.open();
  await fromGit('acme/nothing');
  await says('There is no git repository at acme/nothing.');
  expect(await page.run('return document.activeElement.value')).toBe('acme/nothing');
  await page.run(`memory.lookAtSource = () => new Promise((_, refuse) => (memory.cancelFetching = async () => refuse({ kind: 'refused', message: 'It was cancelled, so nothing was fetched.', hints: [] })))`);
  await page.keys(Key.ENTER);
  await says('Fetching acme/nothing…');
  expect(await page.focused()).toBe('Cancel');
  await page.keys(Key.ENTER);
  await page.until('the field is asked again', async () => (await page.run('return document.activeElement.value')) === 'acme/nothing');
  expect(await page.all('dialog [role=alert]')).toEqual([]);
  await page.keys(Key.ESCAPE);
  await gone();
});

test('what a marketplace lists elsewhere is looked at one by one, when a person says so', async () => {
  await page.open();
  await page.run(`
    window.looked = [];
    const look = memory.lookAtSource;
    memory.lookAtSource = async (source) => {
      looked.push(source);
      if (source !== 'acme/market') return look(source);
      const seen = await look('acme/skills');
      const elsewhere = [
        { name: 'reviews', description: 'Reviews.', source: 'acme/skills', trouble: null },
        { name: 'packed', description: '', source: null, trouble: 'It is a package of a registry, which is not fetched.' },
      ];
      return { ...seen, plan: { ...seen.plan, skills: [], refused: [], leftOut: [] }, elsewhere };
    };`);
  await fromGit('acme/market');
  await says('2 plugins elsewhere, not fetched');
  await says('It is a package of a registry, which is not fetched.');
  expect(await page.all('dialog .primary')).toEqual([]);
  await (await page.find('[aria-label="Look at reviews"]')).click();
  await says('acme/skills · 52f01f01af39');
  expect(await page.run('return looked')).toEqual(['acme/market', 'acme/skills']);
  await page.keys(Key.ESCAPE);
  await gone();
});

test('a review says first what the skill can do after it, and then its files', async () => {
  await page.open('?sources');
  await review('own/incident-report');
  const text = await dialog();
  for (const words of ['scripts/collect.sh', 'logs.example.com', 'status.example.com', 'grafana: npx -y @acme/mcp-grafana@1.4.0', 'GRAFANA_TOKEN', 'This downloads a program and runs it at once']) expect(text).toContain(words);
  expect(text.indexOf('What it can do')).toBeLessThan(text.indexOf('2 files change'));
  await (await updateNow()).click();
  await gone();
  await page.until('it is said', async () => (await toasts()).join().includes('1 skill was updated.'));
  expect(await isOutdated()).toBe(false);
  expect(await page.focused()).not.toBe('');
});

test('by the keyboard alone, each question is answered before the update is made', async () => {
  await page.open('?sources');
  await review('own/api-review');
  expect(await (await updateNow()).isEnabled()).toBe(false);
  await page.keys('a');
  const asked = () => page.run<number>(`return [...document.querySelectorAll('[data-conflict]')].findIndex((each) => each.contains(document.activeElement))`);
  expect(await asked()).toBe(0);
  await page.keys('m');
  await says('1 question to answer');
  await page.keys('n');
  expect(await asked()).toBe(1);
  await page.keys('t');
  await page.until('all is answered', async () => (await updateNow()).isEnabled());
  await page.keys('a');
  await gone();
  expect(await page.run('return memory.textOf("own/api-review")')).toMatch(/a sentence that says what to do[\s\S]*Give 100/);
});

test('updates that change only text are made together, and the others stay to be reviewed', async () => {
  await page.open('?sources');
  expect(await page.texts('.list-head .small')).toEqual(expect.arrayContaining([expect.stringContaining('4 skills have updates.')]));
  await page.press('Review…');
  await says('4 updates, one after another');
  await page.press('Update all that change text only');
  // A tag that moved is looked at.
  await says('3 updates, one after another');
  await says('1 skill was updated.');
  await page.keys('l');
  await says('2 updates, one after another');
  await page.keys('l');
  await says('Update sql-style');
  await page.keys('l');
  await gone();
  await page.until('it is said', async () => (await toasts()).join().includes('1 skill was updated.'));
});

test('what changed since it was shown is shown again', async () => {
  await page.open('?sources');
  await review('own/changelog');
  await page.run(`const update = memory.updateSkill; memory.updateSkill = async () => { memory.updateSkill = update; throw { kind: 'changed', message: 'It changed.', hints: [] }; }`);
  await (await updateNow()).click();
  await says('changed since it was shown');
  await page.find('dialog .review');
  await page.keys(Key.ESCAPE);
  await gone();
  expect(await page.focused()).toBe('Update available');
});

test('without updates it says so, and looking finds them', async () => {
  await page.open('?sources=added');
  await page.chord(Key.CONTROL, 'k');
  await page.keys('Updates of', Key.ENTER);
  await says('No updates');
  await says('Last asked: just now.');
  await page.press('Look for updates');
  await says('4 updates, one after another');
});

test('a skill is taken back after a review, and Activity tells it', async () => {
  await page.open('?sources');
  await page.openSkill('own/changelog');
  await (await page.find('article [aria-haspopup=menu]')).click();
  await page.press('Versions…');
  await says('Updated');
  expect(await dialog()).toContain('52f01f01af39');
  await page.press('Go back…');
  await page.find('dialog .review');
  await page.press('Back');
  await page.until('the list has the focus', async () => (await page.focused()).startsWith('Go back…'));
  await page.keys(Key.ENTER);
  await page.find('dialog .review');
  await (await updateNow()).click();
  await gone();
  expect(await page.run('return memory.textOf("own/changelog")')).toContain('fixed, removed.');
  await (await page.find('nav [title="Activity"]')).click();
  await page.until('it is told', async () => (await page.texts('[data-testid=write]')).join().includes('changelog taken back to 52f01f01af39 of acme/skills'));
});

test('the settings list the repositories, with their trouble and their updates', async () => {
  await page.open('?sources');
  await (await page.find('nav [title="Settings"]')).click();
  const rows = (await page.texts('#sources .line')).map((row) => row.replace(/\s+/g, ' '));
  expect(rows[0]).toContain('acme/skills 3 skills, 3 have updates, asked just now');
  expect(rows.join()).toContain('There is no git repository at old/notes.');
  await page.run(`memory.askSources = () => new Promise((done) => (memory.cancelFetching = async () => done()))`);
  await page.press('Look for updates');
  await page.find('#sources [aria-busy=true]');
  expect(await page.focused()).toBe('Cancel');
  await page.keys(Key.ENTER);
  await page.until('it can be asked again', async () => (await page.focused()) === 'Look for updates');
});

test('what other programs installed says so, is adopted on a press, and that is taken back', async () => {
  await page.open('?sources');
  await page.openSkill('projects/postmortem');
  const managed = () => page.texts('[data-testid=managed] .by');
  await page.until('it says who installed it', async () => (await managed()).join() === 'installed by npx skills, from acme/skills');
  await page.press('Adopt');
  await page.until('it is followed', async () => (await page.texts('[data-testid=origin]')).join().startsWith('from acme/skills'));
  expect(await managed()).toEqual([]);
  await page.press('Undo');
  await page.until('it is not followed', async () => (await managed()).length === 1);
  // What is no repository has nothing to press.
  await page.openSkill('projects/quarterly-report');
  await page.until('it says who installed it', async () => (await managed()).join() === 'installed by npx skills, from npm:reports');
  expect(await page.all('[data-testid=managed] button')).toEqual([]);
});

test('Settings lists what other programs installed, and forgets a source after a question', async () => {
  await page.open('?sources');
  await page.chord(Key.CONTROL, '6');
  await page.press('2 skills were installed by other programs');
  expect(await page.texts('[data-testid=managed-skills] li .btns')).toEqual(['Adopt', 'not a git repository']);
  await (await page.find('[aria-label="Forget where they came from: beta/sql-style · v1"]')).click();
  expect(await page.focused()).toBe('Cancel');
  expect(await page.texts('li .sub')).toContain('Forget where 1 skill came from, and its versions before? The skill stays as it is.');
  await page.press('Cancel');
  expect(await page.texts('li .sub')).not.toContain('Forget where 1 skill came from, and its versions before? The skill stays as it is.');
});
