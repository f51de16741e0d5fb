// New versions of the app, in the settings.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { UpdateState } from '../../src/backend/types';
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

/** What the app knows, as the shell would say it. */
const knows = (state: UpdateState) => page.run('memory.knowUpdate(arguments[0])', state);
const buttons = () => page.run<[string, boolean][]>(`return [...document.querySelectorAll('#general .said ~ button')].map((e) => [e.textContent.trim(), e.disabled])`);
const shows = async (state: UpdateState, words: string, pressed: [string, boolean][]) => {
  await knows(state);
  await page.until(`it says ${words}`, async () => (await said()).includes(words));
  expect(await buttons()).toEqual(pressed);
  // Whoever cannot see it is told.
  expect(await page.run(`return document.querySelector('#general .said').getAttribute('role')`)).toBe('status');
};

test('a new version is named, and taken with one press', async () => {
  await page.press('Look now');
  await page.until('it is named', async () => (await said()).includes('Skilltender 0.2.0 is there.'));
  await page.press('Update and restart');
  await page.until('it is taken', async () => (await said()).startsWith('Skilltender 0.2.0 is installed.'));
});

test('what the page of releases says of it is shown as it is, and said to be unsigned', async () => {
  const notes = '- **Better** [here](https://example.com), <b>bold</b>\n- ![](https://example.com/a.png)\n';
  await knows({ kind: 'found', version: '0.2.0', notes, itself: true });
  await page.run(`document.querySelector('#general .fold-h').click()`);
  expect((await page.texts('#general .notes p'))).toEqual(['From the page of releases. This text is not signed.', notes.trim()]);
  expect(await page.texts('#general .notes :is(a, img, b, strong)')).toEqual([]);
});

test('every state says what it is, and offers what can be done', async () => {
  await shows({ kind: 'unknown' }, '', [['Look now', false]]);
  await shows({ kind: 'looking' }, 'Looking for a new version', [['Look now', true]]);
  await shows({ kind: 'newest' }, 'This is the newest version.', [['Look now', false]]);
  const found = { kind: 'found', version: '0.2.0', notes: null } as const;
  await shows({ ...found, itself: true }, "Its signature is checked before it takes this one’s place.", [['Update and restart', false]]);
  await shows({ ...found, itself: false }, 'Its signature is checked, and you read how to install it.', [['Download', false]]);
  expect(await page.texts('#general .notes')).toEqual([]);
  await shows({ kind: 'loading', version: '0.2.0', percent: 40 }, 'Fetching Skilltender 0.2.0', [['Look now', true]]);
  const progress = `const bar = document.querySelector('#general progress'); return [bar.getAttribute('aria-label'), bar.value, bar.position]`;
  expect(await page.run(progress)).toEqual(['Fetching Skilltender 0.2.0…', 40, 0.4]);
  await knows({ kind: 'loading', version: '0.2.0', percent: null });
  await page.until('nobody knows how much', async () => (await page.run<[string, number, number]>(progress))[2] === -1);
  await shows({ kind: 'installed', version: '0.2.0' }, 'It runs when Skilltender starts again.', []);
  await shows({ kind: 'saved', version: '0.2.0', command: 'sudo apt install /home/mei/a.deb' }, 'sudo apt install /home/mei/a.deb', [['Copy the command', false]]);
  await shows({ kind: 'failed', why: 'No new version could be looked for: the server cannot be reached.' }, 'the server cannot be reached.', [['Try again', false]]);
  await page.press('Try again');
  await page.until('it looked again', async () => (await said()).includes('Skilltender 0.2.0 is there.'));
});

test('an app that never looks says who updates it, and cannot be asked', async () => {
  await knows({ kind: 'never', why: 'This Skilltender is updated by your package manager: `yay -Syu`.' });
  await page.until('it is said', async () => (await page.texts('#general .sub')).includes('This Skilltender is updated by your package manager: yay -Syu.'));
  expect(await page.run(`return document.querySelector('#general [role=switch][aria-label="Look for new versions"]').disabled`)).toBe(true);
  expect([await buttons(), await page.texts('#general .said')]).toEqual([[], []]);
});

test('the keyboard alone looks for a version and takes it', async () => {
  await page.run(`document.querySelector('#general [role=switch][aria-label="Look for new versions"]').focus()`);
  await page.keys(Key.TAB);
  expect(await page.run('return document.activeElement.textContent.trim()')).toBe('Look now');
  await page.keys(Key.ENTER);
  await page.until('it is named', async () => (await said()).includes('Skilltender 0.2.0 is there.'));
  await page.run(`document.querySelector('#general [role=switch][aria-label="Look for new versions"]').focus()`);
  await page.keys(Key.TAB);
  await page.keys(Key.SPACE);
  await page.until('it is taken', async () => (await said()).startsWith('Skilltender 0.2.0 is installed.'));
});
