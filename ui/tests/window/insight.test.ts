// The page Insight: charts with tables behind them, what follows, its actions and their undo; a skill's strip.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { By, Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

const openInsight = async (asked = '?usage&clients&servers') => {
  await page.open(asked);
  await (await page.find('nav [title=Insight]')).click();
};
const opened = () => page.run<string[]>('return memory.opened');
const gone = (css: string) => page.until(`${css} goes`, async () => (await page.all(css)).length === 0);
const settled = (css: string, holds: (texts: string[]) => boolean) => page.until(css, async () => holds(await page.texts(css)));

test('without a count the page says what it will show, and leads to the clients', async () => {
  await openInsight('');
  await page.find('.empty');
  expect(await page.texts('.empty h2')).toEqual(['Nothing to see yet']);
  await page.press('Connect a client');
  expect(await page.texts('h1')).toEqual(['Clients']);
});

test('thirty days are bars, and the same as a table for those who do not see them', async () => {
  await openInsight();
  await page.find('figure table');
  expect(await page.run('return document.querySelectorAll("main figure rect.bar").length')).toBe(30);
  expect(await page.run('return document.querySelector("main figure svg").getAttribute("aria-hidden")')).toBe('true');
  const rows = await page.run<number>('return [...document.querySelectorAll("main figure tbody td:nth-child(2)")].reduce((sum, cell) => sum + Number(cell.textContent.replace(",", "")), 0)');
  const [calls] = await page.texts('.sums dd');
  expect(rows).toBe(Number(calls!.replace(',', '')));
  expect(rows).toBeGreaterThan(20);
  expect(await page.texts('main figure caption')).toEqual(['Calls for skills per day']);
});

test('who uses what says its numbers, so that no colour is needed', async () => {
  await openInsight();
  await page.find('.heat');
  const cells = await page.run<string[]>('return [...document.querySelectorAll(".heat")].filter((cell) => !cell.classList.contains("level-0")).map((cell) => cell.textContent)');
  expect(cells.length).toBeGreaterThan(3);
  expect(cells.every((cell) => Number(cell) > 0)).toBe(true);
  const row = await page.run<number[]>('return [...document.querySelector(".heat").closest("tr").querySelectorAll("td")].map((cell) => Number(cell.textContent))');
  expect(row.slice(0, -1).reduce((sum, calls) => sum + calls, 0)).toBe(row.at(-1));
});

test('unused skills are switched off together, and on again with one click', async () => {
  await openInsight();
  const on = () => page.run<number>('return memory.current().then(({ skills }) => skills.filter(({ enabled }) => enabled).length)');
  await page.find('[data-testid=verdicts]');
  const before = await on();
  const button = await page.driver.findElement(By.xpath('//li[contains(., "not used in 30 days") or contains(., "was not used")]//button'));
  expect(await button.getAttribute('aria-label')).toMatch(/^Switch off/);
  await button.click();
  await page.until('they are off', async () => (await on()) < before);
  await settled('[data-testid=verdicts] .m', (texts) => texts.every((text) => !text.includes('not used')));
  // It stays on the page with its undo, and nothing else has one that vanishes.
  expect(await page.texts('[data-testid=toast]')).toEqual([]);
  expect((await page.texts('[data-testid=deed] p'))[0]).toMatch(/^\d+ skills were switched off$/);
  await page.press('Undo');
  await page.until('they are on again', async () => (await on()) === before);
  await settled('[data-testid=verdicts] .m', (texts) => texts.some((text) => text.includes('not used')));
});

test('a client that reads a folder by itself gets only what it lacks, and everything again with one click', async () => {
  await openInsight();
  const sets = () => page.run<string>('return memory.current().then(({ sets }) => sets.map(({ name, clients }) => `${name}: ${clients}`).join("; "))');
  await page.find('[data-testid=verdicts]');
  const before = await sets();
  await page.press('Only what it lacks');
  await page.until('the set is made', async () => (await sets()).includes('what it lacks: '));
  await page.press('Undo');
  await page.until('it is gone', async () => (await sets()) === before);
});

