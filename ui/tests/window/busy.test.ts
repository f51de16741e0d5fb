// Dialogs that write: they stay until they know how that ended, and what ends late closes nothing else.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';
import { scenes } from './scenes';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

/** The command ends when the test says how. */
const holds = (command: string) => page.run(`memory[arguments[0]] = () => new Promise((_, refuse) => (window.refuse = () => refuse({ kind: 'system', message: 'The kettle is cold.', hints: [] })))`, command);
const isWriting = () => page.until('it writes', () => page.run('return window.refuse !== undefined'));
const dialogs = async () => (await page.all('dialog')).length;
/** Of the buttons that leave a dialog, those that can be pressed. */
const waysOut = async () => (await page.texts('dialog footer button:enabled')).filter((words) => /^(Cancel|Close|Back|Later)/.test(words));

const begin = async () => (await page.find('dialog footer :is(.primary, .danger):enabled')).click();
const typed = (css: string) => async () => {
  await (await page.find(css)).sendKeys('tea');
  await begin();
};
const pressed = (words: string) => () => page.press(words);
const named = async () => {
  await (await page.find('dialog [id$=-name]')).sendKeys('Acme');
  await page.press('Choose…');
  await begin();
};

const cases: [scene: string, command: string, begin: () => Promise<unknown>][] = [
  ['a commit', 'commitAndPush', begin],
  ['a pull', 'pull', begin],
  ['skills to move', 'moveSkill', begin],
  ['skills to export', 'packInto', async () => {}],
  ['an export', 'packSkill', begin],
  ['tags to change', 'tagSkills', begin],
  ['adding to a client', 'changeClient', begin],
  ['skills in a folder', 'linkSkills', begin],
  ['going back', 'goBackTo', begin],
  ['an update of a moved tag', 'updateSkill', begin],
  ['an import', 'importSkill', begin],
  ['a repository with skills', 'addSource', begin],
  ['a new skill', 'newSkill', typed('#new-id')],
  ['a copy of a skill', 'duplicateSkill', begin],
  ['a new folder', 'addFolder', begin],
  ['a set', 'makeSet', typed('#set-name')],
  ['a new access key', 'replaceToken', begin],
  ['a client by its file', 'addClient', named],
  ['a changed entry', 'settleDrift', pressed('Keep theirs')],
  ['the checkup', 'saveReport', pressed('Save a report…')],
  ['quitting with edits', 'saveSkill', begin],
];

test.each(cases)('%s: while it writes, neither Escape nor a button leaves it, and a failure is said there', async (scene, command, begin) => {
  const { at, open } = scenes.find(({ name }) => name === scene)!;
  await page.open(at);
  await holds(command);
  await open(page);
  await begin();
  await isWriting();
  await page.drawn();
  expect(await waysOut()).toEqual([]);
  await page.keys(Key.ESCAPE);
  await page.drawn();
  expect(await dialogs()).toBe(1);
  await page.until('it is said', async () => {
    // Each of several skills is refused by itself.
    await page.run('refuse()');
    return (await page.texts('dialog')).join().includes('The kettle is cold.') && (await waysOut()).length > 0;
  });
  await page.keys(Key.ESCAPE);
  await page.until('it is closed', async () => (await dialogs()) === 0);
});

test('what ends late closes its own dialog alone', async () => {
  await page.open();
  await page.run('window.real = memory.newSkill; memory.newSkill = (...given) => new Promise((done) => (window.end = () => done(real(...given))))');
  await page.chord(Key.CONTROL, 'n');
  await (await page.find('#new-id')).sendKeys('tea', Key.ENTER);
  await page.until('it writes', () => page.run('return window.end !== undefined'));
  // The tray opens another one.
  await page.run(`memory.show({ place: 'client', id: 'claude-desktop' })`);
  const title = () => page.texts('dialog h2');
  await page.until('it is there', async () => (await title()).join() === 'Add Skilltender to Claude Desktop');
  await page.run('end()');
  await page.until('the skill is made', async () => (await page.run('return memory.textOf("own/tea")')) !== null);
  await page.until('the skill is open', async () => (await page.texts('h1')).join().startsWith('tea'));
  expect(await title()).toEqual(['Add Skilltender to Claude Desktop']);
});
