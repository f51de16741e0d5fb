// The palette, the menus and the settings.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(() => page.open());

const found = () => page.texts('.pal [role=option] .cut');
const place = (title: string) => page.find(`nav [title=${title}]`).then((button) => button.click());
const openDetails = async () => {
  await place('Clients');
  await (await page.find('[aria-label="Details of Claude Desktop"]')).click();
  await page.find('.offer');
};
/** Opens what is folded away of what clients get. */
/** The driver presses only what is in view. */
const bring = (id: string) => page.run('document.getElementById(arguments[0]).scrollIntoView()', id);
const unfold = () => bring('offer').then(() => page.find('#offer .fold-h')).then((head) => head.click());
const choose = (id: string, value: string) =>
  page.run(`const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change', { bubbles: true }))`, id, value);

test('the palette finds skills and actions, and Enter opens the chosen one', async () => {
  await page.chord(Key.CONTROL, 'k');
  await page.until('what waits for the person', async () => (await found()).includes('postmortem'));
  await page.keys('sql');
  await page.until('the skill', async () => (await found())[0] === 'sql-review');
  expect(await page.run('return document.activeElement.getAttribute("aria-activedescendant") === document.querySelector("[role=option][aria-selected=true]").id')).toBe(true);
  await page.keys(Key.ENTER);
  await page.until('it is open', async () => (await page.texts('h1')).join() === 'sql-review');
  expect(await page.all('.pal')).toEqual([]);
});

test('the palette finds servers too', async () => {
  await page.open('?servers');
  await page.chord(Key.CONTROL, 'k');
  await page.keys('figma');
  await page.until('it is found', async () => (await page.texts('.pal [role=option]')).some((option) => option.startsWith('figma')));
  await page.run(`[...document.querySelectorAll('.pal [role=option]')].find((option) => option.textContent.includes('Running')).click()`);
  await page.until('it is open', async () => (await page.texts('.page h1'))[0] === 'figma');
});

test('the palette finds clients, and opens their details', async () => {
  await page.open('?clients');
  await (await page.find('.side .ask')).click();
  await page.keys('windsurf');
  await page.until('it is found', async () => (await found()).includes('Windsurf'));
  await page.run(`[...document.querySelectorAll('.pal [role=option]')].find((option) => option.textContent.includes('Windsurf')).click()`);
  await page.until('its details are open', async () => (await page.focused()) === 'Details of Windsurf');
  await page.find('[data-testid=client-windsurf] [aria-expanded=true]');
});

test('the palette lists actions before skills, and the actions on the open skill when they are named', async () => {
  await page.openSkill('claude/code-review');
  await page.chord(Key.CONTROL, 'k');
  await page.until('groups', async () => (await page.texts('.pal .hd')).join() === 'Actions,Needs attention');
  await page.keys('code-review');
  await page.until('the skill is first', async () => (await found())[0] === 'code-review');
  await page.keys(...Array.from({ length: 11 }, () => Key.BACK_SPACE), 'disable');
  await page.until('the action', async () => (await found())[0] === 'Disable: code-review');
});

test('after > the palette knows actions alone, and gives focus back on Escape', async () => {
  await (await page.find('[aria-label="Search skills"]')).click();
  await page.chord(Key.CONTROL, 'k');
  await page.keys('>set');
  await page.until('one action', async () => (await found()).join() === 'Settings');
  await page.keys(Key.ESCAPE);
  await page.until('closed', async () => (await page.all('.pal')).length === 0);
  expect(await page.focused()).toBe('Search skills');
  await page.chord(Key.CONTROL, 'k');
  await page.keys('>settings', Key.ENTER);
  expect(await (await page.find('h1')).getText()).toBe('Settings');
});

test('the palette shows where a text holds the words, and Ctrl Enter switches a skill', async () => {
  await page.chord(Key.CONTROL, 'k');
  await page.keys('upgrades');
  await page.until('the words', async () => (await page.texts('.pal [role=option] b')).join() === 'upgrades');
  await page.keys(...Array.from({ length: 8 }, () => Key.BACK_SPACE), 'code-review');
  await page.until('the skill', async () => (await found())[0] === 'code-review');
  await page.chord(Key.CONTROL, Key.ENTER);
  await page.until('it is off', async () => (await page.all('.is-off [title="code-review"]')).length === 1);
});

