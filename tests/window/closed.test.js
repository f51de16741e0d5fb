// The window closed to the tray: the processes of its page end, and the next window is as the last one was.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { after, before, test } from 'node:test';

import { inspected } from './support/inspector.js';
import { skill } from './support/library.js';
import { webkit } from './support/processes.js';
import { Session, app, until } from './support/session.js';
import { t } from './support/words.js';

const names = Array.from({ length: 60 }, (_, number) => `tea-${String(number).padStart(2, '0')}`);

let session;
let page;
let program;

before(async () => {
  session = await Session.open();
  for (const name of names) session.write(`library/${name}/SKILL.md`, skill(name));
  const folders = [{ id: 'f1', path: `${session.home}/library`, enable_new: true }];
  session.write('.local/share/skilltender/choices.json', JSON.stringify({ version: 1, first_run: false, last_folder: 1, folders }));
  ({ page, program } = await inspected(session));
  await opened();
});

after(() => session?.end());

/** Closes the window as the window manager does. */
const close = () => session.run('wmctrl', ['-c', 'Skilltender']).catch(() => {});

/** Closes the window, and waits until its page has ended. */
async function closed() {
  await close();
  await until(async () => (await session.windows()).length === 0, 'the window is gone', 30_000);
  await until(() => webkit(program.pid).length === 0, `WebKit's processes end`, 30_000);
}

async function opened() {
  await until(async () => (await session.windows()).length === 1, 'the window is there', 30_000);
  await page.until(`return document.querySelector('main:not([aria-busy])') !== null && document.visibilityState === 'visible'`, 'its page is there');
}

async function openedFromTray() {
  await session.choose('Open Skilltender');
  await opened();
}

/** Clicks a button, a tab or an entry of a menu by its words. */
const click = (words) =>
  page.until(
    `const all = [...document.querySelectorAll('dialog[open] button, [role=menuitem], [role=tab], button')];
     const says = (each) => [each.getAttribute('aria-label'), each.textContent.trim()];
     // A count or a key may stand behind the words.
     const found = all.find((each) => says(each).includes(${JSON.stringify(words)})) ?? all.find((each) => says(each)[1].startsWith(${JSON.stringify(words)}));
     found?.click();
     return found !== undefined;`,
    `a click on “${words}”`,
  );
const heading = () => page.run(`return document.querySelector('h1')?.textContent.trim()`);
const enabled = `return document.querySelector('.seg [aria-pressed=true]').textContent.trim().startsWith(${JSON.stringify(t('list.enabled'))})`;
const editor = `document.querySelector('[data-testid=editor]').shadowRoot.querySelector('.cm-content')`;

test('closing the window ends the processes of WebKit, the program runs on, and the tray opens a window again', async () => {
  assert.deepEqual(webkit(program.pid).toSorted(), ['WebKitNetworkPr', 'WebKitWebProces']);
  await closed();
  assert.equal(await session.icons(), 1);
  assert.equal(program.exitCode, null);
  await openedFromTray();
  assert.equal(await page.run(`return document.querySelectorAll('[data-testid=skill-row]').length > 5`), true);
});

test('the next window shows the same skill and tab, filter, scroll and unsaved text', async () => {
  await page.run(`document.querySelector('[data-key="f1/tea-07"]').click()`);
  await click(t('tab.edit'));
  await page.until(`return ${editor} !== null`, 'the editor');
  await page.run(`${editor}.focus(); document.execCommand('insertText', false, 'Unsaved words. ')`);
  await page.until(`return document.querySelector('.dirty') !== null || document.querySelector('h1') !== null`, 'it is unsaved');
  await click(t('tab.read'));
  await page.until(`return document.querySelector('.row .dirty') !== null`, 'the row says so');
  await click(t('list.enabled'));
  await page.until(enabled, 'the filter');
  await page.run(`document.querySelector('.rows').scrollTop = 900`);
  await closed();

  await openedFromTray();
  await until(async () => (await heading()) === 'tea-07', 'the same skill');
  await page.until(enabled, 'the same filter');
  await page.until(`return document.querySelector('.rows').scrollTop === 900`, 'scrolled the same');
  assert.equal(await page.run(`return document.querySelector('[role=tab][aria-selected=true]').textContent.trim()`), t('tab.read'));
  await click(t('tab.edit'));
  await page.until(`return ${editor}.textContent.includes('Unsaved words. ')`, 'the unsaved text');
  assert.ok(!fs.readFileSync(`${session.home}/library/tea-07/SKILL.md`, 'utf8').includes('Unsaved'), 'it is not saved');
});

