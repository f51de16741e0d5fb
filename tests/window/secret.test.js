import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { needing } from './support/library.js';
import { Session, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

const NAME = 'ISSUES_TOKEN';
// Generated, so that no file can contain it by chance.
const VALUE = `a-${Math.random().toString(36).slice(2)}-secret`;
const SPELLINGS = [
  Buffer.from(VALUE),
  Buffer.from(Buffer.from(VALUE).toString('base64').replace(/=+$/, '')),
  Buffer.from(Buffer.from(VALUE).toString('hex')),
  Buffer.from(VALUE, 'utf16le'),
];

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

let session;
let page;

before(async () => {
  session = await Session.open({ keychain: true });
  session.write('.claude/skills/issues/SKILL.md', needing('issues', NAME));
  page = await session.start();
  await page.begin();
  await page.openSkill('issues');
  await page.click('tab', new RegExp(`^${t('tab.needs')}`));
});

after(() => session?.end());

test('a secret that is typed goes into the keychain, and secret-tool finds it there', async () => {
  // The page records every call and its answer.
  await page.driver.executeScript(`
    window.calls = [];
    const { fetch: ask } = window;
    window.fetch = async (...words) => {
      const answer = await ask(...words);
      if (String(words[0]).startsWith('ipc:')) window.calls.push({ url: String(words[0]), answer: await answer.clone().text() });
      return answer;
    };`);
  await page.fill(new RegExp(`^${NAME}`), VALUE);
  await page.click('button', t('secret.store'));
  await page.click('button', t('secret.replace'));
  await page.click('button', t('dialog.cancel'));
  const found = await session.run('secret-tool', ['search', '--all', 'service', 'skilltender']);
  assert.ok(found.includes(`secret = ${VALUE}`), found.replaceAll(VALUE, '…'));
});

test('the page got nothing back and holds it nowhere', async () => {
  const calls = await page.driver.executeScript('return window.calls');
  const [stored] = calls.filter((call) => call.url.includes('set_secret'));
  assert.equal(stored?.answer, 'null');
  assert.ok(!JSON.stringify(calls).includes(VALUE));
  const held = await page.driver.executeScript(`
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value);
    return document.documentElement.outerHTML + fields.join() + JSON.stringify({ ...localStorage, ...sessionStorage });`);
  assert.ok(!held.includes(VALUE));
  assert.ok(!JSON.stringify(await page.command('current')).includes(VALUE));
});

test('no file of the home but the keychain’s own, no log and no command line holds it', async () => {
  // A client that connects and disconnects is logged, so the log has content that could leak something.
  const client = session.spawn(skilltender, ['mcp', '--client', 'claude-desktop'], { input: `${JSON.stringify(HELLO)}\n` });
  await until(() => client.exitCode !== null, 'the client goes');
  await until(() => fs.readFileSync(session.log, 'utf8').includes('claude-desktop'), 'the log says so');
  const keyrings = path.join(session.home, '.local/share/keyrings');
  for (const entry of fs.readdirSync(session.home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.startsWith(keyrings)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = fs.readFileSync(file);
    assert.ok(!SPELLINGS.some((spelling) => bytes.includes(spelling)), `${file} holds the secret`);
  }
  for (const process of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    let line = Buffer.alloc(0);
    try {
      line = fs.readFileSync(`/proc/${process}/cmdline`);
    } catch {
      continue; // it ended meanwhile
    }
    assert.ok(!SPELLINGS.some((spelling) => line.includes(spelling)), `process ${process} names the secret`);
  }
});

test('deleting takes it out of the keychain', async () => {
  await page.click('button', t('secret.delete'));
  await page.click('button', t('secret.deleteNow'));
  await page.named('textbox', new RegExp(`^${NAME}`));
  await until(async () => {
    const found = await session.run('secret-tool', ['search', '--all', 'service', 'skilltender']);
    return !found.includes(VALUE);
  }, 'the keychain lets go of it');
});
