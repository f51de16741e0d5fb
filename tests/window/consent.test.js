import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Client } from './support/client.js';
import { skill } from './support/library.js';
import { Session, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

const REST = ['--from=1', 'two words', '$(not a shell)', `--folder=${'a-very-long-name-'.repeat(12)}`];

let session;
let page;
let script;

before(async () => {
  session = await Session.open();
  script = session.write('server/server.py', fs.readFileSync(path.join(import.meta.dirname, 'support/server.py')));
  session.write('.claude/skills/counting/SKILL.md', counting(['-u', script, ...REST]));
  page = await session.start();
  await page.begin();
  await page.openSkill('counting');
});

after(() => session?.end());

test('a skill waits for its server, which has not run', async () => {
  await page.says(t('ready.consent'));
  const { servers } = await page.command('current');
  assert.deepEqual(servers.map(({ name, state }) => [name, state.kind]), [['words', 'needs-consent']]);
});

test('the main window cannot answer, whatever runs in it', async () => {
  for (const [command, values] of [
    ['plan_server', { server: 'words' }],
    ['approve_server', { server: 'words', digest: '' }],
    ['approve_tools', { server: 'words', digest: '' }],
    ['close_consent', {}],
  ]) {
    await assert.rejects(page.command(command, values), /not allowed/, command);
  }
});

test('the question opens in a window of its own, and the main one waits', async () => {
  await page.click('button', t('server.approve'));
  await page.css('.scrim');
  assert.ok(await page.driver.executeScript('return document.querySelector(".app").inert'));
});

test('what would run stands there whole, and the safe answer has focus', async () => {
  const question = await session.question();
  const shown = await question.driver.executeScript('return [...document.querySelectorAll("[data-testid=consent-command] code")].map((line) => line.textContent)');
  assert.deepEqual(shown, ['python3', '-u', script, ...REST]);
  assert.equal(await question.driver.executeScript('return document.activeElement.textContent.trim()'), t('consent.notNow'));
  assert.deepEqual(await question.forbidden(), []);
});

test('it may do nothing but ask', async () => {
  for (const command of ['current', 'revoke_server', 'read_skill', 'quit']) {
    await assert.rejects(page.command(command, { server: 'words', key: 'x' }), /not allowed/, command);
  }
});

test('not now leaves everything as it was', async () => {
  await session.answer(t('consent.notNow'));
  await until(async () => (await page.count('.scrim')) === 0, 'the main window goes on');
  assert.equal((await page.command('current')).servers[0].state.kind, 'needs-consent');
});

test('approved, the server starts, and its tools and its log are shown', async () => {
  await page.click('button', t('server.approve'));
  const question = await session.question();
  await question.driver.executeScript('const body = document.querySelector(".body"); body.scrollTop = body.scrollHeight');
  await session.answer(t('consent.approve'));
  await until(async () => (await page.command('current')).servers[0].state.kind === 'running', 'the server runs');
  await page.click('button', new RegExp(`^${t('nav.servers')}`));
  await (await page.css('[data-server=words]')).click();
  await page.says('count_words');
  await page.click('tab', t('server.log'));
  await page.says('tools/list');
});

test('a client calls its tool', async () => {
  const client = await Client.connect(session, skilltender, 'claude-desktop');
  const listed = await client.ask('tools/list');
  assert.ok(listed.result.tools.some((tool) => tool.name === 'words__count_words'));
  const called = await client.ask('tools/call', { name: 'words__count_words', arguments: { text: 'one two three' } });
  assert.equal(called.result.content[0].text, '3');
});

test('a changed command stops it and asks again, with the difference', async () => {
  session.write('.claude/skills/counting/SKILL.md', counting(['-u', script, '--from=2', ...REST.slice(1)]));
  await until(async () => (await page.command('current')).servers[0].state.changed === true, 'it is asked again');
  await page.click('button', t('server.approve'));
  const question = await session.question();
  const marked = await question.driver.executeScript('return [...document.querySelectorAll("[data-testid=consent-command] mark")].map((mark) => mark.textContent)');
  assert.deepEqual(marked, ['1', '2']);
  await session.answer(t('consent.keepStopped'));
  assert.equal((await page.command('current')).servers[0].state.kind, 'needs-consent');
});

/** A skill that needs the server, started with these arguments. */
function counting(words) {
  const more = ['requires-mcp-servers:', '  - name: words', '    description: Counts words.', '    command: python3', `    args: ${JSON.stringify(words)}`, ''];
  return skill('counting', { more: more.join('\n') });
}
