// The app's page as a person uses it: elements are found by role and name.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { By, Key, until } from 'selenium-webdriver';

import { t } from './words.js';

/** How long the page may take, and how often it is looked at, in milliseconds. */
const PATIENCE = 10_000;
const BEAT = 25;
const SQUEEZED = fs.readFileSync(`${import.meta.dirname}/squeezed.js`, 'utf8');
/** More presses of Tab than any page has stops. */
const STOPS = 80;

export class Page {
  constructor(driver) {
    this.driver = driver;
  }

  /** Waits until the page shows something, and starts to record violations of the content policy. */
  async isReady(patience = PATIENCE) {
    await this.css('main:not([aria-busy])', patience);
    await this.driver.executeScript(`
      window.forbidden = [];
      const note = (report) => window.forbidden.push(report.effectiveDirective + ' ' + (report.blockedURI ?? report.blockedURL));
      document.addEventListener('securitypolicyviolation', note);
      new ReportingObserver((reports) => reports.forEach((report) => note(report.body)), { types: ['csp-violation'], buffered: true }).observe();
    `);
  }

  /** The violations of the content policy since the page was loaded. */
  forbidden() {
    return this.driver.executeScript('return window.forbidden');
  }

  /** The first element of a selector, once it is visible. */
  async css(selector, patience = PATIENCE) {
    const element = await this.driver.wait(until.elementLocated(By.css(selector)), patience, `no ${selector}`, BEAT);
    return this.driver.wait(until.elementIsVisible(element), PATIENCE, `${selector} is hidden`, BEAT);
  }

  /** All current elements of a selector. */
  all(selector) {
    return this.driver.findElements(By.css(selector));
  }

  /** The current number of elements of a selector. Counted in the page: an element may go away on its way here. */
  count(selector) {
    return this.driver.executeScript('return document.querySelectorAll(arguments[0]).length', selector);
  }

  /** The element of a role with this accessible name, in the front dialog if there is one. */
  async named(role, name) {
    const selector = SELECTORS[role];
    assert.ok(selector, `no selector for the role ${role}`);
    const find = async () => {
      const [dialog] = await this.all('dialog[open]');
      // A dialog that is being closed has no elements.
      const candidates = await (dialog ?? this.driver).findElements(By.css(selector)).catch(() => []);
      for (const candidate of candidates) {
        const said = await candidate.getAccessibleName().catch(() => '');
        const fits = name instanceof RegExp ? name.test(said) : said === name;
        if (fits && (await candidate.isDisplayed().catch(() => false))) return candidate;
      }
      return null;
    };
    return this.driver.wait(find, PATIENCE, `no ${role} “${name}”`, BEAT);
  }

  async click(role, name) {
    await clicked(() => this.named(role, name));
  }

  /** Replaces the text of a field by typing. */
  async fill(name, text) {
    await (await this.named('textbox', name)).click();
    await this.press(Key.CONTROL, 'a');
    await this.type(text || Key.BACK_SPACE);
  }

  /** Types at the caret. */
  type(text) {
    return this.driver.actions().sendKeys(text).perform();
  }

  /** Presses a key while others are held. */
  press(...keys) {
    const key = keys.pop();
    const actions = keys.reduce((all, held) => all.keyDown(held), this.driver.actions()).sendKeys(key);
    return keys.reduceRight((all, held) => all.keyUp(held), actions).perform();
  }

  /** Presses Tab, or another key, until what has the focus has this role and name; returns it. */
  async reach(role, name, key = Key.TAB) {
    const passed = new Set();
    for (let stop = 0; stop < STOPS; stop += 1) {
      const now = await this.driver.switchTo().activeElement();
      const said = await now.getAccessibleName();
      const isLike = await this.driver.executeScript('return arguments[0].matches(arguments[1])', now, SELECTORS[role]);
      if (isLike && (name instanceof RegExp ? name.test(said) : said === name)) return now;
      passed.add(said);
      await this.press(key);
    }
    return assert.fail(`the keyboard never reaches ${role} “${name}”; it passes ${[...passed].join(', ')}`);
  }

  /** Reaches something and presses a key there. */
  async use(role, name, key = role === 'button' || role === 'menuitem' ? Key.ENTER : Key.SPACE) {
    const reached = await this.reach(role, name, role === 'menuitem' ? Key.ARROW_DOWN : Key.TAB);
    await this.press(key);
    return reached;
  }

