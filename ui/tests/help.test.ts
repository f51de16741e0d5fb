// The documentation in the window.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { blocks, headingId } from '../src/parts/skill/markdown';
import { helpPages, helpText, readHelp } from '../src/state/help';

test.each(helpPages)('%s is there, without its title and without links that lead nowhere', async (page) => {
  const text = await readHelp(page);
  expect(text.length).toBeGreaterThan(1_000);
  expect(text).not.toMatch(/^# /);
  const there = /^(#|https:\/\/|(\.\/)?(writing-skills|servers|rules|requires-mcp-servers|x-personal-mcp)\.md)/;
  const outside = text.replaceAll(/```[\s\S]*?```/g, '').match(/\]\([^)]+\)/g) ?? [];
  expect(outside.map((link) => link.slice(2, -1)).filter((to) => !there.test(to))).toEqual([]);
});

test('every rule has a heading that a problem can open', async () => {
  const ids = blocks(await readHelp('rules')).flatMap((token) => (token.type === 'heading' ? [headingId(token.text)] : []));
  const rules = readFileSync(join(import.meta.dirname, '../../docs/rules.md'), 'utf8').match(/(?<=\(#)[\w-]+(?=\))/g)!;
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((rule) => !ids.includes(rule))).toEqual([]);
});

test('a link that leads out of the pages is its words, and one inside stays', () => {
  expect(helpText('# Title\n\nSee [CI](checking-in-ci.md), [rules](rules.md#a) and [a](#a).\n\nThis page is generated from a table.\n\nEnd')).toBe('See CI, [rules](rules.md#a) and [a](#a).\n\nEnd');
});
