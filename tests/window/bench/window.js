// Measures the window: how soon it paints, its memory, and its frames. `cargo xtask bench window` runs it on the release
// programs, under a virtual display with a session bus. The tables are those of docs/performance.md.

import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { skill } from '../support/library.js';
import { children, memory, pidOf, processorTime } from '../support/processes.js';
import { Session, app, until } from '../support/session.js';
import { tell } from './goals.js';

const patience = 120_000;
const sizes = (process.env.SKILLTENDER_BENCH_SKILLS ?? '0,1000,10000').split(',').map(Number);
const rounds = 3;
/** The goals: milliseconds, megabytes of all processes, and the longest frame. */
const GOALS = { paint: 500, again: 400, open: 250, tray: 100, frame: 50 };

/** A library of skills that are all on: each has a SKILL.md of about 5 kB and a reference. */
function furnish(session, count) {
  const line = 'The kettle, the leaves and the water meet for as long as the leaves need, and not a moment longer. ';
  const skills = {};
  for (let number = 0; number < count; number += 1) {
    const id = `skill-${String(number).padStart(5, '0')}`;
    const body = `# ${id}\n\n${(line + '\n').repeat(20 + (number % 60))}`;
    session.write(`library/${id}/SKILL.md`, skill(id, { description: `Use ${id} for the number ${number} of ${line.slice(0, 60)}`, body }));
    session.write(`library/${id}/references/more.md`, line.repeat(10));
    skills[id] = true;
  }
  const folders = count ? [{ id: 'f1', path: `${session.home}/library`, enable_new: false, enable_first: false, skills }] : [];
  session.write('.local/share/skilltender/choices.json', JSON.stringify({ version: 1, first_run: false, last_folder: folders.length, folders }));
  // The note about the tray is a dialog that somebody would have to close.
  session.write('.local/share/skilltender/window.json', JSON.stringify({ version: 1, told_of_tray: true }));
}

const median = (figures) => figures.toSorted((a, b) => a - b)[figures.length >> 1];
const ms = (figure) => `${Math.round(figure)}`;
const mb = (figure) => `${figure.toFixed(0)}`;

/** The parts of the screen where the sidebar's entries and the list's search field are. */
const [sidebar, list] = ['20,120,160,160', '230,78,240,30'];

/** The time from what `begin` returns, a moment, until the first paint and until the library is shown. */
async function painted(session, begin) {
  const watch = session.spawn('/usr/bin/python3', [`${import.meta.dirname}/../support/painted.py`, sidebar, list]);
  let said = '';
  watch.stdout.on('data', (part) => (said += part));
  await until(() => said.startsWith('ready'), 'the screen is watched');
  const from = await begin();
  const moments = await until(() => /^(\d+) (\d+)$/m.exec(said), 'the window is painted', patience);
  return { paint: moments[1] - from, whole: moments[2] - from };
}

/** Waits until the app and its children use no processor. */
async function rests(pid) {
  let [last, quiet] = [NaN, 0];
  await until(async () => {
    const used = [pid, ...children(pid)].reduce((sum, each) => sum + processorTime(each), 0);
    quiet = used - last < 0.03 ? quiet + 1 : 0;
    last = used;
    await pause(450);
    return quiet >= 4;
  }, 'the app rests', patience);
}

const figures = (pid) => {
  const parts = { app: memory(pid), web: 0, network: 0 };
  for (const child of children(pid)) {
    const name = fs.readFileSync(`/proc/${child}/comm`, 'utf8');
    parts[name.startsWith('WebKitNet') ? 'network' : 'web'] += memory(child);
  }
  return parts;
};

/** Keeps a row of the memory, and tells its goal. */
function note(count, when, { app, web, network }, most) {
  const all = app + web + network;
  memoryRows.push(`| ${count} | ${when} | ${mb(app)} | ${mb(web)} | ${mb(network)} | ${mb(all)} |`);
  tell(`memory, ${count} skills, the window is ${when}`, all, 'MB', most);
}

const gone = (session) => until(async () => (await session.windows()).length === 0, 'the window is gone', patience);

async function close(session, pid) {
  await session.run('wmctrl', ['-c', 'Skilltender']);
  await gone(session);
  await rests(pid);
}

