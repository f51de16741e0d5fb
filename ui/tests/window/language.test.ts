// The window in other languages: every page and dialog is opened in English and switched while it is shown. The tests' own
// language marks every text of the files; what is not marked is data of the example, or a text that nobody can translate.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import english from '../../text/en.json';
import chinese from '../../text/zh-CN.engine.json';
import { sources } from '../sources';
import example from '../../src/backend/example.json';
import { Messages } from '../../src/messages/messages';
import { Key, Page } from './page';
import { scenes } from './scenes';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

/** The sizes in which everything must fit; the last is a window of 1280 x 800 at 200 %. */
const sizes = [[1280, 800], [900, 640], [640, 400]] as const;

/** What the example shows that no file holds: every string of the recording. */
const data = new Set<string>();
(function walk(value: unknown): void {
  if (typeof value === 'string') for (const line of [value, ...value.split('\n')]) data.add(line.trim());
  else if (value !== null && typeof value === 'object') {
    Object.values(value).forEach(walk);
    // A call as it came, which stands behind its everyday words.
    if ('method' in value && 'target' in value) data.add(`${value.method} ${value.target}`);
  }
})(example);

/** Parts of the page that hold only data, by what they are. */
const ofOthers = ['[lang=en]', '[translate=no]', '.mono', 'code', 'pre', 'kbd', '.md', '[data-testid=editor]', '.tag', 'option[lang]'];

interface Seen { text: string; where: string }

/** The visible texts and names without marks, outside those parts. */
const unmarked = () =>
  page.run<Seen[]>(
    `
    const found = [];
    const others = arguments[0].join();
    const where = (element) => { const path = []; for (let e = element; e && path.length < 4; e = e.parentElement) path.unshift(e.tagName.toLowerCase() + (e.className && typeof e.className === 'string' ? '.' + e.className.split(' ')[0] : '')); return path.join(' > '); };
    let depth = 0;
    const left = (text) => { let rest = ''; for (const c of text) { if (c === '‹') depth += 1; else if (c === '›') depth -= 1; else if (depth === 0) rest += c; } return rest.trim(); };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (!node.checkVisibility() || node.closest(others)) continue;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
          const text = node.getAttribute(name);
          if (text === null) continue;
          const before = depth;
          depth = 0;
          const rest = left(text);
          if (/[A-Za-z]{2}/.test(rest)) found.push({ text: rest, where: name + ' of ' + where(node) });
          depth = before;
        }
        continue;
      }
      const parent = node.parentElement;
      if (!parent || parent.closest('script, style') || !parent.checkVisibility()) continue;
      const rest = left(node.data);
      if (/[A-Za-z]{2}/.test(rest) && !parent.closest(others)) found.push({ text: rest, where: where(parent) });
    }
    return found;`,
    ofOthers,
  );

const messages = new Messages(chinese);
/** What scenes have the engine say, and it never does. */
const invented = ['Something is so.', 'Something in prompt-library looks as if it meant harm.', 'It has 812 files, and 512 are the most.', 'This downloads a program and runs it at once.'];

/** Every text that is shown, and every name that is spoken, but not the pages of the help. */
const everyText = `
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if ((node.parentElement ?? node).closest('[data-testid=help], .md')) continue;
    if (node.nodeType === Node.TEXT_NODE) found.push(node.data.trim());
    else found.push(...['aria-label', 'title', 'placeholder', 'alt'].map((name) => node.getAttribute(name)?.trim()));
  }
  return found.filter((text) => text && /[A-Za-z]+ [A-Za-z]/.test(text));`;

/** Elements that hide a part of what is in them, unless an ellipsis or a fold says so. */
const clipped = () =>
  page.run<string[]>(`
    const found = [];
    for (const element of document.querySelectorAll('body *')) {
      if (!element.checkVisibility() || element.closest('.vh, svg, [data-testid=editor], select, option')) continue;
      const style = getComputedStyle(element);
      // The folder beside a name gives way to it, and is in the row's title.
      if (element.dataset.givesWay !== undefined && [...element.children].every((child) => child.matches('.src, .vh') || child.offsetTop - element.offsetTop < element.clientHeight)) continue;
      const said = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      const name = element.tagName.toLowerCase() + '.' + element.className + ': ' + element.textContent.trim().slice(0, 60);
      if (!said && /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1) found.push('wide ' + name);
      if (!said && /hidden|clip/.test(style.overflowY) && element.clientHeight > 0 && element.scrollHeight > element.clientHeight + 2) found.push('high ' + name);
      // Words that run out of what they stand in.
      if (element.matches('button, .btn, .choose, .pop, .tag, h1, h2, h3, p, label, dt, dd, th, td') && style.overflowX === 'visible') {
        const box = element.getBoundingClientRect();
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (node.parentElement.closest('select, .vh, .cut')) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          const words = range.getBoundingClientRect();
          if (words.width > 0 && (words.right > box.right + 1 || words.left < box.left - 1 || words.bottom > box.bottom + 3 || words.top < box.top - 3)) found.push('out ' + name);
        }
      }
    }
    return found;`);

