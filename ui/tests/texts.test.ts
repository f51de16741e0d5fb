import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, expect, test } from 'vitest';

import chinese from '../text/zh-CN.json';
import english from '../text/en.json';
import { languages, speak, speech } from '../src/speech.svelte';
import { bytes } from '../src/state/sizes';
import { stamp, when } from '../src/state/when';
import { clauses, formatNumber, listed, parts, sentences, t } from '../src/text';
import { sources } from './sources';

const all: Record<string, Record<string, string>> = { en: english, 'zh-CN': chinese };
const base = (key: string) => key.replace(/\.(zero|one|two|few|many|other)$/, '');
const isCounted = (key: string) => base(key) !== key;
const filled = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
// The shell takes the texts of the tray and of its own questions from the same files.
const shell = globSync(join(import.meta.dirname, '../../src-tauri/src/**/*.rs'));
const code = [...sources(), ...shell].map((file) => readFileSync(file, 'utf8')).join('\n');

afterEach(() => speak('en'));

test('every text is used', () => {
  const unused = Object.keys(english).map(base).filter((key) => !code.includes(`'${key}'`) && !code.includes(`"${key}"`));
  expect(unused).toEqual([]);
});

test('every language has a file with texts', () => expect(Object.keys(all)).toEqual(languages));

test.each(languages)('%s has every text, in the forms in which it counts, and none is empty', (language) => {
  const texts = all[language]!;
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const bases = new Set(Object.keys(english).map(base));
  const counted = new Set(Object.keys(english).filter(isCounted).map(base));
  const due = [...bases].flatMap((key) => (counted.has(key) ? forms.map((form) => `${key}.${form}`) : [key]));
  expect(Object.keys(texts).sort()).toEqual(due.sort());
  expect(Object.keys(texts).filter((key) => !texts[key] && key !== 'words.space')).toEqual([]);
});

test.each(languages)('%s fills in the same values as English', (language) => {
  const whole: Record<string, string> = english;
  for (const [key, text] of Object.entries(all[language]!)) {
    expect([key, filled(text)]).toEqual([key, filled(whole[key] ?? whole[`${base(key)}.other`]!)]);
  }
});

test('Chinese texts are Chinese, with the marks of Chinese', () => {
  const same = Object.entries(chinese).filter(([key, text]) => text === (english as Record<string, string>)[key]).map(([key]) => key);
  expect(same).toEqual([
    'app.name', 'keys.delete', 'source.example', 'set.foldersExample', 'settings.version', 'edit.field', 'files.kilobytes', 'files.megabytes', 'way.http', 'custom.example',
  ]);
  // A half-width mark after a Chinese character is a slip.
  expect(Object.entries(chinese).filter(([, text]) => /\p{Script=Han}[,.;:?!]|\p{Script=Han}[()](?!Language|Ctrl)/u.test(text))).toEqual([]);
});

/** The words of a text, without what is filled in and without marks. */
const words = (text: string) => text.replace(/\{\w+\}/g, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

// Who speaks to the window says what stands on a button, and a name that has other words is not found (WCAG 2.5.3).
test.each(languages)('%s: a name that says more than the button holds the words on the button', (language) => {
  const texts = all[language]!;
  const pairs = Object.keys(texts).filter((key) => /Named(\.\w+)?$/.test(key)).map((key) => [key, [key.replace('Named', ''), key.replace('Named', 'Ask')].flatMap((on) => texts[on] ?? [])] as const);
  expect(pairs.length).toBeGreaterThan(20);
  // Only a picture stands on the button that deletes a set.
  const others = pairs.filter(([key, on]) => key !== 'set.deleteNamed' && on.length > 0 && !on.some((text) => words(texts[key]!).includes(words(text))));
  expect(others).toEqual([]);
});

test('English texts are in everyday words, with the marks of print', () => {
  const wrong = (pattern: RegExp, but: RegExp) => Object.entries(english).filter(([key, text]) => pattern.test(text) && !but.test(key));
  expect(wrong(/'| …|\.\.\./, /^$/)).toEqual([]);
  // A size is counted in bytes, and a process is named where it is to be ended.
  expect(wrong(/runtime|\bbytes?\b|\bprocess\b/i, /^(files\.bytes|server\.process|engine\.held)/)).toEqual([]);
  // A token is what a model reads; what a client shows over HTTP is its access key.
  expect(wrong(/\btokens?\b/i, /^(insight|empty\.insight|sees|toolMode)\./)).toEqual([]);
});

test('a count chooses the spelling and carries a thousands sign', () => {
  expect(t('endpoint.connected', { n: 1 })).toBe('1 client connected');
  expect(t('list.found', { n: 1_234 })).toBe('1,234 skills found');
});

test('what is filled in is told apart from the words', () => {
  expect(parts('note.secret', { name: 'TOKEN', server: 'github' }).filter((part) => part.filled).map((part) => part.text)).toEqual(['TOKEN', 'github']);
});

test('a value that looks like a placeholder stays as it is', () => {
  expect(t('row.enable', { name: '{server}' })).toBe('Enable {server}');
});

test('a forgotten value is an error and not a gap', () => expect(() => t('row.enable')).toThrow('needs a value for name'));

test('another language is spoken once its texts are here, and the last that was asked for wins', async () => {
  await speak('zh-CN');
  expect([speech().tag, t('nav.skills')]).toEqual(['zh-CN', '技能']);
  const [first, last] = [speak('en'), speak('zh-CN')];
  await Promise.all([first, last]);
  expect(t('nav.skills')).toBe('技能');
  await Promise.all([speak('zh-CN'), speak('en')]);
  expect(t('nav.skills')).toBe('Skills');
});

test('one thing is counted in a language that does not tell it from many', async () => {
  await speak('zh-CN');
  expect(t('endpoint.connected', { n: 1 })).toBe('1 个客户端已连接');
});

test('lists, clauses, sentences, numbers and moments are those of the language', async () => {
  const noon = new Date(2026, 4, 20, 12, 5).getTime();
  const said = () => [
    listed(['a', 'b', 'c']), clauses(['x', 0, 'y']), sentences(['P', null, 'Q']), formatNumber(12_345.6, 1), bytes(1_536),
    when(noon - 5 * 60_000, noon), when(noon - 300 * 86_400_000, noon), stamp(noon - 2 * 86_400_000, noon),
  ];
  expect(said()).toEqual(['a, b and c', 'x, y', 'P Q', '12,345.6', '1.5 kB', '5 min ago', 'Jul 24, 2025', 'May 18, 12:05']);
  await speak('zh-CN');
  expect(said()).toEqual(['a、b和c', 'x，y', 'PQ', '12,345.6', '1.5 kB', '5分钟前', '2025年7月24日', '5月18日 12:05']);
});