  /** Waits until the page holds a text. WebDriver's own notion of visible text leaves out what an ellipsis may cut. */
  async says(text) {
    const said = () => this.driver.executeScript('return document.body.textContent.includes(arguments[0])', text);
    await this.driver.wait(said, PATIENCE, `the page never says “${text}”`, BEAT);
  }

  /** Calls a command of the shell as the page would, in place of a native dialog. */
  async command(name, values = {}) {
    const answer = await this.driver.executeAsyncScript(
      `const done = arguments[arguments.length - 1];
       window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1]).then((value) => done({ value }), (error) => done({ error }));`,
      name,
      values,
    );
    if (answer.error) throw Object.assign(new Error(answer.error.message ?? String(answer.error)), { answer: answer.error });
    return answer.value;
  }

  /** Completes the first run: the found folders are added and, after the review, every ready skill is on. */
  async begin() {
    const { found } = await this.command('current');
    const folders = found.map((folder) => folder.path);
    const newOn = found.filter((folder) => folder.enableNew).map((folder) => folder.path);
    const added = await this.command('finish_first_run', { folders, enableReady: true, newOn });
    const looks = await this.command('look_at_ready', { folders: added });
    const seen = Object.fromEntries(looks.map(({ key, digest }) => [key, digest]));
    await this.command('enable_skills', { keys: Object.keys(seen), on: true, seen });
    await this.named('textbox', t('list.search'));
  }

  /** Opens a skill by its row, which a search scrolls into view. */
  async openSkill(name) {
    await this.search(name);
    await clicked(() => this.row(name));
    await this.search('');
  }

  /** Searches, and waits until the list shows the hits; an empty text ends the search. */
  async search(words) {
    await this.fill(t('list.search'), words);
    const heads = () => this.driver.executeScript('return [...document.querySelectorAll(".group, .list .empty h2")].map((head) => head.textContent.trim())');
    const answered = async () => (await heads()).some((head) => head === t('list.best') || head === t('empty.search.title', { query: words })) === (words !== '');
    await this.driver.wait(answered, PATIENCE, `the search for “${words}” is not answered`, BEAT);
  }

  /** Chooses from the menu of the open skill. */
  async choose(words) {
    await (await this.css('article [aria-haspopup=menu]')).click();
    await this.click('menuitem', words);
  }

  /** The row of a skill. */
  async row(name) {
    const find = async () => {
      for (const row of await this.all('[data-testid=skill-row]')) {
        const said = await row.findElement(By.css('.name')).getProperty('textContent').catch(() => '');
        if (said === name) return row;
      }
      return null;
    };
    return this.driver.wait(find, PATIENCE, `no row “${name}”`, BEAT);
  }

  /** Moves the caret to the start of a line of the editor, counted from 1, or to the end of its text. The editor is in a shadow root. */
  async goTo(line) {
    const host = await this.css('[data-testid=editor]');
    const root = await host.getShadowRoot();
    await (await root.findElement(By.css('.cm-content'))).click();
    await this.press(Key.CONTROL, line === 'end' ? Key.END : Key.HOME);
    for (let at = 1; at < line; at += 1) await this.press(Key.ARROW_DOWN);
  }

  /** Parts of the open dialog that are lower than their content, unless they scroll and show some rows of it. */
  squeezed() {
    return this.driver.executeScript(SQUEEZED);
  }

  /** A picture of the page as it is now, PNG in base64. */
  picture() {
    return this.driver.takeScreenshot();
  }

  /** Waits until all animations on the page have ended. */
  async rests() {
    await this.driver.wait(() => this.driver.executeScript('return document.getAnimations().length === 0'), PATIENCE, 'it moves', BEAT);
    await this.driver.executeAsyncScript('const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));');
  }
}

const SELECTORS = {
  button: 'button:not([role=tab], [role=menuitem]), [role=button]',
  checkbox: 'input[type=checkbox]:not([role=switch])',
  dialog: 'dialog[open], [role=dialog]',
  heading: 'h1, h2, h3',
  link: 'a[href], [role=link]',
  menuitem: '[role=menuitem]',
  radio: 'input[type=radio]',
  switch: '[role=switch]',
  tab: '[role=tab]',
  textbox: 'input:not([type=checkbox]):not([type=radio]), textarea, [role=textbox], [role=searchbox]',
};

/** Clicks what `find` finds; once more if the page has drawn it anew in between. */
async function clicked(find) {
  const element = await find();
  await element.click().catch(async (why) => {
    if (why.name !== 'StaleElementReferenceError') throw why;
    await (await find()).click();
  });
}
