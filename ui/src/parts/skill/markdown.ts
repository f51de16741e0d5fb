// Markdown as a tree that a component draws. It is never converted to HTML: a tag in a skill's text stays text.

import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';

export type { MarkedToken };

/** The target of a link: the web, a file of the skill, a heading, or a refused one. */
export type Target = { kind: 'web'; url: string; host: string } | { kind: 'file'; path: string } | { kind: 'heading'; id: string } | null;

export function blocks(text: string): MarkedToken[] {
  return known(new Lexer({ gfm: true }).lex(text));
}

/** The lexer makes only these kinds unless it is extended, which it is not. */
export function known(tokens: Token[] | undefined): MarkedToken[] {
  return (tokens ?? []) as MarkedToken[];
}

export type Callout = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/** A quote that begins with `[!NOTE]` or another word of GitHub's, and what follows it; `null` for any other quote. */
export function calloutOf(quote: Tokens.Blockquote): { kind: Callout; tokens: MarkedToken[] } | null {
  const found = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(quote.text);
  if (!found) return null;
  return { kind: found[1]!.toLowerCase() as Callout, tokens: blocks(quote.text.slice(found[0].length)) };
}

export function targetOf(href: string): Target {
  if (/^https?:\/\//i.test(href)) {
    if (!URL.canParse(href)) return null;
    const url = new URL(href);
    return { kind: 'web', url: url.href, host: url.host };
  }
  if (href.startsWith('#')) return { kind: 'heading', id: href.slice(1) };
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('//')) return null;
  return { kind: 'file', path: decoded(href.replace(/[?#].*$/, '')).replace(/^(\.\/)+/, '') };
}

/** The anchor of a heading, as GitHub makes it. */
export function headingId(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');
}

const named: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™', mdash: '—', ndash: '–',
  hellip: '…', middot: '·', bull: '•', larr: '←', rarr: '→', uarr: '↑', darr: '↓', times: '×', check: '✓', deg: '°',
};

/** Decodes character references. Unknown ones stay unchanged. */
export function plainText(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name) return named[name] ?? whole;
    const code = decimal ? Number(decimal) : parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
