// The window, for tests: reading and operating it.

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Builder, By, Capabilities, Key, until, type WebDriver, type WebElement } from 'selenium-webdriver';
import { inject } from 'vitest';

export { By, Key };

/** How long a page may take, and how often it is looked at, in milliseconds. */
const PATIENCE = 15_000;
const BEAT = 20;

/** What the tests of the app have, too. */
const support = join(import.meta.dirname, '../../../tests/window/support');

/** The desktop of the worker that runs this. */
const desktop = () => inject('desktops')[Number(process.env.VITEST_POOL_ID) - 1]!;

export class Page {
  /** What the window is larger than its page. */
  private border = { width: 0, height: 0 };

  private constructor(readonly driver: WebDriver) {}

  /** `address`: of the driver of a desktop of the test's own. */
  static async start(address = desktop().driver): Promise<Page> {
    const [binary] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser');
    if (!binary) throw new Error('MiniBrowser is not there. Install webkit2gtk-driver and its browser.');
    const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } });
    const driver = await new Builder().usingServer(address).withCapabilities(capabilities).build();
    const page = new Page(driver);
    await page.resize(1280, 800);
    return page;
  }

  quit(): Promise<void> {
    return this.driver.quit();
  }

  /** Opens the window as for the first time; `asked` selects the content of the in-memory backend. */
  async open(asked = ''): Promise<void> {
    // Before the first page there is nothing to forget.
    await this.run('localStorage.clear()').catch(() => {});
    await this.driver.get(`${inject('window')}${asked}`);
    await this.find('main');
  }

  /** Makes the page itself this large; the window is larger by its own border, and is resized beside the page, at its own time. */
  async resize(width: number, height: number): Promise<void> {
    const window = this.driver.manage().window();
    const ask = () => window.setRect({ width: width + this.border.width, height: height + this.border.height });
    let [before, same] = ['', 0];
    await ask();
    await this.until(`the page is ${width}x${height}`, async () => {
      const [w, h] = await this.run<[number, number]>('return [innerWidth, innerHeight]');
      if (w === width && h === height) return true;
      // Only a size that stays tells how large the border is.
      same = before === `${w}x${h}` ? same + 1 : 0;
      before = `${w}x${h}`;
      if (same < 10) return false;
      this.border = { width: this.border.width + width - w, height: this.border.height + height - h };
      same = 0;
      await ask();
      return false;
    });
  }

  find(css: string): Promise<WebElement> {
    return this.driver.wait(until.elementLocated(By.css(css)), PATIENCE, css, BEAT);
  }

  all(css: string): Promise<WebElement[]> {
    return this.driver.findElements(By.css(css));
  }

  async texts(css: string): Promise<string[]> {
    return this.run<string[]>('return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent.trim())', css);
  }

  /** The button with this text, anywhere. */
  button(words: string): Promise<WebElement> {
    return this.driver.wait(until.elementLocated(By.xpath(`//button[normalize-space()="${words}"]`)), PATIENCE, words, BEAT);
  }

  async press(words: string): Promise<void> {
    await (await this.button(words)).click();
  }

  async openSkill(key: string): Promise<void> {
    await (await this.find(`[data-key="${key}"]`)).click();
    await this.find('[role=tabpanel]');
  }

  async tab(name: string): Promise<void> {
    await (await this.find(`#tab-${name}`)).click();
  }

  /** The editor's text field, inside its shadow root; it has focus afterwards. */
  async editor(): Promise<WebElement> {
    const host = await this.find('[data-testid=editor]');
    const root = await host.getShadowRoot();
    const field = await root.findElement(By.css('.cm-content'));
    await field.click();
    return field;
  }

  async keys(...keys: string[]): Promise<void> {
    await this.driver.actions().sendKeys(...keys).perform();
  }

  async chord(modifier: string, key: string): Promise<void> {
    await this.driver.actions().keyDown(modifier).sendKeys(key).keyUp(modifier).perform();
  }

  /** The focused element: the key of a row, or else its name or its text. */
  focused(): Promise<string> {
    return this.run('const e = document.activeElement; return e.dataset.key ?? e.getAttribute("aria-label") ?? e.textContent.trim()');
  }

  /** Parts of the open dialog that are lower than their content, unless they scroll and show some rows of it. */
  squeezed(): Promise<string[]> {
    return this.run(readFileSync(join(support, 'squeezed.js'), 'utf8'));
  }

  /** Listens from now on to what joins a live region that is there already: WebKitGTK tells of nothing else. */
  async listen(): Promise<void> {
    await this.run(`
      window.joined = [];
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          if (!target.closest('[aria-live=polite], [role=status]')) continue;
          for (const node of addedNodes) if (node.nodeType === 1) window.joined.push(node.textContent.trim());
        }
      }).observe(document.body, { childList: true, subtree: true })`);
  }

  /** Waits until this was told, after what was heard last. */
  async hears(words: string): Promise<void> {
    const heard = () => this.run<boolean>('const at = window.joined.indexOf(arguments[0]); return at >= 0 && window.joined.splice(0, at + 1).length > 0', words);
    await this.until(`“${words}” is heard`, heard).catch(async ({ message }) => {
      throw new Error(`${message}; told: ${(await this.run<string[]>('return window.joined')).join(' / ')}`);
    });
  }

  run<T>(script: string, ...given: unknown[]): Promise<T> {
    return this.driver.executeScript<T>(script, ...given);
  }

  /** Presses a button of the screen's mouse on an element: WebDriver's own presses have no release of the right button, and
      its wheel turns nothing. 4 is the wheel, upwards. */
  async mouse(button: 1 | 3 | 4, element: WebElement): Promise<void> {
    await this.run(`addEventListener('mousemove', (event) => (window.offset = [event.screenX - event.clientX, event.screenY - event.clientY]), { once: true })`);
    await this.driver.actions().move({ origin: element }).perform();
    const [left, top] = await this.run<[number, number]>('return window.offset');
    const { x, y, width, height } = await element.getRect();
    const place = [left + x + width / 2, top + y + height / 2].map((each) => String(Math.round(each)));
    execFileSync('/usr/bin/python3', [join(support, 'press.py'), String(button), ...place], { env: { ...process.env, DISPLAY: desktop().display } });
  }

  /** Returns once two more frames are drawn, after everything that was already under way. */
  async drawn(): Promise<void> {
    await this.driver.executeAsyncScript('const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))');
  }

  /** Waits until something is true; the error names it. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    await this.driver.wait(() => holds().catch(() => false), PATIENCE, what, BEAT);
  }
}
