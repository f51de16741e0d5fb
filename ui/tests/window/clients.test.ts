// The clients page: groups, search, rows and their details.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const openClients = async (asked = '?clients') => {
  await page.open(asked);
  await (await page.find('nav [title=Clients]')).click();
};
const row = (id: string) => `[data-testid=client-${id}]`;
const unfold = async (name: string) => await (await page.find(`[aria-label="Details of ${name}"]`)).click();
/** The text of the details under a heading. */
const detail = (id: string, head: string) =>
  page.run<string | undefined>(
    `const dt = [...document.querySelectorAll(arguments[0] + ' dt')].find((each) => each.textContent.trim() === arguments[1]); return dt?.nextElementSibling?.innerText`,
    row(id),
    head,
  );
const menuOf = async (name: string) => {
  await (await page.find(`[aria-label="More for ${name}"]`)).click();
  return page.texts('[role=menuitem]');
};

test('clients stand in groups, and those that are not on this computer are folded away', async () => {
  await openClients();
  expect(await page.texts('.sec h2')).toEqual(['Needs you', 'Restart to finish', 'Connected', 'Added', 'Found, not added', 'Not found on this computer']);
  expect(await page.texts('.sec:first-child .name')).toEqual(['opencode', 'VS Code']);
  expect(await page.texts('.sec:nth-child(2) .name')).toEqual(['Claude Desktop', 'Windsurf']);
  expect(await page.run('return document.querySelector(".fold.sec .fold-h").ariaExpanded')).toBe('false');
  expect(await (await page.find('.page-head')).getText()).toMatch(/13 of \d+ known clients are on this computer\./);
  expect(await page.texts('nav [title=Clients] .n')).toEqual(['2']);
  expect(await page.run('return document.querySelector("nav [title=Clients] .n svg").getAttribute("aria-label")')).toBe('2 need you');
});

test('the search filters while one types, also those that are folded away', async () => {
  await openClients();
  const all = (await page.texts('li .name')).length;
  await page.keys('/');
  await page.keys('mcp brains');
  expect(await page.texts('li .name')).toEqual(['GitHub Copilot for JetBrains']);
  expect(await page.texts('[aria-live=polite]')).toContain('1 client found');
  await page.keys('x');
  expect(await page.texts('.empty h2')).toEqual(['Nothing matches “mcp brainsx”']);
  await page.keys(Key.ESCAPE);
  await page.until('all are back', async () => (await page.texts('li .name')).length === all);
  expect(await page.focused()).toBe('Search clients');
});

test.each([
  ['claude-desktop', 'Waiting', 'our entry was lost. It is added again when Claude Desktop quits.'],
  ['vscode', 'Entry changed', 'Somebody changed our entry in its file.'],
  ['opencode', 'Entry out of date', 'Skilltender is at /usr/bin/skilltender now'],
  ['lm-studio', 'Another entry of our name', 'that is not ours'],
  ['claude-code', 'Connected', 'Connected now, Called once, just now'],
  ['codex', 'Added', 'Connected just now, Not called yet'],
  ['zed', 'Its file cannot be changed', 'The file has an error at 3:22'],
])('the row of %s says: %s', async (id, word, text) => {
  if (id === 'claude-desktop') await openClients();
  expect(await page.texts(`${row(id)} .word`)).toEqual([word]);
  const said = await page.run<string>(
    'return [...document.querySelectorAll(arguments[0] + " .proof, " + arguments[0] + " .lead")].map((each) => each.matches("ul") ? [...each.children].map((li) => li.innerText.trim()).join(", ") : each.innerText).join(" ")',
    row(id),
  );
  expect(said).toContain(text);
});

test('a client that works shows its proof: written, connected, called', async () => {
  await openClients('?connected');
  expect(await page.texts('.proof .todo')).toEqual([]);
  expect((await page.texts('.proof li')).slice(1)).toEqual(['Connected now', 'Called 3 times, last just now']);
  expect(await (await page.find('[data-testid=endpoint]')).getText()).toContain('1 client connected');
});

test('a row unfolds what there is to know, and says to a screen reader that it did', async () => {
  await openClients();
  const button = await page.find('[aria-label="Details of Claude Code"]');
  expect(await button.getAttribute('aria-expanded')).toBe('false');
  await button.click();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  expect(await page.run('return document.getElementById(arguments[0].getAttribute("aria-controls"))?.tagName', button)).toBe('DL');
  expect(await detail('claude-code', 'Version')).toContain('2025-11-25');
  expect(await detail('claude-code', 'How we know')).toBe('The real client was run with our entry, and it connected.');
  expect(await detail('claude-code', 'After a change')).toBe('Claude Code reads it when its next session starts.');
  expect(await detail('claude-code', 'Projects')).toContain('~/projects/website/.mcp.json');
  await unfold('Gemini CLI');
  expect(await detail('gemini-cli', 'Good to know')).toContain('folders that it does not trust');
});