test('text that was unsaved when the window closed meets the version that another program wrote meanwhile', async () => {
  await closed();
  fs.appendFileSync(`${session.home}/library/tea-07/SKILL.md`, '\nWritten elsewhere.\n');
  await openedFromTray();
  await page.until(`return document.body.textContent.includes(${JSON.stringify(t('conflict.compare'))})`, 'both versions are offered');
  await page.until(`return ${editor}.textContent.includes('Unsaved words. ')`, 'the unsaved text');
  // Beside the editor there is no list.
  await click(t('tab.read'));
});

test('quitting without a window asks about the unsaved text, in a new window', async () => {
  await closed();
  await session.choose('Quit');
  await opened();
  await page.until(`return document.querySelector('dialog[open]')?.textContent.includes(${JSON.stringify(t('leave.title', { n: 1 }))})`, 'it asks');
  await click(t('dialog.cancel'));
});

test('a window with an open dialog is only hidden, and what was typed there is still there', async () => {
  await click(t('list.add'));
  await click(t('action.new'));
  await page.until(`return document.querySelector('dialog[open] input') !== null`, 'the dialog');
  await page.run(`document.querySelector('dialog[open] input').focus(); document.execCommand('insertText', false, 'half-typed')`);
  const before = webkit(program.pid);
  await close();
  await until(async () => (await session.windows()).length === 0, 'the window is gone');
  await openedFromTray();
  assert.equal(await page.run(`return document.querySelector('dialog[open] input').value`), 'half-typed');
  assert.deepEqual(webkit(program.pid), before);
  await click(t('dialog.cancel'));
  await page.until(`return document.querySelector('dialog[open]') === null`, 'the dialog is closed');
});

test('closed twice at once it closes, and a second start opens it', async () => {
  await Promise.all([close(), close()]);
  await closed();
  const second = spawn(app, [], { env: session.environment, stdio: 'ignore' });
  assert.deepEqual(await once(second, 'exit'), [0, null]);
  await opened();
});

test('wanted while it closes it is there in the end, with the unsaved text', async () => {
  for (let round = 0; round < 6; round += 1) {
    await Promise.all([close(), session.choose('Open Skilltender')]);
    // Whichever of the two came first: it is asked for once more, and comes.
    await openedFromTray();
    await page.until(`return document.querySelector('.row .dirty') !== null`, 'the unsaved text is there');
  }
});

test('what the tray asks for while there is no window is shown by the next one', async () => {
  await closed();
  await session.choose('Add to Claude Desktop');
  await opened();
  await page.until(`return document.querySelector('dialog[open]')?.textContent.includes('Claude Desktop')`, 'the change');
  await click(t('dialog.cancel'));
  await page.until(`return document.querySelector('dialog[open]') === null`, 'the dialog is closed');
});

test('the end of the session without a window ends the program and keeps the unsaved text', async () => {
  await closed();
  program.kill('SIGTERM');
  await until(() => program.exitCode !== null, 'it has ended', 30_000);
  const kept = `${session.home}/.local/share/skilltender/kept/f1/tea-07`;
  const texts = fs.readdirSync(kept).filter((name) => name.endsWith('.unsaved.md')).map((name) => fs.readFileSync(`${kept}/${name}`, 'utf8'));
  assert.ok(texts.some((text) => text.includes('Unsaved words. ')), texts.join());
});
