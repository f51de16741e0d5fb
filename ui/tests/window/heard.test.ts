// What only changes its words is told to those who do not see it: as an element that joins a live region which was there.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

/** Opens the window at a page of the sidebar, and listens. */
const open = async (asked = '', place = 'Skills') => {
  await page.open(asked);
  await (await page.find(`nav [title="${place}"]`)).click();
  await page.listen();
};
const pick = (key: string) => page.run(`document.querySelector('[data-key="' + arguments[0] + '"]').dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true }))`, key);

test('how many problems the edited text has', async () => {
  await open();
  await page.openSkill('projects/quarterly-report');
  await page.tab('edit');
  await page.editor();
  await page.press('Fix all 2');
  await page.hears('Nothing is wrong with this text.');
  await page.editor();
  await page.chord(Key.CONTROL, 'z');
  await page.hears('2 problems in this text');
});

test('that a text is saved, each time', async () => {
  await open();
  await page.openSkill('claude/code-review');
  await page.tab('edit');
  await page.editor();
  for (let time = 0; time < 2; time += 1) {
    await page.keys('More. ');
    await page.chord(Key.CONTROL, 's');
    await page.hears('Saved.');
  }
});

test('what is wrong with the name of a new skill, and where another one has it', async () => {
  await open();
  await page.chord(Key.CONTROL, 'n');
  await page.find('#new-id');
  await page.run(`const folder = document.querySelector('#new-folder'); folder.value = 'claude'; folder.dispatchEvent(new Event('change', { bubbles: true }))`);
  await page.keys('!');
  await page.hears('A name needs a letter from a to z or a digit, for its id.');
  await page.keys(Key.BACK_SPACE, 'code review');
  await page.hears('This folder already has a skill with this id.');
  await page.chord(Key.CONTROL, 'a');
  await page.keys('quarterly report');
  await page.hears(await (await page.find('#new-id-said .t2')).getText());
  // Not each letter of its place.
  expect(await page.run<string[]>('return window.joined')).toEqual([]);
});

test('how many skills were exported', async () => {
  await open();
  for (const key of ['claude/release-notes', 'projects/quarterly-report']) await pick(key);
  await (await page.find('[role=toolbar] [aria-label="Export as zips…"]')).click();
  await page.press('Choose a folder…');
  await page.hears('1 of 2 exported');
});

test('whose tags change', async () => {
  await open();
  for (const key of ['claude/code-review', 'claude/release-notes']) await pick(key);
  await (await page.find('[role=toolbar] [aria-label="Change tags…"]')).click();
  await (await page.find('#tags-add')).sendKeys('team');
  await page.hears('The tags of 2 skills change:');
});

test('how many servers fit', async () => {
  await open('?servers', 'Servers');
  await page.keys('/', 'design-r');
  await page.hears('1 server found');
});

test('how many libraries fit', async () => {
  await open('', 'Settings');
  await page.press('Show them');
  await (await page.find('dialog [aria-label="Search by name or licence"]')).sendKeys('svelte-chec');
  await page.hears('0 libraries');
});

test('whether there is a new version, and what becomes of it', async () => {
  await open('', 'Settings');
  await page.press('Look now');
  await page.hears('Skilltender 0.2.0 is there.');
  await page.press('Update and restart');
  await page.hears('Skilltender 0.2.0 is installed. It runs when Skilltender starts again.');
});

test('what the checkup says, also the second time', async () => {
  await open('?clients');
  await page.chord(Key.CONTROL, 'k');
  await page.keys('Check everything', Key.ENTER);
  await page.find('dialog [data-testid=check]');
  const said = (await page.texts('dialog [role=status]')).join();
  await page.press('Check again');
  await page.hears('Looking at everything…');
  await page.hears(said);
});

test('who asks for a sign-in, and that the browser is waited for', async () => {
  await open('?servers', 'Servers');
  await page.run('memory.signOut("sentry")');
  await (await page.find('[data-server=sentry]')).click();
  await (await page.find('[aria-label="Sign in to sentry…"]')).click();
  await page.hears('Your browser opens auth.example.com.');
  await page.press('Open the browser');
  await page.hears('Waiting for your browser…');
});

test('that Activity stands still', async () => {
  await open('?connected&clients', 'Activity');
  await page.find('[data-testid=call]');
  await page.press('Pause');
  await page.hears('Paused');
});

test('what was done about a verdict', async () => {
  await open('?usage&clients&servers', 'Insight');
  await page.press('Only what it lacks');
  await page.find('[data-testid=deed]');
  const [first] = await page.texts('[data-testid=deed] p');
  await page.hears(first!);
  await page.run(`[...document.querySelectorAll('[data-testid=verdicts] button')].find((each) => /^Switch/.test(each.textContent.trim())).click()`);
  await page.until('two', async () => (await page.all('[data-testid=deed]')).length === 2);
  const [second] = await page.texts('[data-testid=deed] p');
  await page.hears(second!);
  // What was done before is no news when the last is undone.
  await (await page.find('[data-testid=deed] button')).click();
  await page.until('one', async () => (await page.all('[data-testid=deed]')).length === 1);
  await page.until('it is undone', () => page.run(`return window.joined.some((told) => /skills are on/.test(told))`));
  expect(await page.run('return window.joined')).not.toContain(first);
});

test('that a question is in a window of its own', async () => {
  await open('?servers', 'Servers');
  await (await page.find('[data-server=linear]')).click();
  await page.press('Review and approve…');
  await page.hears('The question about linear is in a window of its own.');
});

test('that a skill looks harmful from now on, each time', async () => {
  await open();
  for (let time = 0; time < 2; time += 1) {
    await page.run(`memory.turnHarmful('claude/code-review')`);
    await page.hears('code-review: Looks harmful.');
    await page.run(`memory.enableSkills(['claude/code-review'], false, {})`);
    await page.until('it is off', () => page.run(`return memory.current().then(({ skills }) => skills.find(({ key }) => key === 'claude/code-review').readiness.state !== 'looks-harmful')`));
  }
});
