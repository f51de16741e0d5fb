// Actions on skills: fixing, creating, copying, deleting, switching several at once.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Key, Page } from './page';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(() => page.open());

const rows = () => page.texts('[data-testid=skill-row] .name');
const isOn = (key: string) => page.run<boolean>(`return document.querySelector('[data-key="' + arguments[0] + '"] .sw').checked`, key);
const pressWith = (key: string, held: 'shiftKey' | 'ctrlKey') =>
  page.run(`document.querySelector('[data-key="' + arguments[0] + '"]').dispatchEvent(new MouseEvent('click', { [arguments[1]]: true, bubbles: true }))`, key, held);
const menu = async (item: string) => {
  await (await page.find('article [aria-haspopup=menu]')).click();
  await page.press(item);
};

test('a problem tells its rule, its reason and who minds, and all are fixed at once', async () => {
  await page.openSkill('projects/quarterly-report');
  await page.tab('problems');
  const [first] = await page.all('[role=tabpanel] li');
  expect(await first!.getText()).toContain('Affects Codex, Anthropic upload and MCP hosts');
  await (await page.find('[role=tabpanel] li .fold-h')).click();
  expect(await first!.getText()).toContain('A model decides by the description whether to use the skill');
  await page.press('Fix all 2');
  await page.until('nothing is wrong', async () => (await page.all('#tab-problems')).length === 0 || (await page.texts('[role=tabpanel] h2')).join().includes('Nothing is wrong'));
  expect(await page.run('return memory.textOf("projects/quarterly-report")')).toContain('\nlicense: MIT');
});

test('advice is folded away and not counted', async () => {
  await page.openSkill('claude/code-review');
  await page.tab('problems');
  expect(await (await page.find('#tab-problems')).getText()).toBe('Problems');
  expect(await page.run(`return document.querySelector('[role=tabpanel] .fold-h').ariaExpanded`)).toBe('false');
});

test('what each client makes of a skill is told, the refusals first', async () => {
  await page.openSkill('projects/quarterly-report');
  await page.tab('clients');
  const lines = await page.texts('[role=tabpanel] li .m');
  expect(lines.slice(0, 4)).toEqual(['Codex', 'Copilot', 'opencode', 'The skills CLI']);
  expect(lines.at(-1)).toBe('skills-ref');
  expect(await page.texts('[role=tabpanel] section:last-of-type h2')).toEqual(['Validators']);
  expect(await (await page.find('[role=tabpanel]')).getText()).toContain('description');
});

test('a foreign skill shows what it carries first, with the safe answer in focus', async () => {
  await (await page.find('[aria-label="Enable prompt-library"]')).click();
  const dialog = await (await page.find('dialog')).getText();
  expect(dialog).toContain('This downloads a program and runs it at once');
  expect(dialog).toContain('scripts/sync.sh:2');
  expect(dialog.toLowerCase()).not.toContain('safe');
  expect(await page.focused()).toBe('Leave it off');
  await page.keys(Key.ENTER);
  await page.until('it stays off', async () => (await page.all('dialog')).length === 0);
  expect(await isOn('projects/prompt-library')).toBe(false);
  await (await page.find('[aria-label="Enable prompt-library"]')).click();
  await page.press('Enable');
  await page.until('it is on', () => isOn('projects/prompt-library'));
  await (await page.find('[aria-label="Enable prompt-library"]')).click();
  await page.until('it is off', async () => !(await isOn('projects/prompt-library')));
  await (await page.find('[aria-label="Enable prompt-library"]')).click();
  await page.until('it is on without a question', () => isOn('projects/prompt-library'));
});

test('a new skill: its id is made from its name while one types, and it opens in the editor', async () => {
  await page.chord(Key.CONTROL, 'n');
  await page.find('dialog .choice');
  expect(await page.run('return document.activeElement.id')).toBe('new-id');
  await page.keys('会议');
  await page.until('it is said', async () => (await page.texts('#new-id-said')).join().includes('A name needs a letter'));
  expect(await (await page.button('Create skill')).isEnabled()).toBe(false);
  await page.keys(' Tea Time');
  await page.until('its place is shown', async () => (await page.texts('#new-id-said')).join().endsWith('/tea-time/SKILL.md'));
  await (await page.find('#new-id')).sendKeys(Key.ENTER);
  await page.find('[data-testid=editor]');
  expect(await (await page.find('h1')).getText()).toBe('tea-time');
});

