// Runs the tests of the real window, each file with a desktop of its own. A file that listens over AT-SPI gets a second try:
// on a machine that does other things, too, the bus between WebKitGTK and a screen reader loses an event now and then. What
// is never said fails both times.

import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

const files = readdirSync('.').filter((name) => name.endsWith('.test.js'));
const listens = (file) => readFileSync(file, 'utf8').includes('./support/ear.js');

function passes(...some) {
  const words = ['--test', '--test-concurrency=1', '--test-timeout=180000', ...some];
  return spawnSync(process.execPath, words, { stdio: 'inherit' }).status === 0;
}

let passed = passes(...files.filter((file) => !listens(file)));
for (const file of files.filter(listens)) {
  if (passes(file)) continue;
  console.error(`${file} is run once more.`);
  passed = passes(file) && passed;
}
process.exit(passed ? 0 : 1);
