// A figure of the window beside its goal, in the form of tests/support/goals.rs: `cargo xtask bench window` prints all of
// them at its end.

import fs from 'node:fs';

/** Adds the row of a figure that is to be at most so much. */
export function tell(what, measured, unit, most) {
  const met = measured <= most ? 'met' : '**not met**';
  const row = `| ${what} | - | ${number(measured)} ${unit} | at most ${number(most)} | ${met} |`;
  if (process.env.SKILLTENDER_GOALS) fs.appendFileSync(process.env.SKILLTENDER_GOALS, `${row}\n`);
  else console.log(`\ngoal: ${row}`);
}

/** Three digits that say something. */
const number = (figure) => (figure >= 100 ? figure.toFixed(0) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2));
