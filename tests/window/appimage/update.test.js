// An AppImage that updates itself from a server on this computer: taken, refused, put back where it does not come up, and
// killed at any moment.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once as event } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Client } from '../support/client.js';
import { Session, skilltender, until } from '../support/session.js';
import { key, signature as signed } from '../support/signing.js';

const run = promisify(execFile);
const packed = process.env.SKILLTENDER_APPIMAGE;
const version = /_(\d[^_]*)_x86_64/.exec(packed)[1];
const PARTS = 16;

let session, folder, image, server, keys;
/** The bytes of the AppImage before the update, and those of the new one. */
let old, fresh;
/** What the server says and gives, and what it was asked. */
let offer = {};
const asked = [];

before(async () => {
  session = await Session.open();
  session.library([]);
  folder = path.join(session.home, 'Applications');
  fs.mkdirSync(folder);
  image = path.join(folder, 'Skilltender.AppImage');
  fs.copyFileSync(packed, image);
  old = fs.readFileSync(image);
  keys = { ours: await key(session.home, 'ours'), others: await key(session.home, 'others') };
  fresh = fs.readFileSync(await changed('fresh', 'unset SKILLTENDER_TRIAL_UPDATES; echo "$@" >>"$HOME/started"'));
  server = http.createServer(answer).listen(0, '127.0.0.1');
  await event(server, 'listening');
  session.environment.APPIMAGE_EXTRACT_AND_RUN = '1';
  session.environment.RUST_LOG = 'info';
  const url = `http://127.0.0.1:${server.address().port}/latest.json`;
  session.environment.SKILLTENDER_TRIAL_UPDATES = JSON.stringify({ version: '0.0.9', url, key: keys.ours.public });
});

after(async () => {
  server?.closeAllConnections();
  server?.close();
  await session?.end();
});

const signature = (bytes, by, version) => signed(session.home, bytes, by, version);

/** The AppImage with another line at the top of its start. */
async function changed(name, line) {
  const { stdout } = await run(packed, ['--appimage-offset']);
  const runtime = old.subarray(0, Number(stdout));
  const [tree, files] = [path.join(session.home, name), path.join(session.home, `${name}.squashfs`)];
  if (!fs.existsSync(tree)) await run('unsquashfs', ['-quiet', '-no-progress', '-offset', stdout.trim(), '-dest', tree, packed]);
  const start = path.join(tree, 'AppRun');
  const [first, ...rest] = fs.readFileSync(start, 'utf8').split('\n');
  fs.writeFileSync(start, [first, line, ...rest].join('\n'));
  await run('mksquashfs', [tree, files, '-root-owned', '-noappend', '-no-progress', '-quiet', '-comp', 'gzip', '-Xcompression-level', '1']);
  const made = path.join(session.home, `${name}.AppImage`);
  fs.writeFileSync(made, Buffer.concat([runtime, fs.readFileSync(files)]));
  fs.rmSync(tree, { recursive: true });
  return made;
}

/** Gives `latest.json`, and the package in parts: `offer.at(n)` is called before the part with this number. */
async function answer(request, response) {
  asked.push(request.url);
  const { bytes, says = version, signed, length, until: end = PARTS, at = async () => {} } = offer;
  if (request.url === '/latest.json') {
    const url = `http://127.0.0.1:${server.address().port}/package`;
    const platforms = { 'linux-x86_64-appimage': { url, signature: signed } };
    return response.end(JSON.stringify({ version: says, notes: '- Better.', pub_date: '2026-12-01T00:00:00Z', platforms }));
  }
  response.writeHead(200, { 'Content-Length': length ?? bytes.length });
  const size = Math.ceil(bytes.length / PARTS);
  for (let part = 0; part < end; part++) {
    await at(part);
    response.write(bytes.subarray(part * size, (part + 1) * size));
  }
  await at(end);
  // It has said that there is more, and the app must not wait for it.
  if (length) return event(response, 'close');
  return end < PARTS ? response.destroy() : response.end();
}

/** The running app: its process group, and what it logged. */
function start() {
  const log = path.join(session.home, `app-${asked.length}-${Date.now()}.log`);
  const child = session.spawn('setsid', ['--wait', image, '--background'], { log });
  return { child, log: () => fs.readFileSync(log, 'utf8') };
}

/** Puts the old AppImage there again. One that runs cannot be written to. */
function install() {
  fs.rmSync(image, { force: true });
  fs.writeFileSync(image, old, { mode: 0o755 });
}

