// Two pictures of the page, so small that what fonts differ in is lost. Each cell is a piece of 20 by 20 pixels: its
// lightness, 0 black and f white, or the kind of element in its middle.

import { spawnSync } from 'node:child_process';

import type { Page } from './page';

const [columns, rows] = [64, 40] as const;

/** What a page is made of, the innermost kind first, and its letter. */
const kinds = [
  ['button, a[href], [role=tab]', 'b'],
  ['input, select, textarea, [data-testid=editor]', 'i'],
  ['h1, h2, h3', 'h'],
  ['[data-testid$=row], [role=row], tr, li', 'r'],
  ['figure', 'f'],
  ['footer', 'F'],
  ['nav, aside', 'N'],
  ['.box, .well, pre', 'x'],
  ['dialog, article, [role=tabpanel]', 'p'],
  ['header', 'H'],
  ['section', 's'],
] as const;

/** The elements as lines of letters; a dot is the page itself, or what a dialog covers. */
export async function layout(page: Page): Promise<string[]> {
  const cells = await page.run<string>(
    `
    const [columns, rows, kinds] = arguments;
    const kind = (x, y) => {
      const hit = document.elementFromPoint(x, y);
      if (!hit) return '.';
      // The scrim of a dialog is the dialog itself.
      const { left, right, top, bottom } = hit.getBoundingClientRect();
      if (hit.matches('dialog') && (x < left || x > right || y < top || y > bottom)) return '.';
      return kinds.find(([css]) => hit.closest(css))?.[1] ?? '.';
    };
    let cells = '';
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1) cells += kind(((column + 0.5) * innerWidth) / columns, ((row + 0.5) * innerHeight) / rows);
    return cells;`,
    columns,
    rows,
    kinds,
  );
  return inLines(cells);
}

/** The lightness as lines of digits. */
export async function light(page: Page): Promise<string[]> {
  const taken = Buffer.from(await page.driver.takeScreenshot(), 'base64');
  const words = ['png:-', '-colorspace', 'Gray', '-resize', `${columns}x${rows}!`, '-depth', '8', 'gray:-'];
  const { status, stdout, stderr } = spawnSync('convert', words, { input: taken });
  if (status !== 0 || stdout.length !== columns * rows) throw new Error(`convert: ${stderr}`);
  return inLines([...stdout].map((light) => Math.round((light / 255) * 15).toString(16)).join(''));
}

const inLines = (cells: string) => Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));

/** The share of cells that differ. Those of lightness may differ by two of the fifteen steps. */
export function difference(one: readonly string[], other: readonly string[], isLight: boolean): number {
  const [a, b] = [one.join(''), other.join('')];
  if (a.length !== b.length) return 1;
  const differs = (cell: string, at: number) => (isLight ? Math.abs(parseInt(cell, 16) - parseInt(b[at]!, 16)) > 2 : cell !== b[at]);
  return [...a].filter(differs).length / a.length;
}
