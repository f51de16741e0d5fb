// What the engine says in other languages: that nothing is missing, that values stay as they are, and that what the engine
// really said is translated. A sentence that was added in Rust is named here until `ui/text/LANG.engine.json` has it.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import chinese from '../text/zh-CN.engine.json';
import example from '../src/backend/example.json';
import { isBare, parsed, spellings } from '../src/messages/form';
import { Messages } from '../src/messages/messages';
import { speak } from '../src/speech.svelte';
import { asKnown, translated, translatedPieces } from '../src/text';
import { everything, isRead, isWords, leftOut } from './engine';
import shared from './messages.json';
import { literals } from './rust';

const root = join(import.meta.dirname, '../..');
const all: Record<string, Record<string, string>> = { 'zh-CN': chinese };
const languages = Object.keys(all);
const source = everything();

/** A form as Rust has it: without the words to choose from, and without what kind of value it is. */
const inRust = (form: string) => form.replace(/(?<!\{)\{(\w*):[^{}]*\}/g, '{$1}');
const choices = (form: string) => [...form.matchAll(/(?<!\{)\{\w*:([^{}#]*)\}/g)].flatMap(([, words]) => words!.split('|'));
const names = (text: string) => [...new Set(parsed(text).slots.map(({ name }) => name))].sort();
const said = (messages: Messages, text: string) => messages.pieces(text).map((piece) => piece.text).join('');
const isKnown = (messages: Messages, text: string) => messages.pieces(text).every((piece) => !piece.english);

test('every language of the window has a file of what the engine says', () => {
  const files = globSync('*.engine.json', { cwd: join(root, 'ui/text') });
  expect(files.map((file) => file.replace('.engine.json', '')).sort()).toEqual(languages);
});

test.each(languages)('%s has every sentence that the engine can say', (language) => {
  const forms = Object.keys(all[language]!);
  const known = new Set([...forms.map(inRust), ...forms.flatMap(choices)]);
  const missing = source.filter((each) => isWords(each.text) && isRead(each) && !known.has(each.text));
  expect(missing.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([]);
});

test.each(languages)('%s has no sentence that nobody says any more', (language) => {
  const sayable = new Set(source.flatMap(({ text, raw }) => [text, raw]));
  expect(Object.keys(all[language]!).filter((form) => !sayable.has(inRust(form)))).toEqual([]);
  const words = new Set([...sayable, 'is', 'are', 's', '']);
  expect(Object.keys(all[language]!).flatMap((form) => choices(form).filter((word) => !words.has(word)).map((word) => `${word} in ${form}`))).toEqual([]);
});

test('what is left out of these tests is still there', () => {
  const stale = [
    ...leftOut.silent.filter(([pattern]) => !globSync(['crates/*/src/**/*.rs', 'src-tauri/src/**/*.rs'], { cwd: root }).some((file) => pattern.test(file))),
    ...leftOut.unread.filter(([pattern]) => !source.some(({ within }) => within.some((name) => pattern.test(name)))),
    ...leftOut.others.filter(([pattern]) => !source.some(({ text }) => pattern.test(text))),
  ];
  expect(stale.map(([, why]) => why)).toEqual([]);
  expect(Object.keys(leftOut.unshown).filter((field) => !source.some((each) => each.field === field))).toEqual([]);
});

test.each(languages)('%s: a translation has the values and the code of its form, and is not empty', (language) => {
  const code = (text: string) => [...text.matchAll(/`([^`]*)`/g)].map(([, inside]) => parsed(inside!).texts.join('{}')).sort();
  const wrong = Object.entries(all[language]!).flatMap(([form, translation]) =>
    spellings(form, translation).filter((one) => !one.translation.trim() || String(names(one.form)) !== String(names(one.translation)) || String(code(one.form)) !== String(code(one.translation))),
  );
  expect(wrong).toEqual([]);
});

test('Chinese has the marks of Chinese, and a blank between Chinese and other words', () => {
  const texts = Object.entries(chinese).flatMap(([form, text]) => (/\w{3}/.test(form) ? [text] : []));
  expect(texts.filter((text) => !/\p{Script=Han}/u.test(text) && /\p{L}{2}/u.test(text.replace(/\{\w*\}/g, '')))).toEqual([]);
  expect(texts.filter((text) => /\p{Script=Han}[,.;:?!()]|[,;:?!] ?\p{Script=Han}/u.test(text))).toEqual([]);
  expect(texts.filter((text) => /\p{Script=Han}[A-Za-z0-9`]|[A-Za-z0-9`]\p{Script=Han}/u.test(text))).toEqual([]);
  expect(texts.filter((text) => /[，。：；、？！（）“”] | [，。：；、？！（）]/u.test(text))).toEqual([]);
});

/** A form filled in, by the names of its values. */
function filled(form: string, value: (name: string) => string): string {
  const { texts, slots } = parsed(form);
  return texts.map((text, at) => text + (slots[at] ? value(slots[at].name) : '')).join('');
}

/** Values with nothing between them and the one before. */
const joinedOn = (form: string) => {
  const { texts, slots } = parsed(form);
  return new Set(slots.filter((_, at) => at > 0 && texts[at] === '').map(({ name }) => name));
};

const forms = (language: string) =>
  Object.entries(all[language]!).flatMap(([form, translation]) => spellings(form, translation).map((spelt) => ({ ...spelt, isBare: isBare(form, translation) })));

test.each(languages)('%s: each form is found by what it makes, and its values come through', (language) => {
  const messages = new Messages(all[language]!);
  // A form with no words of its own is found only by its values: those are tried below.
  for (const { form, translation } of forms(language).filter(({ isBare }) => !isBare)) {
    const numbers = new Set([...form.matchAll(/\{(\w*):#\}/g)].map(([, name]) => name || '0'));
    const rest = joinedOn(form);
    const value = (name: string) => (rest.has(name) ? '' : numbers.has(name) ? '17' : `Some-${name}`);
    const text = filled(form, value);
    expect([text, said(messages, text)]).toEqual([text, filled(translation, value).replace('  ', ' ')]);
  }
});

const nasty = [
  'a`b', '``', '{name}', '{{}}', '{0}', '$1 $& $`', '(.*)+[a-z]{2,}\\d|^$', '中文，名称。', 'Two. Sentences? Yes! Look again.', 'a, b and c', 'line\none', '', ' ', '"quoted"', '“中”', '\u202e\u0000', '`x` is broken: y', 'is empty',
];

test.each(languages)('%s: any value stays as it is, byte for byte', (language) => {
  const messages = new Messages(all[language]!);
  const lost: string[] = [];
  let translated = 0;
  const withValues = forms(language).filter(({ form }) => parsed(form).slots.length > 0);
  for (const [at, { form }] of withValues.entries()) {
    const { slots } = parsed(form);
    // Every third value for each form, so that each value meets a third of the forms.
    for (const value of nasty.filter((_, number) => number % 3 === at % 3)) {
      const text = filled(form, () => value);
      const words = said(messages, text);
      if (isKnown(messages, text)) translated += 1;
      // What is a message itself may be translated, unless it stands as code.
      const kept = slots.filter(({ isName }) => isName || !(isKnown(messages, value.trim()) || /^a, b|Look again|broken/.test(value)));
      if (words !== text && kept.length > 0 && words.split(value).length - 1 < kept.length) lost.push(`${text} → ${words}`);
    }
  }
  expect(lost).toEqual([]);
  expect(translated).toBeGreaterThan(1_000);
}, 60_000);

test('a message in a message is translated, and one between backticks is not', () => {
  const messages = new Messages({ 'It is {what}, so there.': '它是{what}，就这样。', 'very cold': '很冷', 'No file `{path}`.': '没有文件 `{path}`。', '{what}: {why}.': '{what}：{why}。', '{} and {more:#} more': '{} 等另外 {more} 个', ', ': '、' });
  expect(said(messages, 'It is very cold, so there. No file `very cold`.')).toBe('它是很冷，就这样。没有文件 `very cold`。');
  expect(said(messages, 'It is Zoe, so there.')).toBe('它是Zoe，就这样。');
  expect(said(messages, 'It is `a`, `b c` and 2 more, so there.')).toBe('它是 `a`、`b c` 等另外 2 个，就这样。');
  expect(said(messages, 'Nobody: knows.')).toBe('Nobody: knows.');
  expect(said(messages, 'Nobody: very cold.')).toBe('Nobody：很冷。');
});

test('what is not known stays English, sentence by sentence', () => {
  const messages = new Messages(chinese);
  expect(messages.pieces('The kettle is hot. Try something else.')).toEqual([{ text: 'The kettle is hot. Try something else.', english: true }]);
  expect(messages.pieces('The kettle is hot. Choose another name. Drink `a. B`.')).toEqual([
    { text: 'The kettle is hot.', english: true },
    { text: ' 请选择其他名称。', english: false },
    { text: 'Drink `a. B`.', english: true },
  ]);
});

test('these texts become the same ones here and in the shell, which translates by itself', () => {
  const messages = new Messages(chinese);
  for (const [english, translation] of shared) expect([english, said(messages, english!)]).toEqual([english, translation]);
});

test('a text that fits a form in two ways is left in English', () => {
  const messages = new Messages({ '{a} and {b}.': '{b}和{a}。' });
  expect(said(messages, 'tea and milk.')).toBe('milk和tea。');
  expect(said(messages, 'salt and pepper and milk.')).toBe('salt and pepper and milk.');
});

test('the language that is shown decides, and an author\'s own words are translated only if they are ours', async () => {
  expect(translatedPieces('Choose another name.')).toEqual([{ text: 'Choose another name.', english: true }]);
  await speak('zh-CN');
  expect([translated('Choose another name.'), translated('Restart fx.')]).toEqual(['请选择其他名称。', '重新启动 fx。']);
  expect([asKnown('Uses a web browser.'), asKnown('Restart fx.')]).toEqual(['使用网页浏览器。', 'Restart fx.']);
  await speak('en');
  expect([translated('Choose another name.'), asKnown('Uses a web browser.')]).toEqual(['Choose another name.', 'Uses a web browser.']);
});

test('the texts of a Rust source are found as they are said', () => {
  const rust = String.raw`
    // "a comment"
    fn say<'a>(path: &'a Path, quote: char) -> String {
        let also = matches!(quote, '"' | '\'' | '{');
        tracing::warn!("a line of the {log}");
        let raw = r#"a "raw" {text}"#;
        let whole = concat!("one text, ", "in two");
        Notice { id: "id", message: format!("{path:?} goes \
            on, \u{201c}{:>4}\u{201d}, {{so}}", 3) }
    }
    #[derive(Error)]
    enum Trouble {
        #[doc = "not said"]
        #[error("{0} is gone")]
        Gone(String),
    }
    #[cfg(test)]
    mod tests {
        fn not_this() { say("in a test"); }
    }
    const AFTER: &str = "after the tests";
  `;
  const found = literals(rust);
  expect(found.map(({ text }) => text)).toEqual(['a line of the {log}', 'a "raw" {{text}}', 'one text, in two', 'id', '{path} goes on, “{}”, {{so}}', '{0} is gone', 'after the tests']);
  expect(found.map(({ line }) => line)).toEqual([5, 6, 7, 8, 8, 14, 21]);
  expect([found[0]!.within.at(-1), found[3]!.field, found[5]!.within.at(-1)]).toEqual(['tracing::warn!', 'id', '#error']);
});

/** Every sentence of the recorded example: what a real engine said. */
function recorded(): string[] {
  const fields = /^(message|hints|what|todo|sandbox|reload|notes|why|remark|remarks|trouble|rule|archived|off|leftOut|readOnly|demands|leftBehind|heldBack|label|about)$/;
  const found = new Set<string>();
  const walk = (value: unknown, field: string): void => {
    if (typeof value === 'string') {
      // The message of a commit is in the words of its project.
      if (fields.test(field) && (field === 'about' ? /\.$/ : / /).test(value) && !value.startsWith('Skills: ')) found.add(value);
      // What a skill can do is in its own words.
    } else if (field === 'gains' || field === 'losses') return;
    else if (Array.isArray(value)) value.forEach((each) => walk(each, field));
    else if (value !== null && typeof value === 'object') Object.entries(value).forEach(([name, each]) => walk(each, name));
  };
  const { about: _, ...recording } = example;
  walk(recording, '');
  return [...found];
}

/** The problems and fixes that are expected of the skills of the tests. */
const expected = () =>
  globSync('tests/skills/*/expected.txt', { cwd: root }).flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    return lines.flatMap((line, at) => {
      const fix = /^ {2}fix: (.*) \(\d+\.\./.exec(line)?.[1];
      return fix !== undefined ? [fix] : /^\d+:\d+ (error|warning|advice) /.test(lines[at - 1] ?? '') ? [line.trim()] : [];
    });
  });

/** Why clients' files are not changed. */
const refused = () => globSync('tests/clients/*/*/refused.txt', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8').trim());

test.each(languages)('%s: what the engine really said is translated', (language) => {
  const messages = new Messages(all[language]!);
  const [inExample, ofSkills, ofClients] = [recorded(), expected(), refused()];
  expect(inExample.length).toBeGreaterThan(200);
  expect(ofSkills.length).toBeGreaterThan(100);
  expect(ofClients.length).toBeGreaterThan(100);
  expect([...new Set([...inExample, ...ofSkills, ...ofClients])].filter((text) => !isKnown(messages, text))).toEqual([]);
});
