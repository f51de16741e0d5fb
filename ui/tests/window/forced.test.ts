// Forced colours, as Windows' contrast themes set them: the system draws every ground in one colour, so what only a ground
// shows is gone. WebKitGTK forces none, so the page is given the effect of it, and our own rules for it.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Page } from './page';
import { scenes } from './scenes';

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(() => page.quit());

/** Forces the colours: our rules for that, and what a browser does to all that does not refuse it. Returns how many rules of ours there are. */
const force = () =>
  page.run<number>(`
    const ours = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule instanceof CSSMediaRule && rule.media.mediaText.includes('forced-colors')).flatMap((rule) => [...rule.cssRules]);
    // What this engine does not know is told by an attribute.
    const refusing = ours.filter((rule) => /^\\.(sw|key)\\b/.test(rule.selectorText)).length;
    for (const element of document.querySelectorAll('.sw, .ck, .rd, .dirty, .key, progress')) element.dataset.refuses = '';
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':where(body, body *:not(svg, svg *, [data-refuses])), :where(body *:not(svg, svg *, [data-refuses]))::before, :where(body *:not(svg, svg *, [data-refuses]))::after { color: CanvasText !important; background-color: Canvas !important; border-color: CanvasText !important; box-shadow: none !important }');
    for (const rule of ours) sheet.insertRule(rule.cssText, sheet.cssRules.length);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return refusing ? ours.length : 0;`);

/** What is drawn by its ground alone: it has no words, no line around it and no picture in it. */
const groundAlone = () =>
  page.run<string[]>(`
    const seen = (element) => element.checkVisibility() && !element.closest('.vh, svg');
    const colour = (style) => style.backgroundColor;
    const clear = (colour) => colour === 'transparent' || /, 0\\)$/.test(colour) || / 0\\)$/.test(colour);
    const behind = (element) => { for (let each = element.parentElement; each; each = each.parentElement) if (!clear(colour(getComputedStyle(each)))) return colour(getComputedStyle(each)); return ''; };
    const found = [];
    for (const element of document.querySelectorAll('body *')) {
      if (!seen(element) || element.matches('[role=separator], select, input, textarea')) continue;
      const style = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      const lines = ['Top', 'Right', 'Bottom', 'Left'].some((side) => parseFloat(style['border' + side + 'Width']) > 0);
      if (clear(colour(style)) || colour(style) === behind(element) || lines || Math.min(width, height) < 2 || element.textContent.trim() || element.querySelector('svg, input')) continue;
      found.push(element.tagName.toLowerCase() + '.' + element.className);
    }
    return [...new Set(found)];`);

const wanted = ['skills', 'a skill, edited', 'its needs', 'servers', 'clients', 'insight', 'settings with a new version', 'the palette', 'the checkup', 'adding to a client', 'asking about linear'];

test.each(scenes.filter(({ name }) => wanted.includes(name)).map((scene) => [scene.name, scene] as const))('%s: nothing is told by a ground alone', async (_, { at, open }) => {
  await page.driver.get('about:blank');
  await page.open(at);
  await open(page);
  await page.drawn();
  const before = await groundAlone();
  expect(await force()).toBeGreaterThan(10);
  const after = await page.run<string[]>(`
    return [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility()).filter((each) => arguments[0].includes(each.tagName.toLowerCase() + '.' + each.className))
      .filter((each) => { const style = getComputedStyle(each); return each.dataset.refuses === undefined && style.outlineStyle === 'none' && style.backgroundImage === 'none'; })
      .map((each) => each.tagName.toLowerCase() + '.' + each.className)`, before);
  expect(after).toEqual([]);
});

test('what is on, what is chosen and where one is are told by lines and by the colours of the system', async () => {
  await page.open('');
  await page.openSkill('claude/release-notes');
  await force();
  const told = await page.run<Record<string, string[]>>(`
    const line = (css) => { const { outlineStyle, outlineWidth } = getComputedStyle(document.querySelector(css)); return outlineStyle + ' ' + outlineWidth; };
    const ground = (css) => getComputedStyle(document.querySelector(css)).backgroundColor;
    return {
      chosen: [line('[data-testid=skill-row][aria-selected=true]'), line('[role=tab][aria-selected=true]'), line('nav [aria-current=page]')],
      unchosen: [line('[data-testid=skill-row][aria-selected=false]')],
      switches: [ground('.row .sw:checked'), ground('.row .sw:not(:checked)')],
    };`);
  expect(told.chosen).toEqual(['solid 2px', 'solid 2px', 'solid 2px']);
  expect(told.unchosen![0]).toContain('none');
  expect(told.switches![0]).not.toBe(told.switches![1]);
  await page.press('Enter the secret…');
  expect(await page.run('return getComputedStyle(document.activeElement.closest(".field") ?? document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineStyle')).toContain('solid');
});
