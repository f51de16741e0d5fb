import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';

import { Key } from 'selenium-webdriver';

import { Session, app, until } from './support/session.js';
import { t } from './support/words.js';

let session;
let page;

before(async () => {
  session = await Session.open({ tray: false });
  page = await session.start();
  await page.begin();
});

after(() => session?.end());

const isMinimised = async () => (await session.run('xprop', ['-name', 'Skilltender', '_NET_WM_STATE'])).includes('_NET_WM_STATE_HIDDEN');

test('where there is no tray the window says so', async () => {
  await page.says(t('tray.absent'));
});

test('closing the window minimises it there, and a second start brings it back', async () => {
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await until(isMinimised, 'the window is minimised');
  const second = spawn(app, [], { env: session.environment, stdio: 'ignore' });
  assert.deepEqual(await once(second, 'exit'), [0, null]);
  await until(async () => !(await isMinimised()), 'the window is back');
});

test('Ctrl Q quits', async () => {
  // The page closes during the command, so WebDriver may lose its answer.
  await page.press(Key.CONTROL, 'q').catch(() => {});
  await until(async () => (await session.windows()).length === 0, 'the window is gone');
});
