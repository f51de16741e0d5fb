// What the app says outside of its window, by ear: in the language of the desktop, like the window.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Ear } from './support/ear.js';
import { Session, app, until } from './support/session.js';
import { speak, t } from './support/words.js';

let session;
let ear;

before(async () => {
  session = await Session.open({ language: 'zh_CN:en', spoken: true });
  speak('zh-CN');
  ear = await Ear.open(session);
});

after(() => session?.end());

test('why the engine cannot start is said in Chinese, with what to do, on a Chinese desktop', async () => {
  session.write('.local/share/skilltender/choices.json', '{ "version": 99 }');
  const refused = session.spawn(app, []);
  await ear.lands('push button', t('dialog.close'));
  await ear.reads('choices.json 的版本是 99');
  await ear.reads('请更新此 Skilltender');
  await ear.press('Return');
  await until(() => refused.exitCode !== null, 'the app ends');
  assert.equal(refused.exitCode, 1);
});
