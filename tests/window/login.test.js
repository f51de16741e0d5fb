// Starting at login, switched in the settings by keyboard alone and by ear: what is said, and the file of the desktop.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Ear } from './support/ear.js';
import { Session, app, until } from './support/session.js';
import { t } from './support/words.js';

const ENTRY = '.config/autostart/dev.skilltender.desktop.desktop';

let session;
let ear;

before(async () => {
  session = await Session.open({ spoken: true });
  ear = await Ear.open(session);
  const page = await session.start();
  await page.begin();
});

after(() => session?.end());

const isThere = () => fs.existsSync(path.join(session.home, ENTRY));
const LABEL = t('settings.login');
/** Waits until the switch, which has the focus, says that it is on or off. */
const says = (isOn) => until(async () => (await ear.lands('toggle button', LABEL)).states.includes('checked') === isOn, `the switch is ${isOn ? 'on' : 'off'}`);

test('the switch is reached by Tab, says its name and that it is off', async () => {
  await ear.use('push button', new RegExp(`^${t('nav.settings')}`));
  const { states, within } = await ear.reach('toggle button', LABEL);
  assert.ok(states.includes('focusable') && !states.includes('checked'), `${states}`);
  assert.ok(within.some(({ name }) => name === t('settings.general')), JSON.stringify(within));
  assert.ok(!isThere());
});

test('Space switches it on: it says so once the entry of the desktop is there', async () => {
  await ear.press('space');
  await says(true);
  assert.ok(session.read(ENTRY).toString().split('\n').includes(`Exec="${app}" --background`), session.read(ENTRY));
});

test('what the desktop changed in the entry is seen, and switching on makes it as it was', async () => {
  const ours = session.read(ENTRY);
  fs.appendFileSync(path.join(session.home, ENTRY), 'X-GNOME-Autostart-enabled=false\n');
  await ear.press('Control_L+r');
  await says(false);
  await ear.press('space');
  await says(true);
  assert.deepEqual(session.read(ENTRY), ours);
});

test('an entry that somebody took away is seen', async () => {
  fs.rmSync(path.join(session.home, ENTRY));
  await ear.press('Control_L+r');
  await says(false);
  await ear.press('space');
  await says(true);
  assert.ok(isThere());
});

test('Space switches it off, and the entry is gone', async () => {
  await ear.press('space');
  await says(false);
  assert.ok(!isThere());
});

test('where the entry cannot be written, that is said, and the switch stays off', async () => {
  fs.rmSync(path.join(session.home, path.dirname(ENTRY)), { recursive: true });
  session.write(path.dirname(ENTRY), 'No folder.');
  await ear.press('space');
  await ear.hears('autostart');
  await says(false);
});
