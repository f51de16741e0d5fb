import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Key, Page } from './page';

const key = 'projects/quarterly-report';
let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());
beforeEach(() => page.open());

const edit = async () => {
  await page.openSkill(key);
  await page.tab('edit');
  return page.editor();
};
const onDisk = () => page.run<string>('return memory.textOf(arguments[0])', key);
const typeAtEnd = async (text: string) => {
  await page.chord(Key.CONTROL, Key.END);
  await page.keys(text);
};

test('quitting with unsaved edits asks, and saving them ends the program', async () => {
  await page.run('memory.quit()');
  await page.until('nothing was unsaved', () => page.run('return memory.opened.at(-1) === "left"'));
  await edit();
  await typeAtEnd('Unsaved.');
  await page.run('memory.quit()');
  expect(await (await page.find('dialog[open] li')).getText()).toBe('quarterly-report');
  expect(await page.run('return memory.opened')).toEqual(['left', 'stayed']);
  await page.press('Save and quit');
  await page.until('it ends', () => page.run('return memory.opened.length === 3 && memory.opened.at(-1) === "left"'));
  expect(await onDisk()).toContain('Unsaved.');
});

test('the end of the session puts unsaved edits aside without a question', async () => {
  await edit();
  await typeAtEnd('Unsaved.');
  await page.run('memory.ask("system")');
  await page.until('it ends', () => page.run('return memory.opened.at(-1) === "left"'));
  expect((await page.run<string[]>('return memory.kept.map((each) => each.text)')).join()).toContain('Unsaved.');
  expect(await onDisk()).not.toContain('Unsaved.');
});

test('Markdown is drawn with headings, lists, tables, code and quotes', async () => {
  await page.openSkill('claude/release-notes');
  await page.find('[data-testid=markdown]');
  for (const part of ['h2', 'h3', 'ol li', 'ul li', 'table td', 'pre code', 'blockquote', 'a']) {
    expect((await page.all(`.md ${part}`)).length, part).toBeGreaterThan(0);
  }
});

test('a link leaves the window only through the shell', async () => {
  await page.openSkill('claude/release-notes');
  await (await page.find('.md a[href^="https://keepachangelog"]')).click();
  expect(await page.run('return memory.opened')).toEqual(['https://keepachangelog.com/en/1.1.0/']);
  expect(await page.driver.getCurrentUrl()).toMatch(/^http:\/\/127\.0\.0\.1/);
});

test('a link to a file of the skill opens it', async () => {
  await page.openSkill('claude/release-notes');
  await (await page.find('.md a[title="references/tone.md"]')).click();
  await page.until('the file', async () => (await page.texts('.preview code')).includes('Short, exact, kind.'));
});

test('tags, scripts and pictures in a skill stay text', async () => {
  const hostile = '---\nname: x\n---\n<script>window.hit = 1</script>\n\n<img src=x onerror="window.hit = 1">\n\nText <b onclick="window.hit = 1">bold</b> ![cat](https://example.org/cat.png) [run](javascript:window.hit=1)\n';
  await page.run('memory.touch(arguments[0], arguments[1])', 'claude/code-review', hostile);
  await page.openSkill('claude/code-review');
  await page.until('it is drawn', async () => (await (await page.find('.md')).getText()).includes('<script>'));
  expect(await page.all('.md script, .md img, .md b, .md [onclick]')).toEqual([]);
  expect(await (await page.find('.md')).getText()).toContain('Picture: cat (example.org)');
  expect(await page.all('.md a[href^="javascript"]')).toEqual([]);
  expect(await page.run('return window.hit ?? null')).toBeNull();
});

test('the window lives under the content security policy, editor included', async () => {
  await page.run(`window.violations = []; addEventListener('securitypolicyviolation', (e) => violations.push(e.violatedDirective + ' ' + e.blockedURI))`);
  const editor = await edit();
  expect(await editor.getCssValue('caret-color')).not.toBe('auto');
  expect(await page.run('return document.querySelector("[data-testid=editor]").shadowRoot.adoptedStyleSheets.length')).toBeGreaterThan(0);
  for (const tab of ['read', 'files', 'problems']) await page.tab(tab);
  expect(await page.run('return violations')).toEqual([]);
});

test('typing, saving and undoing', async () => {
  const editor = await edit();
  expect(await editor.getAccessibleName()).toBe('SKILL.md');
  const before = await onDisk();
  await typeAtEnd('One more line 会议.');
  await page.until('unsaved', async () => (await page.texts('.title')).join().includes('Unsaved'));
  expect(await onDisk()).toBe(before);
  await page.chord(Key.CONTROL, 's');
  await page.until('saved', async () => (await onDisk()) === `${before}One more line 会议.`);
  await page.until('no mark', async () => !(await page.texts('.title')).join().includes('Unsaved'));
  await page.chord(Key.CONTROL, 'z');
  await page.until('undone', async () => (await page.texts('.title')).join().includes('Unsaved'));
});

test('the status bar tells the caret and the line ends', async () => {
  await edit();
  await page.chord(Key.CONTROL, Key.HOME);
  await page.keys(Key.ARROW_DOWN, Key.ARROW_RIGHT);
  await page.until('the caret', async () => (await (await page.find('.status')).getText()).startsWith('Line 2, column 2'));
  expect(await (await page.find('.status')).getText()).toContain('LF');
});

