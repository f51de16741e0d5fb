// The pictures of docs/screens, taken of the real app on real skills: `cargo xtask screens`.

import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Key } from 'selenium-webdriver';

import { Session, corpus, repository } from './support/session.js';
import { t } from './support/words.js';

const wanted = process.env.SKILLTENDER_SCREENS === '1';
const folder = path.join(repository, 'docs/screens');

for (const theme of ['light', 'dark']) {
  test(`pictures on a ${theme} desktop`, { skip: !wanted && 'SKILLTENDER_SCREENS is not 1' }, async () => {
    const session = await Session.open({ theme, keychain: true, starters: true, frames: false, user: 'mei' });
    try {
      await pictures(session, theme);
    } finally {
      await session.end();
    }
  });
}

async function pictures(session, theme) {
  bring(session, '.claude/skills', ['obra__superpowers', 'mattpocock__skills']);
  bring(session, '.agents/skills', ['getsentry__skills']);
  session.write('.config/Claude/claude_desktop_config.json', CLAUDE_DESKTOP);
  const page = await session.start();
  const take = async (name) => {
    await page.rests();
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${name}-${theme}.png`), await page.picture(), 'base64');
  };
  await take('first-run');
  await page.begin();
  const { skills } = await page.command('current');
  await page.command('enable_skills', { keys: skills.filter(({ name }) => OFF.includes(name)).map(({ key }) => key), on: false });

  await open(page, 'release-notes');
  await take('skills');

  await page.click('tab', new RegExp(`^${t('tab.needs')}`));
  await take('needs');

  await open(page, 'test-driven-development');
  await take('skill');

  await page.openSkill('meeting-notes');
  await page.click('tab', t('tab.edit'));
  await page.goTo(3);
  // Each press goes to where the line is broken next; one more does no harm.
  for (let row = 0; row < 6; row += 1) await page.press(Key.END);
  await page.type(' Languages: any.');
  await page.css('aside li');
  await take('editor');

  await page.click('button', new RegExp(`^${t('nav.clients')}`));
  await page.click('button', t('client.addNamed', { name: 'Claude Desktop' }));
  await take('add-client');
}

/** Opens a skill and leaves the search, which has the focus after that. */
async function open(page, name) {
  await page.openSkill(name);
  await page.driver.executeScript('document.activeElement.blur()');
}

/** Copies the skills of repositories of the corpus into a folder of the home. */
function bring(session, place, repositories) {
  for (const name of repositories) fs.cpSync(path.join(corpus, name), path.join(session.home, place), { recursive: true });
}

/** Skills that a person might have switched off. */
const OFF = ['batch-grill-me', 'brand-guidelines', 'claude-settings-audit'];

const CLAUDE_DESKTOP = `{
  "mcpServers": {
    "postgres": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "mcp/postgres"]
    }
  }
}
`;
