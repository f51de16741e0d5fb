// What the window keeps from one run to the next: its size and place, its zoom, and its page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Key } from 'selenium-webdriver';

import { Session, until } from './support/session.js';

let session;

before(async () => {
  session = await Session.open();
});

after(() => session?.end());

/** Left, top, width and height of the window, without its frame. */
const place = async () => {
  const listed = await session.run('wmctrl', ['-lG']);
  const line = listed.split('\n').find((each) => each.endsWith(' Skilltender'));
  return line?.split(/\s+/).slice(2, 6).map(Number);
};

/** The width of the page in its own pixels: larger content leaves fewer. */
const columns = (page) => page.driver.executeScript('return innerWidth');
const shows = (page, title) => until(async () => (await (await page.css('h1')).getText()) === title, `the page ${title}`);

test('the window opens where it was, on the page that was shown last', async () => {
  const page = await session.start();
  await page.begin();
  await until(place, 'the window is there');
  await session.run('wmctrl', ['-r', 'Skilltender', '-e', '0,140,90,900,640']);
  await until(async () => (await place())[2] === 900, 'it has moved');
  const before = await place();
  await page.press(Key.CONTROL, '3');
  await shows(page, 'Clients');
  await page.press(Key.CONTROL, '+');
  await until(async () => (await columns(page)) < 900, 'it is larger');
  const larger = await columns(page);
  await page.press(Key.CONTROL, 'q').catch(() => {});
  await until(async () => (await session.windows()).length === 0, 'the window is gone');

  const again = await session.start();
  await shows(again, 'Clients');
  await until(async () => (await columns(again)) === larger, 'it is as large');
  await until(async () => JSON.stringify(await place()) === JSON.stringify(before), 'it is where it was').catch(async () => assert.deepEqual(await place(), before));
});
