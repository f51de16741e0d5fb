// What a failing test leaves to look at: a picture of the screen, also of a page that WebDriver cannot picture.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { skill } from './support/library.js';
import { repository } from './support/session.js';

const run = promisify(execFile);
const folder = path.join(repository, 'target/window-tests');
const FAILING = `
  import { test } from 'node:test';
  import { Session } from '${import.meta.dirname}/support/session.js';
  test('this fails on purpose', async (context) => {
    const session = await Session.open();
    context.after(() => session.end());
    session.write('.claude/skills/tea/SKILL.md', ${JSON.stringify(skill('tea'))});
    await (await session.start()).begin();
    throw new Error('on purpose');
  });`;

let home;

const forget = () => ['png', 'log'].forEach((kind) => fs.rmSync(path.join(folder, `this-fails-on-purpose.${kind}`), { force: true }));

before(() => {
  home = fs.mkdtempSync(path.join(repository, 'target/fails-'));
  forget();
});

after(() => {
  fs.rmSync(home, { recursive: true, force: true });
  forget();
});

test('a failing test leaves a picture of the window and the log of the app', async () => {
  const file = path.join(home, 'fails.test.mjs');
  fs.writeFileSync(file, FAILING);
  // A test file that Node's runner starts is told so, and its output would be the runner's own.
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const why = await run(process.execPath, ['--test', file], { env }).then(() => assert.fail('it passes'), (failed) => failed);
  assert.match(why.stdout, /on purpose/);
  const picture = path.join(folder, 'this-fails-on-purpose.png');
  const [width, height, colours] = (await run('identify', ['-format', '%w %h %k', picture])).stdout.split(' ').map(Number);
  assert.deepEqual([width, height], [1280, 800]);
  // An empty screen has one colour, and an empty window few.
  assert.ok(colours > 100, `${colours} colours`);
  assert.ok(fs.readFileSync(path.join(folder, 'this-fails-on-purpose.log'), 'utf8').includes('skilltender_app'));
});
