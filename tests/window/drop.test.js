// What is dragged onto the window with the mouse, from another program: a folder, a zip, a SKILL.md, several at once.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Key } from 'selenium-webdriver';

import { skill } from './support/library.js';
import { Session, until } from './support/session.js';
import { t } from './support/words.js';

const OWN = '.local/share/skilltender/skills';

let session;
let page;

before(async () => {
  session = await Session.open();
  for (const name of ['ale', 'brew', 'cider', 'elder']) session.write(`download/${name}/SKILL.md`, skill(name));
  execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-c', full('brew.zip'), full('brew')]);
  page = await session.start();
  await page.begin();
});

after(() => session?.end());

const full = (name) => path.join(session.home, 'download', name);
const isGone = (selector) => until(async () => (await page.count(selector)) === 0, `${selector} is gone`);
const has = (name) => fs.existsSync(path.join(session.home, OWN, name));

test('what is dragged over the window is announced, and nothing is left of it when the hand goes on', async () => {
  const dragged = await session.drag(full('ale'));
  await page.says(t('drop.title'));
  await dragged.leave();
  await isGone('[data-testid=drop]');
  assert.equal(await page.count('dialog[open]'), 0);
});

for (const [what, dropped, name] of [['a folder', 'ale', 'ale'], ['a zip', 'brew.zip', 'brew'], ['a SKILL.md', 'cider/SKILL.md', 'cider']]) {
  test(`${what} that is dropped is shown before it is copied`, async () => {
    await (await session.drag(full(dropped))).drop();
    await page.says(t('import.title', { name }));
    await page.says(`~/download/${dropped}`);
    assert.ok(!has(name));
    await page.click('button', t('import.now'));
    await page.says(t('import.done', { name }));
    assert.deepEqual(session.read(`${OWN}/${name}/SKILL.md`), session.read(`download/${name}/SKILL.md`));
    const { enabled } = await until(async () => (await page.command('current')).skills.find(({ key }) => key === `own/${name}`), 'it is in the library');
    assert.equal(enabled, false);
  });
}

test('of several that are dropped at once each is shown, one after the other', async () => {
  await (await session.drag(full('ale'), full('elder'))).drop();
  await page.says(t('import.title', { name: 'ale' }));
  await page.says(t('import.taken', { id: 'ale' }));
  await page.says(t('drop.more', { n: 1 }));
  await page.click('button', t('dialog.cancel'));
  await page.says(t('import.title', { name: 'elder' }));
  await page.click('button', t('import.now'));
  await page.says(t('import.done', { name: 'elder' }));
});

test('a drop does not take the place of an open dialog, and says so', async () => {
  await page.press(Key.CONTROL, 'n');
  await page.type('Half a name');
  await (await session.drag(full('ale'))).drop();
  await page.says(t('drop.busy'));
  assert.equal(await (await page.driver.switchTo().activeElement()).getProperty('value'), 'Half a name');
  await page.press(Key.ESCAPE);
  await isGone('dialog[open]');
});

test('what is no skill is said to be none, and nothing is copied', async () => {
  const before = fs.readdirSync(path.join(session.home, OWN));
  await (await session.drag(session.write('download/notes.txt', 'Buy hops.\n'))).drop();
  await page.says(t('import.cannot'));
  await page.click('button', t('dialog.close'));
  assert.deepEqual(fs.readdirSync(path.join(session.home, OWN)), before);
});

test('nothing was forbidden by the content policy', async () => {
  assert.deepEqual(await page.forbidden(), []);
});
