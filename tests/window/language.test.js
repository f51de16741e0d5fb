// The language of the window and the tray: the desktop's, until the person chooses one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { skill } from './support/library.js';
import { Session, until } from './support/session.js';
import { speak, t } from './support/words.js';

let session;
let page;

before(async () => {
  session = await Session.open({ language: 'zh_CN:en' });
  session.write('.claude/skills/tea/SKILL.md', skill('tea'));
  speak('zh-CN');
  page = await session.start();
});

after(() => session?.end());

const chosen = () => JSON.parse(session.read('.local/share/skilltender/choices.json')).language;
const spoken = () => page.driver.executeScript('return document.documentElement.lang');
const menu = () => until(async () => (await session.tray()).menu.includes(t('tray.open')), `the tray says ${t('tray.open')}`);
const heading = async () => (await page.css('h1')).getText();
const choose = (id, value) =>
  page.driver.executeScript(`const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change', { bubbles: true }))`, id, value);

test('a Chinese desktop gets a Chinese window and tray, with nothing chosen', async () => {
  await until(async () => (await heading()) === t('first.title'), 'the first run is Chinese');
  assert.equal(await spoken(), 'zh-CN');
  await page.begin();
  await menu();
  assert.ok((await session.tray()).menu.includes(`(${t('tray.serving', { n: 1 })})`));
  assert.equal(chosen(), undefined);
});

test('another language is chosen in the settings, and the window and the tray change at once', async () => {
  await page.click('button', new RegExp(`^${t('nav.settings')}`));
  await choose('language', 'en');
  speak('en');
  await until(async () => (await heading()) === t('nav.settings'), 'the window is English');
  assert.equal(await spoken(), 'en');
  await menu();
  assert.equal(chosen(), 'en');
});

test('the choice holds at the next start, and is taken back on the command line', async () => {
  await page.driver.quit().catch(() => {});
  await until(async () => (await session.windows()).length === 0, 'the window is gone');
  page = await session.start();
  await until(async () => (await heading()) === t('nav.settings'), 'the window is English');
  await session.run(process.env.SKILLTENDER_PROGRAM, ['settings', 'language', 'system']);
  speak('zh-CN');
  await until(async () => (await heading()) === t('nav.settings'), 'the window is Chinese');
  await menu();
  assert.equal(chosen(), undefined);
});
