import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const openClients = async (asked = '') => {
  await page.open(asked);
  await (await page.find('nav [title=Clients]')).click();
};

test('the exact change is shown, written when confirmed, and taken back', async () => {
  await openClients();
  await (await page.find('[aria-label="Add to Claude Desktop"]')).click();
  const dialog = await page.find('dialog');
  expect(await dialog.getText()).toContain('~/.config/Claude/claude_desktop_config.json');
  expect(await page.texts('dialog .added code')).toEqual([
    'Added:     },', 'Added:     "skilltender": {', 'Added:       "command": "/usr/bin/skilltender",', 'Added:       "args": ["mcp", "--client", "claude-desktop"]',
  ]);
  expect(await page.focused()).toBe('Cancel');
  await page.press('Write and add');
  await page.until('the row says so', async () => (await page.texts('.proof li')).join(' ').startsWith('Written just now'));
  expect(await page.texts('.proof .todo')).toEqual(['Connects after its restart', 'Not called yet']);
  expect(await page.texts('[data-testid=toast] p')).toEqual(['Added to Claude Desktop. Restart it to connect.']);

  await (await page.find('[aria-label="Remove from Claude Desktop"]')).click();
  await page.press('Remove');
  await page.until('it can be added again', async () => (await page.all('[aria-label="Add to Claude Desktop"]')).length === 1);
});

test('Escape leaves the file alone and gives focus back', async () => {
  await openClients();
  await (await page.find('[aria-label="Add to Claude Desktop"]')).click();
  await page.find('dialog');
  await page.keys(Key.ESCAPE);
  await page.until('closed', async () => (await page.all('dialog')).length === 0);
  expect(await page.focused()).toBe('Add to Claude Desktop');
});

test('a file that changed since it was shown is not written, and is shown anew', async () => {
  await openClients();
  await (await page.find('[aria-label="Add to Claude Desktop"]')).click();
  await page.run(`memory.changeClient = async () => { throw { kind: 'changed', message: 'The file changed since it was shown.', hints: ['Look at it again.'] } }`);
  await page.press('Write and add');
  const alert = await page.find('dialog [role=alert]');
  expect(await alert.getText()).toBe('The file changed since it was shown.\nLook at it again.');
  expect(await (await page.button('Write and add')).isEnabled()).toBe(true);
  expect(await page.texts('[data-testid=toast]')).toEqual([]);
});

test('a file that cannot be changed says why and offers nothing', async () => {
  await openClients('?refused');
  const row = await (await page.find('[data-testid=client-claude-desktop]')).getText();
  expect(row).toContain('Its file has an error at 41:3.');
  expect(await page.all('[data-testid=client-claude-desktop] button')).toEqual([]);
});

test('a client that works shows its proof: written, connected, called', async () => {
  await openClients('?connected');
  expect(await page.texts('.proof .todo')).toEqual([]);
  expect((await page.texts('.proof li')).slice(1)).toEqual(['Connected now', 'Called 12 times, last 1 min ago']);
  expect(await (await page.find('[data-testid=endpoint]')).getText()).toContain('1 client connected');
});

test('the tray can ask for the dialog', async () => {
  await page.open();
  await page.run(`memory.show({ place: 'client', id: 'claude-desktop' })`);
  expect(await (await page.find('dialog h2')).getText()).toBe('Add Skilltender to Claude Desktop');
});

test('the first run writes nothing before its button, then adds what is ticked', async () => {
  await page.open('?first-run');
  await page.run(`window.calls = []; for (const name of ['changeClient', 'finishFirstRun']) { const real = memory[name]; memory[name] = (...given) => { calls.push([name, ...given]); return real(...given) } }`);
  await page.button('Add 1 client and start');
  await page.press('See the change');
  expect((await page.texts('dialog .added')).length).toBe(4);
  await page.press('Close');
  expect(await page.run('return calls')).toEqual([]);
  await (await page.find('.choice:nth-child(3) .ck')).click();
  await page.press('Add 1 client and start');
  await page.until('the library', async () => (await page.all('[role=grid]')).length === 1);
  expect(await page.run('return calls')).toEqual([
    ['changeClient', 'claude-desktop', { change: 'connect', transport: null, project: null, again: false }, expect.any(String)],
    ['finishFirstRun', { folders: ['/home/mei/.claude/skills', '/home/mei/.agents/skills'], enableReady: true }],
  ]);
});
