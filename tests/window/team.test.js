// A team is joined in the real window: its file is looked at, one yes in the window that asks brings its skill and lets its
// server run, what only the person knows is typed there, and a client is connected and called.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Client } from './support/client.js';
import { GitRepository } from './support/git.js';
import { skill } from './support/library.js';
import { Session, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

const SECRET = `a-${Math.random().toString(36).slice(2)}-secret`;
const MORE = [
  'requires-mcp-servers:',
  '  - name: words',
  '    description: Counts words.',
  '    command: python3',
  '    args: ["-u", "server.py"]',
  '    env: { TOKEN: "${TOKEN}", REGION: "${REGION}" }',
  '    parameters:',
  '      TOKEN: { description: Ask Ada for it., sensitive: true }',
  '      REGION: { description: Which one. }',
  '',
].join('\n');

let session;
let page;
let repository;

before(async () => {
  session = await Session.open({ keychain: true });
  repository = await GitRepository.serve(session.home);
  const server = fs.readFileSync(path.join(import.meta.dirname, 'support/server.py'));
  repository.commit({ 'skills/counting/SKILL.md': skill('counting', { more: MORE }), 'skills/counting/server.py': server });
  // Somebody else of the team exports the file.
  const other = ['--home', path.join(session.home, 'other')];
  const file = path.join(repository.work, 'skilltender.team.yaml');
  await session.run(skilltender, [...other, 'sources', 'add', repository.address, '--yes']);
  await session.run(skilltender, [...other, 'team', 'export', '--out', file]);
  const text = fs.readFileSync(file, 'utf8').replace('version: 1\n', 'version: 1\nname: Cellar\nadvice: Count first.\nclients:\n  - codex\n');
  repository.commit({ 'skilltender.team.yaml': text });
  session.write('.codex/config.toml', 'model = "tea"\n');
  page = await session.start();
  await page.begin();
});

after(async () => {
  repository?.end();
  await session?.end();
});

const toTheEnd = (question) => question.driver.executeScript('const body = document.querySelector(".body"); body.scrollTop = body.scrollHeight');
const config = () => session.read('.codex/config.toml').toString();

test('what a person pastes to add skills is recognised as a team’s, and is looked at in a window of its own', async () => {
  await page.use('button', t('list.add'));
  await page.use('menuitem', t('action.source'));
  await page.type(repository.address);
  await page.use('button', t('source.look'));
  await page.says(t('team.found'));
  await page.click('button', t('team.joinIt'));
  await page.says(t('team.askedText'));
  // Neither a yes nor what stands there is the main window's to give.
  for (const command of ['join_team', 'team_asked', 'close_consent']) {
    await assert.rejects(page.command(command, { planId: 'x', values: {} }), /not allowed/, command);
  }
  const question = await session.question();
  await question.says(t('team.ask', { name: 'Cellar' }));
  const shown = await question.driver.executeScript('return [...document.querySelectorAll("[data-testid=team-server] code")].map((line) => line.textContent)');
  assert.deepEqual(shown, ['python3', '-u', 'server.py']);
  assert.equal(await question.driver.executeScript('return document.activeElement.textContent.trim()'), t('consent.notNow'));
  assert.deepEqual(await question.forbidden(), []);
  assert.ok(!fs.existsSync(path.join(session.home, '.local/share/skilltender/skills/counting')), 'looking brings nothing');
});

test('not now leaves everything as it was, and it can be asked again', async () => {
  await session.answer(t('consent.notNow'));
  await page.says(t('team.notJoined'));
  assert.deepEqual((await page.command('current')).skills, []);
  await page.click('button', t('team.askAgain'));
  await session.question();
});

test('after a yes the window that asks is closed in between, and what is missing is asked for again', async () => {
  const question = page;
  await toTheEnd(question);
  await question.click('button', t('team.yesServers'));
  await question.says(t('team.missingTitle'));
  assert.deepEqual(await question.driver.executeScript('return [...document.querySelectorAll("#team-missing input")].map((field) => field.type)'), ['password', 'text']);
  await session.answer(t('team.later'));
  await page.says(t('team.left', { n: 2 }));
  await page.click('button', t('team.give'));
  await (await session.question()).says(t('team.missingTitle'));
});

test('what is typed goes to the keychain and to the server, which may run as the page showed it', async () => {
  await page.fill(/^TOKEN/, SECRET);
  await page.fill(/^REGION/, 'north');
  await session.answer(t('team.goOn'));
  await page.says(t('team.whole'));
  const found = await session.run('secret-tool', ['search', '--all', 'service', 'skilltender']);
  assert.ok(found.includes(`secret = ${SECRET}`), 'the keychain has it');
  const state = await page.command('current');
  assert.deepEqual(state.skills.map(({ id, enabled }) => [id, enabled]), [['counting', true]]);
  assert.ok(!JSON.stringify(state).includes(SECRET));
  assert.ok(!(await page.driver.executeScript('return document.documentElement.outerHTML')).includes(SECRET));
});

test('the advised client is connected by the change that is shown, and called as it would call', async () => {
  await page.says(t('team.notConnected'));
  await page.click('button', t('team.connectNamed', { name: 'Codex' }));
  await page.says('skilltender');
  assert.equal(config(), 'model = "tea"\n');
  await page.click('button', t('connect.write'));
  await until(() => config().includes('skilltender'), 'it is written');
  const called = await until(async () => {
    const answer = await page.command('call_client', { client: 'codex' });
    return answer.state === 'answered' && answer;
  }, 'it is answered');
  await page.says(t('team.answered', { n: called.tools }));
  const client = await Client.connect(session, skilltender, 'codex');
  const answer = await client.ask('tools/call', { name: 'words__count_words', arguments: { text: 'one two three' } });
  assert.equal(answer.result.content[0].text, '3');
});

test('nothing was forbidden by the content policy', async () => {
  assert.deepEqual(await page.forbidden(), []);
});
