// What every component keeps to.

import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { sources } from './sources';

const components = sources().filter((file) => file.endsWith('.svelte')).map((file) => [file.replace(/.*\/src\//, ''), readFileSync(file, 'utf8')] as const);

test('what folds away is a Fold: a screen reader is told nothing of a summary', () => {
  expect(components.filter(([, text]) => /<Fold\b/.test(text)).length).toBeGreaterThan(6);
  expect(components.filter(([, text]) => /<(details|summary)\b/.test(text)).map(([file]) => file)).toEqual([]);
});

test('sentences are put together as the language does it, never by a space', () => {
  expect(components.filter(([, text]) => /\$\{t\([^`]*\}\s+\$\{t\(/.test(text)).map(([file]) => file)).toEqual([]);
});
