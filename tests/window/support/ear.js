// The window by keyboard and by ear: keys of the keyboard go in, and what a screen reader is told over AT-SPI comes out.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import readline from 'node:readline';

import { until } from './session.js';

const here = import.meta.dirname;

/** More presses of Tab than any page has stops. */
const STOPS = 60;

export class Ear {
  #lines;
  #moves = 0;
  #after = 0;

  /** Listens to a session that was opened with `spoken`. */
  static async open(session) {
    const ear = new Ear();
    ear.session = session;
    ear.child = session.spawn('/usr/bin/python3', [`${here}/ear.py`], { stdin: 'pipe' });
    ear.#lines = readline.createInterface({ input: ear.child.stdout });
    assert.deepEqual(await once(ear.#lines, 'line'), ['listening']);
    return ear;
  }

  async #ask(what) {
    const line = once(this.#lines, 'line');
    this.child.stdin.write(`${what}\n`);
    return JSON.parse((await line)[0]);
  }

  /** What has the focus: `role`, `name`, `states`, `description`, `text` of a field, and what it is `within`. */
  focus() {
    return this.#ask('focus');
  }

  /** Every element of the app, with its `depth`. */
  tree() {
    return this.#ask('tree');
  }

  /** Presses keys, each a name of X11 or several joined by `+`. */
  press(...keys) {
    return this.session.press(...keys);
  }

  /** Types a text of ASCII. */
  type(text) {
    return this.session.type(text);
  }

  /** Waits until what has the focus has this role and name, and returns it. */
  async lands(role, name) {
    let last;
    const lands = async () => fits((last = await this.focus()), role, name);
    await until(lands, 'the focus').catch(() => assert.fail(`${role} “${name}” has not got the focus, which is on ${told(last)}`));
    return last;
  }

  /** Waits until what has the focus is in something of this role and name: a new window may get its name a moment later. */
  async isWithin(role, name) {
    const isWithin = async () => (await this.focus()).within.some((outer) => outer.role === role && outer.name === name);
    await until(isWithin, `the focus is in ${role} “${name}”`);
  }

  /** Presses Tab, or another key, until what has the focus has this role and name; returns it. */
  async reach(role, name, key = 'Tab') {
    const passed = [];
    // WebKit tells of changes only in what a screen reader has read once.
    await this.#ask('read');
    for (let stop = 0; stop < STOPS; stop += 1) {
      const now = await this.focus();
      if (fits(now, role, name)) return now;
      passed.push(told(now));
      // Twice around is enough; a page may have some that are called alike.
      if (passed.filter((one) => one === passed.at(-1)).length > 6) break;
      await this.press(key);
      // At the end of the page, and in an empty one, the focus may stay.
      await until(async () => (await this.focus()).moves !== now.moves, 'the focus moves', 1_000).catch(() => {});
    }
    return assert.fail(`${key} never reaches ${role} “${name}”; it passes ${[...new Set(passed)].join(', ')}`);
  }

  /** Reaches something and presses a key there. */
  async use(role, name, key = role === 'push button' ? 'Return' : 'space') {
    const found = await this.reach(role, name);
    await this.press(key);
    return found;
  }

  /** Waits until an element is there whose name or text fits, and one after it, inside it, that fits `more`. */
  async reads(first, more = null) {
    const words = (one) => [one.name, one.description, one.text].filter(Boolean).join(' ');
    const isLike = (one, what) => (what instanceof RegExp ? what.test(words(one)) : words(one).includes(what));
    const reads = async () => {
      const tree = await this.tree();
      if (!Array.isArray(tree)) return false;
      return tree.some((one, at) => {
        if (!isLike(one, first)) return false;
        const rest = tree.slice(at + 1);
        const end = rest.findIndex(({ depth }) => depth <= one.depth);
        return !more || rest.slice(0, end < 0 ? undefined : end).some((inner) => isLike(inner, more));
      });
    };
    await until(reads, `${first} ${more ?? ''} is there to be read`);
  }

  /** Everything that live regions said. */
  heard() {
    return this.#ask('heard');
  }

  /** Waits until a live region says something, after what was heard last; returns it. */
  async hears(text) {
    let heard = [];
    const hears = async () => {
      heard = await this.#ask('heard');
      const at = heard.findIndex((one, place) => place >= this.#after && (text instanceof RegExp ? text.test(one) : one.includes(text)));
      if (at >= 0) this.#after = at + 1;
      return at >= 0 && heard[at];
    };
    return until(hears, text).catch(() => assert.fail(`never said: “${text}”; said: ${heard.filter(Boolean).slice(-20).join(' / ')}`));
  }
}

function fits(one, role, name) {
  return one.role === role && one.states.includes('focused') && (name instanceof RegExp ? name.test(one.name) : one.name === name);
}

const told = ({ role, name, states = [] }) => `${role} “${name}” (${states.join(' ')})`;
