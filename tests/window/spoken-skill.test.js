// The life of a skill by keyboard alone and by ear: made, written, saved, thrown away and brought back. No test here
// looks at the page.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Ear } from './support/ear.js';
import { skill } from './support/library.js';
import { Session, until } from './support/session.js';
import { t } from './support/words.js';

const OWN = '.local/share/skilltender/skills';

let session;
let ear;

before(async () => {
  session = await Session.open({ spoken: true });
  for (const name of ['ale', 'brew']) session.write(`.claude/skills/${name}/SKILL.md`, skill(name));
  ear = await Ear.open(session);
  await (await session.start()).begin();
});

after(() => session?.end());

const isIn = (element, role, name) => assert.ok(element.within.some((outer) => outer.role === role && outer.name === name), JSON.stringify(element));
const has = (file) => fs.existsSync(path.join(session.home, file));

test('a new skill is asked for by its name; what is wrong with it is said, and nothing is made before it is right', async () => {
  await ear.reach('table row', /^ale,/);
  await ear.press('Control_L+n');
  isIn(await ear.lands('entry', t('new.name')), 'dialog', t('new.title'));
  await ear.reads(t('new.title'));
  await ear.type('!');
  await ear.hears(t('id.none'));
  await ear.press('Return');
  await ear.press('Control_L+a');
  await ear.type('Tea Time');
  await until(async () => (await ear.focus()).text === 'Tea Time', 'it is typed');
  assert.ok(!has(`${OWN}/tea-time`));
  await ear.press('Return');
  await ear.hears(t('new.made', { name: 'tea-time' }));
  isIn(await ear.lands('entry', 'SKILL.md'), 'article', 'tea-time');
  assert.ok(has(`${OWN}/tea-time/SKILL.md`));
});

test('what is typed is saved with Ctrl S, and that is said', async () => {
  await ear.press('Control_L+End');
  await ear.type('Pour it.');
  await ear.press('Control_L+s');
  await ear.hears(t('edit.saved'));
  assert.ok(session.read(`${OWN}/tea-time/SKILL.md`).toString().includes('Pour it.'));
});

test('the Delete key moves a skill to the trash and says so, and its undo is a button that says what for', async () => {
  // Beside the editor there is no list before somebody asks for it.
  await ear.use('push button', t('edit.showList'));
  await ear.reach('table row', /^tea-time,/);
  await ear.reach('table row', /^brew,/, 'Up');
  await ear.press('Return', 'Delete');
  await ear.hears(t('trash.done', { name: 'brew' }));
  assert.ok(!has('.claude/skills/brew'));
  await ear.lands('table row', /^tea-time,/);
  await ear.use('push button', t('toasts.undoNamed', { what: t('trash.done', { name: 'brew' }) }));
  await ear.hears(t('trash.restored', { n: 1 }));
  assert.ok(has('.claude/skills/brew/SKILL.md'));
});

test('in a dialog it is said and undone too', async () => {
  await ear.reach('table row', /^tea-time,/);
  await ear.reach('table row', /^ale,/, 'Up');
  await ear.press('Return', 'Delete');
  await ear.hears(t('trash.done', { name: 'ale' }));
  await ear.press('Control_L+n');
  await ear.lands('entry', t('new.name'));
  isIn(await ear.use('push button', t('toasts.undoNamed', { what: t('trash.done', { name: 'ale' }) })), 'dialog', t('new.title'));
  await ear.hears(t('trash.restored', { n: 1 }));
  assert.ok(has('.claude/skills/ale/SKILL.md'));
  isIn(await ear.focus(), 'dialog', t('new.title'));
});
