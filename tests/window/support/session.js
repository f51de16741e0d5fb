// A separate desktop for one test file: a home, a session bus, a tray watcher, a window manager, an optional
// keychain, and the real app driven through WebKitWebDriver.

import assert from 'node:assert/strict';
import { spawn, execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { afterEach } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Builder, Capabilities } from 'selenium-webdriver';

import { Page } from './page.js';

const run = promisify(execFile);
const here = import.meta.dirname;

export const repository = path.resolve(here, '../../..');
export const app = program('SKILLTENDER_APP');
export const skilltender = program('SKILLTENDER_PROGRAM');
/** Folders of real skills, one per repository; none when the corpus is not on this machine. */
export const corpus = process.env.SKILLTENDER_CORPUS || path.resolve(repository, '../shared/corpus');
export const repositories = fs.existsSync(corpus)
  ? fs.readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => path.join(corpus, name))
  : [];
if (repositories.length === 0) skip('corpus', `${corpus} holds no repository`);

function program(variable) {
  const file = process.env[variable];
  assert.ok(file && fs.existsSync(file), `${variable} must name the built program; \`cargo xtask test\` does that`);
  return file;
}

/** Says what is not tested here, as `tests/support/able.rs` does: in CI only what SKILLTENDER_UNABLE names may lack. */
function skip(what, why) {
  const { CI, SKILLTENDER_UNABLE = '', SKILLTENDER_NOT_TESTED } = process.env;
  const line = `not tested here: the window (${what}: ${why})`;
  assert.ok(!CI || SKILLTENDER_UNABLE.split(/\s+/).includes(what), line);
  console.error(line);
  if (SKILLTENDER_NOT_TESTED) fs.appendFileSync(SKILLTENDER_NOT_TESTED, `${line}\n`);
}

/** Waits until `ask` returns a true value, and returns it. */
export async function until(ask, what, patience = 10_000) {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) assert.fail(`not within ${patience / 1000} s: ${what}`);
    await pause(50);
  }
}

// The open session, so that a failing test leaves a picture of the screen and the app's log.
let current;

afterEach(async (context) => {
  if (context.passed || !current) return;
  const folder = path.join(repository, 'target/window-tests');
  fs.mkdirSync(folder, { recursive: true });
  const name = path.join(folder, context.name.replaceAll(/\W+/g, '-'));
  if (current.log) fs.copyFileSync(current.log, `${name}.log`);
  await current.picture(`${name}.png`).then(
    () => console.error(`A picture and the log are in ${folder}.`),
    (why) => console.error(`The log is in ${folder}; no picture: ${why.message}`),
  );
});

export class Session {
  #ended = [];

  /**
   * An empty home. `keychain` starts a real gnome-keyring, `tray: false` omits the watcher, `starters` adds the
   * starter skills, `notifications` owns the desktop's notifications, `theme` is the desktop's, `frames: false` omits
   * the window manager and with it the window's frame, `user` gives the home a presentable name, `language` is what
   * the desktop speaks, such as `zh_CN`, `spoken` has the bus on which screen readers listen. `pictures: true` lets
   * WebDriver take pictures, which never arrive from a page that draws itself without a graphics processor.
   */
  static async open(options = {}) {
    const session = new Session();
    current = session;
    try {
      await session.#open(options);
    } catch (why) {
      await session.end();
      throw why;
    }
    return session;
  }

