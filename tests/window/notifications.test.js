import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';

import { needing, skill } from './support/library.js';
import { Session, repository, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

let session;
let page;

const cli = (...words) => session.run(skilltender, words);
const titles = async () => (await session.notifications()).map(({ title, body }) => `${title}: ${body}`);
const told = (...lines) => until(async () => JSON.stringify(await titles()) === JSON.stringify(lines), lines.join());

before(async () => {
  session = await Session.open({ notifications: true });
  session.write('.claude/skills/tea/SKILL.md', skill('tea'));
  fs.mkdirSync(`${session.home}/.cursor`);
  page = await session.start();
  await page.begin();
  await cli('connect', 'cursor');
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await until(async () => (await session.windows()).length === 0, 'the window is gone');
  await session.run('wmctrl', ['-c', t('tray.closedTitle')]);
});

after(() => session?.end());

test('new skills that another program adds are one notification, and a name is no markup', async () => {
  for (const name of ['milk', 'R&D <b>']) session.write(`.claude/skills/${name}/SKILL.md`, skill(`"${name}"`));
  await told('2 new skills: R&amp;D &lt;b&gt;, milk');
});

test('an entry that another program takes out is told, and the click opens the clients', async () => {
  session.write('.cursor/mcp.json', '{ "mcpServers": {} }');
  await told('2 new skills: R&amp;D &lt;b&gt;, milk', 'An entry of Skilltender was changed: Cursor');
  await session.clickNotification('An entry of Skilltender was changed');
  await until(async () => (await session.windows()).length === 1, 'the window is back');
  await page.named('heading', t('nav.clients'));
});

test('while the window is in front nothing is told, and neither is what is switched off', async () => {
  await session.run('wmctrl', ['-a', 'Skilltender']);
  session.write('.claude/skills/cocoa/SKILL.md', skill('cocoa'));
  await until(async () => (await cli('list')).includes('cocoa'), 'it is in the library');
  await cli('settings', 'notify-skills', 'off');
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await until(async () => (await session.windows()).length === 0, 'the window is gone');
  session.write('.claude/skills/coffee/SKILL.md', skill('coffee'));
  session.write('.claude/skills/stock/SKILL.md', needing('stock', 'TOKEN'));
  await cli('settings', 'notify-skills', 'on');
  session.write('.claude/skills/mate/SKILL.md', skill('mate'));
  // The last one is told, so what came before it was not.
  await until(async () => (await titles()).some((line) => line.includes('mate')), 'it is told');
  assert.equal((await titles()).filter((line) => line.includes('cocoa')).length, 0);
});

test('who wants no program in the tray ends it with the window', async () => {
  await cli('settings', 'keep-running', 'off');
  await session.choose('Open Skilltender');
  await until(async () => (await session.windows()).length === 1, 'the window is back');
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await until(async () => (await session.icons()) === 0, 'the program has ended');
});
