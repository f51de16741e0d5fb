// Enabled skills in the folders that clients read directly: shown before it is done, and undone.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(async () => {
  await page.open('?clients');
  await (await page.find('nav [title=Clients]')).click();
  await (await page.find('[aria-label="Details of Codex"]')).click();
  await page.until('the folder', async () => (await linked()).includes('~/.agents/skills'));
});

const linked = () =>
  page.run<string>(`return [...document.querySelectorAll('[data-testid=client-codex] dt')].find((each) => each.textContent.trim() === 'Linked skills')?.nextElementSibling.innerText ?? ''`);
const change = async () => {
  await (await page.find('[aria-label="Change the skills in ~/.agents/skills"]')).click();
  await page.find('dialog [role=radiogroup]');
};
const steps = () => page.texts('dialog [data-testid=step]');
const closed = () => page.until('the dialog is closed', async () => (await page.all('dialog')).length === 0);

test('links are shown first, made when confirmed, and taken out again', async () => {
  await change();
  expect(await (await page.find('dialog header')).getText()).toContain('Codex, Gemini CLI, opencode, VSCodium, Windsurf and Zed read this folder by themselves');
  await page.until('the plan', async () => (await steps()).length > 0);
  expect((await steps()).every((step) => step.endsWith('link'))).toBe(true);
  expect(await page.focused()).toBe('Cancel');
  await page.press('Put there');
  await closed();
  await page.until('the links', async () => /\d+ links/.test(await linked()));

  await change();
  await (await page.find('dialog label:nth-child(3) input')).click();
  await page.until('what is taken out', async () => (await steps()).length > 0 && (await steps()).every((step) => step.endsWith('removed')));
  await page.press('Take out');
  await closed();
  await page.until('nothing of ours', async () => (await linked()).includes('is also a library folder'));
});

test('a name that is taken stays as it is, and the reason is said', async () => {
  await change();
  await page.until('the reason', async () => (await page.texts('dialog .left li')).includes('sql-review: Something that is not ours has this name there, so it is left alone.'));
});

test('a copy that somebody edited is asked about', async () => {
  await change();
  await (await page.find('dialog label:nth-child(2) input')).click();
  await page.until('copies', async () => (await steps()).some((step) => step.endsWith('copy')));
  await page.press('Put there');
  await closed();
  await change();
  await page.run(`
    const real = memory.clientFolders;
    memory.settleCopy = async (...given) => void (window.given = given);
    memory.clientFolders = async () => (await real()).map((folder) => ({ ...folder, skills: [{ id: 'weekly-plan', state: 'edited', why: 'It was edited on Nov 3.' }] }));
  `);
  await page.press('Cancel');
  await change();
  await (await page.find('[aria-label="Leave it to them: weekly-plan"]')).click();
  await page.until('it is asked for', async () => (await page.run('return window.given !== undefined')) === true);
  expect(await page.run('return window.given')).toEqual(['/home/mei/.agents/skills', 'weekly-plan', false]);
});

test('what changed since it was shown is not done, and is shown anew', async () => {
  await change();
  await page.run(`memory.linkSkills = async () => { throw { kind: 'changed', message: 'It changed.', hints: [] } }`);
  await page.until('the plan', async () => (await steps()).length > 0);
  await page.press('Put there');
  expect(await (await page.find('dialog [role=alert]')).getText()).toContain('so nothing was done. This is how it would be now.');
});
