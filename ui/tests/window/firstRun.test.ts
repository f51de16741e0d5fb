// The first start: what was found, and nothing written before the button.

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
  await (await page.find('.choice:nth-child(3) .ck')).click();
  await page.press('Add 1 client and start');
  await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
  expect(await page.run('return calls')).toEqual([
    ['changeClient', 'claude-desktop', { change: 'connect', transport: null, project: null, again: false }, expect.any(String)],
    ['finishFirstRun', { folders: ['/home/mei/.claude/skills', '/home/mei/.agents/skills'], enableReady: true }],
  ]);
});
