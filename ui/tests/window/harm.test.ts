// Skills in which something looks harmful: held until somebody looked, or on and waiting for a decision.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(() => page.open('?harmful'));

const [held, on] = ['projects/prompt-library', 'claude/code-review'];
const isOn = (key: string) => page.run<boolean>(`return document.querySelector('[data-key="' + arguments[0] + '"] .sw').checked`, key);
const needing = () =>
  page.run<string[]>(`return [...document.querySelectorAll('[data-testid=skill-row]')].filter((row) => row.querySelector('.vh').textContent === 'Looks harmful').map((row) => row.dataset.key)`);
const closed = () => page.until('the dialog is closed', async () => (await page.all('dialog')).length === 0);

test('they need attention, and their rows say why and whether they are on', async () => {
  expect((await needing()).sort()).toEqual([on, held]);
  const said = await page.texts('[data-testid=skill-row] .l2');
  expect(said.filter((line) => line.startsWith('Off until you have looked at it: This downloads a program'))).toHaveLength(1);
  expect(said.filter((line) => line.startsWith('Enabled, and it looks harmful: This downloads a program'))).toHaveLength(1);
});

test('a held skill shows what it carries when it is looked at, and is enabled only then', async () => {
  await page.openSkill(held);
  expect(await (await page.find('.note.problem')).getText()).toContain('It stays off until you have looked at it.');
  await page.press('Look at it…');
  const dialog = await (await page.find('dialog')).getText();
  expect(dialog).toContain('scripts/sync.sh:2');
  expect(dialog).not.toContain('Somebody else wrote this');
  await page.press('Enable');
  await closed();
  await page.until('it is on', () => isOn(held));
  expect(await needing()).toEqual([on]);
});

test('a held skill that is left off needs attention no more', async () => {
  await page.openSkill(held);
  await page.press('Look at it…');
  await page.press('Leave it off');
  await closed();
  await page.until('it is settled', async () => !(await needing()).includes(held));
  expect(await isOn(held)).toBe(false);
});

test('a skill that is on stays on until the person decides', async () => {
  await page.openSkill(on);
  expect(await (await page.find('.note.problem')).getText()).toContain('It stays enabled until you decide.');
  await page.press('Look at it…');
  expect(await (await page.find('dialog h2')).getText()).toBe('Keep code-review enabled?');
  await page.press('Keep it enabled');
  await closed();
  await page.until('it is settled', async () => !(await needing()).includes(on));
  expect(await isOn(on)).toBe(true);
});

test('a skill that is on is disabled where the person says so', async () => {
  await page.openSkill(on);
  await page.press('Look at it…');
  await page.press('Disable');
  await page.until('it is off', async () => !(await isOn(on)));
  expect(await needing()).not.toContain(on);
});

test('findings are in the Problems tab also when nothing waits', async () => {
  await page.open();
  await page.openSkill(held);
  await page.tab('problems');
  expect(await (await page.find('#findings-head')).getText()).toContain('in its files');
  expect((await page.texts('[role=tabpanel] [data-testid=finding]')).join()).toContain('scripts/sync.sh:2');
});
