// Who asked the desktop for less motion gets none, in the editor too: a busy shape stands still, nothing glides.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Page } from './page';
import { scenes } from './scenes';
import { startDriver } from './setup';

// A desktop whose settings say that nothing is animated, which WebKitGTK tells its pages.
const home = mkdtempSync(join(tmpdir(), 'still-'));
let still: { address: string; stop: () => void };
let calm: Page;
let usual: Page;
beforeAll(async () => {
  mkdirSync(join(home, 'gtk-3.0'));
  writeFileSync(join(home, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=false\n');
  still = await startDriver({ XDG_CONFIG_HOME: home });
  calm = await Page.start(still.address);
  usual = await Page.start();
});
afterAll(async () => {
  await Promise.all([calm.quit(), usual.quit()]);
  still.stop();
  rmSync(home, { recursive: true });
});

/** What would move: every element, also in shadows, with an animation, or with a transition that takes time. */
const moving = (page: Page) =>
  page.run<string[]>(`
    const found = new Set();
    const look = (root) => {
      for (const element of root.querySelectorAll('*')) {
        for (const part of ['', '::before', '::after']) {
          const style = getComputedStyle(element, part || null);
          const name = element.tagName.toLowerCase() + '.' + (element.getAttribute('class') ?? '') + part;
          if (style.animationName !== 'none') found.add(name + ' is animated by ' + style.animationName);
          if (style.transitionDuration.split(', ').some((each) => parseFloat(each) > 0)) found.add(name + ' glides');
        }
        if (element.shadowRoot) look(element.shadowRoot);
      }
    };
    look(document);
    return [...found];`);

const shown = ['a skill, edited', 'needs in every state', 'activity', 'insight', 'settings', 'the checkup', 'an import'].map((name) => scenes.find((scene) => scene.name === name)!);

test('a desktop without animations is one that asks for less motion', async () => {
  const asks = (page: Page) => page.run(`return matchMedia('(prefers-reduced-motion: reduce)').matches`);
  await Promise.all([calm.open(), usual.open()]);
  expect([await asks(calm), await asks(usual)]).toEqual([true, false]);
});

test.each(shown.map((scene) => [scene.name, scene] as const))('%s: something moves, and nothing where less motion is asked for', async (_, { at, open }) => {
  for (const page of [usual, calm]) {
    await page.driver.get('about:blank');
    await page.open(at);
    await open(page);
    await page.drawn();
  }
  expect(await moving(usual)).not.toEqual([]);
  expect(await moving(calm)).toEqual([]);
});