test('the arrow keys go through all tabs, also past the editor, which a click gives the keyboard', async () => {
  await page.openSkill(key);
  const tabs = await page.texts('[role=tab]');
  await (await page.find('#tab-read')).sendKeys(Key.ARROW_LEFT, Key.ARROW_RIGHT);
  for (const tab of tabs) {
    await page.until(tab, async () => (await page.focused()) === tab);
    if (tab === 'Edit') {
      await page.find('[data-testid=editor]');
      await page.drawn();
    }
    await page.keys(Key.ARROW_RIGHT);
  }
  await page.openSkill('claude/code-review');
  await page.tab('edit');
  await page.until('the editor has it', () => page.run('return document.activeElement.dataset.testid === "editor"'));
});

test('a fix changes the text, and the problem goes', async () => {
  await edit();
  await page.press('Use the first line of the text');
  await page.until('it is gone', async () => !(await page.texts('.insp li')).join().includes('The description is empty'));
  await page.press('Save');
  await page.until('saved', async () => (await onDisk()).includes('description: "Quarterly report'));
});

test('all fixes at once', async () => {
  await edit();
  await page.press('Fix all 2');
  await page.until('nothing wrong', async () => (await (await page.find('.insp')).getText()).includes('Nothing is wrong'));
});

test('a field of the form changes its value in the text and nothing else, and can be undone there', async () => {
  const editor = await edit();
  const before = await onDisk();
  const name = await page.driver.findElement({ xpath: '//aside//label[normalize-space()="Name"]/following::input[1]' });
  await name.sendKeys('-2');
  await page.press('Save');
  await page.until('saved', async () => (await onDisk()) === before.replace('name: quarterly-report', 'name: quarterly-report-2'));
  await editor.click();
  await page.chord(Key.CONTROL, 'z');
  await page.until('undone', async () => (await name.getAttribute('value')) !== 'quarterly-report-2');
});

test('Ctrl and the full stop fix the problem at the caret', async () => {
  await edit();
  await page.chord(Key.CONTROL, Key.HOME);
  await page.keys(Key.ARROW_DOWN, Key.ARROW_DOWN);
  await page.chord(Key.CONTROL, '.');
  await page.until('it is gone', async () => !(await page.texts('.insp li')).join().includes('The description is empty'));
  await page.press('Save');
  await page.until('saved', async () => (await onDisk()).includes('description: "Quarterly report'));
});

test('a problem shows its place in the editor', async () => {
  await page.openSkill(key);
  await page.tab('problems');
  await page.run(`[...document.querySelectorAll('button')].filter((b) => b.textContent === 'Show')[1].click()`);
  await page.until('the caret stands there', async () => (await (await page.find('.status')).getText()).startsWith('Line 4, column 1'));
});

test('unsaved edits survive a look at another skill', async () => {
  await edit();
  await typeAtEnd('kept');
  await page.tab('read');
  await page.openSkill('claude/code-review');
  await page.openSkill(key);
  await page.press('Go on editing');
  expect(await (await page.editor()).getText()).toContain('kept');
});

test('the unsaved text of a skill that vanished is saved as a new one', async () => {
  await edit();
  await typeAtEnd('still mine');
  await page.run('memory.trashSkill(arguments[0])', key);
  await page.button('Copy your text');
  await page.press('Save as a new skill…');
  await page.find('#new-id');
  await page.until('its name is proposed', () => page.run('return document.getElementById("new-id").value === "quarterly-report"'));
  await page.press('Create skill');
  await page.until('it is open', async () => (await page.texts('h1')).join().startsWith('quarterly-report'));
  expect(await page.run('return memory.current().then(({ skills }) => memory.textOf(skills.find(({ id }) => id === "quarterly-report").key))')).toContain('still mine');
  await page.run('memory.quit()');
  await page.until('nothing is unsaved any more', () => page.run('return memory.opened.at(-1) === "left"'));
});

test('a file changed elsewhere is followed while nothing is unsaved', async () => {
  const editor = await edit();
  await page.run('memory.touch(arguments[0], arguments[1])', key, '---\nname: quarterly-report\n---\nfrom elsewhere\n');
  await page.until('followed', async () => (await editor.getText()).includes('from elsewhere'));
});

test('a file changed under unsaved edits: compare, then keep mine', async () => {
  await edit();
  await typeAtEnd('mine');
  const mine = `${await onDisk()}mine`;
  await page.run('memory.touch(arguments[0], arguments[1])', key, (await onDisk()).replace('Start', 'Begin'));
  await page.find('[role=alert]');
  expect(await (await page.button('Save')).isEnabled()).toBe(false);
  await page.press('Compare…');
  expect(await (await page.find('dialog [data-testid=diff]')).getText()).toContain('Begin from the figures');
  await (await page.find('dialog button:last-child')).click();
  await page.until('chosen', async () => (await page.all('[role=alert], dialog')).length === 0);
  await page.press('Save');
  await page.until('saved', async () => (await onDisk()) === mine);
  expect(await page.run('return memory.kept.length')).toBe(1);
});

test('a file changed under unsaved edits: use the file on disk', async () => {
  const editor = await edit();
  await typeAtEnd('mine');
  await page.run('memory.touch(arguments[0], arguments[1])', key, 'theirs\n');
  await page.press('Use the file on disk');
  await page.until('theirs', async () => (await editor.getText()).trim() === 'theirs');
  expect(await page.run('return memory.kept[0].text')).toContain('mine');
});