test('a menu opens from a row, moves by arrows, and Escape leads back to the row', async () => {
  await page.openSkill('claude/code-review');
  await page.run(`document.querySelector('[data-key="claude/code-review"]').focus()`);
  await page.chord(Key.SHIFT, Key.F10);
  await page.find('[role=menu]');
  expect(await page.focused()).toBe('Disable');
  await page.keys(Key.ARROW_DOWN);
  expect(await page.focused()).toBe('Edit');
  await page.keys('d');
  expect(await page.focused()).toContain('Duplicate');
  await page.keys(Key.ESCAPE);
  await page.until('closed', async () => (await page.all('[role=menu]')).length === 0);
  expect(await page.focused()).toBe('claude/code-review');
});

test('a menu opened by a right press stays when the press ends, and a press elsewhere closes it', async () => {
  const row = await page.find('[data-key="claude/code-review"]');
  await page.mouse(3, row);
  await page.find('[role=menu]');
  // The release came before this answer, and what it closes goes with the next frames.
  await page.drawn();
  expect(await page.focused()).toBe('Disable');
  await page.mouse(1, await page.find('h2'));
  await page.until('closed', async () => (await page.all('[role=menu]')).length === 0);
});

test('a second press on the button of a menu closes it', async () => {
  const add = await page.find('[aria-label="Add skills"]');
  await add.click();
  await page.find('[role=menu]');
  await add.click();
  await page.until('closed', async () => (await page.all('[role=menu]')).length === 0);
  await add.click();
  await page.find('[role=menu]');
});

test('a part of the server is switched off for all, and on again for one client', async () => {
  await page.open('?connected');
  await place('Settings');
  await unfold();
  await (await page.find('[aria-label=Prompts]')).click();
  await page.until('it is off', () => page.run('return !document.querySelector("[aria-label=Prompts]").checked'));
  await openDetails();
  expect((await page.texts('.offer')).join()).toContain('Without: Prompts.');
  await page.press('Change…');
  await page.find('#offer-prompts');
  await choose('offer-prompts', 'on');
  await page.until('it sees them', async () => !(await page.texts('.offer')).join().includes('Without'));
  await choose('offer-prompts', 'follow');
  await page.until('it follows again', async () => (await page.texts('.offer')).join().includes('Without: Prompts.'));
});

test('without resources the skills extension is off too, and says why', async () => {
  await place('Settings');
  await unfold();
  await (await page.find('[aria-label=Resources]')).click();
  await page.until('it is said', async () => (await page.texts('#offer .sub')).includes('Off while resources are off, because it refers to them.'));
});

test('a set is bound to folders, and a client shows what it sees there', async () => {
  await page.open('?connected');
  await place('Settings');
  await page.until('it says where', async () => (await page.texts('#sets .sub')).some((text) => text.includes('in ~/texts/**')));
  await bring('sets');
  await (await page.find('[aria-label="Change Writing"]')).click();
  const folders = await page.find('#set-folders');
  await folders.clear();
  await folders.sendKeys('~/texts/**', Key.ENTER, '  ~/work/*  ', Key.ENTER);
  await page.press('Save');
  await page.until('two folders', async () => (await page.texts('#sets .sub')).some((text) => text.includes('in ~/texts/** and ~/work/*')));
  await openDetails();
  const where = 'select[aria-label="Where it works"]';
  await page.find(where);
  expect((await page.texts('body')).join()).not.toContain('This set counts in');
  await page.run(`const s = document.querySelector(arguments[0]); s.value = 's1'; s.dispatchEvent(new Event('change', { bubbles: true }))`, where);
  await page.until('what counts there', async () => (await page.texts('body')).join().includes('This set counts in ~/texts/**, ~/work/*'));
});