test('the servers that others put into its file are listed, with the names of secrets that lie open', async () => {
  await openClients();
  await unfold('Claude Code');
  await page.until('they are read', async () => (await detail('claude-code', 'Other servers'))?.includes('memory') ?? false);
  const listed = await detail('claude-code', 'Other servers');
  expect(listed).toContain('~/.claude.json:4');
  expect(listed).toContain('In plain text: GITHUB_TOKEN');
});

test('a link that adds our entry is there to be copied where a client has one', async () => {
  await openClients();
  await page.run('Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) } })');
  await unfold('Cursor');
  await (await page.find('[aria-label="Copy a link for Cursor that adds our entry"]')).click();
  expect(await page.run('return window.copied')).toMatch(/^cursor:/);
  await unfold('Codex');
  expect(await page.all(`${row('codex')} .links`)).toEqual([]);
});

test('a client in a sandbox says why it is connected over HTTP', async () => {
  await openClients();
  await unfold('VSCodium');
  expect(await detail('vscodium', 'Connects by')).toContain('cannot start programs of yours');
});

test('the menu holds what can be done, and what cannot is not in it', async () => {
  await openClients();
  expect(await menuOf('Claude Code')).toEqual(['Add for one project…', 'Undo the last change…', 'Show its file', 'Copy our entry…', 'Look again', 'Remove…']);
  await page.keys(Key.ESCAPE);
  expect(await menuOf('LM Studio')).toEqual(['Show its file', 'Copy our entry…', 'Look again']);
  await page.press('Show its file');
  expect(await page.run('return memory.opened')).toEqual(['/home/mei/.lmstudio/mcp.json']);
});

test('all servers of all clients are in one list, which filters', async () => {
  await openClients();
  await page.press('See the 7 servers that others added');
  await page.find('[data-testid=server]');
  expect((await page.all('[data-testid=server]')).length).toBe(7);
  expect(await page.texts('dialog .note')).toEqual(['2 of them hold secrets in plain text: anyone who can read the files can read them.']);
  await page.keys('github');
  expect(await page.texts('dialog h3')).toEqual(['Claude Code']);
});

test('what a client would make of the skills is told with its details, the refused ones by name', async () => {
  await openClients();
  await unfold('Codex');
  await page.until('it is known', async () => (await detail('codex', 'Sees'))?.includes('tokens') ?? false);
  expect(await detail('codex', 'Sees')).toMatch(/All \d+ enabled skills\. Change…\n[\s\S]*About [\d,]+ tokens, when a model asks for the list\.\n[\s\S]*From its own skill folder, it loads \d+ as written and refuses 2\./);
  await (await page.find(`${row('codex')} .fold-h`)).click();
  expect(await page.texts(`${row('codex')} [data-testid=seen] button`)).toEqual(['kafka-consumer-tenant-fan-out-with-per-partition-backpressure-and-retry', 'quarterly-report']);
  await unfold('Windsurf');
  await page.until('it is known', async () => (await detail('windsurf', 'Sees'))?.includes('How it judges a skill is not known') ?? false);
});

test('a token is replaced where there is one, and the change of the file is shown next', async () => {
  await openClients();
  expect(await menuOf('Windsurf')).toContain('Replace the access key…');
  await page.press('Replace the access key…');
  expect(await page.focused()).toBe('Cancel');
  await page.press('Replace');
  await page.until('the change', async () => (await page.texts('dialog h2'))[0] === 'Change our entry in Windsurf');
});

test('everything is looked at on one press: what is wrong first, what is fine folded away, and a report is saved', async () => {
  await openClients();
  await page.press('Check everything');
  await page.until('it is looked at', async () => (await page.texts('dialog .sum')).join() === '3 things do not work. 3 things need a look.');
  expect(await page.run('return [...document.querySelectorAll("dialog > .body > .box > li")].map((each) => each.querySelector(".word").textContent)')).toEqual(['Problem.', 'Problem.', 'Problem.', 'Look at it.', 'Look at it.', 'Look at it.', 'Not known.']);
  expect((await page.texts('dialog li:first-child .sub')).join()).toContain('Open ~/.config/zed/settings.json and put it right there');
  expect(await page.texts('dialog .fold h3')).toEqual(['11 things are fine']);
  await page.press('Save a report…');
  await page.until('it is said', async () => (await page.texts('[data-testid=toast] p')).join() === 'The report is written to ~/Documents/skilltender-report.txt.');
  expect(await page.run('return memory.opened')).toEqual(['/home/mei/Documents/skilltender-report.txt']);
});
