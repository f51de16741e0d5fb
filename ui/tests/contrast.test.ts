// The colours of the window as numbers: every text token can be read on every surface that it is put on, and what is a
// control or a state can be told from what is around it. axe measures the pages; this covers states that no page is in.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { source, sources } from './sources';

const css = (name: string) => readFileSync(join(source, 'style', name), 'utf8');
const tokens = css('tokens.css');

type Theme = 'light' | 'dark';
/** Red, green and blue as light, and how much of it covers. */
type Colour = [number, number, number, number];

const oklch = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: / ([\d.]+))?\)`;

/** The tokens that are colours, in both themes. */
const colours = new Map(
  [...tokens.matchAll(new RegExp(String.raw`--([\w-]+):\s*light-dark\(${oklch},\s*${oklch}\);`, 'g'))].map(([, name, ...numbers]) => {
    const colour = (from: number) => light(numbers.slice(from, from + 4).map((each) => Number(each ?? 1)));
    return [name!, { light: colour(0), dark: colour(4) }] as const;
  }),
);

function light([l = 0, c = 0, h = 0, alpha = 1]: number[]): Colour {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamped = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clamped(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    clamped(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    clamped(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
    alpha,
  ];
}

const encoded = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
const decoded = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** What is seen where one colour lies over another: screens mix the encoded values. */
const over = (top: Colour, below: Colour): Colour =>
  [0, 1, 2].map((i) => decoded(encoded(top[i]!) * top[3] + encoded(below[i]!) * (1 - top[3]))).concat(1) as Colour;

const luminance = ([r, g, b]: Colour) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** The colour of a place such as `page`, or `hover/list` for a row of the list under the pointer. */
function at(place: string, theme: Theme): Colour {
  const [top, below] = place.split('/') as [string, string?];
  const colour = (colours.get(`bg-${top}`) ?? colours.get(top))?.[theme];
  if (!colour) throw new Error(`There is no colour ${top}.`);
  return below ? over(colour, at(below, theme)) : colour;
}

function contrast(token: string, place: string, theme: Theme): number {
  const [one, other] = [luminance(at(token, theme)), luminance(at(place, theme))];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const planes = ['side', 'list', 'page', 'raised', 'sunken', 'field'];
const hovered = ['hover/side', 'hover/list', 'hover/page', 'hover/raised'];
const pressed = ['press/side', 'press/list', 'press/page', 'press/raised'];
const soft = ['accent-soft', 'needs-soft', 'problem-soft'];
const changed = ['add-bg', 'del-bg'];

/** Every text token, and where it is put. */
const texts: Record<string, string[]> = {
  text: [...planes, ...hovered, ...pressed, ...soft, ...changed, 'select'],
  'text-2': [...planes, ...hovered, ...pressed, ...soft, ...changed, 'select'],
  'text-3': [...planes, ...hovered, ...changed],
  'text-on-accent': ['accent', 'accent-hover', 'accent-press'],
  'accent-text': [...planes, ...soft, 'hover/list', 'hover/page'],
  ready: ['list', 'page', 'raised', 'sunken'],
  needs: ['list', 'page', 'raised', 'sunken', 'needs-soft', 'field'],
  down: ['list', 'page', 'raised'],
  problem: ['list', 'page', 'raised', 'sunken', 'field', 'problem-soft', 'hover/raised', 'hover/page', 'press/raised'],
  'code-key': ['field', 'sunken'],
  'code-str': ['field', 'sunken'],
  'code-head': ['field', 'sunken'],
  'code-dim': ['field', 'sunken'],
  'add-mark': ['add-bg'],
  'del-mark': ['del-bg'],
};

/** What is no text: edges of controls, rings and shapes of states. */
const marks: Record<string, string[]> = {
  edge: ['list', 'page', 'raised', 'sunken', 'field', 'hover/list', 'hover/page'],
  // The edge of what is in a selected row.
  off: [...planes, 'hover/list', 'select'],
  accent: [...planes, 'hover/list', 'press/side', 'select'],
  focus: [...planes, ...hovered, ...soft, 'select'],
  ready: [...planes, 'hover/list', 'select'],
  needs: [...planes, 'hover/list', 'select', 'needs-soft'],
  down: [...planes, 'hover/list', 'select'],
  problem: [...planes, 'hover/list', 'select', 'problem-soft'],
};

const tooFaint = (table: Record<string, string[]>, least: number, theme: Theme) =>
  Object.entries(table).flatMap(([token, places]) =>
    places.map((place) => ({ token, place, contrast: contrast(token, place, theme) })).filter((each) => each.contrast < least).map((each) => `${each.token} on ${each.place}: ${each.contrast.toFixed(2)}`),
  );

test('the contrast of known colours is what WCAG says', () => {
  colours.set('white', { light: light([1, 0, 0]), dark: light([1, 0, 0]) });
  colours.set('black', { light: light([0, 0, 0]), dark: light([0, 0, 0]) });
  // #777777 on white is the well-known near miss.
  colours.set('grey', { light: light([0.5681, 0, 0]), dark: light([0.5681, 0, 0]) });
  expect(contrast('black', 'white', 'light')).toBeCloseTo(21, 3);
  expect(contrast('grey', 'white', 'light')).toBeCloseTo(4.48, 1);
  expect(contrast('white', 'white', 'light')).toBe(1);
});

test.each(['light', 'dark'] as const)('%s: every text has 4.5:1 on what it stands on', (theme) => expect(tooFaint(texts, 4.5, theme)).toEqual([]));

test.each(['light', 'dark'] as const)('%s: edges, rings and shapes have 3:1', (theme) => expect(tooFaint(marks, 3, theme)).toEqual([]));

test('every colour of a text, and every surface, is in the tables', () => {
  const code = [...sources().map((file) => readFileSync(file, 'utf8')), css('base.css')].join('\n');
  const used = (pattern: RegExp) => [...new Set([...code.matchAll(pattern)].map(([, name]) => name!))].filter((name) => colours.has(name));
  const known = [...Object.keys(texts), ...Object.keys(marks)];
  // What is drawn in the colour of a line or a surface is decoration.
  expect(used(/[\s{;'"](?:color|fill|stroke): '?var\(--([\w-]+)\)/g).filter((name) => !known.includes(name) && !/^(line|bg)-/.test(name))).toEqual([]);
  const places = new Set([...Object.values(texts), ...Object.values(marks)].flat().flatMap((place) => place.split('/')));
  const surfaces = [...colours.keys()].filter((name) => /^bg-|-soft$|-bg$/.test(name)).map((name) => name.replace(/^bg-/, ''));
  expect(surfaces.filter((name) => !places.has(name))).toEqual([]);
});
