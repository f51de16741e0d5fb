import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';

import { Key } from 'selenium-webdriver';

import { skill } from './support/library.js';
import { Session, until } from './support/session.js';
import { t } from './support/words.js';

// A byte order mark, CRLF line ends except one, and no final line end.
const TEXT = '\ufeff' + skill('tea', { body: '# Tea\n\nBoil water.\n\nPour it.' }).replaceAll('\n', '\r\n').replace('# Tea\r\n', '# Tea\n');
const FILE = '.claude/skills/tea/SKILL.md';

let session;
let page;

before(async () => {
  session = await Session.open();
  session.write(FILE, TEXT);
  session.write('.claude/skills/notes/SKILL.md', skill('notes'));
  page = await session.start();
  await page.begin();
});

after(() => session?.end());

test('saving changes the edited line alone: the mark, CRLF and mixed line ends keep their bytes', async () => {
  await page.openSkill('tea');
  await page.click('tab', t('tab.edit'));
  await page.goTo('end');
  await page.type(' Wait for 3 minutes — 等.');
  await page.click('button', t('edit.save'));
  const wanted = `${TEXT} Wait for 3 minutes — 等.`;
  await until(() => session.read(FILE).toString() === wanted, 'the file holds the new text');
  assert.deepEqual(session.read(FILE), Buffer.from(wanted));
});

test('what another program writes shows up by itself', async () => {
  await page.click('tab', t('tab.read'));
  fs.appendFileSync(`${session.home}/${FILE}`, '\r\n\r\nWritten elsewhere.');
  await page.says('Written elsewhere.');
});

test('when the file changed under unsaved edits, both versions are kept and shown', async () => {
  await page.click('tab', t('tab.edit'));
  await page.goTo('end');
  await page.type(' Mine.');
  fs.appendFileSync(`${session.home}/${FILE}`, ' Theirs.');
  await page.click('button', t('conflict.compare'));
  await page.says('Mine.');
  await page.says('Theirs.');
  const theirs = session.read(FILE);
  await page.click('button', t('conflict.useDisk'));
  await page.says(t('conflict.tookDisk'));
  assert.deepEqual(session.read(FILE), theirs);
  assert.ok(kept().some((text) => text.endsWith(' Mine.')), 'the unsaved text is kept');
});

test('quitting with unsaved edits asks first, from the tray too, and no answer loses them', async () => {
  await page.goTo('end');
  await page.type(' Unsaved.');
  const before = session.read(FILE);
  // Without a window: closed.test.js.
  await session.choose('Quit');
  await page.says(t('leave.title', { n: 1 }));
  // The safe answer has the focus.
  await page.press(Key.ENTER);
  await until(async () => (await page.count('dialog[open]')) === 0, 'nobody quits');
  await page.says(t('edit.unsaved'));
  assert.deepEqual(session.read(FILE), before);
});

test('nothing was forbidden by the content policy', async () => {
  assert.deepEqual(await page.forbidden(), []);
});

test('putting aside and quitting keeps the text and leaves the file as it is', async () => {
  const before = session.read(FILE);
  await page.press(Key.CONTROL, 'q');
  await page.click('button', t('leave.putAside'));
  await until(async () => (await session.icons()) === 0, 'it ends');
  assert.deepEqual(session.read(FILE), before);
  assert.ok(kept().some((text) => text.endsWith(' Unsaved.')), 'the unsaved text is kept');
});

test('the end of the session waits for nobody and keeps unsaved edits', async () => {
  page = await session.start();
  await page.openSkill('tea');
  await page.click('tab', t('tab.edit'));
  await page.goTo('end');
  await page.type(' At the end.');
  await page.says(t('edit.unsaved'));
  process.kill(Number(session.read('.local/share/skilltender/engine.pid')), 'SIGTERM');
  await until(async () => (await session.icons()) === 0, 'it ends');
  assert.ok(kept().some((text) => text.endsWith(' At the end.')), 'the unsaved text is kept');
});

/** The versions that the engine has put aside. */
function kept() {
  const files = fs.readdirSync(`${session.home}/.local/share/skilltender/kept`, { recursive: true, withFileTypes: true });
  return files.filter((entry) => entry.isFile()).map((entry) => fs.readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'));
}
