// A library folder in a git work tree: its status, a pull as a review, a commit of its skills and its push.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const gone = () => page.until('the dialog closes', async () => (await page.all('dialog')).length === 0);
const says = (words: string) => page.until(words, async () => (await (await page.find('dialog')).getText()).includes(words));
const status = () => page.texts('[data-testid=work-tree]');
const statusIs = (words: string) => page.until(words, async () => String(await status()) === words);
const menu = async (entry: string) => {
  await (await page.find('[aria-label="More for ~/team/skills"]')).click();
  await page.press(entry);
};

async function settings() {
  await page.open('?servers');
  await (await page.find('nav [title="Settings"]')).click();
  await statusIs('main, 1 commit behind, 1 skill changed, 1 switch or set changed');
}

test('only a folder in a work tree has a status, and nothing is fetched for it', async () => {
  await page.open('?servers');
  await page.run("window.asked = []; for (const name of ['workTreeStatus', 'planPull', 'planCommit']) { const was = memory[name]; memory[name] = (...given) => { asked.push(name); return was(...given); }; }");
  await (await page.find('nav [title="Settings"]')).click();
  await statusIs('main, 1 commit behind, 1 skill changed, 1 switch or set changed');
  expect(await page.run('return asked')).toEqual(['workTreeStatus']);
});

test('a pull is shown as a review first, and the status follows it', async () => {
  await settings();
  await menu('Pull…');
  await page.find('dialog .review');
  await says('1 commit of origin/main');
  await says('pager.example.net');
  await says('1 file of no skill changes, too');
  expect(await page.focused()).toBe('Cancel');
  await (await page.find('dialog .primary')).click();
  await gone();
  await statusIs('main, 1 skill changed, 1 switch or set changed');
});

test('a refused push says that the commit is kept, and leads to the pull', async () => {
  await settings();
  await menu('Commit and push…');
  await page.find('dialog .review');
  expect(await page.run("return document.querySelector('#commit-message').value")).toBe('Skills: change ticket-triage; switches and sets');
  await (await page.find('dialog .primary')).click();
  await says('It is committed here, and not pushed.');
  await says('Pull first, then push.');
  await (await page.find('dialog .primary')).click();
  await says('Pull ~/team/skills');
  await says('1 commit of origin/main');
});

test('without a message, or with what looks like a secret, nothing is committed', async () => {
  await settings();
  await menu('Commit and push…');
  await page.find('dialog .review');
  await page.run("const field = document.querySelector('#commit-message'); field.value = ' '; field.dispatchEvent(new Event('input', { bubbles: true }))");
  await page.until('the button is off', async () => !(await (await page.find('dialog .primary')).isEnabled()));
  await page.open('?servers');
  await page.run("const plan = memory.planCommit; memory.planCommit = async (folder) => ({ ...(await plan(folder)), secrets: ['Line 3 of tea/notes.md looks like a token of GitHub.'] })");
  await (await page.find('nav [title="Settings"]')).click();
  await statusIs('main, 1 commit behind, 1 skill changed, 1 switch or set changed');
  await menu('Commit and push…');
  await says('Line 3 of tea/notes.md looks like a token of GitHub.');
  expect(await (await page.find('dialog .primary')).isEnabled()).toBe(false);
});

test('why git was not asked is said in the row', async () => {
  await page.open('?servers');
  await page.run("memory.workTreeStatus = () => memory.pull('team', 'another plan')");
  await (await page.find('nav [title="Settings"]')).click();
  await statusIs('The work tree changed since it was shown, so nothing was changed. Look at it again.');
});

const list = () => page.texts('[data-testid=switches] li');

test('the switches and sets of another machine are shown with it, and come with the pull', async () => {
  await settings();
  await menu('Pull…');
  await page.find('dialog [data-testid=switches]');
  expect(await list()).toEqual([
    'design-review is switched off · machine 3f2a1c04b7d9',
    'The set Reviews is new · machine 3f2a1c04b7d9',
    'api-errors joins the set Reviews · machine 3f2a1c04b7d9',
    'on-call joins the set Reviews · machine 3f2a1c04b7d9',
  ]);
  await says('1 skill is on elsewhere and not here.');
  await says('Servers are still allowed on each machine by itself.');
  await (await page.find('dialog .primary')).click();
  await gone();
  expect(await page.run("return (await memory.current()).skills.find(({ key }) => key === 'team/design-review').enabled")).toBe(false);
});

test('what was switched here goes along with a push, and alone where no skill changed', async () => {
  await settings();
  await menu('Commit and push…');
  await page.find('dialog [data-testid=switches]');
  expect(await list()).toEqual(['query-plans is switched on']);
  await page.open('?servers');
  await page.run("const plan = memory.planCommit; memory.planCommit = async (folder) => ({ ...(await plan(folder)), skills: [], message: 'Switches and sets' })");
  await (await page.find('nav [title="Settings"]')).click();
  await statusIs('main, 1 commit behind, 1 skill changed, 1 switch or set changed');
  await menu('Commit and push…');
  await page.find('dialog [data-testid=switches]');
  expect(await page.run("return document.querySelector('#commit-message').value")).toBe('Switches and sets');
  expect(await (await page.find('dialog .primary')).getText()).toBe('Commit and push');
});

test('switches and sets are taken also where no commit comes, and what stays says why', async () => {
  await page.open('?servers');
  const stays = "const stays = 'It stays off here until you have looked at what it carries.';";
  await page.run(`${stays} const plan = memory.planPull; memory.planPull = async (folder) => { const made = await plan(folder); const [first] = made.switches; return { ...made, commits: 0, skills: [], others: [], absent: 0, switches: [first, { ...first, how: 'on', skill: 'on-call', stays }] }; }`);
  await (await page.find('nav [title="Settings"]')).click();
  await statusIs('main, 1 commit behind, 1 skill changed, 1 switch or set changed');
  await menu('Pull…');
  await says('Your other machines have other switches and sets.');
  await says('It stays off here until you have looked at what it carries.');
  expect(await (await page.find('dialog .primary')).getText()).toBe('Take them over');
});

test('a folder stops sharing from its menu, and nothing of it is shown any more', async () => {
  await settings();
  expect(String(await page.texts('.line .sub'))).toContain('switches and sets are shared');
  await menu('Share switches and sets');
  await statusIs('main, 1 commit behind, 1 skill changed');
  expect(String(await page.texts('.line .sub'))).not.toContain('switches and sets are shared');
  await menu('Pull…');
  await page.find('dialog .review');
  expect(await list()).toEqual([]);
});
