import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { skill } from './support/library.js';
import { Session, repositories, until } from './support/session.js';
import { t } from './support/words.js';

const MADE = 1000;

let session;
let page;
let skills;

before(async () => {
  session = await Session.open();
  for (let number = 1; number <= MADE; number += 1) {
    const name = `made-${String(number).padStart(4, '0')}`;
    session.write(`.claude/skills/${name}/SKILL.md`, skill(name));
  }
  session.library(repositories);
  page = await session.start();
  await page.begin();
  ({ skills } = await page.command('current'));
});

after(() => session?.end());

test('the library holds the thousand skills and those of every real repository', async () => {
  assert.ok(skills.length >= MADE + (repositories.length > 0 ? 300 : 0), `${skills.length} skills`);
  const { folders } = await page.command('current');
  assert.deepEqual(folders.filter((folder) => repositories.includes(folder.path) && folder.skills === 0), []);
});

test('of all these only a few rows are in the page, wherever it is scrolled to', async () => {
  for (const part of [0, 0.5, 1]) {
    await page.driver.executeScript(`
      const rows = document.querySelector('[role=grid]');
      rows.scrollTop = rows.scrollHeight * ${part};`);
    await until(async () => (await page.count('[data-testid=skill-row]')) > 5, 'rows are drawn');
    const rows = await page.count('[data-testid=skill-row]');
    assert.ok(rows < 80, `${rows} rows`);
  }
});

test('searching narrows the list by name and description', async () => {
  await page.search('made-0500');
  await until(async () => (await page.count('[data-testid=skill-row]')) === 1, 'one row is left');
  await page.row('made-0500');
  await page.search('qzx jwv');
  await page.says(t('empty.search.title', { query: 'qzx jwv' }));
  await page.click('button', t('list.clear'));
});

test('a skill is switched on and off in the list, and the choice is kept', async () => {
  const row = async () => (await page.command('current')).skills.find((skill) => skill.name === 'made-0500');
  await page.search('made-0500');
  const { enabled, key } = await row();
  for (const on of [!enabled, enabled]) {
    await page.click('switch', t('row.enable', { name: 'made-0500' }));
    await until(async () => (await row()).enabled === on, `it is ${on ? 'on' : 'off'}`);
    const { folders } = JSON.parse(session.read('.local/share/skilltender/choices.json'));
    const folder = folders.find(({ id }) => key.startsWith(`${id}/`));
    assert.equal(folder.skills['made-0500'], on);
  }
});

test('real skills open, and none of them breaks the content policy', { skip: repositories.length === 0 && 'the corpus is not on this machine' }, async () => {
  for (const { name, key } of skills.filter((row) => !row.name.startsWith('made-')).filter((_, at) => at % 25 === 0)) {
    await page.command('read_skill', { key });
    await page.openSkill(name);
    await page.css('[data-testid=markdown]');
  }
  assert.deepEqual(await page.forbidden(), []);
});
