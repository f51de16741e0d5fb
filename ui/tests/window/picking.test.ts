// One by one or many at once: the hint at picking several, switching on only what needs no look, and the order by change.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(() => page.open());

const hint = async () => (await page.texts('.list > .note')).join();
const press = (css: string) => page.run('document.querySelector(arguments[0]).click()', css);
const switchOneByOne = async () => {
  for (const key of ['claude/accessibility-audit', 'claude/code-review', 'projects/api-changelog']) {
    expect(await hint()).toBe('');
    await press(`[data-key="${key}"] .sw`);
    await page.until('it is off', () => page.run<boolean>('return !document.querySelector(arguments[0]).checked', `[data-key="${key}"] .sw`));
  }
  await page.until('the hint is there', async () => (await hint()).includes('Ctrl click picks several skills'));
};

test('who switches skills one by one is told how several are picked, until it is understood', async () => {
  await switchOneByOne();
  await page.press('Got it');
  expect(await hint()).toBe('');
  await page.driver.navigate().refresh();
  await page.find('[data-testid=skill-row]');
  for (let n = 0; n < 4; n += 1) await press('[data-key="claude/code-review"] .sw');
  expect(await hint()).toBe('');
});

test('who picks several needs no hint any more', async () => {
  await switchOneByOne();
  await page.run(`document.querySelector('[data-key="claude/pdf-forms"]').dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true }))`);
  await page.until('it is gone', async () => (await hint()) === '');
  expect(await page.run('return localStorage.getItem("picking")')).toBe('known');
});

test('of many new skills only those with nothing to look at are switched on, and the others ask again', async () => {
  await page.run(`
    const plain = { carried: { scripts: [], programs: [], archives: [], hosts: [], servers: [], tools: [], commands: [], files: 1, size: 900 }, findings: [], leftOut: [] };
    const odd = { ...plain, carried: { ...plain.carried, scripts: [{ language: 'Shell', paths: ['scripts/sync.sh'] }] } };
    const asked = ['claude/accessibility-audit', 'claude/code-review', 'claude/design-tokens'];
    memory.lookAtReady = async () => asked.map((key) => ({ key, digest: '1', asks: true, unseen: false, trust: key.endsWith('review') ? odd : plain }));
    memory.enableSkills = async (keys, on, seen) => { window.enabled = { keys, on, seen }; };
  `);
  await press('[aria-label="Add skills"]');
  await page.press('Add folder…');
  await page.press('Add folder');
  await page.press('Enable only the 2 with nothing to look at');
  await page.until('they are enabled', () => page.run('return window.enabled'));
  expect(await page.run('return window.enabled')).toEqual({
    keys: ['claude/accessibility-audit', 'claude/design-tokens'],
    on: true,
    seen: { 'claude/accessibility-audit': '1', 'claude/design-tokens': '1' },
  });
});

test('the last changed skills come first, with the time of their change', async () => {
  await page.run(`
    const order = document.querySelector('.order select');
    order.value = 'modified';
    order.dispatchEvent(new Event('change', { bubbles: true }));
  `);
  // The groups stay, so it is the first of those that need nothing.
  const names = () => page.run<string[]>(`return [...document.querySelectorAll('[data-testid=skill-row]')].filter((row) => !row.querySelector('.st.needs, .st.problem')).map((row) => row.dataset.key)`);
  expect((await names())[0]).not.toBe('projects/api-changelog');
  await page.run('memory.touch(arguments[0], memory.textOf(arguments[0]) + "More.\\n")', 'projects/api-changelog');
  await page.until('it is the first', async () => (await names())[0] === 'projects/api-changelog');
  expect(await page.texts('[data-key="projects/api-changelog"] .src')).toEqual(['just now']);
  expect((await page.texts('[data-testid=skill-row] .src')).some((text) => text.includes('~'))).toBe(false);
});