test('what was done stays with its undo until the page is left', async () => {
  await openInsight();
  await page.press('Only what it lacks');
  await page.find('[data-testid=deed]');
  await (await page.driver.findElement(By.xpath('//li[contains(., "not used in 30 days")]//button'))).click();
  await page.until('two', async () => (await page.all('[data-testid=deed]')).length === 2);
  expect((await page.texts('[data-testid=deed] p'))[1]).toContain('now sees only the set');
  await (await page.find('nav [title=Skills]')).click();
  await (await page.find('nav [title=Insight]')).click();
  await page.find('[data-testid=verdicts], .empty');
  expect(await page.all('[data-testid=deed]')).toEqual([]);
});

/** What the page is told of use, changed. */
const told = (change: string) => page.run(`const real = memory.readUsage; memory.readUsage = async (days) => { const report = await real(days); ${change}; return report }`);

test('a skill or a server that fails leads to its failed calls, and a slow server to its log', async () => {
  await page.open('?usage&clients&servers&connected');
  await told(`Object.assign(report.skills.find(({ id }) => id === 'release-notes'), { id: 'pdf-from', verdicts: [{ verdict: 'often-fails' }] }); report.servers = [{ name: 'figma', calls: 10, failed: 0, ms: 70_000, used: [] }, { name: 'gone', calls: 4, failed: 3, ms: 10, used: [] }]`);
  await (await page.find('nav [title=Insight]')).click();
  await page.find('[data-testid=server-verdict]');
  expect(await page.texts('[data-testid=server-verdict] div > p')).toEqual(['The server figma is slow', 'A call takes 7.00 s on average, and all 10 together took 70.0 s.', 'The server gone often fails', '3 of 4 calls failed.']);
  await (await page.find('[aria-label="Show calls: release-notes"]')).click();
  await page.find('[aria-label="Filter by client, call or skill"]');
  expect(await page.run('return [...document.querySelectorAll("main input")].map(({ value }) => value)')).toContain('pdf-from');
  await page.until('that call alone', async () => (await page.texts('[data-testid=call] .what')).join() === 'Read pdf-from');
  await (await page.find('nav [title=Insight]')).click();
  await (await page.find('[aria-label="Show its log: figma"]')).click();
  await page.until('the log', async () => (await page.texts('.page h1'))[0] === 'figma');
  expect(await page.run('return document.querySelector("#tab-log").getAttribute("aria-selected")')).toBe('true');
});

test('a costly skill can be kept for people alone, left out for one client, and both are undone', async () => {
  await page.open('?usage&clients&servers');
  await told(`report.skills = report.skills.map((skill) => ({ ...skill, verdicts: skill.id === 'api-changelog' ? [{ verdict: 'costs-more' }] : [] })); report.servers = []`);
  const text = () => page.run<string>('return memory.textOf("projects/api-changelog")');
  const choose = async (item: string) => {
    await (await page.find('[aria-label="More for api-changelog"]')).click();
    await (await page.driver.findElement(By.xpath(`//*[@role="menuitem"][contains(., "${item}")]`))).click();
    await page.find('[data-testid=deed]');
  };
  const undo = async () => {
    await page.press('Undo');
    await gone('[data-testid=deed]');
  };
  await (await page.find('nav [title=Insight]')).click();
  await page.find('[data-testid=verdicts]');
  const before = await text();
  await choose('Only by name');
  expect(await text()).toContain('\ndisable-model-invocation: true\n---');
  await undo();
  expect(await text()).toBe(before);
  const given = () => page.run<number>('return memory.current().then(({ clients }) => clients.filter(({ set }) => set !== null).length)');
  await choose('Another set for');
  expect(await given()).toBe(1);
  await undo();
  expect(await given()).toBe(0);
});

test('what we put into a folder is taken out by its own dialog', async () => {
  await openInsight();
  await page.press('Take out of the folder…');
  await page.find('dialog[open]');
});

