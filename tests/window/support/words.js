// The texts of the page and the tray, looked up in the window's text file, so that a new wording breaks no test.

import fs from 'node:fs';
import path from 'node:path';

const file = path.resolve(import.meta.dirname, '../../../ui/text/en.json');
const texts = JSON.parse(fs.readFileSync(file, 'utf8'));

/** The text of a key, `{name}` filled in; `{n}` chooses between `key.one` and `key.other`. */
export function t(key, values = {}) {
  const plural = texts[`${key}.${values.n === 1 ? 'one' : 'other'}`];
  const text = (values.n === undefined ? undefined : plural) ?? texts[key];
  if (text === undefined) throw new Error(`${file} has no text ${key}`);
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
