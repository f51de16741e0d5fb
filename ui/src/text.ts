// Every text of the window, looked up in `text/en.json`. The file is flat, because the tray menu reads it too:
// `{name}` is filled in; a text with a count has two forms, `key.one` and `key.other`, chosen by `{n}`.

import texts from '../text/en.json';

type Stored = keyof typeof texts;
export type TextKey = Stored extends infer K ? (K extends `${infer Base}.other` ? Base : K extends `${string}.one` ? never : K) : never;
export type Values = Record<string, string | number>;

const locale = 'en';
const numbers = new Intl.NumberFormat(locale);
const plurals = new Intl.PluralRules(locale);
const table: Record<string, string> = texts;

/** The text, filled in. */
export function t(key: TextKey, values: Values = {}): string {
  return parts(key, values)
    .map((part) => part.text)
    .join('');
}

/** The text in pieces, so that filled-in values can be drawn in bold. */
export function parts(key: TextKey, values: Values = {}): { text: string; filled: boolean }[] {
  return spelling(key, values)
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((piece) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1];
      if (name === undefined) return { text: piece, filled: false };
      const value = values[name];
      if (value === undefined) throw new Error(`The text ${key} needs a value for ${name}.`);
      return { text: typeof value === 'number' ? numbers.format(value) : value, filled: true };
    });
}

const lists = new Intl.ListFormat('en-GB');

/** A list of names or words, as people write it: `a, b and c`. */
export const listed = (words: string[]): string => lists.format(words);

export const formatNumber = (value: number): string => numbers.format(value);

function spelling(key: string, values: Values): string {
  const plural = typeof values.n === 'number' ? table[`${key}.${plurals.select(values.n)}`] : undefined;
  const text = plural ?? table[key];
  if (text === undefined) throw new Error(`There is no text ${key}.`);
  return text;
}
