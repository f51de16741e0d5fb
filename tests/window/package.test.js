// A new version where the system installs packages: it is found, fetched and proven, and the window says the one command.
// And where somebody else packed the app, nobody is asked.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Session, app, skilltender, until } from './support/session.js';
import { key, signature } from './support/signing.js';

const PACKAGE = Buffer.from('a package of the next version');

let session, page, server, programs, keys;
const asked = [];
let offer;

before(async () => {
  session = await Session.open();
  session.library([]);
  programs = path.join(session.home, 'usr/bin');
  fs.mkdirSync(programs, { recursive: true });
  fs.mkdirSync(path.join(session.home, 'Downloads'));
  session.write('.config/user-dirs.dirs', 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
  fs.copyFileSync(skilltender, path.join(programs, 'skilltender'));
  fs.writeFileSync(path.join(programs, 'skilltender-app'), packed(fs.readFileSync(app)), { mode: 0o755 });
  keys = { ours: await key(session.home, 'ours'), others: await key(session.home, 'others') };
  server = http.createServer((request, response) => {
    asked.push(request.url);
    if (request.url !== '/latest.json') return response.end(PACKAGE);
    const url = `http://127.0.0.1:${server.address().port}/package`;
    const platforms = { [`linux-x86_64-${kind()}`]: { url, signature: offer } };
    response.end(JSON.stringify({ version: '9.0.0', notes: '[more](https://example.com)', pub_date: '2026-12-01T00:00:00Z', platforms }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/latest.json`;
  session.environment.SKILLTENDER_TRIAL_UPDATES = JSON.stringify({ version: '0.0.9', url, key: keys.ours.public });
});

after(async () => {
  server?.closeAllConnections();
  server?.close();
  await session?.end();
});

/** What the system of this test installs. */
function kind() {
  return /^(ID|ID_LIKE)=.*(debian|ubuntu)/m.test(fs.readFileSync('/etc/os-release', 'utf8')) ? 'deb' : 'rpm';
}

/** The app as it is in a package of that kind: Tauri writes the kind into the program. */
function packed(program) {
  const at = program.indexOf('__TAURI_BUNDLE_TYPE_VAR_UNK');
  assert.ok(at > 0);
  program.write(kind().toUpperCase(), at + '__TAURI_BUNDLE_TYPE_VAR_'.length);
  return program;
}

async function settings({ first } = {}) {
  page = await session.start({ binary: path.join(programs, 'skilltender-app') });
  if (first) await page.begin();
  await page.click('button', /^Settings/);
}

/** Presses a button of the settings, wherever the page is scrolled to; how a person reaches it is tested in `ui/tests`. */
const press = (words) =>
  until(() => page.driver.executeScript("const found = [...document.querySelectorAll('#general button')].find((e) => e.textContent.trim() === arguments[0] && !e.disabled); found?.click(); return Boolean(found)", words), `there is ${words}`);

async function quit() {
  await page.driver.quit().catch(() => {});
  await until(async () => (await session.windows()).length === 0, 'the window is gone');
}

const said = () => page.driver.executeScript("return document.querySelector('#general .said')?.innerText ?? ''");
const says = (words) => until(async () => words.test(await said()), `the settings say ${words}`, 30_000);

test('a package is found, fetched and proven, and one command installs it', async () => {
  offer = await signature(session.home, PACKAGE, keys.others, '9.0.0');
  await settings({ first: true });
  await press('Look now');
  await says(/Skilltender 9\.0\.0 is there/);
  assert.equal(await page.driver.executeScript("return document.querySelectorAll('#general .notes a').length"), 0);
  await press('Download');
  await says(/its signature is not by Skilltender's key/);
  assert.deepEqual(fs.readdirSync(path.join(session.home, 'Downloads')), []);

  offer = await signature(session.home, PACKAGE, keys.ours, '9.0.0');
  await press('Try again');
  await says(/Skilltender 9\.0\.0 is there/);
  await press('Download');
  await says(/its signature holds/);
  const file = path.join(session.home, 'Downloads', `Skilltender_9.0.0.${kind()}`);
  assert.ok((await said()).includes(file), await said());
  assert.match(await said(), kind() === 'deb' ? /sudo apt install / : /(sudo|rpm-ostree) .*(install|--upgrade)/);
  assert.ok(fs.readFileSync(file).equals(PACKAGE));
  await quit();
});

test('what somebody else packed says who updates it, and asks nobody', async () => {
  fs.mkdirSync(path.join(session.home, 'usr/lib/Skilltender'), { recursive: true });
  fs.writeFileSync(path.join(session.home, 'usr/lib/Skilltender/updated-by'), 'your package manager, such as `yay -Syu`\n');
  asked.length = 0;
  await settings();
  const subs = () => page.driver.executeScript("return document.querySelector('#general').innerText");
  await until(async () => (await subs()).includes('This Skilltender is updated by your package manager, such as yay -Syu.'), 'it says who');
  await session.run(skilltender, ['settings', 'updates', 'off']);
  await session.run(skilltender, ['settings', 'updates', 'on']);
  await until(async () => JSON.parse(session.read('.local/share/skilltender/choices.json')).updates === true, 'it is on');
  assert.deepEqual(asked, []);
  await quit();
});

test('what the window keeps is where `uninstall` looks for it', async () => {
  assert.match(await session.run(skilltender, ['uninstall', '--check']), /~\/\.local\/share\/dev\.skilltender\.desktop {2}what the window keeps/);
  const ours = ['.local/share', '.cache', '.config'].flatMap((folder) => {
    const full = path.join(session.home, folder);
    return fs.existsSync(full) ? fs.readdirSync(full).filter((name) => /skilltender/i.test(name)).map((name) => `${folder}/${name}`) : [];
  });
  assert.deepEqual(ours.sort(), ['.local/share/dev.skilltender.desktop', '.local/share/skilltender']);
});
