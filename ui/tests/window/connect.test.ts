// Adding, changing and removing Skilltender's entry in a client's file: every change is shown before it is written.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const openClients = async (asked = '') => {
  await page.open(asked);
  await (await page.find('nav [title=Clients]')).click();
};
const menu = async (name: string, item: string) => {
  await (await page.find(`[aria-label="More for ${name}"]`)).click();
  await page.press(item);
};
const closed = () => page.until('the dialog is closed', async () => (await page.all('dialog')).length === 0);
const added = () => page.texts('dialog .added code');

test('the exact change is shown, written when confirmed, and taken back', async () => {
  await openClients();
  await (await page.find('[aria-label="Add to Claude Desktop"]')).click();
  const dialog = await page.find('dialog');
  expect(await dialog.getText()).toContain('~/.config/Claude/claude_desktop_config.json');
  expect(await added()).toEqual([
    'Added:     },', 'Added:     "skilltender": {', 'Added:       "command": "/usr/bin/skilltender",', 'Added:       "args": ["mcp", "--client", "claude-desktop"]',
  ]);
  expect(await page.focused()).toBe('Cancel');
  await page.press('Write and add');
  await page.until('the row says so', async () => (await page.texts('.proof li')).join(' ').startsWith('Written just now'));
  expect(await page.texts('.proof .todo')).toEqual(['Connects after its restart', 'Not called yet']);
  expect(await page.texts('[data-testid=toast] p')).toEqual(['Added to Claude Desktop. Quit Claude Desktop, not only its window, and start it again.']);

  await menu('Claude Desktop', 'Remove…');
  await page.press('Remove');
  await page.until('it can be added again', async () => (await page.all('[aria-label="Add to Claude Desktop"]')).length === 1);
});

test('Escape leaves the file alone and gives focus back', async () => {
  await openClients();
  await (await page.find('[aria-label="Add to Claude Desktop"]')).click();
  await page.find('dialog');
  await page.keys(Key.ESCAPE);
  await closed();
  expect(await page.focused()).toBe('Add to Claude Desktop');
});

test('a file that changed since it was shown is not written: the new change is shown, and one line says so', async () => {
  await openClients();
  await (await page.find('[aria-label="Add to Claude Desktop"]')).click();
  await page.find('dialog');
  await page.run(`
    window.wrote = [];
    const [plan, write] = [memory.planClient, memory.changeClient];
    memory.planClient = async (...given) => { const found = await plan(...given); return { ...found, id: 'second', place: '~/elsewhere.json' } };
    memory.changeClient = async (client, change, id) => { window.wrote.push(id); if (id !== 'second') throw { kind: 'changed', message: 'The file changed.', hints: [] } };
  `);
  await page.press('Write and add');
  expect(await (await page.find('dialog [role=alert]')).getText()).toBe('The file changed since it was shown, so nothing was written. This is the change as it would be now.');
  await page.until('the new plan', async () => (await (await page.find('dialog')).getText()).includes('~/elsewhere.json'));
  expect(await page.texts('[data-testid=toast]')).toEqual([]);
  await page.press('Write and add');
  await closed();
  expect(await page.run<string[]>('return window.wrote.slice(1)')).toEqual(['second']);
});

test('a file that cannot be changed says why, and offers to see it or to add the entry by hand', async () => {
  await openClients('?clients');
  await page.run(`memory.show({ place: 'client', id: 'zed' })`);
  expect(await (await page.find('dialog [role=alert]')).getText()).toContain('The file has an error at 3:22');
  await (await page.find('dialog footer .btn')).click();
  expect(await page.run('return memory.opened')).toEqual(['/home/mei/.config/zed/settings.json']);
  await (await page.find('dialog footer .btn:nth-child(2)')).click();
  await page.run('Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) } })');
  await page.press('Copy');
  expect(await page.run('return window.copied')).toContain('"context_servers"');
});

test('HTTP is chosen before anything is written, and the token in the file is said', async () => {
  await openClients('?clients');
  await (await page.find('[aria-label="Add to Cursor"]')).click();
  await page.find('dialog');
  await (await page.find('dialog [value=http]')).click();
  await page.until('the change has an address', async () => (await added()).join('').includes('"url"'));
  expect(await (await page.find('dialog')).getText()).toContain('The file then contains a token');
  await page.press('Write and add');
  await closed();
  await page.run(`document.querySelector('[aria-label="Details of Cursor"]').click()`);
  expect(await page.run(`return document.querySelector('[data-testid=client-cursor] [value=http]').checked`)).toBe(true);
});

test('an entry for one project goes into the project’s file', async () => {
  await openClients('?clients');
  await (await page.find('[aria-label="Add to Cursor"]')).click();
  await page.find('dialog');
  await (await page.find('dialog [role=radiogroup]:last-of-type label:nth-child(2) input')).click();
  await page.until('the file is the project’s', async () => (await (await page.find('dialog')).getText()).includes('~/more-skills/.cursor/mcp.json'));
  expect(await (await page.find('dialog header')).getText()).toContain('This file does not exist yet.');
  await page.press('Write and add');
  await page.until('it is added for a project', async () => (await page.texts('[data-testid=client-cursor] .word'))[0] === 'Added for 1 project');
});

test('another way to connect is another entry, so its change is shown; until then the present way is shown as it is', async () => {
  await openClients('?clients');
  await (await page.find('[aria-label="Details of Codex"]')).click();
  await (await page.find('[data-testid=client-codex] [value=http]')).click();
  expect(await (await page.find('dialog h2')).getText()).toBe('Change our entry in Codex');
  await page.press('Cancel');
  await closed();
  expect(await page.run(`return document.querySelector('[data-testid=client-codex] [value=stdio]').checked`)).toBe(true);
});

