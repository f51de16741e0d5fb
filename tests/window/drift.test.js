// An entry of ours that somebody changed or took out of a client's file, settled by keyboard and by ear, each way. The
// way that keeps theirs: spoken.test.js.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import { Ear } from './support/ear.js';
import { Session, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

const FILE = '.config/Claude/claude_desktop_config.json';
const name = 'Claude Desktop';

let session;
let ear;
let ours;

before(async () => {
  session = await Session.open({ spoken: true });
  session.write(FILE, '{\n  "mcpServers": {\n    "other": { "command": "other" }\n  }\n}\n');
  ear = await Ear.open(session);
  const page = await session.start();
  await page.begin();
  await ear.use('push button', new RegExp(`^${t('nav.clients')}`));
});

after(() => session?.end());

beforeEach(async () => {
  await session.run(skilltender, ['connect', 'claude-desktop', '--yes']);
  ours = text();
});

const text = () => session.read(FILE).toString();
const edit = (change) => {
  const edited = change(text());
  assert.notEqual(edited, text());
  fs.writeFileSync(path.join(session.home, FILE), edited);
  return edited;
};
const standing = async () => JSON.parse(await session.run(skilltender, ['clients', '--json'])).find(({ id }) => id === 'claude-desktop').standing.state;
const stands = (state) => until(async () => (await standing()) === state, `the entry is ${state}`);
const withoutOurs = (file) => {
  const parsed = JSON.parse(file);
  delete parsed.mcpServers.skilltender;
  return `${JSON.stringify(parsed, null, 2)}\n`;
};

/** Opens what somebody did to our entry. */
async function look(title) {
  await ear.reads(t('client.seeDriftNamed', { name }));
  await ear.use('push button', t('client.seeDriftNamed', { name }));
  const { within } = await ear.lands('push button', t('drift.later'));
  assert.ok(within.some((outer) => outer.role === 'dialog' && outer.name === t(title, { name })), JSON.stringify(within));
}

test('ours is put back: the change is shown first, and their other changes stay', async () => {
  edit((file) => file.replace('"mcp"', '"mcp", "--mine"').replace('"command": "other"', '"command": "another"'));
  const theirs = text();
  await look('drift.title');
  await ear.reads('--mine');
  await ear.use('push button', t('drift.putBack'));
  await ear.lands('push button', t('dialog.cancel'));
  assert.equal(text(), theirs);
  await ear.use('push button', t('connect.writeNow'));
  await ear.hears(t('connect.updated', { name }));
  assert.equal(text(), ours.replace('"command": "other"', '"command": "another"'));
  await stands('added');
});

test('what changed while it was shown is shown anew, and nothing is done', async () => {
  edit((file) => file.replace('"mcp"', '"mcp", "--mine"'));
  await look('drift.title');
  const theirs = edit((file) => file.replace('--mine', '--other'));
  await ear.use('push button', t('drift.keep'));
  await ear.hears(t('drift.anew'));
  await ear.reads('--other');
  await ear.press('Escape');
  await ear.lands('push button', t('client.seeDriftNamed', { name }));
  assert.equal(text(), theirs);
  await stands('edited');
});

test('what is managed no longer stays as they made it, there is nothing more to settle, and why ours cannot be added is said', async () => {
  const theirs = edit((file) => file.replace('"mcp"', '"mcp", "--mine"'));
  await look('drift.title');
  await ear.use('push button', t('drift.forget'));
  await ear.hears(t('drift.forgotten', { name }));
  assert.equal(text(), theirs);
  await stands('different');
  await ear.reads(t('client.differentText'));
  const names = (await ear.tree()).map((one) => one.name);
  assert.ok(!names.includes(t('client.seeDriftNamed', { name })) && !names.includes(t('clients.needsYou')), names.join(' / '));
  assert.ok(names.includes(t('clients.found')));
  edit(withoutOurs);
  await stands('absent');
});

test('an entry that was taken out is left out', async () => {
  const theirs = edit(withoutOurs);
  await look('drift.titleDropped');
  await ear.use('push button', t('drift.leaveOut'));
  await ear.hears(t('drift.forgotten', { name }));
  assert.equal(text(), theirs);
  await stands('absent');
});

test('an entry that was taken out is put back, where nothing else changes', async () => {
  const theirs = edit(withoutOurs);
  await look('drift.titleDropped');
  await ear.use('push button', t('drift.putBack'));
  await ear.lands('push button', t('dialog.cancel'));
  assert.equal(text(), theirs);
  await ear.use('push button', t('connect.write'));
  await ear.hears(t('connect.added', { name }));
  await stands('added');
  assert.deepEqual(JSON.parse(text()), JSON.parse(ours));
});
