// The first start: what was found. Nothing is written before the button is pressed.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

test('the first run writes nothing before its button, then adds what is ticked', async () => {
  await page.open('?first-run');
  await page.run(`window.calls = []; for (const name of ['changeClient', 'finishFirstRun']) { const real = memory[name]; memory[name] = (...given) => { calls.push([name, ...given]); return real(...given) } }`);
  await page.button('Add 1 client and start');
  await page.press('See the change');
  expect((await page.texts('dialog .added')).length).toBe(4);
  await page.press('Close');
  expect(await page.run('return calls')).toEqual([]);
  await (await page.find('.folder:nth-child(2) .ck')).click();
  await page.press('Add 1 client and start');
  await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
  expect(await page.run('return calls')).toEqual([
    ['changeClient', 'claude-desktop', { change: 'connect', transport: null, project: null, again: false }, expect.any(String)],
    ['finishFirstRun', ['/home/mei/.claude/skills'], true, ['/home/mei/.claude/skills']],
  ]);
});

test('clients that cannot be added say why, and those with a token in their file wait for a tick', async () => {
  await page.open('?clients&first-run');
  await page.button('See why');
  expect(await page.run('return [...document.querySelectorAll(".choice .ck[aria-label]")].map((each) => [each.ariaLabel, each.checked, each.disabled])')).toEqual([
    ['GitHub Copilot CLI', true, false],
    ['Cursor', true, false],
    ['JetBrains AI Assistant', false, true],
    ['VSCodium', false, false],
  ]);
  await (await page.find('[aria-label="See why JetBrains AI Assistant cannot be added"]')).click();
  expect(await (await page.find('dialog [role=alert]')).getText()).toContain('where no other program can write them');
  await page.press('Close');
  await page.button('Add 2 clients and start');
});

test('a client that is running gets its entry back when it quits, and its line says so', async () => {
  await page.open('?first-run&running');
  await page.run(`memory.changeClient = async (...given) => void (window.given = given)`);
  await page.until('the line says so', async () => (await page.texts('.choice .cut')).some((line) => line.includes('is running: if the entry is lost')));
  await page.press('Add 1 client and start');
  await page.until('it is asked for', async () => (await page.run('return window.given !== undefined')) === true);
  expect(await page.run('return window.given[1].again')).toBe(true);
});
