import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { By, Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(() => page.open());

const search = async (words: string) => (await page.find('input[aria-label="Search skills"]')).sendKeys(words);
const choose = (name: string, value: string) =>
  page.run(`const s = document.querySelector('select[aria-label="' + arguments[0] + '"]'); s.value = arguments[1]; s.dispatchEvent(new Event('change', { bubbles: true }))`, name, value);
const names = () => page.texts('[data-testid=skill-row] .name');

test('what needs attention comes first', async () => {
  expect(await page.texts('.group')).toEqual(['Needs attention', 'All skills']);
  expect((await names()).slice(0, 2)).toEqual(['postmortem', 'release-notes']);
});

test('the list follows the search while typing, and says how many it found', async () => {
  await search('review');
  await page.until('two skills', async () => (await names()).length === 2);
  expect(await names()).toEqual(['code-review', 'sql-review']);
  expect(await page.texts('[aria-live=polite]')).toContain('2 skills found');
});

test('Enter in the search opens the first row that is drawn', async () => {
  await (await page.find('input[aria-label="Search skills"]')).click();
  await page.keys(Key.ENTER);
  await page.until('the first', async () => (await page.texts('h1')).join() === 'postmortem');
});

test('a name is shown whole, if need be without its folder; a find is in sight in its row', async () => {
  const cut = () => page.run<string[]>(`return [...document.querySelectorAll('[data-testid=skill-row] .name')].filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)`);
  await page.resize(900, 640);
  try {
    await page.find('[data-testid=skill-row]');
    // The one that is longer than the list gets all of its width.
    expect((await cut()).map((name) => name.slice(0, 5))).toEqual(['kafka']);
    expect(await page.run(`const name = [...document.querySelectorAll('[data-testid=skill-row] .name')].find(({ title }) => title.startsWith('kafka')); return name.clientWidth / name.parentElement.clientWidth`)).toBeGreaterThan(0.98);
    for (const [words, line] of [['tenant', /tenant/], ['upgrades', /upgrades/]] as const) {
      await search(words);
      await page.until(words, async () => (await page.texts('[data-testid=skill-row] .l2 b')).some((text) => line.test(text)));
      const hidden = await page.run<string[]>(`return [...document.querySelectorAll('[data-testid=skill-row] .l2:has(b)')].filter((line) => line.querySelector('b').getBoundingClientRect().right > line.getBoundingClientRect().right).map((line) => line.textContent)`);
      expect(hidden).toEqual([]);
      await (await page.find('[aria-label="Clear search"]')).click();
    }
  } finally {
    await page.resize(1280, 800);
  }
});

test('our own folder is called by our name', async () => {
  expect(await page.run<string[]>(`return [...document.querySelectorAll('select[aria-label=Folder] option')].map((each) => each.textContent)`)).toContain('Skilltender');
});

test('a search without a result says so and can be cleared', async () => {
  await search('kubernets');
  await page.until('it says so', async () => (await page.texts('.list .empty h2')).join() === 'Nothing matches “kubernets”');
  await page.press('Clear search');
  expect((await names()).length).toBeGreaterThan(5);
});

test('a segment and a folder leave what fits them', async () => {
  await (await page.driver.findElement(By.xpath('//button[starts-with(normalize-space(), "Needs attention")]'))).click();
  expect(await names()).toEqual(['postmortem', 'release-notes']);
  await choose('Folder', 'claude');
  await page.until('one skill', async () => (await names()).length === 1);
});

test('a switch turns a skill off, and the row says so', async () => {
  const toggle = await page.find('[aria-label="Enable code-review"]');
  await toggle.click();
  await page.until('the row is off', async () => (await page.all('.is-off [title="code-review"]')).length === 1);
  expect(await toggle.isSelected()).toBe(false);
});

test('with a thousand skills fewer than 80 rows exist, wherever one scrolls', async () => {
  await page.open('?more=1000');
  for (const part of [0, 0.5, 1]) {
    await page.run('const g = document.querySelector("[role=grid]"); g.scrollTop = g.scrollHeight * arguments[0]', part);
    await page.until('rows are drawn', async () =>
      page.run(`const g = document.querySelector('[role=grid]').getBoundingClientRect();
        return [...document.querySelectorAll('[data-testid=skill-row]')].filter((r) => r.getBoundingClientRect().top < g.bottom && r.getBoundingClientRect().bottom > g.top).length > 8`),
    );
    expect((await page.all('[data-testid=skill-row]')).length).toBeLessThan(80);
  }
});

test('the keyboard moves, opens, toggles and reaches the switch', async () => {
  await page.chord(Key.CONTROL, 'f');
  expect(await page.focused()).toBe('Search skills');
  await page.keys(Key.ARROW_DOWN);
  expect(await page.focused()).toBe('projects/postmortem');
  await page.keys(Key.ARROW_DOWN, Key.ARROW_DOWN);
  expect(await page.focused()).toBe('claude/accessibility-audit');
  await page.keys(Key.ARROW_RIGHT);
  expect(await page.focused()).toBe('Enable accessibility-audit');
  await page.keys(Key.ARROW_LEFT, Key.SPACE);
  await page.until('the skill is off', async () => (await page.all('.is-off [title="accessibility-audit"]')).length === 1);
  await page.keys(Key.ENTER);
  expect(await (await page.find('h1')).getText()).toBe('accessibility-audit');
});

test('the keyboard reaches the last of a thousand rows and comes back', async () => {
  await page.open('?more=1000');
  await page.chord(Key.CONTROL, 'f');
  await page.keys(Key.ARROW_DOWN, Key.END);
  await page.until('the last row', async () => (await page.focused()) === 'agents/会议纪要');
  await page.keys(Key.HOME);
  await page.until('the first row', async () => (await page.focused()) === 'projects/postmortem');
});

test('a skill that was found in its text shows the words', async () => {
  await search('cutting');
  await page.until('one skill', async () => (await names()).join() === 'release-notes');
  await page.run(`document.querySelector('input[aria-label="Search skills"]').value = ''`);
  await page.open();
  await search('upgrades');
  await page.until('the words', async () => (await page.texts('[data-testid=skill-row] .l2 b')).join() === 'upgrades');
  expect(await page.texts('.group')).toEqual(['Best matches first']);
});

test('a category, a tag and a state narrow the list', async () => {
  await choose('Folder', 'projects/data');
  await page.until('one skill', async () => (await names()).join() === 'sql-review');
  await (await page.find('[aria-label="Clear these filters"]')).click();
  await choose('Tag', 'github');
  await page.until('one skill', async () => (await names()).join() === 'release-notes');
  await choose('Tag', '');
  await choose('State', 'disabled');
  await page.until('those that are off', async () => (await names()).includes('design-tokens') && (await page.all('[data-testid=skill-row]:not(.is-off)')).length === 0);
});

test('a folder joins the library with the choice of what is on, and leaves it again', async () => {
  await page.run(`window.added = []; const add = memory.addFolder; memory.addFolder = (...given) => { added.push(given); return add(...given) }`);
  await (await page.find('[aria-label="Add skills"]')).click();
  await page.press('Add folder…');
  await (await page.find('dialog .choice:nth-child(2) input')).click();
  await (await page.find('dialog .ck')).click();
  await page.press('Add folder');
  await page.until('it is there', async () => (await page.texts('option')).includes('~/more-skills'));
  expect(await page.run('return added')).toEqual([['/home/mei/more-skills', true]]);
  await (await page.find('nav [title=Settings]')).click();
  await page.until('new ones are on', async () => (await page.texts('.settings .sub')).includes('0 skills, new ones are switched on'));
  await (await page.find('[aria-label="More for ~/more-skills"]')).click();
  expect(await (await page.find('[role=menuitemcheckbox]')).getAttribute('aria-checked')).toBe('true');
  await page.press('Enable new skills');
  await page.until('new ones stay off', async () => (await page.texts('.settings .sub')).includes('0 skills, new ones stay off'));
  await (await page.find('[aria-label="More for ~/projects/skills"]')).click();
  await page.press('Remove folder');
  await page.until('it is gone', async () => !(await page.texts('.settings .mono')).includes('~/projects/skills'));
  await (await page.find('nav [title=Skills]')).click();
  expect(await names()).not.toContain('sql-review');
});

test('F6 walks through the panes', async () => {
  await page.openSkill('claude/code-review');
  const visited: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    await page.keys(Key.F6);
    visited.push(await page.focused());
  }
  expect(visited).toEqual(['Read', expect.stringContaining('Skills'), 'claude/code-review']);
});

test('the tray can ask for what needs the person', async () => {
  await page.run(`memory.show({ place: 'needs' })`);
  await page.until('only those', async () => (await names()).length === 2);
});

test('pausing is told at the foot of the sidebar', async () => {
  await (await page.find('[aria-label="Pause Skilltender"]')).click();
  await page.until('paused', async () => (await (await page.find('[data-testid=endpoint]')).getText()).includes('Skilltender is paused'));
});

test('a library without skills teaches the next step', async () => {
  await page.open('?empty');
  expect(await (await page.find('.empty h2')).getText()).toBe('No skills yet');
});

test.each([[1280, 800], [900, 640], [640, 400]])('at %i x %i nothing scrolls sideways', async (width, height) => {
  await page.resize(width, height);
  try {
    await page.openSkill('claude/release-notes');
    expect(await page.run('return document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (width < 720) {
      await (await page.find('[aria-label="Back to the list"]')).click();
      expect(await (await page.find('[role=grid]')).isDisplayed()).toBe(true);
    }
  } finally {
    await page.resize(1280, 800);
  }
});
