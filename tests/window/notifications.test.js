// What reaches a person who does not look at the window: the desktop's notifications, and addresses that other programs
// open.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { inspected } from './support/inspector.js';
import { skill } from './support/library.js';
import { Session, app, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

let session;
let page;
let program;

const cli = (...words) => session.run(skilltender, words);
const titles = async () => (await session.notifications()).map(({ title, body }) => `${title}: ${body}`);
const told = async (line) => {
  let seen;
  await until(async () => (seen = await titles()).includes(line), line, 30_000).catch(() => assert.fail(`not told: ${line}; told: ${seen.join(' / ')}`));
};
const write = (name) => session.write(`library/${name}/SKILL.md`, skill(`"${name}"`));
const close = async () => {
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await until(async () => (await session.windows()).length === 0, 'the window is gone', 30_000);
};
const opened = async () => {
  await until(async () => (await session.windows()).length === 1, 'the window is there', 30_000);
  await page.until(`return document.querySelector('main:not([aria-busy])') !== null`, 'its page is there');
};

before(async () => {
  session = await Session.open({ notifications: true });
  write('tea');
  fs.mkdirSync(`${session.home}/.cursor`);
  const folders = [{ id: 'f1', path: `${session.home}/library`, enable_new: true }];
  session.write('.local/share/skilltender/choices.json', JSON.stringify({ version: 1, first_run: false, last_folder: 1, folders }));
  ({ page, program } = await inspected(session));
  await opened();
  await cli('connect', 'cursor', '--yes');
  await close();
});

after(() => session?.end());

test('what was there at the start is not told, and skills that another program adds are, with names that are no markup', async () => {
  for (const name of ['milk', 'R&D <b>']) write(name);
  await until(async () => (await titles()).length > 0, 'something is told', 30_000);
  const said = (await titles()).join();
  assert.match(said, /R&amp;D &lt;b&gt;/);
  assert.doesNotMatch(said, /tea|<b>/);
});

test('an entry that another program takes out is told, and the click opens the clients', async () => {
  // What a client drops right after it was written is put back by itself, and is not told.
  await pause(8_000);
  session.write('.cursor/mcp.json', '{ "mcpServers": {} }');
  await told('An entry of Skilltender was changed: Cursor');
  await session.clickNotification('An entry of Skilltender was changed');
  await opened();
  await page.until(`return document.querySelector('h1')?.textContent.trim() === ${JSON.stringify(t('nav.clients'))}`, 'the clients');
});

test('while the window is in front nothing is told, and neither is what is switched off', async () => {
  await until(() => page.run('return document.hasFocus()'), 'it is in front');
  write('cocoa');
  await until(async () => (await cli('list')).includes('cocoa'), 'it is in the library');
  // Longer than changes are gathered.
  await pause(5_000);
  await cli('settings', 'notify-skills', 'off');
  await close();
  write('coffee');
  await until(async () => (await cli('list')).includes('coffee'), 'it is in the library');
  await pause(5_000);
  await cli('settings', 'notify-skills', 'on');
  write('mate');
  await told('A new skill: mate');
  assert.doesNotMatch((await titles()).join(), /cocoa|coffee/);
});

test('an address of ours opens the review of what it names, and takes nothing in', async () => {
  const file = session.write('Downloads/some skills/punch/SKILL.md', skill('punch'));
  const source = encodeURIComponent(`${session.home}/Downloads/some skills`);
  const second = spawn(app, [`skilltender://install?source=${source}`], { env: session.environment, stdio: 'ignore' });
  assert.deepEqual(await once(second, 'exit'), [0, null]);
  await opened();
  await page.until(`return document.querySelector('dialog[open]')?.textContent.includes('punch')`, 'the review');
  assert.ok(!(await cli('list')).includes('punch'));
  assert.ok(fs.existsSync(file));
  await page.run(`[...document.querySelectorAll('dialog[open] button')].find((each) => each.textContent.trim() === ${JSON.stringify(t('dialog.cancel'))}).click()`);
});

test('who wants no program in the tray ends it with the window', async () => {
  await cli('settings', 'keep-running', 'off');
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await until(() => program.exitCode !== null, 'the program has ended', 30_000);
  assert.equal(await session.icons(), 0);
});
