import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';

import { skill } from './support/library.js';
import { Session, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

const FILE = '.config/Claude/claude_desktop_config.json';
const TOML = '.codex/config.toml';
const TOML_BEFORE = '# mine\nmodel = "o4"  # the fast one\n\n[mcp_servers.other]\ncommand = "other"\n';
const BEFORE = '{\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "other", "args": [] }\r\n\t},\r\n\t"theme": "dark"\r\n}';

let session;
let page;

before(async () => {
  session = await Session.open();
  session.write(FILE, BEFORE);
  session.write(TOML, TOML_BEFORE);
  session.write('.claude/skills/tea/SKILL.md', skill('tea'));
  page = await session.start();
  await page.begin();
  await page.click('button', new RegExp(`^${t('nav.clients')}`));
});

after(() => session?.end());

test('adding shows the exact change first and writes nothing', async () => {
  await page.click('button', t('client.addNamed', { name: 'Claude Desktop' }));
  await page.says('"skilltender"');
  await page.says('"--client"');
  assert.equal(session.read(FILE).toString(), BEFORE);
});

test('confirming writes our entry and keeps every other byte', async () => {
  await page.click('button', t('connect.write'));
  await until(() => session.read(FILE).toString() !== BEFORE, 'the file changes');
  const written = session.read(FILE).toString();
  const { mcpServers, theme } = JSON.parse(written);
  // A program that was not installed could be moved, so the entry names a copy of it in the data folder.
  const command = `${session.home}/.local/share/skilltender/bin/skilltender`;
  assert.deepEqual(mcpServers.skilltender, { command, args: ['mcp', '--client', 'claude-desktop'] });
  assert.deepEqual(fs.readFileSync(command), fs.readFileSync(skilltender));
  assert.deepEqual(mcpServers.other, { command: 'other', args: [] });
  assert.equal(theme, 'dark');
  // Cutting one range out of the new file gives the old one.
  const start = [...BEFORE].findIndex((character, at) => character !== written[at]);
  assert.equal(written.slice(0, start) + written.slice(start + written.length - BEFORE.length), BEFORE);
});

test('removing shows the change and gives the original bytes back', async () => {
  await page.click('button', t('client.menuNamed', { name: 'Claude Desktop' }));
  await page.click('menuitem', t('client.remove'));
  await page.click('button', t('connect.take'));
  await until(() => session.read(FILE).toString() === BEFORE, 'the file is as before');
});

test('another client of another format is found by its name, added, and its bytes come back', async () => {
  await page.fill(t('clients.search'), 'codex');
  await page.click('button', t('client.addNamed', { name: 'Codex' }));
  await page.says('[mcp_servers.skilltender]');
  assert.equal(session.read(TOML).toString(), TOML_BEFORE);
  await page.click('button', t('connect.write'));
  await until(() => session.read(TOML).toString() !== TOML_BEFORE, 'the file changes');
  const written = session.read(TOML).toString();
  assert.match(written, /^# mine\nmodel = "o4" {2}# the fast one\n/);
  assert.match(written, /\[mcp_servers\.skilltender\]\ncommand = ".*\/bin\/skilltender"\nargs = \["mcp", "--client", "codex"\]/);

  await page.click('button', t('client.menuNamed', { name: 'Codex' }));
  await page.click('menuitem', t('client.remove'));
  await page.click('button', t('connect.take'));
  await until(() => session.read(TOML).toString() === TOML_BEFORE, 'the file is as before');
  await page.fill(t('clients.search'), '');
});

test('a file that cannot be changed safely is left alone and the line is named', async () => {
  const broken = '{\n  // mine\n  "mcpServers": {}\n}\n';
  fs.writeFileSync(`${session.home}/${FILE}`, broken);
  await page.says('2:3');
  assert.equal(session.read(FILE).toString(), broken);
});

test('nothing was forbidden by the content policy', async () => {
  assert.deepEqual(await page.forbidden(), []);
});
