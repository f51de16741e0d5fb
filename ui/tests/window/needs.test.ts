import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { By, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const openNeeds = async (asked = '') => {
  await page.open(asked);
  await page.openSkill('claude/release-notes');
  await page.tab('needs');
};
beforeEach(() => openNeeds());

const lines = (server: string) => page.texts(`section[aria-label=${server}] .line > div > div:first-child`);
const word = async (server: string) => (await page.texts(`section[aria-label=${server}] .sec-h .word`))[0];

test('a command that nobody approved stands there unshortened, with the way to the question', async () => {
  expect(await word('linear')).toBe('Waiting for your approval');
  expect((await page.texts('section[aria-label=linear] .sub'))[0]).toBe('npx -y linear-mcp-server');
  await page.press('Review and approve…');
  await page.until('it is asked', async () => (await page.run<string[]>('return memory.opened')).join() === 'consent linear');
});

test('one that was approved says so, and leads to the server', async () => {
  await page.run('memory.planServer("linear").then((plan) => memory.approveServer("linear", plan.digest, []))');
  await page.until('it runs', async () => (await word('linear')) === 'Running');
  expect((await lines('linear'))[0]).toBe('Command approved');
  await (await page.find('[aria-label="Open server linear"]')).click();
  expect(await page.texts('.page h1')).toEqual(['linear']);
});

test('a program that is not there has a row of its own', async () => {
  await page.open('?servers');
  await page.openSkill('team/ticket-triage');
  expect(await page.texts('.page-head .note .word')).toEqual(['jira-mcp not found']);
  await page.tab('needs');
  expect((await lines('jira'))[0]).toBe('jira-mcp · program');
  await page.press('Look again');
  // It starts the login shell, which only the consent window does.
  await page.until('it is asked there', async () => (await page.run('return memory.opened.at(-1)')) === 'consent jira');
});

test('a program of a server with a name of its own is looked for by that name', async () => {
  await page.open('?servers');
  await page.run(`
    const real = structuredClone;
    window.structuredClone = (value) => {
      const copy = real(value);
      const named = (wanted) => copy.servers?.find(({ name }) => name === wanted);
      if (named('linear-2')) named('linear-2').state = named('jira').state;
      return copy;
    };
    memory.publish();
    memory.show({ place: 'skill', key: 'team/sprint-plan' })`);
  await page.find('[role=tabpanel]');
  await page.tab('needs');
  await (await page.find('section[aria-label=linear] .line:nth-child(2) button')).click();
  await page.until('it is asked there', async () => (await page.run('return memory.opened.at(-1)')) === 'consent linear-2');
});

test('the banner names every server that waits, and its button leads to the field, also from the page of needs', async () => {
  await page.open('?servers');
  await page.openSkill('claude/release-notes');
  expect((await page.texts('.page-head .note .txt')).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual(['Needs secret · GITHUB_TOKEN is not stored yet, so github cannot start.', 'Waiting for your approval · linear starts as soon as you have approved its command.']);
  await page.tab('needs');
  await page.press('Enter the secret…');
  await page.until('the field', () => page.run('return document.activeElement.type === "password"'));
});

test('a program that is not there is looked for from the banner, too', async () => {
  await page.open('?servers');
  await page.openSkill('team/ticket-triage');
  await (await page.find('.page-head .note button')).click();
  await page.until('it is asked there', async () => (await page.run('return memory.opened.at(-1)')) === 'consent jira');
});

test('of two servers of one name the other skill’s can be used', async () => {
  await page.open('?servers');
  await page.run(`memory.show({ place: 'skill', key: 'team/sprint-plan' })`);
  await page.find('[role=tabpanel]');
  await page.press('See both');
  expect(await word('linear')).toBe('Starting');
  expect((await lines('linear'))[0]).toBe('release-notes calls another server by this name');
  await page.press('Use the server of release-notes');
  await page.until('it is used', async () => (await lines('linear'))[0] === 'Uses the server of release-notes');
  await page.press('Use its own');
  await page.until('it is its own', async () => (await lines('linear'))[0] === 'release-notes calls another server by this name');
});

test('what a skill names in the words of another program is told, and nothing is asked for it', async () => {
  await page.open('?servers');
  await page.run(`memory.show({ place: 'skill', key: 'team/sprint-plan' })`);
  await page.find('[role=tabpanel]');
  await page.tab('needs');
  expect(await page.texts('.suggested li')).toEqual(['rube a server, from requires.mcp', 'NOTION_API_KEY a variable, from metadata.openclaw.primaryEnv']);
  expect(await page.texts('section[aria-label=rube]')).toEqual([]);
});

test('the readiness line leads to the field', async () => {
  await page.tab('read');
  await page.press('Enter the secret…');
  expect(await (await page.find('#secret-github-GITHUB_TOKEN')).isDisplayed()).toBe(true);
  expect(await page.run('return document.activeElement.id')).toBe('secret-github-GITHUB_TOKEN');
});

test('a secret goes inwards once, the field is emptied, and nothing shows it again', async () => {
  await page.run(`window.sent = []; const set = memory.setSecret; memory.setSecret = (...given) => { sent.push(given); return set(...given) }`);
  const field = await page.find('#secret-github-GITHUB_TOKEN');
  expect(await field.getAttribute('type')).toBe('password');
  await field.sendKeys('ghp_not_a_real_one');
  await page.press('Store');
  await page.until('it is stored', async () => (await page.all('#secret-github-GITHUB_TOKEN')).length === 0);
  expect(await page.run('return sent')).toEqual([['claude/release-notes', 'github', 'GITHUB_TOKEN', 'ghp_not_a_real_one']]);
  expect(await (await page.find('section[aria-label=github]')).getText()).toContain('Stored in your keychain since');
  expect(await page.run('return document.documentElement.outerHTML')).not.toContain('ghp_not_a_real_one');
  await page.until('nothing is missing', async () => new Set(await page.texts('.note .word')).size === 1);
  expect((await page.texts('.note .word'))[0]).toBe('Waiting for your approval');
  expect(await page.texts('[data-testid=toast] p')).toEqual(['GITHUB_TOKEN is stored in your keychain.']);
});

test('a stored secret can be replaced and deleted', async () => {
  const row = await page.find('section[aria-label=linear]');
  await (await row.findElement(By.xpath('.//button[normalize-space()="Replace…"]'))).click();
  expect(await (await page.find('#secret-linear-LINEAR_API_KEY')).getAttribute('value')).toBe('');
  await page.press('Cancel');
  await page.press('Delete…');
  expect(await page.focused()).toBe('Keep');
  await page.press('Delete for good');
  await page.until('it is asked for again', async () => (await row.getText()).includes('Needs secret'));
});

test('an ordinary value is changed and given back to its default', async () => {
  await page.press('Change…');
  await (await page.find('#value-github-GITHUB_TOOLSETS')).sendKeys('issues');
  await page.press('Set');
  await page.until('set', async () => (await page.texts('section[aria-label=github] .sub')).join().includes('issues') && (await page.all('form #value-github-GITHUB_TOOLSETS')).length === 0);
  await page.press('Reset');
  await page.until('default', async () => (await page.texts('section[aria-label=github] .sub')).join().includes('default'));
});

test('without a keychain the page says so and tries again', async () => {
  await openNeeds('?no-keychain');
  expect(await (await page.find('.keychain')).getText()).toContain('Start one, such as GNOME Keyring or KWallet');
  await (await page.find('#secret-github-GITHUB_TOKEN')).sendKeys('x');
  await page.press('Store');
  await page.until('how long it is kept is said', async () => (await page.texts('[data-testid=toast]')).join().includes('is kept until Skilltender quits. No keychain answers on this computer.'));
  await page.press('Try again');
  await page.until('it answers', async () => (await page.all('.keychain')).length === 0);
});

test('of several ways the person picks one', async () => {
  await page.open('?servers');
  await page.openSkill('team/query-plans');
  await page.tab('needs');
  const shown = async () => (await page.texts('section[aria-label=postgres] .sub.mono'))[0];
  expect(await shown()).toContain('npx');
  await page.run(`const select = document.querySelector('[aria-label="How postgres is reached"]'); select.value = 'docker'; select.dispatchEvent(new Event('change', { bubbles: true }))`);
  await page.until('it is picked', async () => (await shown()) === 'docker run mcp/postgres');
});