const shown = async (app) => {
  await until(async () => (await session.icons()) === 1, 'one icon is there', 60_000).catch((why) => assert.fail(`${why.message}\n${app.log()}`));
};

const ended = ({ child }) => until(() => child.exitCode !== null || child.signalCode !== null, 'it has ended', 60_000);

/** Waits for what the app knows of new versions, after the state of the log before. */
const knows = (app, since, what) => until(() => what.exec(app.log().slice(since)), `the app knows ${what}: ${app.log().slice(-2000)}`, 60_000);

const updates = (on) => session.run(skilltender, ['settings', 'updates', on]);

/** Looks, and takes what is found through the tray. */
async function take(app) {
  const since = app.log().length;
  await updates('off');
  await updates('on');
  await knows(app, since, /Found \{/);
  await choose();
}

async function choose() {
  const words = `Update to ${offer.says ?? version} and restart`;
  await until(async () => (await session.tray()).menu.includes(words), 'the tray offers it');
  await session.choose(words);
}

const untouched = () => {
  assert.ok(fs.readFileSync(image).equals(old), 'the old one is as it was');
  assert.deepEqual(fs.readdirSync(folder), ['Skilltender.AppImage']);
};

const good = async () => ({ bytes: fresh, signed: await signature(fresh, keys.ours, version) });

test('nothing is asked before a person says so, and what is not ours or not whole leaves the old one', async () => {
  const app = start();
  await shown(app);
  assert.deepEqual(asked, []);

  const refused = async (its, why) => {
    offer = its;
    const since = app.log().length;
    await take(app);
    await knows(app, since, why);
    untouched();
  };
  await refused({ bytes: fresh, signed: await signature(fresh, keys.others, version) }, /its signature is not by Skilltender's key/);
  await refused({ bytes: fresh, signed: 'bm8gc2lnbmF0dXJl' }, /its signature is not by Skilltender's key/);
  await refused({ ...(await good()), until: 9 }, /Failed \{/);
  await refused({ ...(await good()), bytes: fresh.subarray(0, fresh.length - 9) }, /its signature is not by Skilltender's key/);
  await refused({ ...(await good()), length: 2 ** 31, until: 1 }, /it has more than 512 MB/);
  await refused({ ...(await good()), says: '9.9.9' }, /it was signed as version .* and is offered as 9\.9\.9/);
  const broken = fs.readFileSync(await changed('broken', 'echo libmissing.so is not here >&2; exit 1'));
  await refused({ bytes: broken, signed: await signature(broken, keys.ours, version) }, /does not start here\. libmissing\.so is not here/);
  // It starts, but cannot read what is here: a stand-in for a version with that fault.
  const line = '[ "$1" = --try ] && export SKILLTENDER_HOME="$HOME/unreadable"';
  session.write('unreadable/choices.json', '{"version": 1, "folders": 7}');
  const unable = fs.readFileSync(await changed('unable', line));
  await refused({ bytes: unable, signed: await signature(unable, keys.ours, version) }, /does not start here\. .*choices\.json could not be read/);
  assert.equal(fs.readFileSync(path.join(session.home, 'unreadable/choices.json'), 'utf8'), '{"version": 1, "folders": 7}');

  offer = { ...(await good()), says: '0.0.8' };
  const since = app.log().length;
  await updates('off');
  await updates('on');
  await knows(app, since, /known=Newest/);
  untouched();
  await session.choose('Quit');
  await ended(app);
});

test('an update takes the old one’s place and runs, and no client loses its session', async () => {
  install();
  fs.writeFileSync(path.join(folder, '.Skilltender.AppImage.new'), 'half');
  fs.rmSync(path.join(session.home, 'started'), { force: true });
  offer = await good();
  const app = start();
  await shown(app);
  assert.deepEqual(fs.readdirSync(folder), ['Skilltender.AppImage'], 'what was interrupted is swept');
  const client = await Client.connect(session, skilltender, 'codex');
  assert.ok((await client.ask('tools/list')).result);
  await take(app);
  await ended(app);
  const started = path.join(session.home, 'started');
  await until(() => fs.existsSync(started) && fs.readFileSync(started, 'utf8') === '--try\n--background\n', 'it was tried and started', 60_000);
  assert.ok(fs.readFileSync(image).equals(fresh));
  await until(async () => (await session.icons()) === 1, 'the new one has an icon', 60_000);
  await until(() => fs.readdirSync(folder).length === 1, 'the old one is not kept once the new one is up');
  assert.ok((await client.ask('tools/list')).result, 'the client goes on');
  await session.choose('Quit');
  await until(async () => (await session.icons()) === 0, 'it has ended', 60_000);
});

/** A line of an AppImage's start: the first time but for the trial, the window cannot be made, and then `after`. */
const once = (name, after) =>
  `[ "$1" = --try ] || [ -e "$HOME/${name}" ] || { : >"$HOME/${name}"; GDK_BACKEND=none "$(dirname "$(readlink -f "$0")")/usr/bin/skilltender-app" "$@"; ${after}; }`;

test('a new one that dies at its start, after its trial was good, gives way to the old one, which says so', async () => {
  install();
  const started = path.join(session.home, 'started');
  fs.rmSync(started, { force: true });
  const dying = fs.readFileSync(await changed('dying', `echo "$@" >>"$HOME/started"; ${once('dying', 'exit 1')}`));
  offer = { bytes: dying, signed: await signature(dying, keys.ours, version) };
  const app = start();
  await shown(app);
  await take(app);
  await ended(app);
  // It dies, is started once more, and puts the old one back.
  await until(() => fs.readFileSync(image).equals(old), 'the old one is back', 60_000);
  await until(async () => (await session.icons()) === 1, 'the old one has an icon', 60_000);
  assert.equal(fs.readFileSync(started, 'utf8'), '--try\n--background\n--background\n');
  await until(() => fs.readdirSync(folder).length === 1, 'nothing is left beside it');
  await until(() => /did not come up here, so .* is back in its place/.test(app.log()), 'the old one says so');
  await session.choose('Quit');
  await until(async () => (await session.icons()) === 0, 'it has ended', 60_000);
});

test('a new one that is killed at its first start, with all that belongs to it, gives way at the next start', async () => {
  install();
  const dying = fs.readFileSync(await changed('killed', once('killed', 'sleep 600')));
  offer = { bytes: dying, signed: await signature(dying, keys.ours, version) };
  const app = start();
  await shown(app);
  await take(app);
  await until(() => fs.readFileSync(image).equals(dying), 'it is in place', 60_000);
  await ended(app);
  const sign = path.join(folder, '.Skilltender.AppImage.trial');
  await until(() => fs.existsSync(sign) && fs.readFileSync(sign, 'utf8').includes('started'), 'it was started', 60_000);
  kill();
  // The person starts it.
  start();
  await until(() => fs.readFileSync(image).equals(old), 'the old one is back', 60_000);
  await until(async () => (await session.icons()) === 1, 'the old one has an icon', 60_000);
  await session.choose('Quit');
  await until(async () => (await session.icons()) === 0, 'it has ended', 60_000);
});

/** Ends every program of this home that came from the AppImage, at once. */
function kill() {
  const found = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isApp(name));
  for (const id of found) {
    try {
      process.kill(Number(id), 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

function isApp(id) {
  try {
    const environment = fs.readFileSync(`/proc/${id}/environ`, 'utf8').split('\0');
    const program = fs.readlinkSync(`/proc/${id}/exe`);
    // What waits to start the new one is a shell with the AppImage's variables.
    return environment.includes(`HOME=${session.home}`) && (program.startsWith(folder) || environment.some((line) => line.startsWith('APPIMAGE=')));
  } catch {
    return false;
  }
}

test('killed at any moment, it leaves an AppImage that starts', async () => {
  const fine = await good();
  const moments = [...[0, 3, 7, 12, PARTS].map((part) => ({ part, after: 0 })), ...[5, 30, 120, 500, 1500].map((after) => ({ part: PARTS, after }))];
  for (const { part, after } of moments) {
    install();
    const app = start();
    offer = {
      ...fine,
      at: async (now) => {
        if (now !== part) return;
        offer.killed = true;
        await pause(after);
        kill();
      },
    };
    await take(app);
    await until(() => offer.killed, 'the package is fetched', 60_000);
    await ended(app);
    kill();
    const left = fs.readFileSync(image);
    assert.ok(left.equals(old) || left.equals(fresh), `whole after part ${part} and ${after} ms`);
    const { stdout } = await run(image, ['--version'], { env: session.environment });
    assert.match(stdout, new RegExp(`skilltender ${version}`));
  }
});
