// How the most important pages and dialogs look, against small pictures in `pictures.json`: another font passes, a page
// without its sidebar, its dialog or its colours does not. UPDATE_GOLDEN=1 takes the pictures anew.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { open, show } from './looks';
import { Page } from './page';
import { difference, layout, light } from './pictures';
import { scenes } from './scenes';

const file = join(import.meta.dirname, 'pictures.json');
const update = process.env.UPDATE_GOLDEN === '1';
interface Picture {
  light: string[];
  layout: string[];
}
const golden: Record<string, Picture> = JSON.parse(readFileSync(file, 'utf8'));

/** Each in one look, so that the whole takes seconds. */
const taken = [
  ['first run', 'light', 'en'],
  ['skills', 'dark', 'en'],
  ['a skill, read', 'light', 'en'],
  ['a skill, edited', 'dark', 'en'],
  ['its needs', 'light', 'en'],
  ['clients', 'dark', 'en'],
  ['insight', 'light', 'en'],
  ['settings', 'dark', 'en'],
  ['looking at a skill', 'light', 'en'],
  ['adding to a client', 'dark', 'en'],
  ['a changed entry', 'light', 'en'],
  ['asking about figma', 'dark', 'en'],
] as const;

/** How many cells may differ: a font moves lines of text by a cell, a broken page moves or loses areas. */
const most = { light: 0.06, layout: 0.12 };

let page: Page;
beforeAll(async () => void (page = await Page.start()));
afterAll(async () => {
  await page.quit();
  if (update) writeFileSync(file, `${JSON.stringify(golden, null, 1)}\n`);
});

const picture = async (): Promise<Picture> => ({ light: await light(page), layout: await layout(page) });

async function take(name: string, theme: string, language: string): Promise<void> {
  await open(page, scenes.find((scene) => scene.name === name)!);
  await show(page, theme, language);
}

/** In what the page is too far from how it was, with the share of cells. */
async function faults(name: string): Promise<string[]> {
  const [now, then] = [await picture(), golden[name]];
  return (['light', 'layout'] as const).flatMap((which) => {
    const off = difference(now[which], then?.[which] ?? [], which === 'light');
    return off < most[which] ? [] : [`${which}: ${(off * 100).toFixed(1)} % of the cells\n${now[which].join('\n')}`];
  });
}

test.each(taken)('%s, %s: it looks as it did', { timeout: 60_000 }, async (name, theme, language) => {
  await take(name, theme, language);
  if (update) golden[name] = await picture();
  expect(await faults(name)).toEqual([]);
});

const style = (rules: string) =>
  page.run(`const sheet = new CSSStyleSheet(); sheet.replaceSync(arguments[0]); document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];`, rules);

test.each(['DejaVu Sans', 'serif'])('a machine with the font %s passes', { timeout: 60_000 }, async (font) => {
  for (const name of ['skills', 'insight', 'adding to a client'] as const) {
    const [, theme, language] = taken.find(([each]) => each === name)!;
    await take(name, theme, language);
    await style(`:root, body, button, input, select, textarea { font-family: ${font} !important }`);
    await page.drawn();
    expect(await faults(name), name).toEqual([]);
  }
});

test.each([
  ['skills', 'the sidebar is gone', ':has(> nav) { visibility: hidden !important }'],
  ['skills', 'the rows have no height', '[data-testid=skill-row] { visibility: hidden !important }'],
  ['a skill, read', 'its text is gone', '[data-testid=markdown] { display: none !important }'],
  ['adding to a client', 'the dialog hides its content', 'dialog .body { height: 2px !important; overflow: hidden !important }'],
  ['looking at a skill', 'there is no scrim', 'dialog::backdrop { background: transparent !important }'],
  ['insight', 'the bars are not drawn', 'figure, .box { display: none !important }'],
] as const)('%s: it is found when %s', { timeout: 60_000 }, async (name, _, rules) => {
  const [, theme, language] = taken.find(([each]) => each === name)!;
  await take(name, theme, language);
  await style(rules);
  await page.drawn();
  expect(await faults(name)).not.toEqual([]);
});

test('the other theme is found', { timeout: 60_000 }, async () => {
  await take('clients', 'light', 'en');
  expect(await faults('clients')).not.toEqual([]);
});
