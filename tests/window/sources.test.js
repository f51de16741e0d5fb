// A skill from a git repository in the real window, by keyboard: looked at, added, updated after its review, and taken back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { GitRepository } from './support/git.js';
import { skill } from './support/library.js';
import { Session, until } from './support/session.js';
import { t } from './support/words.js';

const OWN = '.local/share/skilltender/skills';

let session;
let page;
let repository;

before(async () => {
  session = await Session.open();
  repository = await GitRepository.serve(session.home);
  repository.commit({ 'skills/tea/SKILL.md': skill('tea', { body: 'Boil water.\n' }), 'skills/ale/SKILL.md': skill('ale') });
  page = await session.start();
  await page.begin();
});

after(async () => {
  repository?.end();
  await session?.end();
});

const text = () => session.read(`${OWN}/tea/SKILL.md`).toString();
const row = async (id) => (await page.command('current')).skills.find((each) => each.id === id);

test('a repository is looked at when its address was typed, and its skills come off', async () => {
  await page.use('button', t('list.add'));
  await page.use('menuitem', t('action.source'));
  await page.type(repository.address);
  await page.use('button', t('source.look'));
  await page.says(t('source.addTitleMany', { n: 2 }));
  await page.use('button', t('source.addMany', { n: 2 }));
  await until(async () => (await row('tea'))?.origin, 'it is there');
  assert.equal((await row('tea')).enabled, false);
  assert.ok(text().includes('Boil water.'));
});

test('an update is a review of what it can do, and is made when it was answered', async () => {
  const commit = repository.commit({ 'skills/tea/SKILL.md': skill('tea', { body: 'Boil fresh water.\n' }), 'skills/tea/scripts/brew.py': 'print("tea")\n' });
  await page.command('ask_sources', { keys: null });
  await page.openSkill('tea');
  await page.use('button', t('origin.newer'));
  await page.says(t('updating.title', { name: 'tea' }));
  await page.says('scripts/brew.py');
  assert.ok(!text().includes('fresh'), 'looking changes nothing');
  await page.use('button', t('updating.update'));
  await until(async () => (await row('tea')).origin.commit === commit, 'it is updated');
  assert.ok(text().includes('Boil fresh water.'));
});

test('the version before comes back byte for byte', async () => {
  const plan = await page.command('plan_back', { key: 'own/tea', number: 1 });
  await page.command('go_back_to', { key: 'own/tea', number: 1, planId: plan.id });
  assert.equal(text(), skill('tea', { body: 'Boil water.\n' }).toString());
});

test('nothing was forbidden by the content policy', async () => {
  assert.deepEqual(await page.forbidden(), []);
});