test('fewer or more days, a file, and nothing at all', async () => {
  await openInsight();
  await page.find('figure');
  await (await page.find('main select')).sendKeys('7 days');
  await page.until('seven bars', async () => (await page.run('return document.querySelectorAll("main figure rect.bar").length')) === 7);
  await page.press('Export as CSV…');
  await page.until('it is saved', async () => (await opened()).some((line) => /^usage of 7 days to .*skilltender-usage-\d{4}-\d\d-\d\d\.csv$/.test(line)));
  await page.press('Forget everything');
  expect(await page.run('return document.activeElement.textContent')).toBe('Cancel');
  await page.keys(Key.ESCAPE);
  await gone('dialog[open]');
  expect(await opened()).not.toContain('usage wiped');
  await page.press('Forget everything');
  await (await page.find('dialog[open] .danger')).click();
  await page.find('.empty');
  expect(await opened()).toContain('usage wiped');
});

test('one day is one bar, and the page says since when it counts', async () => {
  await openInsight('?usage=1&clients&servers');
  await page.find('.since');
  expect(await page.texts('main .since')).toEqual([expect.stringMatching(/^Counted since \w+ \d+: the days before are empty\.$/)]);
  expect((await page.texts('[data-testid=verdicts] .m')).filter((text) => text.includes('not used'))).toEqual([]);
});

test('two hundred skills are twelve rows until one asks for all', async () => {
  await openInsight('?usage&clients&more=200');
  const rows = () => page.run<number>('return document.querySelectorAll("tr:has(.heat)").length');
  await page.find('.heat');
  expect(await rows()).toBe(12);
  await (await page.find('[aria-expanded].all')).click();
  expect(await rows()).toBeGreaterThan(50);
});

test('the keyboard and the palette lead there', async () => {
  await page.open('?usage');
  await page.chord(Key.CONTROL, '5');
  expect(await page.texts('h1')).toEqual(['Insight']);
  await page.chord(Key.CONTROL, '6');
  expect(await page.texts('h1')).toEqual(['Settings']);
  await page.chord(Key.CONTROL, 'k');
  await page.keys('insight');
  await page.keys(Key.ENTER);
  expect(await page.texts('h1')).toEqual(['Insight']);
});

test("a skill's page says in one line what it was used for", async () => {
  await openInsight();
  await (await page.find('tr:has(.heat) button')).click();
  await page.find('[data-testid=usage-strip]');
  expect((await page.texts('[data-testid=usage-strip] p'))[0]).toMatch(/^\d+ calls? in 30 days by \d clients?; about [\d,]+ tokens loaded, [\d,]+ in lists\./);
  expect(await page.run('return document.querySelectorAll("[data-testid=usage-strip] rect.bar").length')).toBe(30);
});

test('the window itself is never longer than it is high, whatever is only for ears', async () => {
  await openInsight();
  await page.find('.heat');
  await page.run('document.querySelector("main .foot").scrollIntoView()');
  expect(await page.run('return [document.scrollingElement.scrollTop, document.scrollingElement.scrollHeight - innerHeight]')).toEqual([0, 0]);
});

test('no box of the page is cut at 900 by 640', async () => {
  await page.resize(900, 640);
  await openInsight();
  await page.find('.heat');
  const wide = await page.run<string[]>('return [...document.querySelectorAll("main .scroll, main .box:not(.sideways)")].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className)');
  expect(wide).toEqual([]);
  await page.resize(1280, 800);
});

test('Activity stands still while paused, says how many calls came, and names what Skilltender wrote', async () => {
  await page.open('?connected&clients');
  await (await page.find('nav [title=Activity]')).click();
  await page.find('[data-testid=call]');
  expect(await page.texts('[data-testid=call] .what')).toEqual(['Read release-notes', 'Read pdf-from', 'Listed the skills', 'Read release-notes', 'Read release-notes']);
  await page.press('Pause');
  expect(await page.texts('[role=status].t2')).toEqual(['Paused']);
  await page.press('Go on');
  expect(await page.texts('[role=status].t2')).toEqual(['']);
  await (await page.find('.writes .fold-h')).click();
  const write = await page.find('[data-testid=write] button');
  expect(await write.getAttribute('aria-label')).toMatch(/^Undo… Entry added to /);
  await write.click();
  await page.find('dialog[open]');
  await page.keys(Key.ESCAPE);
  await gone('dialog[open]');
  await (await page.find('[data-testid=call] .what button')).click();
  await page.find('[role=tabpanel]');
});
