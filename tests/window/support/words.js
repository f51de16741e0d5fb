// The texts of the page and the tray, looked up in the window's text files, so that a new wording breaks no test.

import fs from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../../ui/text');
let language = 'en';
let texts = read(language);

function read(tag) {
  return JSON.parse(fs.readFileSync(path.join(folder, `${tag}.json`), 'utf8'));
}

/** Looks texts up in another language from now on. */
export function speak(tag) {
  language = tag;
  texts = read(tag);
}

/** The text of a key, `{name}` filled in; `{n}` chooses between the forms of the key. */
export function t(key, values = {}) {
  const plural = typeof values.n === 'number' && texts[`${key}.${new Intl.PluralRules(language).select(values.n)}`];
  const text = plural || texts[key];
  if (text === undefined) throw new Error(`${language}.json has no text ${key}`);
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
