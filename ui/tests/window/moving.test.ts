// Several skills at once: moved to another folder, and exported.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(() => page.open());

const pick = (key: string) =>
  page.run(`document.querySelector('[data-key="' + arguments[0] + '"]').dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true }))`, key);
const choose = (folder: string) =>
  page.run(`const all = document.querySelector('#move-folder'); all.value = arguments[0]; all.dispatchEvent(new Event('change', { bubbles: true }))`, folder);
const keys = () => page.run<string[]>(`return [...document.querySelectorAll('[data-testid=skill-row]')].map((row) => row.dataset.key)`);

test('picked skills move to the folder that is chosen, and what is open stays open', async () => {
  await page.openSkill('claude/release-notes');
  await pick('claude/code-review');
  await (await page.find('[role=toolbar] [aria-label="Move to another folder…"]')).click();
  const dialog = await page.find('dialog[open]');
  expect(await dialog.getText()).toContain('Move 2 skills to another folder');
  expect(await page.texts('dialog[open] li')).toEqual(expect.arrayContaining(['release-notes', 'code-review']));
  await choose('projects');
  await page.press('Move');
  await page.until('they are there', async () => (await keys()).filter((key) => key.startsWith('projects/') && /release-notes|code-review/.test(key)).length === 2);
  await page.until('the dialog is gone', async () => (await page.all('dialog[open]')).length === 0);
  expect(await keys()).not.toContain('claude/release-notes');
  expect(await (await page.find('article h1, article h2')).getText()).toContain('release-notes');
});

test('a skill whose place is taken stays, says why, and the others move', async () => {
  await page.run('return memory.templates().then(([template]) => memory.newSkill("projects", "release-notes", template.id))');
  await pick('claude/release-notes');
  await pick('claude/code-review');
  await (await page.find('[role=toolbar] [aria-label="Move to another folder…"]')).click();
  await choose('projects');
  await page.press('Move');
  await page.until('it says why', async () => (await (await page.find('dialog[open]')).getText()).includes('is there already'));
  expect((await page.texts('dialog[open] li'))[0]).toContain('release-notes');
  expect(await keys()).toEqual(expect.arrayContaining(['claude/release-notes', 'projects/code-review']));
  await page.press('Close');
});

test('picked skills are exported to one folder, each with what became of it', async () => {
  await pick('claude/release-notes');
  await pick('projects/quarterly-report');
  await (await page.find('[role=toolbar] [aria-label="Export as zips…"]')).click();
  await page.press('Choose a folder…');
  await page.until('it ends', async () => (await (await page.find('dialog[open] [role=status]')).getText()) === '1 of 2 exported');
  const cut = await page.run<number>(`return [...document.querySelectorAll('dialog[open] li')].filter((row) => row.scrollHeight > row.clientHeight + 1).length`);
  expect(cut, 'rows that are lower than what they say').toBe(0);
  const [failed, done] = await page.texts('dialog[open] li');
  expect(failed).toContain('an upload would refuse it');
  expect(done).toContain('Written to');
});
