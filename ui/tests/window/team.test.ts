// Joining a team: looked at from the main window, answered in the window that asks, and followed to the clients.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const dialog = async () => (await page.find('dialog')).getText();
const says = (words: string) => page.until(words, async () => (await dialog()).includes(words));
const join = async (source: string, at = '') => {
  await page.open(at);
  await (await page.find('[aria-label="Add skills"]')).click();
  await page.press('Join a team…');
  await (await page.find('#team-field')).sendKeys(source, Key.ENTER);
};
/** The page of a team, in the window that asks. */
const asked = async (at = '?', height = 680) => {
  await page.resize(640, height);
  await page.driver.get('about:blank');
  await page.open(`${at}#team/1`);
  await page.find('footer button');
};
const yes = () => page.find('footer .btn:last-child');
const toTheEnd = () => page.run(`const body = document.querySelector('.body'); body.scrollTop = body.scrollHeight`);
const opened = () => page.run<string[]>('return memory.opened');

test('a source with a team’s file offers to join the team, and goes on from there', async () => {
  await page.resize(1280, 800);
  await page.open();
  await (await page.find('[aria-label="Add skills"]')).click();
  await page.press('Add from git…');
  await page.keys('acme/team', Key.ENTER);
  await says('This source has a team’s file');
  await page.press('Join the team…');
  await says('All that would come and run is in a window of its own.');
  expect(await opened()).toEqual(['team Acme on call']);
});

test('nothing is done where nobody says yes', async () => {
  await join('acme/team');
  await says('in a window of its own');
  await page.run('void memory.closeConsent()');
  await says('Nothing was done: nobody said yes to the page.');
  await page.press('Show the page again');
  await says('in a window of its own');
});

test('a fetch that hangs is ended, and what was typed stays', async () => {
  await join('acme/team', '?team=hangs');
  await says('Fetching all that acme/team names…');
  await page.press('Cancel');
  await page.until('it can be looked at again', async () => (await page.all('dialog [role=alert]')).length === 0 && (await page.focused()) === '');
  expect(await (await page.find('#team-field')).getAttribute('value')).toBe('acme/team');
  expect(await opened()).toEqual([]);
});

test('a source without a team’s file is told in the dialog', async () => {
  await join('/home/mei/none');
  await says('is no team’s file'.replace('’', "'"));
});

test('the page shows all that comes and runs, the safe answer has focus, and the yes waits until it was read', async () => {
  await asked();
  expect(await page.texts('h1')).toEqual(['Join the team “Acme on call”?']);
  expect(await page.texts('[data-testid=team-advice]')).toEqual([expect.stringContaining('Begin with incident-report')]);
  expect(await page.texts('[data-testid=team-server] code')).toEqual(['npx', '-y', '@acme/mcp-grafana@1.4.0']);
  expect((await page.texts('[data-testid=team-server] dd')).join()).toContain('GRAFANA_TOKEN=${GRAFANA_TOKEN}');
  expect(await page.texts('[data-testid=team-skill] .head b')).toEqual(['api-review', 'incident-report']);
  expect((await page.texts('[data-testid=finding]')).length).toBeGreaterThan(0);
  expect(await page.focused()).toBe('Not now');
  expect(await (await yes()).isEnabled()).toBe(false);
  await toTheEnd();
  await page.until('it may be answered', async () => (await yes()).isEnabled());
  await page.keys(Key.ESCAPE);
  await page.until('it closes', async () => (await opened()).join() === 'consent closed');
});

