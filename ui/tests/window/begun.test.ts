// How the window begins and ends: while the library is read, and as the page before it left it.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const opened = () => page.run<string[]>('return memory.opened');
/** Opens the page anew with what the last one left. */
const again = async () => {
  const left = await page.run<string>('return memory.left');
  await page.run('sessionStorage.setItem("left", arguments[0])', left);
  await page.driver.navigate().refresh();
  await page.find('main');
  await page.run('sessionStorage.clear()');
};

test('a library that is being read says how far it is, and neither that it is empty nor that this is the first run', async () => {
  await page.open('?reading=3200');
  expect(await page.texts('main h2')).toEqual(['Reading your library']);
  expect(await page.texts('main [role=status] p')).toEqual(['3,200 skills so far']);
  expect(await page.texts('[data-testid=skill-row]')).toEqual([]);
  await page.run('memory.show({ place: "client", id: "claude-desktop" })');
  expect(await page.all('dialog')).toEqual([]);
  await page.run('memory.readAll()');
  await page.find('main:not([aria-busy])');
  // What the tray asked for meanwhile.
  await page.find('dialog[open]');
});

test('a first run waits for the library without a word', async () => {
  await page.driver.get(`${inject('window')}?reading=0&first-run`);
  await page.until('the page is there', () => page.run('return typeof memory === "object"'));
  expect(await page.texts('main')).toEqual([]);
  await page.run('memory.readAll()');
  await page.find('main');
});

test('a page that is closed leaves where it was, what was picked and what was unsaved, and the next one takes it up', async () => {
  await page.open('?more=200');
  await page.openSkill('claude/code-review');
  await page.tab('edit');
  await page.editor();
  await page.chord(Key.CONTROL, Key.HOME);
  await page.keys('Unsaved. ');
  await page.until('it is unsaved', async () => (await page.all('.row .dirty')).length + (await page.all('.dirty')).length > 0);
  await page.tab('read');
  await page.run('document.querySelector(".rows").scrollTop = 700');
  await page.run('memory.close()');
  await page.until('it was put away', async () => (await opened()).includes('put away'));
  await again();
  await page.until('the skill', async () => (await page.texts('h1')).join() === 'code-review');
  await page.until('scrolled', () => page.run('return document.querySelector(".rows").scrollTop === 700'));
  await page.tab('edit');
  await page.until('the caret', async () => (await page.texts('.status span'))[0] === 'Line 1, column 10');
  await page.until('the text', () => page.run('return document.querySelector("[data-testid=editor]").shadowRoot.textContent.includes("Unsaved. ")'));
});

test('a page with a half-filled field or an open dialog keeps its window', async () => {
  await page.open('?servers');
  await page.run('memory.show({ place: "client", id: "claude-desktop" })');
  await page.find('dialog[open]');
  await page.run('memory.close()');
  await page.until('it was asked', async () => (await opened()).includes('kept its window'));
});

test('after the first run the frame is drawn before anything is known', async () => {
  await page.open();
  await page.find('[data-testid=skill-row]');
  expect(await page.run('return localStorage.getItem("begun")')).toBe('yes');
  // A page whose first question is never answered.
  await page.driver.get(`${inject('window')}?silent`);
  await page.find('nav');
  expect(await page.all('main[aria-busy=true]')).toHaveLength(1);
  await page.run('localStorage.clear()');
  await page.driver.get(`${inject('window')}?silent`);
  await page.until('the page is there', () => page.run('return typeof memory === "object"'));
  expect(await page.all('nav')).toEqual([]);
});
