// Every page and dialog is held against the rules of WCAG 2.2 AA by axe, light and dark, in both languages; what can be
// pressed or filled in is called what stands on it. What axe cannot decide is no violation.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { show } from './looks';
import { Page } from './page';
import { scenes } from './scenes';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const looks = [['light', 'en'], ['dark', 'zh-CN'], ['dark', 'en'], ['light', 'zh-CN']] as const;
/** The scenes that are looked at in all four ways; the others in the first two, which have every colour and every text. */
const inAll = new Set(['first run', 'picked skills', 'a skill, edited', 'needs in every state', 'clients', 'insight', 'asking about figma']);

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

/** Brings axe into the page, and stops what glides: colours on their way to others would be measured. */
async function ready(): Promise<void> {
  await page.run(axe);
  await page.run(`const sheet = new CSSStyleSheet(); sheet.replaceSync('*, *::before, *::after { transition: none !important }'); document.adoptedStyleSheets.push(sheet);`);
}

/** What axe finds, each as the rule, the place, and what to do; with the number of rules that were applied. */
const found = (only: { type: 'tag' | 'rule'; values: string[] }) =>
  page.driver.executeAsyncScript<{ applied: number; violations: string[] }>(
    `
    const [runOnly, done] = arguments;
    axe.run(document, { runOnly, resultTypes: ['violations'] }).then(
      ({ passes, violations }) => done({ applied: passes.length + violations.length, violations: violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, failureSummary }) => [id, target.join(' '), html.slice(0, 160), failureSummary].join(' | '))) }),
      (why) => done({ applied: 0, violations: [String(why)] }),
    );`,
    only,
  );

/** What is called something else than the words on it or beside it (WCAG 2.5.3), by the names that axe computes. */
const misnamed = () =>
  page.run<string[]>(`
    const plain = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, ' ').trim();
    const seen = (element) => {
      let text = '';
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement.checkVisibility() && !node.parentElement.closest('.vh, [aria-hidden=true], select, textarea')) text += node.data + ' ';
      }
      return plain(text);
    };
    axe.setup(document);
    // Behind a dialog nothing can be reached.
    const found = [...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button, a[href], input, select, textarea, [role=option], [role=tab], [role=menuitem], [role=menuitemcheckbox]')]
      .filter((element) => element.checkVisibility() && !element.closest('[inert], [aria-hidden=true]'))
      .map((element) => [element.labels?.length ? [...element.labels].map(seen).join(' ').trim() : element.matches('input, select, textarea') ? '' : seen(element.querySelector('.name') ?? element), plain(axe.commons.text.accessibleText(element)), element.outerHTML.slice(0, 160)])
      .filter(([words, name]) => !name.replaceAll(' ', '').includes(words.replaceAll(' ', '')))
      .map((each) => each.join(' | '));
    axe.teardown();
    return found;`);

test.each(scenes.map((scene) => [scene.name, scene] as const))('%s: axe finds nothing', { timeout: 60_000 }, async (name, { at, open }) => {
  await page.run('localStorage.clear()').catch(() => {});
  await page.driver.get('about:blank');
  await page.open(at);
  await open(page);
  await page.drawn();
  await ready();
  for (const [theme, language] of looks.slice(0, inAll.has(name) ? 4 : 2)) {
    await show(page, theme, language);
    const { applied, violations } = await found({ type: 'tag', values: rules });
    expect([theme, language, ...violations]).toEqual([theme, language]);
    expect(applied).toBeGreaterThan(15);
    expect(await misnamed()).toEqual([]);
  }
  // In a low window more has to scroll, and the keyboard reaches all of it.
  try {
    await page.resize(640, 400);
    await page.drawn();
    expect((await found({ type: 'rule', values: ['scrollable-region-focusable'] })).violations).toEqual([]);
  } finally {
    await page.resize(1280, 800);
  }
});

test('axe finds what is put there to be found', async () => {
  await page.open();
  await ready();
  await page.run(`
    const wrong = document.createElement('div');
    wrong.innerHTML = '<button></button><button aria-label="Two">One</button><p class="faint">Faint</p>';
    document.querySelector('main').prepend(wrong);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.faint { position: fixed; z-index: 9; background: #fff; color: #999 }');
    document.adoptedStyleSheets.push(sheet);
  `);
  const { violations } = await found({ type: 'tag', values: rules });
  for (const rule of ['button-name', 'label-content-name-mismatch', 'color-contrast']) expect(violations.some((each) => each.startsWith(rule)), rule).toBe(true);
});

test('a control that is called something else than the words on it is found', async () => {
  await page.open();
  await ready();
  expect(await misnamed()).toEqual([]);
  await page.run(`
    const wrong = document.createElement('div');
    wrong.innerHTML = '<label>Name <input aria-label="Other"></label><button aria-label="Two">One</button><button aria-label="Three things">Three</button>';
    document.querySelector('main').prepend(wrong);
  `);
  expect((await misnamed()).map((each) => each.split(' | ').slice(0, 2))).toEqual([['one', 'two'], ['name', 'other']].sort());
});

test('a row is called by its name, its state and what it lacks', async () => {
  await page.open('?servers');
  await ready();
  const called = (row: string) =>
    page.run<string[]>(`axe.setup(document); try { return [...document.querySelectorAll(arguments[0])].map((each) => axe.commons.text.accessibleText(each)) } finally { axe.teardown() }`, row);
  const skills = await called('[data-testid=skill-row]');
  expect(skills).toEqual(expect.arrayContaining(['release-notes, Needs secret GITHUB_TOKEN, Waiting for your approval: linear', 'code-review, Ready']));
  expect(skills.map((name) => name.split(', ')[0])).toEqual(await page.texts('[data-testid=skill-row] .name'));
  await (await page.find('nav [title=Servers]')).click();
  await page.find('[data-testid=server-row]');
  expect((await called('[data-testid=server-row]')).find((name) => name.startsWith('linear'))).toMatch(/^linear Waiting for your approval/);
});
