import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { blocks, calloutOf, headingId, plainText, targetOf } from '../src/parts/skill/markdown';
import { sources } from './sources';

describe('a link leads', () => {
  test.each([
    ['https://example.org/a?b#c', { kind: 'web', url: 'https://example.org/a?b#c', host: 'example.org' }],
    ['references/tone.md', { kind: 'file', path: 'references/tone.md' }],
    ['./references/a%20b.md#top', { kind: 'file', path: 'references/a b.md' }],
    ['#gather', { kind: 'heading', id: 'gather' }],
    ['javascript:alert(1)', null],
    ['JAVASCRIPT:alert(1)', null],
    ['data:text/html,x', null],
    ['file:///etc/passwd', null],
    ['//example.org/x', null],
    ['https://', null],
  ])('from %s to %j', (href, target) => expect(targetOf(href)).toEqual(target));
});

test('character references become the characters they name', () => {
  expect(plainText('a &amp; b &lt;i&gt; &#8212; &#x2014; &rarr; &unknown; &#0;')).toBe('a & b <i> — — → &unknown; \ufffd');
});

test('a heading is linked to as on GitHub', () => expect(headingId('Write & Sort: 会议!')).toBe('write--sort-会议'));

test('a tag in the text is a token of its own, which is drawn as text', () => {
  const [block] = blocks('<script>alert(1)</script>\n');
  expect(block).toMatchObject({ type: 'html', text: expect.stringContaining('<script>') });
});

test('no component turns a text into HTML', () => {
  for (const file of sources()) expect(readFileSync(file, 'utf8'), file).not.toMatch(/\{@html|innerHTML|outerHTML|insertAdjacentHTML/);
});

test('no component holds a style attribute, which the content security policy forbids', () => {
  for (const file of sources('.svelte')) expect(readFileSync(file, 'utf8'), file).not.toMatch(/\sstyle=/);
});

describe('a quote', () => {
  const callout = (text: string) => {
    const [quote] = blocks(text);
    if (quote?.type !== 'blockquote') throw new Error('no quote');
    return calloutOf(quote);
  };

  test.each([
    ['> [!NOTE]\n> Read this.', 'note', ['paragraph']],
    ['> [!warning]\n>\n> First.\n>\n> - then', 'warning', ['paragraph', 'list']],
    ['> [!TIP]', 'tip', []],
  ])('%j is a callout', (text, kind, parts) => {
    const found = callout(text);
    expect(found?.kind).toBe(kind);
    expect(found?.tokens.filter(({ type }) => type !== 'space').map(({ type }) => type)).toEqual(parts);
  });

  test.each(['> Just a quote.', '> [!NOTE] in a sentence', '> [!OTHER]\n> x', '> See [!NOTE]'])('%j stays a quote', (text) => expect(callout(text)).toBeNull());
});
