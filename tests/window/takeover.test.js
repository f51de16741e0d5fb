import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Session, app, skilltender, until } from './support/session.js';

let session;
let terminal;

before(async () => {
  session = await Session.open();
  terminal = session.spawn(skilltender, ['serve', '--json']);
  let said = '';
  terminal.stdout.on('data', (part) => (said += part));
  await until(() => said.includes('"url"'), 'the engine in the terminal serves');
});

after(() => session?.end());

const holder = () => Number(session.read('.local/share/skilltender/engine.pid'));

test('an engine in a terminal goes on while the app asks whether it may take its place, and when it may not', async () => {
  const window = session.spawn(app, []);
  await until(async () => (await session.windows()).length === 1, 'the app asks');
  assert.equal(holder(), terminal.pid);
  await until(async () => {
    await session.press('Escape');
    return window.exitCode !== null;
  }, 'the app leaves');
  assert.equal(window.exitCode, 0);
  assert.equal(terminal.exitCode, null);
  assert.equal(holder(), terminal.pid);
});

test('when it may, the engine in the terminal ends well and the window opens', async () => {
  const window = session.spawn(app, []);
  await until(async () => {
    await session.press('Return');
    return terminal.exitCode !== null;
  }, 'the engine in the terminal ends');
  assert.equal(terminal.exitCode, 0);
  await until(() => holder() === window.pid, 'the app holds the engine');
  await until(async () => (await session.icons()) === 1, 'the tray shows it');
});