/** Starts the app and quits it again. */
async function start(session) {
  let child;
  const times = await painted(session, () => {
    const now = Date.now();
    child = session.spawn(app, []);
    return now;
  });
  await rests(child.pid);
  return { ...times, child };
}

async function quit(session, child) {
  child.kill();
  await until(() => child.exitCode !== null, 'it has ended', patience);
}

const openAgain = (session) => painted(session, async () => Number(await session.run('/usr/bin/python3', [`${import.meta.dirname}/../support/tray.py`, 'click', 'Open Skilltender'])) * 1000);

/** The frames while `work` runs, in milliseconds, the longest first. */
async function frames(page, work) {
  await page.driver.executeScript(`
    window.frames_ = []; let last = performance.now(); window.counting = true;
    const step = (now) => { window.frames_.push(now - last); last = now; if (window.counting) requestAnimationFrame(step); };
    requestAnimationFrame(step);
  `);
  await work();
  const all = await page.driver.executeScript('window.counting = false; return window.frames_');
  return all.toSorted((a, b) => b - a);
}

const typing = (page) => async () => {
  await (await page.css('.list input')).click();
  for (const letter of 'kettle 42') {
    await page.type(letter);
    await pause(120);
  }
  await pause(800);
  await page.fill((await (await page.css('.list input')).getAccessibleName()), '');
  await pause(500);
};

const scrolling = (page) => () =>
  page.driver.executeAsyncScript(`
    const done = arguments[0], rows = document.querySelector('.rows'), end = performance.now() + 3000;
    const step = (now) => { rows.scrollTop += 180; if (now < end) requestAnimationFrame(step); else { rows.scrollTop = 0; done(); } };
    requestAnimationFrame(step);
  `);

const [paintRows, memoryRows, frameRows] = [[], [], []];
for (const count of sizes) {
  const session = await Session.open();
  try {
    furnish(session, count);
    const [starts, again] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const { child, ...times } = await start(session);
      starts.push(times);
      // Five seconds after the start what only a start needs is given back.
      if (round === 0) await pause(7_000);
      if (round === 0) note(count, 'open', figures(child.pid), GOALS.open);
      await close(session, child.pid);
      if (round === 0) note(count, 'in the tray', figures(child.pid), GOALS.tray);
      again.push(await openAgain(session));
      await rests(child.pid);
      if (round === 0) note(count, 'open again', figures(child.pid), GOALS.open);
      await quit(session, child);
    }
    const middle = (times, what) => median(times.map((each) => each[what]));
    const [first, second] = [middle(starts, 'paint'), middle(again, 'paint')];
    paintRows.push(`| ${count} | ${ms(first)} | ${ms(middle(starts, 'whole'))} | ${ms(second)} | ${ms(middle(again, 'whole'))} |`);
    tell(`first paint, ${count} skills`, first, 'ms', GOALS.paint);
    tell(`first paint of a window that is opened again, ${count} skills`, second, 'ms', GOALS.again);

    if (count === 0) continue;
    const page = await session.start({ log: 'warn', patience });
    await rests(pidOf(app, session.home));
    for (const [what, work] of [['typing', typing(page)], ['scrolling', scrolling(page)]]) {
      const all = await frames(page, work);
      tell(`longest frame while ${what}, ${count} skills`, all[0], 'ms', GOALS.frame);
      frameRows.push(`| ${count} | ${what} | ${ms(all[0])} | ${ms(all[Math.floor(all.length / 100)])} | ${all.filter((frame) => frame > 50).length} of ${all.length} |`);
    }
  } finally {
    await session.end();
  }
}
console.log('\n| skills | first paint, ms | library shown, ms | opened again: first paint, ms | library shown, ms |\n| ---: | ---: | ---: | ---: | ---: |');
console.log(paintRows.join('\n'));
console.log('\n| skills | the window is | the app, MB | web, MB | network, MB | all, MB |\n| ---: | --- | ---: | ---: | ---: | ---: |');
console.log(memoryRows.join('\n'));
console.log('\n| skills | while | longest frame, ms | one in a hundred, ms | over 50 ms |\n| ---: | --- | ---: | ---: | ---: |');
console.log(frameRows.join('\n'));
