import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';

import { Client } from './support/client.js';
import { skill } from './support/library.js';
import { Session, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

const day = 86_400_000;
const date = (ago) => new Date(Date.now() - ago * day).toISOString().slice(0, 10);

let session;
let page;

before(async () => {
  session = await Session.open();
  for (const name of ['tea', 'report']) {
    const file = session.write(`.claude/skills/${name}/SKILL.md`, skill(name));
    fs.utimesSync(file, new Date(Date.now() - 90 * day), new Date(Date.now() - 90 * day));
  }
  // Thirty days: each with three calls for tea, and a list of both skills.
  const months = {};
  for (let ago = 29; ago >= 1; ago -= 1) {
    const file = (months[date(ago).slice(0, 7)] ??= { version: 1, skills: ['tea', 'report'], clients: ['claude-desktop'], servers: [], days: {} });
    file.days[date(ago)] = { skills: [[0, 0, 3, 0, 60]], lists: [[0, 1, 20], [1, 1, 20]] };
  }
  for (const [month, file] of Object.entries(months)) session.write(`.local/share/skilltender/usage/${month}.json`, `${JSON.stringify(file)}\n`);
  page = await session.start();
  await page.begin();
});

after(() => session?.end());

const enabled = async (name) => (await page.command('current')).skills.find((row) => row.name === name).enabled;

test('thirty days of calls are bars, and a call of now is among them', async () => {
  const client = await Client.connect(session, skilltender, 'claude-desktop');
  await client.ask('tools/call', { name: 'get_skill', arguments: { id: 'tea' } });
  await page.click('button', t('nav.insight'));
  await page.css('main figure table');
  const bars = () => session.driver.executeScript('return [...document.querySelectorAll("main figure tbody td:nth-child(2)")].map((cell) => Number(cell.textContent))');
  await until(async () => (await bars()).reduce((sum, calls) => sum + calls, 0) === 88, 'all calls are there');
  assert.deepEqual(await bars(), [...Array(29).fill(3), 1]);
});

test('the skill that nobody used is switched off, and on again with one click', async () => {
  assert.equal(await enabled('report'), true);
  await page.says(t('insight.never', { n: 1, days: 30 }));
  await page.click('button', t('insight.offNamed', { n: 1, names: 'report' }));
  await until(async () => !(await enabled('report')), 'it is off');
  await page.click('button', new RegExp(`^${t('toasts.undo')}`));
  await until(() => enabled('report'), 'it is on again');
});

test("a skill's page says what it was used for, and Activity what was read", async () => {
  await page.click('button', new RegExp(`^${t('nav.skills')}`));
  await page.openSkill('tea');
  await page.css('[data-testid=usage-strip]');
  await page.click('button', new RegExp(`^${t('nav.activity')}`));
  await page.says(t('did.read', { name: 'tea' }));
});

test('forgetting leaves nothing in the window and nothing on the disk', async () => {
  await page.click('button', t('nav.insight'));
  await page.click('button', t('insight.wipe'));
  const confirm = await page.css('dialog[open] .danger');
  await confirm.click();
  await page.says(t('empty.insight.title'));
  const left = fs.readdirSync(`${session.home}/.local/share/skilltender/usage`);
  assert.deepEqual(left, ['lock']);
});
