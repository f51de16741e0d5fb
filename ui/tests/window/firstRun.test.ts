// The first start: what was found. Nothing is written before the button is pressed.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

test('the first run writes nothing before its button, then adds what is ticked', async () => {
  await page.open('?first-run');
  await page.run(`window.calls = []; for (const name of ['changeClient', 'finishFirstRun']) { const real = memory[name]; memory[name] = (...given) => { calls.push([name, ...given]); return real(...given) } }`);
  await page.button('Add 1 client and start');
  await page.press('See the change');
  expect((await page.texts('dialog .added')).length).toBe(4);
  await page.press('Close');
  expect(await page.run('return calls')).toEqual([]);
  await (await page.find('.folder:nth-child(2) .ck')).click();
  await page.press('Add 1 client and start');
  await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
  expect(await page.run('return calls')).toEqual([
    ['changeClient', 'claude-desktop', { change: 'connect', transport: null, project: null, again: false }, expect.any(String)],
    ['finishFirstRun', ['/home/mei/.claude/skills'], true, ['/home/mei/.claude/skills']],
  ]);
});

test('clients that cannot be added say why, and those with an access key in their file wait for a tick', async () => {
  await page.open('?clients&first-run');
  await page.button('See why');
  expect(await page.run('return [...document.querySelectorAll(".choice .ck[aria-label]")].map((each) => [each.ariaLabel, each.checked, each.disabled])')).toEqual([
    ['GitHub Copilot CLI', true, false],
    ['Cursor', true, false],
    ['VSCodium', false, false],
  ]);
  // What cannot be ticked has no box, which would look as if it could.
  expect(await page.texts('.choice:has(.none) .cut')).toEqual(['JetBrains AI Assistant cannot be added', 'Zed cannot be added']);
  await (await page.find('[aria-label="See why JetBrains AI Assistant cannot be added"]')).click();
  expect(await (await page.find('dialog [role=alert]')).getText()).toContain('where no other program can write them');
  await page.press('Close');
  await page.button('Add 2 clients and start');
});

test('a client that is running gets its entry back when it quits, and its line says so', async () => {
  await page.open('?first-run&running');
  await page.run(`memory.changeClient = async (...given) => void (window.given = given)`);
  await page.until('the line says so', async () => (await page.texts('.choice .cut')).some((line) => line.includes('is running: if the entry is lost')));
  await page.press('Add 1 client and start');
  await page.until('it is asked for', async () => (await page.run('return window.given !== undefined')) === true);
  expect(await page.run('return window.given[1].again')).toBe(true);
});

test('a client whose file has an error is listed, and says why it cannot be added', async () => {
  await page.open('?first-run&refused');
  await page.press('See why');
  expect(await (await page.find('dialog [role=alert]')).getText()).not.toBe('');
  await page.press('Close');
  expect(await page.texts('.choice:has(.none) .cut')).toEqual(['Claude Desktop cannot be added']);
  expect(await page.all('[aria-label="Claude Desktop"]')).toEqual([]);
  await page.button('Start');
});

test('a failure stays beside its client until it is tried again, and the page keeps its lines', async () => {
  await page.open('?first-run');
  await page.run(`window.real = memory.changeClient; memory.changeClient = async () => { throw { kind: 'system', message: 'The disk is full.', hints: ['Make room.'] } }`);
  await page.press('Add 1 client and start');
  await page.until('it is said', async () => (await page.texts('main [role=alert]')).join().includes('The disk is full.'));
  expect(await page.all('[role=grid]')).toEqual([]);
  await page.run('memory.changeClient = real');
  await page.press('Try again');
  await page.until('it is added', async () => (await page.texts('.choice .cut')).includes('Claude Desktop added'));
  expect(await page.all('main [role=alert]')).toEqual([]);
  await page.press('Start');
  await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
});

test('without the client that failed the start goes on', async () => {
  await page.open('?first-run');
  await page.run(`memory.changeClient = async () => { throw { kind: 'system', message: 'The disk is full.', hints: [] } }`);
  await page.press('Add 1 client and start');
  await page.button('Try again');
  await (await page.find('[aria-label="Claude Desktop"]')).click();
  await page.press('Start');
  await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
});

test('a start that fails is said on the page and can be tried again', async () => {
  await page.open('?first-run');
  await page.run(`window.real = memory.finishFirstRun; memory.finishFirstRun = async () => { throw { kind: 'system', message: 'The disk is full.', hints: [] } }`);
  await page.press('Skip');
  await page.until('it is said', async () => (await page.texts('main [role=alert]')).join().includes('The disk is full.'));
  await page.run('memory.finishFirstRun = real');
  await page.press('Try again');
  await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
});

test('an AppImage is put into the menu of programs by the first run, unless that is unticked', async () => {
  for (const [ticked, calls] of [[true, [[true]]], [false, []]] as const) {
    await page.open('?first-run');
    await page.button('Add 1 client and start');
    expect(await page.texts('.menu')).toEqual([]);
    await page.run(`window.calls = []; const real = memory.setAppMenu; memory.setAppMenu = (...given) => { calls.push(given); return real(...given) }; return real(false)`);
    await page.until('the choice', async () => (await page.texts('.menu')).includes('Show in the menu of programs'));
    if (!ticked) await (await page.find('.menu .ck')).click();
    await page.press('Add 1 client and start');
    await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
    expect(await page.run('return calls')).toEqual(calls);
  }
});

test('the keyboard goes on in the library: after the start, and after what was asked then', async () => {
  const starts = async (button: string) => {
    await page.open('?first-run');
    await page.run(`memory.lookAtReady = async (folders) => folders.length === 0 ? [] : [{ ...(await memory.lookAtSkill('projects/api-changelog')), key: 'projects/api-changelog' }]`);
    await (await page.button(button)).sendKeys(Key.ENTER);
    await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
  };
  await starts('Skip');
  await page.until('it has the focus', async () => (await page.focused()) === 'Search skills');
  await starts('Add 1 client and start');
  await page.find('dialog[open]');
  await page.keys(Key.ESCAPE);
  await page.until('it is closed', async () => (await page.all('dialog[open]')).length === 0);
  await page.until('it has the focus', async () => (await page.focused()) === 'Search skills');
});
