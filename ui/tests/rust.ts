// The string literals of Rust sources, read as text: what the engine may say. Tests, comments and attributes other than
// `#[error]` are left out; `concat!` and lines that go on after `\` are one text. A text is in the syntax of `format!`,
// without what follows a colon in a placeholder: `{path:?}` is `{path}`, and a brace that is only a brace is `{{`.

export interface Literal {
  text: string;
  line: number;
  /** The calls, macros and blocks around it, the nearest last. */
  within: string[];
  /** The field that it is the value of. */
  field: string | undefined;
}

type Token = { kind: 'text' | 'word' | 'mark'; value: string; line: number };

/** The literals of a source. */
export function literals(source: string): Literal[] {
  const tokens = shipped(tokenized(source));
  const found: Literal[] = [];
  const within: { name: string; close: string; first: number; joined?: Literal }[] = [];
  tokens.forEach((token, at) => {
    const inner = within.at(-1);
    if (token.kind === 'text') {
      const isFormat = inner !== undefined && formats.test(inner.name) && at - inner.first <= 3;
      if (inner?.joined) {
        inner.joined.text += token.value;
        return;
      }
      found.push({ text: isFormat ? unspecified(token.value) : doubled(token.value), line: token.line, within: within.map((each) => each.name), field: fieldOf(tokens, at) });
    } else if (token.kind === 'mark') {
      const close = pairs[token.value];
      if (close) within.push({ name: named(tokens, at), close, first: at, ...joining(tokens, at, within.map((each) => each.name)) });
      else if (inner?.close === token.value) {
        within.pop();
        if (inner.joined) {
          const outer = within.at(-1);
          inner.joined.text = outer && formats.test(outer.name) ? unspecified(inner.joined.text) : doubled(inner.joined.text);
          found.push(inner.joined);
        }
      }
    }
  });
  return found;
}

const formats = /(^|[: ])(format|write|writeln|print|println|eprintln|format_args|anyhow|bail|panic|error|cow|trace|debug|info|warn)!$|^#error$/;
const pairs: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

const joining = (tokens: Token[], at: number, within: string[]): { joined?: Literal } =>
  named(tokens, at) === 'concat!' ? { joined: { text: '', line: tokens[at]!.line, within, field: undefined } } : {};

const fieldOf = (tokens: Token[], at: number) => (tokens[at - 1]?.value === ':' && tokens[at - 2]?.kind === 'word' ? tokens[at - 2]!.value : undefined);

/** What stands before a bracket: `format!`, `expect`, `Vec::from`, or nothing. */
function named(tokens: Token[], at: number): string {
  if (tokens[at - 1]?.value === '#') return '#';
  if (tokens[at - 2]?.value === '[' && tokens[at - 3]?.value === '#') return `#${tokens[at - 1]!.value}`;
  let from = at;
  while (from > 0 && (tokens[from - 1]!.kind === 'word' || tokens[from - 1]!.value === '!' || tokens[from - 1]!.value === ':')) from -= 1;
  const name = tokens.slice(from, at).map((token) => token.value).join(' ');
  return name.replace(/ ?: : ?/g, '::').replace(/ !/g, '!');
}

/** The tokens without items that are compiled for tests only. */
function shipped(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]!.value === '#' && tokens[at + 1]?.value === '[') {
      const end = closing(tokens, at + 1);
      const attribute = tokens.slice(at + 2, end).map((token) => token.value).join(' ');
      if (/^cfg \( (test \)|all \( test\b)/.test(attribute)) {
        at = itemEnd(tokens, end + 1);
        continue;
      }
      if (!/^error \(/.test(attribute)) {
        at = end;
        continue;
      }
    }
    kept.push(tokens[at]!);
  }
  return kept;
}

function closing(tokens: Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (tokens[at]!.kind !== 'mark') continue;
    if (pairs[tokens[at]!.value]) depth += 1;
    else if (')]}'.includes(tokens[at]!.value) && (depth -= 1) === 0) return at;
  }
  return tokens.length;
}

function itemEnd(tokens: Token[], from: number): number {
  for (let at = from; at < tokens.length; at += 1) {
    const { kind, value } = tokens[at]!;
    if (kind !== 'mark') continue;
    if (value === '{') return closing(tokens, at);
    if (value === '(' || value === '[') at = closing(tokens, at);
    else if (value === ';' || value === ',') return at;
  }
  return tokens.length;
}

function tokenized(source: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|[bc]?r(#*)"([\s\S]*?)"\1|[bc]?"((?:[^"\\]|\\[\s\S])*)"|b?'(?:[^'\\\n]|\\(?:u\{\w+\}|x\w\w|.))'|'\w+|[\p{L}_\d]+|[^\s]|\s+/gu;
  for (const found of source.matchAll(token)) {
    const [whole, , raw, plain] = found;
    if (raw !== undefined) tokens.push({ kind: 'text', value: raw, line });
    else if (plain !== undefined) tokens.push({ kind: 'text', value: unescaped(plain), line });
    else if (/^[\p{L}_\d]/u.test(whole) && !whole.startsWith("b'")) tokens.push({ kind: 'word', value: whole, line });
    else if (!/^(\s|\/\/|\/\*|b?')/.test(whole)) tokens.push({ kind: 'mark', value: whole, line });
    line += whole.split('\n').length - 1;
  }
  return tokens;
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '\0' };
const unescaped = (text: string) =>
  text.replace(/\\(?:\r?\n\s*|u\{(\w+)\}|x(\w\w)|(.))/g, (_, wide?: string, byte?: string, one?: string) =>
    wide ?? byte ? String.fromCodePoint(Number.parseInt((wide ?? byte)!, 16)) : one ? (escapes[one] ?? one) : '');

const doubled = (text: string) => text.replace(/[{}]/g, '$&$&');
const unspecified = (text: string) => text.replace(/\{\{|\}\}|\{(\w*)(?::[^{}]*)?\}/g, (whole, name?: string) => (name === undefined ? whole : `{${name}}`));
