// The servers page: the list, a server's actions, tools and log; and the row of a client's tools.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const openServers = async (asked = '?servers') => {
  await page.open(asked);
  await (await page.find('nav [title=Servers]')).click();
};
const open = async (name: string, tab = 'overview') => {
  await (await page.find(`[data-server=${name}]`)).click();
  await page.tab(tab);
};
const note = async () => (await page.texts('.page-head .note .txt'))[0]!.replaceAll(/\s+/g, ' ');
const opened = () => page.run<string[]>('return memory.opened');

test('servers that need a person come first, each with its shape, its reason, and how many skills want it', async () => {
  await openServers();
  expect(await page.texts('.list .group')).toEqual(['Needs attention', 'Approved']);
  const rows = await page.run<string[]>(`return [...document.querySelectorAll('[data-testid=server-row]')].map((row) => [row.querySelector('.vh').textContent, ...[...row.querySelectorAll('.name, .l2')].map((e) => e.textContent)].join(' | '))`);
  expect(rows).toEqual([
    'Needs a secret or a value | github | GITHUB_TOKEN missing',
    'Tools changed | grafana | Tools changed',
    'jira-mcp not found | jira | jira-mcp is not on this computer. Install it, then look again.',
    'Waiting for your approval | linear | Waiting for your approval',
    'Down | notion | notion ended before it answered. It ended with exit code 1. Its last words: Error: NOTION_TOKEN is not set',
    'Changed, waiting for you | postgres | Changed, waiting for you',
    'Waiting for your approval | sentry | Waiting for your approval',
    'Running | figma | 5 tools, up less than a minute',
    'Ready | filesystem | 2 tools, starts when called',
    'Starting | linear-2 | Starting',
  ]);
  // Nothing is said twice.
  for (const row of await page.all('[data-testid=server-row]')) {
    const words = await row.getAccessibleName();
    expect(words.split('Waiting for your approval').length, words).toBeLessThan(3);
  }
  expect(await page.texts('.foot')).toEqual(['10 servers, 1 running']);
  // The number beside the mark is of what it marks.
  expect(await page.texts('nav [title=Servers] .n')).toEqual(['7']);
  expect(await page.run('return document.querySelector("nav [title=Servers] .n svg").getAttribute("aria-label")')).toBe('7 need you');
});

test('the list answers the keyboard, and its search filters while one types', async () => {
  await openServers();
  await page.keys('/');
  await page.keys('design-r');
  expect(await page.texts('.list .name')).toEqual(['figma']);
  await page.keys(Key.ARROW_DOWN, Key.ENTER);
  expect(await page.texts('.page h1')).toEqual(['figma']);
  await page.keys('/');
  await page.keys(Key.ESCAPE);
  await page.keys(Key.ARROW_DOWN, Key.ARROW_DOWN);
  expect(await page.run('return document.activeElement.dataset.server')).toBe('grafana');
});

test('the head says how it stands, who uses it, and what can be done', async () => {
  await openServers();
  await open('figma');
  expect(await note()).toBe('Running · up less than a minute, 1 call. Used by design-review.');
  await page.press('Stop');
  await page.until('it rests', async () => (await note()).startsWith('Ready · starts when called.'));
  await page.press('Start');
  await page.until('it runs', async () => (await note()).startsWith('Running · up less than a minute'));
  await page.press('design-review');
  await page.until('its skill is open', async () => (await page.texts('article h1'))[0]?.startsWith('design-review') ?? false);
});

test('its tools stand there exactly as clients get them, and each can be left out', async () => {
  await openServers();
  await open('figma', 'tools');
  expect((await page.all('[data-testid=tool]')).length).toBe(5);
  await (await page.find('[data-testid=tool] .fold-h')).click();
  expect((await page.texts('[data-testid=tool] pre'))[0]).toContain('"name":"figma__get_design_context"');
  expect(await page.texts('[data-testid=prompt]')).toEqual(['figma__review Reviews a frame for contrast and target sizes.']);
  expect(await page.texts('[data-testid=resources]')).toEqual(['It also lists 12 resources.']);
  await (await page.find('[aria-label="Offer get_screenshot"]')).click();
  await page.until('it is off', async () => !(await page.run<boolean>(`return document.querySelector('[aria-label="Offer get_screenshot"]').checked`)));
});

test('its log follows as it writes, and can be copied', async () => {
  await openServers();
  await page.run('Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) } })');
  await open('figma', 'log');
  expect((await page.all('.log .ln')).length).toBe(3);
  await page.press('Restart');
  await page.until('the lines of its new start', async () => (await page.all('.log .ln')).length === 2);
  await (await page.find('[aria-label="Copy the log"]')).click();
  expect(await page.run('return copied')).toMatch(/\d\d:\d\d:\d\d listening on stdio/);
});

test('secrets are listed by skill, and never with a value', async () => {
  await openServers();
  await open('figma', 'secrets');
  await page.until('they are read', async () => (await page.texts('.page .sec h2')).join() === 'design-review');
  expect((await page.texts('.page .sec .line'))[0]).toMatch(/^FIGMA_TOKEN\s*Stored in your keychain since/);
});