test('a copy gets a free id and is on as its original is', async () => {
  await page.openSkill('claude/code-review');
  await menu('Duplicate…');
  expect(await (await page.find('#new-id')).getAttribute('value')).toBe('code-review-2');
  await page.press('Duplicate');
  await page.until('it is there', async () => (await page.run('return memory.textOf("claude/code-review-2")')) !== null);
  expect((await page.texts('h1')).join()).toContain('code-review-2');
  await page.tab('read');
  await page.find('[data-key="claude/code-review-2"]');
  expect([await isOn('claude/code-review'), await isOn('claude/code-review-2')]).toEqual([true, true]);
});

test('a skill goes to the trash and comes back by Undo', async () => {
  await page.openSkill('claude/code-review');
  await (await page.find('article [aria-haspopup=menu]')).click();
  await (await page.find('[role=menuitem].danger')).click();
  await page.until('it is gone', async () => !(await rows()).includes('code-review'));
  expect((await page.texts('[data-testid=toast] p')).join()).toBe('code-review is in the trash.');
  await page.press('Undo');
  await page.until('it is back', async () => (await rows()).includes('code-review'));
});

test('what can be undone stays while the keyboard or the pointer is there, and goes after that', async () => {
  // What waits is brought about when the test says so.
  await page.run(`
    const real = setTimeout;
    window.due = [];
    window.setTimeout = (run, after, ...more) => (after === 1_000 || after === 10_000 ? due.push(run) : real(run, after, ...more));
    window.later = () => due.splice(0).forEach((run) => run())`);
  const there = async () => (await page.all('[data-testid=toast]')).length;
  const later = async () => {
    await page.run('later()');
    await page.drawn();
  };
  const trash = async (key: string) => {
    await page.openSkill(key);
    await (await page.find('article [aria-haspopup=menu]')).click();
    await (await page.find('[role=menuitem].danger')).click();
    await page.until('it is said', async () => (await there()) === 1);
  };
  await trash('claude/code-review');
  const undo = await page.find('[aria-label="Undo: code-review is in the trash."]');
  await page.run('arguments[0].focus()', undo);
  await later();
  expect(await there()).toBe(1);
  await page.run('document.activeElement.blur()');
  await later();
  expect(await there()).toBe(0);
  await trash('claude/release-notes');
  await page.driver.actions().move({ origin: await page.find('[data-testid=toast] p') }).perform();
  await later();
  expect(await there()).toBe(1);
  await page.driver.actions().move({ x: 5, y: 5 }).perform();
  await later();
  expect(await there()).toBe(0);
});

test('what can be undone can be undone in a dialog too, and is said once, where it is new', async () => {
  const gone = 'code-review is in the trash.';
  const inDialog = () => page.texts('dialog [data-testid=toast] p');
  await page.listen();
  await page.openSkill('claude/code-review');
  await (await page.find('article [aria-haspopup=menu]')).click();
  await (await page.find('[role=menuitem].danger')).click();
  await page.hears(`${gone} Undo`);

  await page.chord(Key.CONTROL, 'n');
  await page.find('dialog #new-id');
  expect(await inDialog()).toEqual([gone]);
  await page.keys(Key.ESCAPE);
  await page.until('the dialog is closed', async () => (await page.all('dialog')).length === 0);
  expect(await page.texts('[data-testid=toast] p')).toEqual([gone]);

  await page.chord(Key.CONTROL, 'n');
  await (await page.find('dialog [aria-label^="Undo: "]')).click();
  await page.hears('It is back where it was.');
  expect(await inDialog()).toEqual(['It is back where it was.']);
  await page.keys(Key.ESCAPE);
  await page.until('the page shows it', async () => (await page.texts('#app > .toasts p, body > .toasts p')).join() === 'It is back where it was.');
  // Each was said once, wherever it was shown.
  expect(await page.run('return window.joined.filter((text) => text.includes("It is back") || text.includes("in the trash"))')).toEqual([]);
});

