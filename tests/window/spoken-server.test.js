// What a server needs from a person, by keyboard alone and by ear: its secret, and the answer in the window that asks
// whether it may run. No test here looks at the page.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Ear } from './support/ear.js';
import { needing, skill } from './support/library.js';
import { Session, until } from './support/session.js';
import { t } from './support/words.js';

const NAME = 'ISSUES_TOKEN';
const VALUE = `a-${Math.random().toString(36).slice(2)}-secret`;

let session;
let ear;
let page;
let script;

before(async () => {
  session = await Session.open({ spoken: true, keychain: true });
  script = session.write('server/server.py', fs.readFileSync(path.join(import.meta.dirname, 'support/server.py')));
  const more = ['requires-mcp-servers:', '  - name: words', '    description: Counts words.', '    command: python3', `    args: ["-u", "${script}"]`, ''];
  session.write('.claude/skills/words/SKILL.md', skill('words', { more: more.join('\n') }));
  session.write('.claude/skills/issues/SKILL.md', needing('issues', NAME));
  ear = await Ear.open(session);
  page = await session.start();
  await page.begin();
});

after(() => session?.end());

const start = (words) => new RegExp(`^${words}`);
const isIn = (element, role, name) => assert.ok(element.within.some((outer) => outer.role === role && outer.name === name), JSON.stringify(element));
const state = async () => (await page.command('current')).servers.find(({ name }) => name === 'words').state.kind;
const keychain = () => session.run('secret-tool', ['search', '--all', 'service', 'skilltender']);

test('a secret is typed into a field that says its name and no letter of it, and where it went is said', async () => {
  await ear.reach('table row', /./);
  await ear.reach('table row', /^issues,/, 'Down');
  await ear.press('Return');
  await ear.reach('page tab', t('tab.read'));
  await ear.reach('page tab', start(t('tab.needs')), 'Right');
  const field = await ear.reach('password text', `${NAME} · ${t('secret.kind')}`);
  isIn(field, 'article', 'issues');
  await ear.type(VALUE);
  await until(async () => (await ear.focus()).text.length === VALUE.length, 'it is typed');
  assert.match((await ear.focus()).text, /^[^a-z]+$/);
  await ear.press('Return');
  await ear.hears(t('secret.storedNow', { name: NAME }));
  assert.ok((await keychain()).includes(`secret = ${VALUE}`));
  isIn(await ear.lands('push button', t('secret.replace')), 'article', 'issues');
});

test('nothing that is said or can be read holds it', async () => {
  assert.ok(!JSON.stringify([await ear.heard(), await ear.tree()]).includes(VALUE));
});

test('deleting it asks again, with the safe answer first, and is said', async () => {
  await ear.use('push button', t('secret.delete'));
  await ear.lands('push button', t('secret.keep'));
  await ear.press('Return');
  await ear.use('push button', t('secret.delete'));
  await ear.lands('push button', t('secret.keep'));
  await ear.reach('push button', t('secret.deleteNow'), 'Shift_L+Tab');
  await ear.press('Return');
  await ear.hears(t('secret.deleted', { name: NAME }));
  assert.ok(!(await keychain()).includes(VALUE));
});

test('the window that asks has a name of its own, begins with the safe answer, and reads the command word by word', async () => {
  await ear.use('push button', start(t('nav.servers')));
  await ear.use('list item', /^words/, 'Return');
  await ear.use('push button', t('server.approve'));
  await ear.hears(t('asking.text', { server: 'words' }));
  await ear.lands('push button', t('consent.notNow'));
  await ear.isWithin('frame', t('consent.window'));
  await ear.isWithin('landmark', t('consent.first', { name: 'words' }));
  await ear.reads(t('consent.command'));
  const words = (await ear.tree()).filter(({ role }) => role === 'list item').map(({ name }) => name);
  assert.deepEqual(words.slice(-3), ['python3', '1 -u', `2 ${script}`]);
});

test('Return on the safe answer starts nothing, and the keyboard goes on where it was', async () => {
  await ear.press('Return');
  const back = await ear.lands('push button', t('server.approve'));
  isIn(back, 'article', 'words');
  assert.equal(await state(), 'needs-consent');
});

test('approved, it runs, and that can be read', async () => {
  await ear.press('Return');
  await ear.lands('push button', t('consent.notNow'));
  await ear.use('push button', t('consent.approve'));
  await until(async () => (await state()) === 'running', 'the server runs');
  await ear.reads('words', t('server.running'));
});