test('the last change is undone, seen before', async () => {
  await openClients('?clients');
  await menu('Codex', 'Undo the last change…');
  expect(await (await page.find('dialog h2')).getText()).toBe('Undo the last change for Codex');
  await page.press('Undo');
  await page.until('it can be added again', async () => (await page.all('[aria-label="Add to Codex"]')).length === 1);
});

test('a client that is running is said to be, and its entry can be put back when it quits', async () => {
  await openClients('?running');
  await page.run(`memory.changeClient = async (...given) => void (window.given = given)`);
  await (await page.find('[aria-label="Add to Claude Desktop"]')).click();
  expect(await (await page.find('dialog .note')).getText()).toContain('Claude Desktop is running, and it may write over our entry. Quit it first.');
  await (await page.find('dialog .note input')).click();
  await page.press('Write and add');
  await closed();
  expect(await page.run('return window.given[1]')).toEqual({ change: 'connect', transport: null, project: null, again: true });
});

test('an entry that somebody changed is shown from three sides, and is kept', async () => {
  await openClients('?clients');
  await (await page.find('[aria-label="See the change in VS Code"]')).click();
  await page.find('dialog');
  expect(await page.texts('dialog h3')).toEqual(['In the file now', 'What we wrote', 'In the file before us']);
  expect(await added()).toEqual(['Added:   "args": ["mcp", "--port", "8080", "--client", "vscode"]']);
  expect(await page.focused()).toBe('Later');
  await page.press('Keep theirs');
  await closed();
  expect(await page.texts('[data-testid=client-vscode] .word')).toEqual(['Waiting']);
});

test('ours is put back only after its change was seen', async () => {
  await openClients('?clients');
  await (await page.find('[aria-label="See the change in VS Code"]')).click();
  await page.press('Put ours back…');
  expect(await page.texts('dialog .removed code')).toEqual(['Removed:       "args": ["mcp", "--port", "8080", "--client", "vscode"]']);
  await page.press('Write');
  await closed();
  expect(await page.texts('[data-testid=client-vscode] .word')).toEqual(['Waiting']);
});

test('what changed once more is shown anew before anything is done', async () => {
  await openClients('?clients');
  await (await page.find('[aria-label="See the change in VS Code"]')).click();
  await page.find('dialog');
  await page.run(`memory.settleDrift = async () => { throw { kind: 'changed', message: 'Something else stands there now.', hints: [] } }`);
  await page.press('Stop managing');
  expect(await (await page.find('dialog [role=alert]')).getText()).toContain('This is how it is now.');
  expect(await page.texts('[data-testid=client-vscode] .word')).toEqual(['Entry changed']);
});

test('a client that nobody knows is added by its file and the likeness to another', async () => {
  await openClients('?clients');
  await page.press('Add another…');
  await page.find('dialog');
  await page.keys('Acme Agent');
  expect(await (await page.button('See the change')).isEnabled()).toBe(false);
  await page.press('Choose…');
  await page.press('See the change');
  await page.until('the change', async () => (await (await page.find('dialog h2')).getText()) === 'Add Skilltender to Acme Agent');
  expect(await (await page.find('dialog')).getText()).toContain('~/.config/acme/mcp.json');
  await page.press('Cancel');
  await closed();
  await menu('Acme Agent', 'Forget this client');
  await page.until('it is gone', async () => !(await page.texts('li .name')).includes('Acme Agent'));
});

test('the file of such a client is chosen and cannot be typed', async () => {
  await openClients('?clients');
  await page.press('Add another…');
  await page.keys('Acme', Key.TAB, '/home/mei/.profile', Key.ENTER);
  expect(await page.run('return document.querySelector("dialog input.mono").value')).toBe('');
  expect(await (await page.button('See the change')).isEnabled()).toBe(false);
});

test('the tray can ask for the dialog', async () => {
  await page.open();
  await page.run(`memory.show({ place: 'client', id: 'claude-desktop' })`);
  expect(await (await page.find('dialog h2')).getText()).toBe('Add Skilltender to Claude Desktop');
});

test('secrets in plain text are said in one line, moved after the change was seen without them, and put back', async () => {
  await openClients('?clients');
  const move = '[aria-label="Move to the keychain: the secrets in Claude Code’s file"]';
  expect(await page.texts('[data-testid=client-claude-code] .plain')).toEqual(['.claude.json contains 2 secrets in plain text. Move to the keychain…']);
  await (await page.find(move)).click();
  const dialog = await page.find('dialog');
  const text = await dialog.getText();
  expect(text).toContain('GITHUB_TOKEN of github, line 8');
  expect(text).toContain('api_key of linear, line 10');
  expect(text).toContain('There is a secret in its address');
  expect((await page.texts('dialog .removed code')).join(' ')).toContain('"GITHUB_TOKEN": "•••"');
  expect(await added()).toContain('Added:       "args": ["run", "github@claude-code"]');
  expect(await page.focused()).toBe('Cancel');
  await page.press('Move to the keychain');
  await page.until('nothing stands there', async () => (await page.all(move)).length === 0);
  expect(await page.texts('[data-testid=toast] p')).toEqual(['The secrets of Claude Code’s servers are in the keychain. Claude Code reads it when its next session starts.']);
  await (await page.find('[data-testid=toast] button')).click();
  await page.find('dialog');
  await page.press('Undo');
  await page.until('they stand there again', async () => (await page.all(move)).length === 1);
});
