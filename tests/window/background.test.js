// The start at login: the tray, and no window before somebody asks for it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';

import { Session, app, skilltender, until } from './support/session.js';

let session;
let background;

before(async () => {
  session = await Session.open();
  session.library([]);
  background = session.spawn(app, ['--background']);
});

after(() => session?.end());

const again = async (...words) => {
  const second = spawn(app, words, { env: session.environment, stdio: 'ignore' });
  assert.deepEqual(await once(second, 'exit'), [0, null]);
};

test('at login there is a tray and no window, and a second login start shows none either', async () => {
  await until(async () => (await session.icons()) === 1, 'the icon is there');
  await until(async () => (await session.tray()).menu.includes('Open Skilltender'), 'the menu is there');
  await again('--background');
  assert.deepEqual(await session.windows(), []);
});

test('the tray opens the window', async () => {
  await session.choose('Open Skilltender');
  await until(async () => (await session.windows()).length === 1, 'the window is there');
});

test('the command line switches it in the running app', async () => {
  const said = () => session.run(skilltender, ['settings']);
  await session.run(skilltender, ['settings', 'login', 'on']);
  assert.match(await said(), /login +on/);
  assert.match(session.read('.config/autostart/dev.skilltender.desktop.desktop').toString(), /^Exec=".*skilltender-app" --background$/m);
  await session.run(skilltender, ['settings', 'login', 'off']);
  assert.match(await said(), /login +off/);
});

test('the tray quits it', async () => {
  await session.choose('Quit');
  await until(() => background.exitCode !== null, 'it has ended');
});
