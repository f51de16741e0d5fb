import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import texts from '../text/en.json';
import { parts, t } from '../src/text';
import { sources } from './sources';

const base = (key: string) => key.replace(/\.(one|other)$/, '');
// The shell takes the texts of the tray and of its own questions from the same file.
const shell = globSync(join(import.meta.dirname, '../../src-tauri/src/*.rs'));
const code = [...sources(), ...shell].map((file) => readFileSync(file, 'utf8')).join('\n');

test('every text is used', () => {
  const unused = Object.keys(texts).map(base).filter((key) => !code.includes(`'${key}'`) && !code.includes(`"${key}"`));
  expect(unused).toEqual([]);
});

test('a text that counts has both spellings', () => {
  const keys = new Set(Object.keys(texts));
  for (const key of keys) {
    if (key.endsWith('.one')) expect(keys).toContain(`${base(key)}.other`);
    if (key.endsWith('.other')) expect(keys).toContain(`${base(key)}.one`);
  }
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