test('what lies in the trash is in Settings, with its way back', async () => {
  await page.run('return memory.trashSkill("claude/code-review")');
  await (await page.find('nav [title=Settings]')).click();
  await (await page.find('[aria-label="Put code-review back"]')).click();
  await page.until('it is back', async () => (await page.all('#trash')).length === 0);
});

test('several skills are picked with Shift and Ctrl, and switched at once', async () => {
  await page.openSkill('claude/accessibility-audit');
  await pressWith('claude/code-review', 'shiftKey');
  await page.until('three', async () => (await page.texts('.bar .m')).join() === '3 skills picked');
  await pressWith('projects/api-changelog', 'ctrlKey');
  await page.until('two', async () => (await page.texts('.bar .m')).join() === '2 skills picked');
  await page.press('Disable');
  await page.until('both are off', async () => !(await isOn('claude/accessibility-audit')) && !(await isOn('claude/code-review')));
  expect(await isOn('projects/api-changelog')).toBe(true);
});

test('the keyboard picks, and Escape picks none', async () => {
  await page.openSkill('claude/accessibility-audit');
  await page.run(`document.querySelector('[data-key="claude/accessibility-audit"]').focus()`);
  await page.chord(Key.SHIFT, Key.ARROW_DOWN);
  await page.until('two', async () => (await page.texts('.bar .m')).join() === '2 skills picked');
  await page.chord(Key.CONTROL, 'a');
  await page.until('all', async () => (await page.all('[data-testid=skill-row][aria-selected=false]')).length === 0);
  await page.keys(Key.ESCAPE);
  await page.until('none', async () => (await page.all('.bar')).length === 0);
});

test('a text that was put aside unsaved is offered again', async () => {
  const key = 'claude/code-review';
  await page.run('return memory.keepVersion(arguments[0], memory.textOf(arguments[0]) + "mine", true)', key);
  await page.openSkill(key);
  await page.press('Compare…');
  expect(await page.texts('dialog .added code')).toEqual(['Added: mine']);
  await page.press('Go on with this text');
  expect(await (await page.editor()).getText()).toContain('mine');
  const offers = async () => (await page.texts('.page-head .note')).some((text) => text.includes('Compare'));
  // Until it is somewhere else, it stays kept.
  expect(await page.run('return memory.keptVersions(arguments[0])', key)).toHaveLength(1);
  await page.press('Revert');
  await page.until('it is offered again', offers);
  await page.press('Compare…');
  await page.press('Go on with this text');
  await page.press('Save');
  await page.until('it is saved', async () => (await page.run<string>('return memory.textOf(arguments[0])', key)).endsWith('mine'));
  expect(await page.run('return memory.keptVersions(arguments[0])', key)).toEqual([]);
  await page.tab('read');
  await page.drawn();
  expect(await offers()).toBe(false);
});

test('a dropped zip shows what it would bring before anything is written, and brings what is ticked', async () => {
  await page.run('memory.drop("/home/mei/Downloads/skills.zip")');
  const dialog = await page.find('dialog');
  // They come into our own folder, unless another is chosen.
  expect(await dialog.getText()).not.toContain('already has');
  await page.run(`const folder = document.querySelector('#import-folder'); folder.value = 'claude'; folder.dispatchEvent(new Event('change', { bubbles: true }))`);
  await page.until('it is told', async () => (await dialog.getText()).includes('This folder already has a skill code-review.'));
  expect(await page.focused()).toBe('Cancel');
  await (await page.find('dialog .each:nth-child(2) .ck')).click();
  await page.press('Import 1 skill');
  await page.until('it is there', async () => (await rows()).includes('web-scraper'));
  expect(await rows()).not.toContain('invoice-reader');
  expect(await isOn('claude/web-scraper')).toBe(false);
});

