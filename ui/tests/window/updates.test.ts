// New versions of the app, in the settings.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(async () => {
  await page.open();
  await page.chord(Key.CONTROL, '6');
  await page.run(`document.getElementById('general').scrollIntoView()`);
});

const said = async () => (await page.texts('#general .said')).join();

test('nobody looks before it is switched on, and what is asked then is said beside the switch', async () => {
  const on = () => page.run<boolean>(`return document.querySelector('#general [role=switch][aria-label="Look for new versions"]').checked`);
  expect(await on()).toBe(false);
  expect(await page.texts('#general .sub')).toContain('At its start and once a day, on the page of Skilltender’s releases. Nothing about you or your skills is sent.');
  await (await page.find('#general [role=switch][aria-label="Look for new versions"]')).click();
  await page.until('it is on', on);
});

test('a new version is named with what is new in it, and taken with one press', async () => {
  await page.press('Look now');
  await page.until('it is named', async () => (await said()).includes('Skilltender 0.2.0 is there.'));
  await page.run(`document.querySelector('#general details').open = true`);
  expect(await page.texts('#general .md li')).toEqual(['Sources with a memory.', 'A page about what skills are worth.']);
  await page.press('Update and restart');
  await page.until('it is taken', async () => (await said()).startsWith('Skilltender 0.2.0 is installed.'));
});