test('the skills outside a set are switched off in the settings of a client as it is shown', async () => {
  await page.open('?clients');
  await place('Settings');
  await bring('sets');
  await (await page.find('[aria-label="Change Writing"]')).click();
  await page.press('Hide in Codex…');
  await page.until('the change', async () => (await page.texts('dialog')).join().includes('enabled = false'));
  expect((await page.texts('dialog')).join()).toContain('they count in every folder');
  await page.press('Write');
  await page.until('it is written', async () => (await page.texts('body')).join().includes('Codex shows the skills of this set.'));
});

test('what a client is to hide follows from the set as it is saved, so an edited set is saved first', async () => {
  await page.open('?clients');
  await place('Settings');
  await bring('sets');
  const canHide = () => page.run<boolean>(`return [...document.querySelectorAll('dialog button')].find((e) => e.textContent === 'Hide in Codex…').disabled === false`);
  const said = async () => (await page.texts('dialog')).join().includes('Save your changes first');
  await (await page.find('[aria-label="Change Writing"]')).click();
  await page.find('#set-name');
  const first = await page.find('dialog .ck');
  expect([await canHide(), await said()]).toEqual([true, false]);
  await first.click();
  await page.until('it waits', async () => !(await canHide()) && (await said()));
  await first.click();
  await page.until('it is as it was', async () => (await canHide()) && !(await said()));
  await (await page.find('#set-name')).sendKeys('s');
  await page.until('it waits', async () => !(await canHide()));
  await page.press('Save');
  await (await page.find('[aria-label="Change Writings"]')).click();
  await page.press('Hide in Codex…');
  await page.until('the change', async () => (await page.texts('dialog h2')).join() === 'Show this set in Codex');
});

test('a set of skills is made, given to a client, and taken away again', async () => {
  await page.open('?connected');
  await place('Settings');
  await page.press('New set…');
  await (await page.find('#set-name')).sendKeys('Reviews');
  await (await page.find('dialog [aria-label="Search skills"]')).sendKeys('review');
  await page.until('two skills', async () => (await page.texts('dialog .choice .cut:first-of-type')).join() === 'code-review,sql-review');
  for (const box of await page.all('dialog .ck')) await box.click();
  await page.press('Make set');
  await page.until('it is there', async () => (await page.texts('#sets .sub')).includes('2 skills, given to no client'));
  await openDetails();
  await page.press('Change…');
  await page.find('#offer-set');
  await choose('offer-set', 's2');
  await page.until('it is given', async () => (await page.texts('.offer')).join().includes('The set Reviews: 2 skills.'));
  await page.press('Close');
  await place('Settings');
  await bring('sets');
  await (await page.find('[aria-label="Delete Reviews"]')).click();
  await page.press('Delete set');
  await page.until('it is gone', async () => (await page.texts('#sets .brk')).join() === 'Writing');
  await openDetails();
  expect((await page.texts('.offer')).join()).toMatch(/All \d+ enabled skills\./);
});

