import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { needing, skill } from './support/library.js';
import { Session, app, repository, skilltender, until } from './support/session.js';
import { t } from './support/words.js';

let session;
let page;

before(async () => {
  session = await Session.open();
  for (const name of ['coffee', 'tea']) session.write(`.claude/skills/${name}/SKILL.md`, skill(name));
  session.write('.claude/skills/research/SKILL.md', skill('R&D_notes'));
  page = await session.start();
  await page.begin();
});

after(() => session?.end());

const isTold = async () => (await session.run('wmctrl', ['-l']).catch(() => '')).includes(t('tray.closedTitle'));

const menu = async (...lines) => {
  let seen;
  const same = async () => JSON.stringify((seen = (await session.tray()).menu)) === JSON.stringify(lines);
  await until(same, 'the menu').catch(() => assert.deepEqual(seen, lines));
};

test('the menu says what is served and offers what can be done', async () => {
  await menu(
    '(On: 3 skills)',
    '---',
    '(Recent skills)',
    '[x] coffee',
    '[x] R&D_notes',
    '[x] tea',
    '---',
    'Add to Claude Desktop',
    'Pause',
    'Open Skilltender',
    '---',
    'Quit',
  );
  assert.equal(await face(), 'running');
});

test('a skill is switched off from the tray, and the window and the choices know', async () => {
  await session.choose('tea');
  await until(async () => (await session.tray()).menu.includes('[ ] tea'), 'the tick goes');
  const on = await (await page.named('switch', 'Enable tea')).getProperty('checked');
  assert.equal(on, false);
  const choices = JSON.parse(session.read('.local/share/skilltender/choices.json'));
  assert.equal(choices.folders.find((folder) => folder.path.endsWith('.claude/skills')).skills.tea, false);
  assert.ok((await session.tray()).menu.includes('(On: 2 skills)'));
});

test('pausing from the tray is said by the tray, its icon and the window; resuming as well', async () => {
  await session.choose('Pause');
  await until(async () => (await session.tray()).menu[0] === '(Paused: clients get no skills)', 'paused');
  assert.equal(await face(), 'paused');
  await page.says(t('endpoint.paused'));
  await session.choose('Resume');
  await until(async () => (await session.tray()).menu[0] === '(On: 2 skills)', 'serving');
  assert.equal(await face(), 'running');
});

test('a skill that lacks a secret changes the icon, and the tray leads to it', async () => {
  session.write('.claude/skills/issues/SKILL.md', needing('issues', 'ISSUES_TOKEN'));
  await until(async () => (await session.tray()).menu[0] === '1 thing needs you', 'it is counted');
  assert.equal(await face(), 'attention');
  await session.choose('1 thing needs you');
  await until(async () => (await page.count('[data-testid=skill-row]')) === 1, 'the list shows it alone');
  await page.row('issues');
});

test('adding a client from the tray shows the change in the window first', async () => {
  await session.choose('Add to Claude Desktop');
  await page.says('Add Skilltender to Claude Desktop');
  await page.click('button', 'Cancel');
});

test('a set is given to a client from the tray, and taken from it again', async () => {
  const cli = (...words) => session.run(skilltender, words);
  await cli('connect', 'cursor', '--yes');
  await cli('sets', 'make', 'Writing', 'coffee');
  const ticks = async () => (await session.tray()).menu.filter((line) => line.startsWith('    ['));
  const shows = (...lines) => until(async () => JSON.stringify(await ticks()) === JSON.stringify(lines), lines.join());
  await shows('    [x] All skills that are on', '    [ ] Writing');
  await session.choose('Writing');
  await shows('    [ ] All skills that are on', '    [x] Writing');
  assert.match(await cli('sets'), /Writing.*cursor/is);
  await session.choose('All skills that are on');
  await shows('    [x] All skills that are on', '    [ ] Writing');
});

test('closing the window leaves the program running, and the tray opens it again', async () => {
  assert.equal((await session.windows()).length, 1);
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await until(async () => (await session.windows()).length === 0, 'the window is gone');
  await until(isTold, 'it says that it runs on');
  await session.run('wmctrl', ['-c', t('tray.closedTitle')]);
  await until(async () => !(await isTold()), 'that was read');
  await session.choose('Open Skilltender');
  await until(async () => (await session.windows()).length === 1, 'the window is back');
});

test('a second start ends well and brings the first to the front', async () => {
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await until(async () => (await session.windows()).length === 0, 'the window is gone');
  const second = spawn(app, [], { env: session.environment, stdio: 'ignore' });
  const [code] = await once(second, 'exit');
  assert.equal(code, 0);
  await until(async () => (await session.windows()).length === 1, 'the window is back');
  assert.equal(await isTold(), false, 'it was said once');
});

test('quitting ends the program and takes the icon away', async () => {
  await session.choose('Quit');
  await until(async () => (await session.icons()) === 0, 'no icon');
});

/** The app's picture that the icon shows. */
async function face() {
  const { icon } = await session.tray();
  const pixels = (file) => execFileSync('convert', [file, 'rgba:-']);
  const shown = pixels(icon);
  const faces = ['running', 'attention', 'paused'];
  return faces.find((name) => pixels(path.join(repository, `icons/tray/${name}-on-light-22.png`)).equals(shown));
}
