// Runs the tests of the real window, each file with a desktop of its own, and one that fails up to three times more: the bus
// between WebKitGTK and a screen reader loses an event now and then (“Saved.” in one start of three or four), and the window is drawn beside the
// test. What is broken fails each time; every further try is told.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const passes = (file) => spawnSync(process.execPath, ['--test', '--test-timeout=180000', file], { stdio: 'inherit' }).status === 0;

let passed = true;
for (const file of readdirSync('.').filter((name) => name.endsWith('.test.js'))) {
  if (passes(file)) continue;
  let again = false;
  for (let more = 0; more < 3 && !again; more += 1) {
    console.error(`${file} is run once more.`);
    again = passes(file);
  }
  passed &&= again;
}
process.exit(passed ? 0 : 1);