test('tags of picked skills change after they were shown, and Activity undoes it', async () => {
  for (const key of ['claude/code-review', 'claude/release-notes']) await pressWith(key, 'ctrlKey');
  await (await page.find('[role=toolbar] [aria-label="Change tags…"]')).click();
  await (await page.find('#tags-add')).sendKeys('team, to-read');
  await page.until('it is shown', async () => (await page.texts('dialog [role=status]')).join().includes('The tags of 2 skills change:'));
  expect((await page.texts('dialog .box li')).every((line) => line.includes('team'))).toBe(true);
  await page.press('Change tags');
  await page.until('it is done', async () => (await page.all('dialog[open]')).length === 0);
  await page.openSkill('claude/code-review');
  expect(await page.texts('article .tags .tag')).toContain('to-read');
  await (await page.find('nav [title="Activity"]')).click();
  await (await page.find('.writes .fold-h')).click();
  expect((await page.texts('[data-testid=write] p')).filter((line) => line.includes('Tags of'))).toHaveLength(2);
  await (await page.find('[data-testid=write] button')).click();
  await page.until('one is undone', async () => (await page.texts('[data-testid=write] p')).filter((line) => line.includes('Undone')).length === 1);
});

test('Undo takes back the tags of its own message, also after others were changed', async () => {
  const tag = async (key: string, word: string) => {
    await page.openSkill(key);
    await menu('Change tags…');
    await (await page.find('#tags-add')).sendKeys(word);
    await page.until('it is shown', async () => (await page.texts('dialog [role=status]')).join().includes('change:'));
    await page.press('Change tags');
    await page.until('it is done', async () => (await page.all('dialog[open]')).length === 0);
  };
  const tags = (key: string) => page.run<string[]>('return memory.current().then(({ skills }) => skills.find((skill) => skill.key === arguments[0]).tags)', key);
  await tag('claude/code-review', 'first');
  await tag('claude/release-notes', 'second');
  expect([await tags('claude/code-review'), await tags('claude/release-notes')]).toEqual([expect.arrayContaining(['first']), expect.arrayContaining(['second'])]);
  await (await page.find('[data-testid=toast] [aria-label^="Undo: "]')).click();
  await page.until('it is taken back', async () => !(await tags('claude/code-review')).includes('first'));
  expect(await tags('claude/release-notes')).toContain('second');
});

test('every failure stays to be read, and many of them leave room and scroll, in a dialog too', async () => {
  await page.run(`memory.readAgain = async () => { throw { kind: 'system', message: 'Kettle ' + (window.kettles = (window.kettles ?? 0) + 1) + ' is cold.', hints: ['Put it on the fire, and wait until it sings.'] } }`);
  /** What is in sight of the messages at a place. */
  const inSight = (place: string) => page.run<string[]>(`
    const box = document.querySelector(arguments[0]);
    const { top, bottom } = box.getBoundingClientRect();
    return [...box.querySelectorAll('[data-testid=toast] p')].filter((each) => { const at = each.getBoundingClientRect(); return at.top >= top && at.bottom <= bottom; }).map((each) => each.textContent)`, place);
  const looks = async (place: string) => {
    expect(await page.all(`${place} [data-testid=toast]`)).toHaveLength(12);
    expect(await page.run('return document.querySelector(arguments[0]).offsetHeight', place)).toBeLessThanOrEqual(400);
    expect((await inSight(place)).at(-1)).toContain('Kettle 12 is cold.');
    await page.run('arguments[0].focus()', await page.find(`${place} [data-testid=toast] button`));
    expect((await inSight(place))[0]).toContain('Kettle 1 is cold.');
  };
  for (let n = 1; n <= 12; n += 1) {
    await page.chord(Key.CONTROL, 'r');
    await page.until('it is said', async () => (await page.all('[data-testid=toast]')).length === n);
  }
  // The wheel turns them, though what is beside a few of them can be pressed.
  await page.mouse(4, (await page.all('[data-testid=toast]')).at(-1)!);
  await page.until('they scroll', async () => !(await inSight('body > .toasts')).at(-1)!.includes('Kettle 12'));
  await page.run('document.querySelector(".toasts").scrollTop = 0');
  await looks('body > .toasts');
  await page.chord(Key.CONTROL, 'n');
  await page.find('dialog #new-id');
  await looks('dialog .toasts');
  // The last one goes, and the one before it comes into sight.
  await (await page.all('dialog [data-testid=toast] button')).at(-1)!.click();
  await page.until('eleven', async () => (await page.all('[data-testid=toast]')).length === 11);
  expect((await inSight('dialog .toasts')).at(-1)).toContain('Kettle 11 is cold.');
});

