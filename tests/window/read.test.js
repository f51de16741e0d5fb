import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { after, before, test } from 'node:test';

import { skill } from './support/library.js';
import { Session, until } from './support/session.js';
import { t } from './support/words.js';

let session;
let page;
let server;
const asked = [];

before(async () => {
  server = http.createServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const elsewhere = `http://127.0.0.1:${server.address().port}`;
  const body = [
    '# Tea',
    '',
    'Boil **water**.',
    '',
    `![a beacon](${elsewhere}/beacon.png)`,
    '',
    `<img src="${elsewhere}/raw.png" onerror="document.title = 'raw'"> and <b>raw</b>`,
    '',
    `<script>document.title = 'script'; fetch('${elsewhere}/script')</script>`,
    '',
    `<meta http-equiv="refresh" content="0;url=${elsewhere}/refresh">`,
    '',
    `[away](${elsewhere}/link) [file](file:///etc/passwd) [script](javascript:document.title='link')`,
    '',
  ];
  session = await Session.open();
  session.write('.claude/skills/tea/SKILL.md', skill('tea', { body: body.join('\n') }));
  // Replaces the desktop's browser: writes each argument on its own line.
  fs.chmodSync(session.write('bin/xdg-open', `#!/bin/sh\nprintf '%s\\n' "$@" >"${session.home}/opened"\n`), 0o755);
  session.environment.PATH = `${session.home}/bin:${session.environment.PATH}`;
  page = await session.start();
  await page.begin();
  await page.openSkill('tea');
});

after(async () => {
  await session?.end();
  server?.close();
});

test('the Markdown of a skill is drawn', async () => {
  const drawn = await page.css('[data-testid=markdown]');
  assert.equal(await drawn.findElement({ css: 'strong' }).getText(), 'water');
});

test('HTML in it is shown as text and does nothing', async () => {
  const drawn = await page.css('[data-testid=markdown]');
  const text = await drawn.getText();
  assert.match(text, /<b>raw<\/b>/);
  assert.match(text, /<script>/);
  assert.equal((await drawn.findElements({ css: 'script, img, b, meta, iframe' })).length, 0);
  assert.doesNotMatch(await page.driver.getTitle(), /raw|script|link/);
});

test('a remote image is not loaded, and nothing else is asked for elsewhere', async () => {
  assert.deepEqual(asked, []);
});

test('the page cannot be led away from the app', async () => {
  const home = await page.driver.getCurrentUrl();
  const elsewhere = `http://127.0.0.1:${server.address().port}/`;
  await page.driver.executeScript(`
    const to = arguments[0];
    for (const url of [to, 'file:///etc/passwd', 'data:text/html,hi', 'http://tauri.localhost.example.org/']) {
      try { window.open(url) } catch {}
      const link = Object.assign(document.createElement('a'), { href: url });
      document.body.append(link);
      link.click();
      link.remove();
      location.href = url;
    }`, elsewhere);
  await page.row('tea');
  assert.equal(await page.driver.getCurrentUrl(), home);
  assert.equal((await page.driver.getAllWindowHandles()).length, 1);
  assert.deepEqual(asked, []);
});

test('the content policy stops script and style that are not files of ours', async () => {
  await page.driver.executeScript(`
    for (const [kind, text] of [['script', 'document.title = "ran"'], ['style', 'body { display: none }']]) {
      document.head.append(Object.assign(document.createElement(kind), { textContent: text }));
    }
    document.body.append(Object.assign(document.createElement('img'), { src: arguments[0] }));`, `http://127.0.0.1:${server.address().port}/image`);
  await until(async () => (await page.forbidden()).length >= 3, 'all three are reported');
  assert.notEqual(await page.driver.getTitle(), 'ran');
  assert.deepEqual(asked, []);
});

test('a command that the capability does not name cannot be called', async () => {
  for (const command of ['plugin:dialog|open', 'plugin:opener|open_url', 'plugin:window|close', 'plugin:event|emit', 'get_secret']) {
    await assert.rejects(page.command(command, { url: 'https://example.org' }), undefined, command);
  }
});

test('only https, and http to this computer, is opened in the browser, as one argument', async () => {
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'http://example.org/', '--help']) {
    await assert.rejects(page.command('open_link', { url }), /is not opened/);
  }
  await page.command('open_link', { url: "https://example.org/a?b=1&c='; touch x" });
  await until(() => fs.existsSync(`${session.home}/opened`), 'the browser is started');
  assert.equal(session.read('opened').toString(), "https://example.org/a?b=1&c=%27;%20touch%20x\n");
});

test('a skill is named by its key, and a path is no key', async () => {
  for (const key of ['../../etc', '/etc', 'f1/../..', '']) {
    await assert.rejects(page.command('show_in_folder', { key }), /not in the library/);
    await assert.rejects(page.command('read_skill', { key }));
  }
});