test('after the yes only what is missing is asked for; a secret is in no text of the page, and goes once', async () => {
  await asked();
  await page.run('window.sent = []; const set = memory.setSecret; memory.setSecret = (...all) => { sent.push(all); return set(...all); }; const join = memory.joinTeam; memory.joinTeam = (...all) => { sent.push(all); return join(...all); }');
  await toTheEnd();
  await page.until('it may be answered', async () => (await yes()).isEnabled());
  await (await yes()).click();
  const field = await page.find('#team-missing input');
  expect(await field.getAttribute('type')).toBe('password');
  await page.until('it has focus', () => page.run<boolean>('return document.activeElement.type === "password"'));
  expect(await page.texts('#team-missing .how')).toEqual([expect.stringContaining('Ask Ada for one that only reads alerts.')]);
  await page.press('Open');
  expect(await opened()).toEqual(['https://grafana.acme.example/tokens']);
  await field.sendKeys('not-a-secret', Key.ENTER);
  await page.until('it closes', async () => (await opened()).includes('consent closed'));
  expect(await page.run('return sent')).toEqual([
    ['1', { grafana: {} }],
    ['own/incident-report', 'grafana', 'GRAFANA_TOKEN', 'not-a-secret'],
    ['1', { grafana: {} }],
  ]);
  expect(await page.run('return document.documentElement.outerHTML.includes("not-a-secret") || JSON.stringify({ ...localStorage, ...sessionStorage }).includes("not-a-secret")')).toBe(false);
});

test('a secret that is refused stays asked for, and says why', async () => {
  await asked('?team=missing');
  await page.run(`memory.setSecret = async () => { throw { kind: 'system', message: 'The keychain is locked.', hints: [] } }`);
  await (await page.find('#team-missing input')).sendKeys('x', Key.ENTER);
  await page.until('it says why', async () => (await page.texts('[role=alert]')).join().includes('The keychain is locked.'));
  expect(await page.run(`return document.querySelector('#team-missing input').value`)).toBe('');
});

test('what is left is listed with what can be done, and each connected client was called', async () => {
  await page.resize(1280, 800);
  await join('acme/team', '?team=joined&clients&connected');
  await says('in a window of its own');
  await page.run('void memory.closeConsent()');
  await says('3 things are left.');
  await says('Connected, and answered: it sees 12 tools.');
  await page.press('Look at it…');
  await page.until('the server is asked about by itself', async () => (await opened()).includes('consent grafana'));
  await page.run('void memory.closeConsent()');
  await page.press('Give them…');
  await page.until('what is missing is asked for again', async () => (await opened()).filter((one) => one === 'team Acme on call').length === 2);
});

test('a client is connected by the exact change of its file, and called then', async () => {
  await page.open('?team=done');
  await page.run(`const look = memory.lookAtTeam; memory.lookAtTeam = async (written) => ({ ...(await look(written)), clients: [{ id: 'claude-desktop', name: 'Claude Desktop', installed: true, connected: false }] });`);
  await (await page.find('[aria-label="Add skills"]')).click();
  await page.press('Join a team…');
  await (await page.find('#team-field')).sendKeys('acme/team', Key.ENTER);
  await says('in a window of its own');
  await page.run('void memory.closeConsent()');
  await says('Not connected.');
  const connect = async () => (await page.find('[aria-label="Connect Claude Desktop…"]')).click();
  await connect();
  await page.find('dialog .file');
  await page.press('Cancel');
  await says('Not connected.');
  await connect();
  await page.find('dialog .file');
  await page.press('Write and add');
  await says('Connected, and answered: it sees 12 tools.');
});

test('words of others are text, and nothing in a large page is squeezed or runs out of it', async () => {
  await asked('?team=hostile');
  expect(await page.run('return document.querySelectorAll(".body img, .body a, .body script, h1 img").length')).toBe(0);
  for (const at of ['?team=hostile', '?team=many']) {
    for (const width of [480, 640]) {
      await asked(at);
      await page.resize(width, 680);
      const wrong = await page.run<string[]>(`
        const body = document.querySelector('.body');
        const out = [...document.querySelectorAll('h1, header p, .body *')].filter((each) => each.getClientRects().length && !each.closest('.vh') && each.getBoundingClientRect().right > innerWidth + 1);
        const kids = [...body.children].map((each) => each.getBoundingClientRect());
        const over = kids.filter((each, at) => at > 0 && each.top < kids[at - 1].bottom - 1);
        return [...out.map((each) => each.className), ...over.map(() => 'over another'), ...(body.scrollWidth > body.clientWidth ? ['wider'] : [])];`);
      expect([at, width, wrong]).toEqual([at, width, []]);
    }
  }
});