test.each([[1280, 800], [900, 640], [640, 400]])('at %i x %i the settings do not scroll sideways, and pausing is in reach', async (width, height) => {
  await page.resize(width, height);
  try {
    await place('Settings');
    expect(await page.run('return document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await (await page.find('[aria-label="Pause Skilltender"]')).click();
    await page.find('[aria-label="Resume Skilltender"]');
  } finally {
    await page.resize(1280, 800);
  }
});

test('the calls of clients are listed, filtered and told apart', async () => {
  await page.open('?connected');
  await place('Activity');
  await page.until('they are there', async () => (await page.all('[data-testid=call]')).length === 5);
  await (await page.find('[aria-label="Filter by client, call or skill"]')).sendKeys('get_skill');
  await page.until('four', async () => (await page.all('[data-testid=call]')).length === 4);
  await page.press('Failed 1');
  await page.until('one', async () => (await page.texts('[data-testid=call] .outcome')).join() === 'Failed: not found');
});

test('without a call the page says what will stand there', async () => {
  await place('Activity');
  expect(await (await page.find('.empty h2')).getText()).toBe('Nothing was called yet');
});

test('Ctrl and a digit show a page, and the window begins with the last one', async () => {
  for (const [digit, title] of [['2', 'Servers'], ['3', 'Clients'], ['4', 'Activity'], ['5', 'Insight'], ['6', 'Settings']] as const) {
    await page.chord(Key.CONTROL, digit);
    await page.until(title, async () => (await page.texts('nav [aria-current=page] .lbl')).join() === title);
  }
  await page.driver.navigate().refresh();
  await page.find('main');
  expect(await (await page.find('h1')).getText()).toBe('Settings');
  await page.chord(Key.CONTROL, '1');
  await page.find('[role=grid]');
});

test('a slash leads to the search of the page once: on another day the page begins where it does', async () => {
  await page.open('?servers&clients');
  for (const [title, search, again] of [['Skills', 'Search skills', 'Servers'], ['Servers', 'Search servers', 'Clients'], ['Clients', 'Search clients', 'Skills']] as const) {
    await place(title);
    await page.keys('/');
    expect(await page.focused()).toBe(search);
    await place(again);
    await place(title);
    await page.drawn();
    expect(await page.focused()).not.toBe(search);
  }
  // A page without a field has nothing to answer, and does not ask the next one.
  await page.open();
  await page.run(`return memory.enableSkills((await memory.current()).skills.map(({ key }) => key), false, {})`);
  await place('Servers');
  await page.find('.empty');
  await page.keys('/');
  await place('Skills');
  await page.find('[role=grid]');
  await page.drawn();
  expect(await page.focused()).not.toBe('Search skills');
});

test('Ctrl K closes the palette that it opened', async () => {
  await page.chord(Key.CONTROL, 'k');
  await page.find('.pal');
  await page.chord(Key.CONTROL, 'k');
  await page.until('it is closed', async () => (await page.all('.pal')).length === 0);
});

test('with Caps Lock on, what is pressed with Ctrl is the same', async () => {
  const press = (key: string) => page.run(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], ctrlKey: true, bubbles: true, cancelable: true }))`, key);
  await press('K');
  await page.find('.pal');
  await press('K');
  await page.until('it is closed', async () => (await page.all('.pal')).length === 0);
  await page.run(`document.querySelector('[data-testid=skill-row]').focus()`);
  await press('A');
  await page.until('all are picked', async () => (await page.all('[data-testid=skill-row][aria-selected=false]')).length === 0);
});

test('the sheet of shortcuts opens by F1 and by a question mark that is not typed into a field', async () => {
  await page.keys(Key.F1);
  await page.until('the sheet', async () => (await page.texts('dialog h2')).join() === 'Keyboard shortcuts');
  await page.press('Close');
  await page.keys('?');
  await page.find('dialog');
  await page.press('Close');
  await (await page.find('[aria-label="Search skills"]')).click();
  await page.keys('?');
  await page.until('it is typed', () => page.run('return document.activeElement.value === "?"'));
  expect(await page.all('dialog')).toEqual([]);
});

test('colours and size are chosen in the settings, and kept', async () => {
  await place('Settings');
  const background = () => page.run<string>('return getComputedStyle(document.body).backgroundColor');
  await choose('theme', 'light');
  const light = await background();
  await choose('theme', 'dark');
  expect(await background()).not.toBe(light);
  await page.chord(Key.CONTROL, '+');
  await page.chord(Key.CONTROL, '+');
  await page.chord(Key.CONTROL, '-');
  expect(await page.run('return memory.opened')).toEqual(['zoom 100', 'zoom 100', 'zoom 110', 'zoom 125', 'zoom 110']);
  await page.driver.navigate().refresh();
  await page.find('#zoom');
  expect(await page.run('return [document.documentElement.dataset.theme, document.getElementById("zoom").value, memory.opened.join()]')).toEqual(['dark', '110', 'zoom 110']);
  await page.chord(Key.CONTROL, '0');
  expect(await page.run('return document.getElementById("zoom").value')).toBe('100');
});

test('the size changes wherever one is: in the first run, a dialog, the palette, a menu and while another window asks', async () => {
  const sizes = () => page.run<string[]>(`return memory.opened.filter((each) => each.startsWith('zoom'))`);
  const larger = async (what: string) => {
    const before = await sizes();
    await page.chord(Key.CONTROL, '+');
    await page.until(what, async () => (await sizes()).length === before.length + 1);
    await page.chord(Key.CONTROL, '0');
    expect((await sizes()).at(-1)).toBe('zoom 100');
  };
  await page.chord(Key.CONTROL, 'n');
  await page.find('dialog[open]');
  await larger('a dialog');
  await page.press('Cancel');
  await page.chord(Key.CONTROL, 'k');
  await page.find('.pal');
  await larger('the palette');
  await page.keys(Key.ESCAPE);
  await (await page.find('[aria-label="Add skills"]')).click();
  await page.find('[role=menu]');
  await larger('a menu');
  await page.run(`memory.askConsent('figma')`);
  await larger('beside the question');
  await page.open('?first-run');
  await larger('the first run');
});

test('a notice is put into a region that was there before it, and says what can be done', async () => {
  await page.run(`
    const told = [];
    new MutationObserver((changes) => told.push(...changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.dataset?.notice).map((node) => node.parentElement.getAttribute('aria-live')))).observe(document.querySelector('[data-testid=notices]'), { childList: true, subtree: true });
    window.told = told;`);
  await page.run(`memory.notices.push({ id: 'new:claude', message: '2 new skills in ~/.claude/skills: a, b.' }); memory.publish()`);
  await page.until('it is there', async () => (await page.all('[data-notice]')).length === 1);
  expect(await page.run('return window.told')).toEqual(['polite']);
  await page.press('Show them');
  await page.until('the folder', async () => (await page.texts('[data-testid=skill-row] .src')).every((place) => place === '~/.claude/skills'));
});

test('a skill that looks harmful from now on is announced in a region that was there', async () => {
  const region = await page.find('[data-testid=heard]');
  expect(await region.getText()).toBe('');
  await page.run(`memory.turnHarmful('claude/code-review')`);
  await page.until('it is heard', async () => (await page.texts('[data-testid=heard]')).join() === 'code-review: Looks harmful.');
});

test('help is there from the sheet of shortcuts, and a link in it leads to another page', async () => {
  await page.keys(Key.F1);
  await page.press('How to write a skill');
  await page.until('the page', async () => (await page.texts('dialog h2'))[0] === 'How to write a skill');
  await (await page.find('dialog [data-testid=help] a[title="rules.md"]')).click();
  await page.until('the other', async () => (await page.texts('dialog h2'))[0] === 'Rules');
  expect((await page.texts('dialog [data-testid=help] h3')).slice(0, 2)).toEqual(['unreadable', 'no-frontmatter']);
  await page.press('Close');
  await page.chord(Key.CONTROL, 'k');
  await page.keys('help servers', Key.ENTER);
  await page.until('from the palette', async () => (await page.texts('dialog h2'))[0] === 'Servers');
});

test('why a problem matters leads to its rule', async () => {
  await page.openSkill('projects/quarterly-report');
  await page.tab('problems');
  await page.run(`document.querySelectorAll('main .fold-h[aria-expanded=false]').forEach((each) => each.click())`);
  await (await page.find('[aria-label="Read the rule description-missing"]')).click();
  await page.until('it is in sight', () => page.run(`
    const heading = [...document.querySelectorAll('dialog [data-testid=help] h3')].find((each) => each.textContent === 'description-missing');
    const { top } = heading.getBoundingClientRect();
    return top > 0 && top < innerHeight / 2`));
});

test('the checkup leads to what it tells of, in words of the window', async () => {
  await page.open('?clients');
  await page.chord(Key.CONTROL, 'k');
  await page.keys('Check everything', Key.ENTER);
  await page.find('dialog [data-testid=check]');
  expect((await page.texts('dialog [data-testid=check]')).filter((text) => text.includes('skilltender connect'))).toEqual([]);
  await page.press('Show Zed');
  await page.until('its details are open', async () => (await page.focused()) === 'Details of Zed');
  expect(await page.all('dialog')).toEqual([]);
});
