// What every component keeps to.

import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { sources } from './sources';

const components = sources().filter((file) => file.endsWith('.svelte')).map((file) => [file.replace(/.*\/src\//, ''), readFileSync(file, 'utf8')] as const);

test('what folds away has our chevron, never the triangle of the browser', () => {
  const folds = components.flatMap(([file, text]) => [...text.matchAll(/<summary[\s\S]*?<\/summary>/g)].map(([fold]) => [file, fold] as const));
  expect(folds.length).toBeGreaterThan(6);
  expect(folds.filter(([, fold]) => !/<Icon name="right"/.test(fold))).toEqual([]);
});

test('sentences are put together as the language does it, never by a space', () => {
  expect(components.filter(([, text]) => /\$\{t\([^`]*\}\s+\$\{t\(/.test(text)).map(([file]) => file)).toEqual([]);
});
