import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { needing } from './support/library.js';
import { Session } from './support/session.js';
import { t } from './support/words.js';

const VALUE = `a-${Math.random().toString(36).slice(2)}-secret`;

let session;
let page;

before(async () => {
  session = await Session.open();
  session.write('.claude/skills/issues/SKILL.md', needing('issues', 'ISSUES_TOKEN'));
  page = await session.start();
  await page.begin();
  await page.openSkill('issues');
  await page.click('tab', new RegExp(`^${t('tab.needs')}`));
});

after(() => session?.end());

test('without a keychain a secret is kept for this run only, and the window says so', async () => {
  await page.fill(/^ISSUES_TOKEN/, VALUE);
  await page.click('button', t('secret.store'));
  await page.says(t('keychain.absent'));
  await page.says(t('secret.thisRun', { day: '' }).split(',')[0]);
});

test('no file holds it', () => {
  for (const entry of fs.readdirSync(session.home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    assert.ok(!fs.readFileSync(file).includes(VALUE), `${file} holds the secret`);
  }
});