test('secrets of a server with a name of its own are those of its skill, and of a shared one those of the skill that shares it', async () => {
  await openServers();
  // The skill calls its server as another skill calls another one, and has a secret for it.
  await page.run(`
    const read = memory.readSkill;
    memory.readSkill = async (key) => {
      const skill = await read(key);
      if (key === 'team/sprint-plan') skill.needs[0].values = (await read('claude/release-notes')).needs[1].values;
      return skill;
    }`);
  await open('linear-2', 'secrets');
  await page.until('they are read', async () => (await page.texts('.page .sec h2')).join() === 'sprint-plan');
  expect((await page.texts('.page .sec .line'))[0]).toMatch(/^LINEAR_API_KEY/);
  await open('linear', 'secrets');
  await page.until('they are read', async () => (await page.texts('.page .sec h2')).join() === 'release-notes');
  await page.run(`return memory.linkServer('team/sprint-plan', 'linear', 'claude/release-notes')`);
  await page.until('both use it', async () => (await page.run('return memory.current().then(({ servers }) => servers.find(({ name }) => name === "linear").skills.length)')) === 2);
  await open('figma', 'secrets');
  await open('linear', 'secrets');
  await page.until('they are read', async () => (await page.texts('.page .sec h2')).join() === 'release-notes');
});

test('what was agreed to is shown whole, and can be taken back', async () => {
  await openServers();
  await open('figma', 'approval');
  expect(await page.texts('[data-testid=consent-command] code')).toEqual(['npx', '-y', 'figma-developer-mcp@0.6.4', '--stdio']);
  await page.press('Take back…');
  expect(await page.focused()).toBe('Keep');
  await page.press('Stop it and take back');
  await page.until('it waits', async () => (await note()).startsWith('Waiting for your approval'));
});

test('a question goes to its own window, and this one waits for it', async () => {
  await openServers();
  await open('linear');
  await page.press('Review and approve…');
  await page.find('.scrim');
  expect(await opened()).toEqual(['consent linear']);
  expect(await page.run('return document.querySelector(".app").inert')).toBe(true);
  expect(await page.focused()).toBe('Show it');
  await page.run('memory.closeConsent()');
  await page.until('it goes on', async () => (await page.all('.scrim')).length === 0);
  await page.until('where it was', async () => (await page.focused()) === 'Review and approve…');
});

test('one that wants a sign-in says who will ask before a browser opens, waits, and can be left alone', async () => {
  await openServers();
  await page.run('memory.signOut("sentry")');
  await open('sentry');
  expect(await note()).toContain('Needs sign-in · It needs you to sign in with your browser.');
  await (await page.find('[aria-label="Sign in to sentry…"]')).click();
  await page.until('it is said who asks', async () => (await page.texts('.sign-in [role=status]'))[0] === 'Your browser opens auth.example.com.');
  expect((await opened()).filter((each) => each.startsWith('https'))).toEqual([]);
  await page.press('Open the browser');
  await page.until('it waits', async () => (await page.texts('.sign-in [role=status]'))[0] === 'Waiting for your browser…');
  expect(await opened()).toContain('https://auth.example.com/authorize?client_id=1');
  await page.run('Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) } })');
  await page.press('Copy the address');
  expect(await page.run('return window.copied')).toBe('https://auth.example.com/authorize?client_id=1');
  await (await page.find('[aria-label="Cancel signing in to sentry"]')).click();
  await page.find('[aria-label="Sign in to sentry…"]');
  await (await page.find('nav [title=Skills]')).click();
  await page.openSkill('team/api-errors');
  expect(await page.texts('.page-head .note .word')).toEqual(['Needs sign-in']);
  await page.tab('needs');
  await (await page.find('section[aria-label=sentry] [aria-label="Sign in to sentry…"]')).click();
  await page.until('it is said who asks', async () => (await page.texts('section[aria-label=sentry] .sign-in [role=status]'))[0] === 'Your browser opens auth.example.com.');
});

test('without servers the page says what would stand there', async () => {
  await openServers('?empty');
  expect(await page.texts('main .empty h2')).toEqual(['No server is needed']);
});

test('a client says how it gets tools and what they cost, where there are any', async () => {
  await page.open('?connected');
  await (await page.find('nav [title=Clients]')).click();
  await (await page.find('[aria-label="Details of Claude Desktop"]')).click();
  expect(await page.all('[data-testid=tools-claude-desktop]')).toEqual([]);
  await page.run('memory.setToolMode("claude-desktop", "on-demand")');
  await page.find('[data-testid=tools-claude-desktop]');
  expect(await page.texts('[data-testid=tools-claude-desktop] .t2')).toEqual(['0 tools, about 0 tokens']);
  await page.run(`const select = document.querySelector('[aria-label="How Claude Desktop gets the tools of servers"]'); select.value = 'search'; select.dispatchEvent(new Event('change', { bubbles: true }))`);
  await page.until('it says so', async () => (await page.texts('[data-testid=tools-claude-desktop] .hint'))[0]?.startsWith('The list has two tools') ?? false);
});

test('a client gets some servers and tools, and the others get what they got', async () => {
  await page.open('?servers&connected');
  await (await page.find('nav [title=Clients]')).click();
  await (await page.find('[aria-label="Details of Claude Desktop"]')).click();
  await page.run('memory.setToolMode("claude-desktop", "on-demand")');
  await (await page.find('[aria-label="Change the tools of Claude Desktop"]')).click();
  await (await page.find('[aria-label="Offer figma to Claude Desktop"]')).click();
  const off = () => page.run<unknown[]>('return memory.current().then(({ settings }) => settings.toolsOff)');
  await page.until('it is off', async () => (await off()).length === 1);
  await (await page.find('[aria-label="2 tools of filesystem"]')).click();
  await (await page.find('[aria-label="Offer write_file to Claude Desktop"]')).click();
  await page.until('that too', async () => (await off()).length === 2);
  expect(await off()).toEqual([{ client: 'claude-desktop', server: 'figma' }, { client: 'claude-desktop', server: 'filesystem', tool: 'write_file' }]);
  expect(await page.run('return document.querySelector(\'[aria-label="Offer read_file to Claude Desktop"]\').checked')).toBe(true);
});