test('several dropped things are reviewed one after the other', async () => {
  await page.run('memory.drag(true)');
  expect(await (await page.find('[data-testid=drop]')).getText()).toContain('Drop to import');
  await page.run('memory.drop("/home/mei/Downloads/skills.zip", "/home/mei/report.pdf")');
  const dialog = await page.find('dialog');
  expect(await page.all('[data-testid=drop]')).toHaveLength(0);
  expect(await dialog.getText()).toContain('1 more comes after this.');
  await page.press('Cancel');
  expect(await (await page.find('dialog [role=alert]')).getText()).toContain('is no zip file that can be trusted');
  await page.press('Close');
  await page.until('nothing is left', async () => (await page.all('dialog[open]')).length === 0);
});

test('a drop does not replace an open dialog', async () => {
  await page.chord(Key.CONTROL, 'n');
  await page.find('dialog input');
  await page.run('memory.drop("/home/mei/Downloads/skills.zip")');
  await page.until('it is said', async () => (await page.run<string>('return document.body.textContent')).includes('Close the open dialog first'));
  expect(await (await page.find('dialog')).getText()).not.toContain('web-scraper');
});

test('of a large repository every skill has its row, and what cannot come is counted and named', async () => {
  await page.run(`
    const look = memory.lookAtImport;
    memory.lookAtImport = async (path) => {
      const plan = await look(path);
      const skills = Array.from({ length: 60 }, (_, n) => ({ ...plan.skills[0], path: 'skills/s' + n, id: 's' + n, name: 'Skill ' + n }));
      const refused = Array.from({ length: 40 }, (_, n) => ({ path: 'skills/broken-' + n, why: 'It has 812 files, and 512 are the most.' }));
      return { ...plan, skills, refused };
    };
    memory.drop('/home/mei/Downloads/skills.zip')
  `);
  const count = await page.find('dialog .body > .fold > .fold-h');
  expect(await count.getText()).toBe('40 skills cannot be imported');
  await count.click();
  expect(await page.texts('dialog .refused li')).toHaveLength(40);
  expect(await page.squeezed()).toEqual([]);
  expect(await page.texts('dialog .each')).toHaveLength(60);
});

test('what cannot be imported says why', async () => {
  await page.run('memory.drop("/home/mei/report.pdf")');
  expect(await (await page.find('dialog [role=alert]')).getText()).toContain('is no zip file that can be trusted');
});

test('a skill is packed for others, and what stayed at home is said', async () => {
  await page.openSkill('claude/release-notes');
  await menu('Export as a zip…');
  await page.press('Save as…');
  await page.until('it is written', async () => (await page.texts('dialog [role=status]')).join().includes('~/Documents/release-notes.zip: 4 files'));
  expect(await page.texts('dialog dd')).toEqual(['version, tags', 'requires-mcp-servers']);
});

test('a skill that an upload would refuse is not packed, and every reason is said', async () => {
  await page.openSkill('projects/quarterly-report');
  await menu('Export as a zip…');
  await page.press('Save as…');
  expect(await (await page.find('dialog [role=alert]')).getText()).toContain('an upload would refuse it');
});

test('focus stays in the list when its row goes away, and in the page when a button does', async () => {
  await page.run(`document.querySelector('[data-key="claude/code-review"]').focus()`);
  await page.keys(Key.DELETE);
  await page.until('the next row has it', async () => (await page.focused()) === 'claude/design-tokens');
  await page.press('Enabled 11');
  await page.run(`document.querySelector('[data-key="claude/pdf-forms"]').focus()`);
  await page.keys(' ');
  await page.until('the next row has it', async () => (await page.focused()) === 'projects/quarterly-report');
  await page.openSkill('projects/quarterly-report');
  await page.tab('problems');
  await page.run('arguments[0].focus()', await page.button('Fix all 2'));
  await page.keys(Key.ENTER);
  await page.until('the page has it', () => page.run<boolean>(`return document.activeElement.closest('article') !== null && document.querySelectorAll('.note.problem').length === 0`));
});
