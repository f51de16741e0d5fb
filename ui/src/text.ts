// Every text of the window, looked up in the language that is shown. The files in `text` are flat, because the tray menu
// reads them too: `{name}` is filled in; a text with a count has a form for each way in which the language counts,
// `key.one` and `key.other` in English, chosen by `{n}`.

import type english from '../text/en.json';
import type { Piece } from './messages/messages';
import { speech } from './speech.svelte';

type Stored = keyof typeof english;
export type TextKey = Stored extends infer K ? (K extends `${infer Base}.other` ? Base : K extends `${string}.one` ? never : K) : never;
export type Values = Record<string, string | number>;

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
      return { text: typeof value === 'number' ? formatNumber(value) : value, filled: true };
    });
}

/** A list of names or words, as people write it: `a, b and c`. */
export const listed = (words: string[]): string => speech().lists.format(words);

/** Clauses in a row, each a text of its own: `3 errors, 1 warning`. What is absent is left out. */
export const clauses = (all: (string | 0 | false | null | undefined)[]): string => all.filter(Boolean).join(t('words.comma'));

/** Sentences in a row. What is absent is left out. */
export const sentences = (all: (string | 0 | false | null | undefined)[]): string => all.filter(Boolean).join(t('words.space'));

/** A number, with so many digits after the point. */
export const formatNumber = (value: number, digits = 0): string => speech().number(digits).format(value);

/** What the engine says, in the language that is shown; in English where that is not known. */
export const translated = (text: string): string =>
  translatedPieces(text)
    .map((piece) => piece.text)
    .join('');

/** The same in pieces: each is in the language that is shown, or in English. */
export const translatedPieces = (text: string): Piece[] => speech().messages?.pieces(text) ?? [{ text, english: true }];

/** A text that may be the engine's or an author's: translated only if it is one of the engine's, word for word. */
export const asKnown = (text: string): string => speech().messages?.exact(text) ?? text;

function spelling(key: string, values: Values): string {
  const { plurals, texts } = speech();
  const plural = typeof values.n === 'number' ? texts[`${key}.${plurals.select(values.n)}`] : undefined;
  const text = plural ?? texts[key];
  if (text === undefined) throw new Error(`There is no text ${key}.`);
  return text;
}