/** Names with versions, such as `codex 1.4.2 · MCP 2025-11-25`; keys, such as `(Ctrl K)`; days and what stands between names. */
const isData = ({ text }: Seen) =>
  text
    .replace(/⟦[^⟧]*⟧/g, '')
    .replace(/\((Ctrl|⌘) .\)/g, '')
    .split(' · ')
    .every((piece) => known(piece) || piece.split(/, | and |: /).every(known));

const known = (words: string) => {
  const piece = words.trim();
  return piece === '' || ['and', 'Writing', 'roots'].includes(piece) || data.has(piece) || data.has(piece.replace(/ [\d.]+$/, '')) || /^MCP \d{4}-\d\d-\d\d$/.test(piece) || /^[A-Z][a-z]{2} \d+$/.test(piece);
};

/** The headings of dialogs and the bars over the page that the scenes have shown, in English. */
const headings = new Set<string>();

test.each(scenes.map((scene) => [scene.name, scene] as const))('%s: every text comes from the files, none is cut, and in Chinese none of the engine is English', async (_, { at, open }) => {
  // The page of the last scene is forgotten, and an address with only another fragment is loaded too.
  await page.run('localStorage.clear()').catch(() => {});
  await page.driver.get('about:blank');
  await page.open(at);
  await open(page);
  await page.drawn();
  for (const heading of await page.texts('dialog[open] h2, .scrim p')) headings.add(heading);
  await page.run('memory.pseudo()');
  await page.drawn();
  expect((await unmarked()).filter((seen) => !isData(seen))).toEqual([]);
  try {
    for (const [width, height] of sizes) {
      await page.resize(width, height);
      await page.drawn();
      expect([`${width} x ${height}`, ...(await clipped())]).toEqual([`${width} x ${height}`]);
    }
  } finally {
    await page.resize(1280, 800);
  }
  // The window that asks keeps the language in which it was opened.
  if (/#(consent|team)\//.test(at)) return;
  await page.run(`memory.setLanguage('zh-CN')`);
  await page.until('Chinese', async () => (await lang()) === 'zh-CN');
  await page.drawn();
  expect((await page.run<string[]>(everyText)).filter((text) => messages.pieces(text).some((piece) => !piece.english))).toEqual([]);
  expect((await page.texts('span[lang=en]:not(.toasts span)')).filter((text) => !invented.includes(text))).toEqual([]);
});

test('no dialog is missing among them', () => {
  const pattern = (text: string) => new RegExp(`^${text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);
  const shown = (key: string) => Object.entries(english).some(([name, text]) => (name === key || name.startsWith(`${key}.`)) && [...headings].some((heading) => pattern(text).test(heading)));
  const dialogs = sources('.svelte').filter((file) => /<Dialog\b|class="scrim"/.test(readFileSync(file, 'utf8')));
  expect(dialogs.length).toBeGreaterThan(20);
  const missing = dialogs.filter((file) => ![...readFileSync(file, 'utf8').matchAll(/['"]([a-zA-Z]+\.[a-zA-Z]+)['"]/g)].some(([, key]) => shown(key!)));
  // Its title is that of the page that it shows.
  expect(missing.map((file) => basename(file))).toEqual(['HelpDialog.svelte']);
});

const chosen = () => page.run('return memory.current().then(({ settings }) => settings.language.chosen)');
const lang = () => page.run('return document.documentElement.lang');
const choose = (tag: string) =>
  page.run(`const s = document.getElementById('language'); s.value = arguments[0]; s.dispatchEvent(new Event('change', { bubbles: true }))`, tag);

test('a language is chosen in the settings and in the palette, at once, with its name in itself', async () => {
  await page.open();
  await page.run(`document.querySelector('nav [title=Settings]').click()`);
  await page.find('#language');
  expect(await page.texts('#language option')).toEqual(['As the desktop', 'English', '简体中文']);
  await choose('zh-CN');
  await page.until('Chinese', async () => (await page.texts('h1')).join() === '设置');
  expect([await lang(), await chosen()]).toEqual(['zh-CN', 'zh-CN']);
  // The person stays where they were.
  expect(await page.run(`return document.getElementById('language').value`)).toBe('zh-CN');
  await page.chord(Key.CONTROL, 'k');
  await page.keys('english', Key.ENTER);
  await page.until('English', async () => (await page.texts('h1')).join() === 'Settings');
  expect([await lang(), await chosen()]).toEqual(['en', 'en']);
  await choose('system');
  await page.until('the desktop is followed', async () => (await chosen()) === null);
});

test('what the engine says is shown and spoken in Chinese, and what is not known of it in English', async () => {
  await page.open();
  await page.run(`memory.setLanguage('zh-CN')`);
  await page.openSkill('projects/quarterly-report');
  await page.tab('problems');
  const [said, fix] = [await page.texts('[role=tabpanel] li p [lang]'), await page.texts('[role=tabpanel] li button [lang]')];
  expect(said[0]).toBe('描述为空，因此模型无法知道何时使用该技能。Codex 会忽略该技能；其他客户端显示其文本的第一行。');
  expect(fix[0]).toBe('使用文本的第一行');
  expect(await page.texts('[role=tabpanel] li [lang]:not([lang=zh])')).toEqual([]);
  await page.run(`[...document.querySelectorAll('[role=tabpanel] button')].find((each) => each.textContent.includes('修复全部')).click()`);
  await page.find('[data-testid=toast]');
  expect(await page.run('return document.querySelector("[data-testid=toast] p [lang]").lang')).toBe('zh');
  await page.run(`memory.pause = async () => { throw { kind: 'system', message: 'Choose another name. The kettle is cold.', hints: [] } }`);
  await page.run(`document.querySelector('[data-testid=endpoint] button').click()`);
  await page.until('the failure is said', async () => (await page.texts('[data-testid=toast]:last-child p [lang]')).length === 2);
  expect(await page.run('return [...document.querySelectorAll("[data-testid=toast]:last-child p [lang]")].map((e) => [e.lang, e.textContent])')).toEqual([['zh', '请选择其他名称。'], ['en', 'The kettle is cold.']]);
  // Back in English, nothing is translated.
  await page.run(`memory.setLanguage('en')`);
  await page.until('English', async () => (await page.texts('[role=tabpanel] li [lang]')).every((text) => !/\p{Script=Han}/u.test(text)));
});

test('an editor that was opened in another language speaks the new one', async () => {
  await page.open();
  await page.openSkill('claude/code-review');
  await page.tab('edit');
  await (await page.editor()).sendKeys('More. ');
  await page.tab('read');
  await page.run('memory.pseudo()');
  await page.tab('edit');
  const name = () => page.run<string>(`return document.querySelector('[data-testid=editor]').shadowRoot.querySelector('.cm-content').getAttribute('aria-label')`);
  await page.until('it is named', async () => (await name()).startsWith('⟦'));
  // While it is shown, too.
  await page.run(`memory.setLanguage('zh-CN')`);
  await page.until('it is named anew', async () => (await name()) === 'SKILL.md');
});

test('the window opens in the language of the last run, before the engine says anything, and asks all in it', async () => {
  await page.open();
  await page.run(`localStorage.setItem('language', 'zh-CN')`);
  await page.driver.get('about:blank');
  await page.driver.get(`${inject('window')}?servers#consent/linear`);
  await page.until('the question is Chinese', async () => (await page.texts('h1')).join() === '启动服务器“linear”？');
  for (const server of ['linear', 'figma', 'github']) {
    await page.driver.get('about:blank');
    await page.driver.get(`${inject('window')}?servers#consent/${server}`);
    await page.until('the question is Chinese', async () => (await page.texts('h1')).join().includes(`“${server}”`));
    expect((await page.run<string[]>(everyText)).filter((text) => messages.pieces(text).some((piece) => !piece.english))).toEqual([]);
    expect(await page.texts('span[lang=en]')).toEqual([]);
  }
  await page.run(`localStorage.clear()`);
});
