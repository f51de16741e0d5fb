import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { skill } from './support/library.js';
import { Session, until } from './support/session.js';
import { t } from './support/words.js';

let session;
let page;

before(async () => {
  session = await Session.open();
  session.write('.claude/skills/tea/SKILL.md', skill('tea'));
  session.write('.claude/skills/coffee/SKILL.md', skill('coffee'));
  session.write('.agents/skills/notes/SKILL.md', skill('notes'));
  page = await session.start();
});

after(() => session?.end());

test('the first run offers the skill folders that are there, with how many skills they hold', async () => {
  for (const place of ['~/.claude/skills', '~/.agents/skills']) await page.says(place);
  assert.equal(await page.count('[data-testid=skill-row]'), 0);
});

test('starting adds the folders that were left ticked, and the skills show', async () => {
  // When a client is found, the button also says that it is added.
  await page.click('button', new RegExp(`${t('first.start')}$`, 'i'));
  for (const name of ['tea', 'coffee', 'notes']) await page.row(name);
  const choices = JSON.parse(session.read('.local/share/skilltender/choices.json'));
  const paths = choices.folders.map((folder) => folder.path);
  for (const folder of ['.claude/skills', '.agents/skills']) assert.ok(paths.includes(`${session.home}/${folder}`), `${paths}`);
});

test('what the skills carry is shown before they are switched on', async () => {
  const on = () => {
    const { folders } = JSON.parse(session.read('.local/share/skilltender/choices.json'));
    return folders.filter((folder) => folder.id !== 'own').flatMap((folder) => Object.values(folder.skills));
  };
  await page.says(t('enable.titleMany', { n: 3 }));
  assert.ok(on().every((one) => !one));
  await page.click('button', t('enable.nowMany', { n: 3 }));
  await until(async () => on().every(Boolean), 'they are on');
});

test('the keyboard is in the library then', async () => {
  const focused = async () => (await page.driver.switchTo().activeElement()).getAccessibleName();
  await until(async () => (await focused()) === t('list.search'), 'the search has the focus');
});

test('a skill that appears later shows by itself', async () => {
  session.write('.claude/skills/later/SKILL.md', skill('later'));
  await page.row('later');
});

test('nothing was forbidden by the content policy', async () => {
  assert.deepEqual(await page.forbidden(), []);
});
