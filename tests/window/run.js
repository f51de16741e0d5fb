// Runs the tests of the real window, each file with a desktop of its own, and one that fails once more: the window is drawn
// beside the test, and a machine that is busy with both may take longer than anybody waits. What is broken fails each time;
// the further try is told.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const passes = (file) => spawnSync(process.execPath, ['--test', '--test-timeout=180000', file], { stdio: 'inherit' }).status === 0;

let passed = true;
for (const file of readdirSync('.').filter((name) => name.endsWith('.test.js'))) {
  if (passes(file)) continue;
  console.error(`${file} is run once more.`);
  passed = passes(file) && passed;
}
process.exit(passed ? 0 : 1);
