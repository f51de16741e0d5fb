// What /proc says of processes: whose children they are, their memory and their processor time.

import fs from 'node:fs';

const ticks = 100;

/** The fields of /proc/PID/stat after the name; none when the process has ended. */
function stat(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** The processes that a process started, and those that they started. A zombie is none. */
export function children(pid) {
  const all = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((name) => [Number(name), stat(name)]);
  const below = (parent) => all.filter(([, [state, above]]) => Number(above) === parent && state !== 'Z').flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** The processes of WebKit below a process, by their names. */
export function webkit(pid) {
  return children(pid).flatMap((child) => {
    try {
      const name = fs.readFileSync(`/proc/${child}/comm`, 'utf8').trim();
      return name.startsWith('WebKit') ? [name] : [];
    } catch {
      return []; // it has just ended
    }
  });
}

/** The seconds of processor that a process has used. */
export function processorTime(pid) {
  const fields = stat(pid);
  return fields.length ? (Number(fields[11]) + Number(fields[12])) / ticks : 0;
}

/** The memory of a process in MB: its proportional set size. */
export function memory(pid) {
  const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)[1]) / 1024;
}

/** The process that runs a program with this home. */
export function pidOf(program, home) {
  const exe = fs.realpathSync(program);
  const pid = fs.readdirSync('/proc').find((name) => {
    try {
      return /^\d+$/.test(name) && fs.readlinkSync(`/proc/${name}/exe`) === exe && fs.readFileSync(`/proc/${name}/environ`, 'utf8').includes(`HOME=${home}\0`);
    } catch {
      return false; // it has just ended
    }
  });
  return Number(pid);
}