  async #open({ keychain = false, notifications = false, tray = true, starters = false, theme = 'light', frames = true, user, language, spoken = false, pictures = false }) {
    this.home = user ? path.join(os.tmpdir(), user) : fs.mkdtempSync(path.join(os.tmpdir(), 'skilltender-window-'));
    if (user) fs.mkdirSync(this.home);
    this.environment = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(XDG_|DBUS_|SKILLTENDER_|LC_|LANGUAGE$|NO_AT_BRIDGE$)/.test(name))),
      HOME: this.home,
      LANG: 'C.UTF-8',
      ...(language && { LANGUAGE: language }),
      ...(!spoken && { NO_AT_BRIDGE: '1' }),
      ...(pictures && { WEBKIT_DISABLE_COMPOSITING_MODE: '0' }),
      GTK_THEME: theme === 'dark' ? 'Adwaita:dark' : 'Adwaita',
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
      SKILLTENDER_STARTERS: starters ? path.join(repository, 'skills') : fs.mkdtempSync(path.join(this.home, 'no-starters-')),
    };
    const address = await this.#start('dbus-daemon', [`--config-file=${here}/bus.conf`, '--nofork', '--print-address=1'], /^unix:.+/m);
    this.environment.DBUS_SESSION_BUS_ADDRESS = address.trim();
    if (frames) {
      // That of the session before may still be ending.
      this.spawn('openbox', ['--replace']);
      await until(() => this.run('wmctrl', ['-m']).then(() => true, () => false), 'the window manager is there');
    }
    if (spoken) await this.#startAccessibility();
    if (tray) await this.#start('/usr/bin/python3', [`${here}/tray.py`, 'watch'], /watching/);
    if (notifications) await this.#start('/usr/bin/python3', [`${here}/notifications.py`, 'watch'], /watching/);
    if (keychain) await this.#unlockKeychain();
  }

  /** Writes a file below the home, with its folders; returns its path. */
  write(file, content) {
    const full = path.join(this.home, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, content);
    return full;
  }

  /** Sets the library's folders before the first start: the page can only add folders chosen in the desktop's dialog.
      */
  library(paths) {
    const folders = paths.map((folder, at) => ({ id: `f${at + 1}`, path: folder, enable_new: false, enable_first: false }));
    this.write('.local/share/skilltender/choices.json', JSON.stringify({ version: 1, first_run: true, last_folder: paths.length, folders }));
  }

  /** The bytes of a file below the home. */
  read(file) {
    return fs.readFileSync(path.join(this.home, file));
  }

  /** Starts the app and waits for its window. `log` is how much the app says, `patience` how long its page may take. */
  async start({ log = 'trace', patience, binary = app } = {}) {
    const port = await freePort();
    this.log = path.join(this.home, 'app.log');
    this.spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
      env: { ...this.environment, TAURI_WEBVIEW_AUTOMATION: 'true', RUST_LOG: log },
      log: this.log,
    });
    await until(() => answers(port), 'WebKitWebDriver listens');
    const capabilities = { browserName: 'wry', 'webkitgtk:browserOptions': { binary, args: [] } };
    this.driver = await new Builder()
      .usingServer(`http://127.0.0.1:${port}/`)
      .withCapabilities(new Capabilities(capabilities))
      .build();
    this.#ended.push(() => this.driver.quit().catch(() => {}));
    this.page = new Page(this.driver);
    await this.page.isReady(patience);
    return this.page;
  }

  /** Switches to the consent window once it is open, and returns its page. */
  async question() {
    const here = await this.driver.getWindowHandle();
    // The windows have no fixed order, and an opening window is listed before its page is loaded.
    const asks = async () => {
      const asking = (await this.driver.getAllWindowHandles()).find((handle) => handle !== here);
      if (!asking) return false;
      await this.driver.switchTo().window(asking);
      return this.driver.executeScript('return /^#(consent|team)\\//.test(location.hash) && document.querySelector("footer") !== null');
    };
    await until(() => asks().catch(() => false), 'the window that asks is open');
    const question = new Page(this.driver);
    await question.isReady();
    return question;
  }

  /** Presses a button of the consent window, which closes it, and switches back to the main one. */
  async answer(words) {
    // The window may close before the driver confirms the click.
    await this.page.click('button', words).catch((why) => assert.equal(why.name, 'NoSuchWindowError', why));
    const [handle] = await until(async () => {
      const handles = await this.driver.getAllWindowHandles();
      return handles.length === 1 && handles;
    }, 'the window that asks is closed');
    await this.driver.switchTo().window(handle);
  }

  /** The icon's picture file and the lines of the menu. */
  async tray() {
    return JSON.parse(await this.run('/usr/bin/python3', [`${here}/tray.py`, 'read']));
  }

  /** What the desktop was asked to show as notifications. */
  async notifications() {
    return JSON.parse(await this.run('/usr/bin/python3', [`${here}/notifications.py`, 'read']));
  }

  /** Clicks a notification. */
  async clickNotification(title) {
    await this.run('/usr/bin/python3', [`${here}/notifications.py`, 'click', title]);
  }

  /** How many icons are in the tray. */
  async icons() {
    return Number(await this.run('/usr/bin/python3', [`${here}/tray.py`, 'count']));
  }

  /** Clicks an entry of the tray's menu. */
  async choose(words) {
    await this.run('/usr/bin/python3', [`${here}/tray.py`, 'click', words]);
  }

  /** Presses keys of the keyboard, for the desktop's own dialogs, which WebDriver does not see. */
  async press(...keys) {
    await this.run('/usr/bin/python3', [`${here}/press.py`, ...keys]);
  }

  /** Types a text of ASCII on the keyboard. */
  async type(text) {
    await this.run('/usr/bin/python3', [`${here}/press.py`, 'type', text]);
  }

  /** Writes a picture of the screen, PNG: what anybody would see, whatever the page is doing. */
  async picture(file) {
    await run('import', ['-silent', '-window', 'root', file], { env: this.environment, timeout: 10_000, killSignal: 'SIGKILL' });
  }

  /** Runs a program on this desktop to its end and returns its output. */
  async run(command, words = []) {
    const { stdout } = await run(command, words, { env: this.environment, timeout: 20_000 });
    return stdout;
  }

  /** The app's visible windows. */
  async windows() {
    const listed = await this.run('wmctrl', ['-l']).catch(() => '');
    return listed.split('\n').filter((line) => line.endsWith(' Skilltender'));
  }

  /** Waits for the desktop's own dialog in front of the window, such as the one that chooses a folder. */
  dialog() {
    return until(() => this.isAsked(), 'the dialog is open');
  }

  /** Whether a dialog of the desktop is open. */
  async isAsked() {
    return (await this.run('wmctrl', ['-l'])).split('\n').some((line) => line && !line.endsWith(' Skilltender'));
  }

  /** Chooses a file or a folder in the desktop's own dialog, by typing where it is. */
  async choosePath(full) {
    await this.dialog();
    // A path that begins with `/` opens the field for one; what is typed before the field takes keys is lost.
    await until(async () => {
      await this.press('slash');
      await this.press('Control_L+a');
      await this.type(full);
      // Return would take the completion that is offered.
      await this.press('Alt_L+o');
      return until(async () => !(await this.isAsked()), 'the dialog closes', 3_000).catch(() => false);
    }, `the dialog takes ${full}`, 30_000);
  }

  /** Drags files or folders over the middle of the window with the mouse; `drop` and `leave` end it. */
  async drag(...paths) {
    const child = this.spawn('/usr/bin/python3', [`${here}/drag.py`, '640', '400', ...paths], { stdin: 'pipe' });
    const said = readline.createInterface({ input: child.stdout });
    const says = async (word) => assert.deepEqual(await once(said, 'line', { signal: AbortSignal.timeout(20_000) }), [word]);
    await says('over');
    const ends = (command, word) => {
      child.stdin.write(`${command}\n`);
      return says(word);
    };
    return { drop: () => ends('drop', 'taken'), leave: () => ends('leave', 'refused') };
  }

  async end() {
    for (const end of this.#ended.reverse()) await end();
    // A quitting app ends its servers first, and writes files until then.
    if (this.home) await until(() => !isUsed(this.home), 'the programs of this home end').catch(() => {});
    if (this.home) fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /** The bus of AT-SPI, which programs find through the session bus. */
  async #startAccessibility() {
    this.spawn('/usr/libexec/at-spi-bus-launcher', ['--launch-immediately', '--screen-reader=1']);
    await until(() => this.#isOwned('org.a11y.Bus'), 'the bus of AT-SPI is there');
  }

  async #isOwned(name) {
    const words = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner', `string:${name}`];
    return (await this.run('dbus-send', words)).includes('true');
  }

  /** The installed daemon carries a file capability that some containers refuse; a copy has none. */
  async #unlockKeychain() {
    const daemon = path.join(this.home, 'gnome-keyring-daemon');
    fs.copyFileSync('/usr/bin/gnome-keyring-daemon', daemon);
    fs.mkdirSync(path.join(this.home, 'run'), { mode: 0o700 });
    const control = `--control-directory=${path.join(this.home, 'run')}`;
    const child = this.spawn(daemon, ['--foreground', '--unlock', '--components=secrets', control], { input: 'a password' });
    await until(async () => {
      assert.equal(child.exitCode, null, 'gnome-keyring-daemon ended');
      return this.#isOwned('org.freedesktop.secrets');
    }, 'the keychain answers');
  }

  /** Starts a program and waits until it prints something. */
  async #start(command, words, sign) {
    const child = this.spawn(command, words);
    let printed = '';
    child.stdout.on('data', (part) => (printed += part));
    await until(() => sign.test(printed), `${command} prints ${sign}`);
    return printed.match(sign)[0];
  }

  /** Starts a program on this desktop; it ends with the session. */
  spawn(command, words, { env = this.environment, log, input, stdin = input ? 'pipe' : 'ignore' } = {}) {
    const out = log ? fs.openSync(log, 'a') : 'pipe';
    const child = spawn(command, words, { env, stdio: [stdin, out, out] });
    child.on('error', (why) => assert.fail(`${command}: ${why.message}`));
    if (input) child.stdin.end(input);
    this.#ended.push(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await Promise.race([once(child, 'exit'), pause(2000).then(() => child.kill('SIGKILL'))]);
    });
    return child;
  }
}

/** Whether a program with this home runs. */
function isUsed(home) {
  const names = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.some((name) => {
    try {
      return fs.readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      return false; // it ended meanwhile
    }
  });
}

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true) || socket.destroy());
    socket.on('error', () => resolve(false));
  });
}
