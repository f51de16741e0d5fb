// The simple fields of a frontmatter as a form shows them. A change replaces the value and no other byte. A value
// that is not a simple text (a list, a mapping, a value that YAML reads in an unusual way) is left to the editor.

import type { EditorSplice } from '../backend/types';

export interface Field {
  key: string;
  value: string;
  /** The range of its value; `null` when the frontmatter does not have the field. */
  range: { from: number; to: number } | null;
  /** The value as written, which decides the notation of a new one. */
  raw: string;
  /** Whether a form can show and change it. */
  simple: boolean;
}

/** These fields of a text's frontmatter, in this order; none without frontmatter. */
export function fieldsOf(text: string, keys: readonly string[]): Field[] {
  const area = frontmatter(text);
  if (!area) return [];
  const entries = entriesOf(text, area);
  return keys.map((key) => {
    const entry = entries.findLast((each) => each.key === key);
    if (!entry) return { key, value: '', range: null, raw: '', simple: true };
    const raw = text.slice(entry.from, entry.to);
    const value = decoded(raw);
    return { key, value: value ?? '', range: { from: entry.from, to: entry.to }, raw, simple: value !== null };
  });
}

/** The change that sets a field's value. An empty value is written as an empty text; a new field gets a line at the end. */
export function changed(text: string, field: Field, value: string): EditorSplice[] {
  if (!field.range) {
    const area = frontmatter(text);
    return area && value ? [{ from: area.to, to: area.to, insert: `${field.key}: ${encoded(value, '')}\n` }] : [];
  }
  const { from, to } = field.range;
  const written = encoded(value, field.raw);
  // A field without a value ends with its colon, and YAML demands a space after it.
  const space = text[from - 1] === ':' ? ' ' : '';
  return [{ from, to, insert: space + written }];
}

/** The change that sets a field to `true`; none where it is so, or without frontmatter. */
export function switchedOn(text: string, key: string): EditorSplice[] {
  const area = frontmatter(text);
  if (!area) return [];
  const entry = entriesOf(text, area).findLast((each) => each.key === key);
  if (!entry) return [{ from: area.to, to: area.to, insert: `${key}: true\n` }];
  const { from, to } = entry;
  return text.slice(from, to) === 'true' ? [] : [{ from, to, insert: text[from - 1] === ':' ? ' true' : 'true' }];
}

/** The lines between the fences. */
function frontmatter(text: string): { from: number; to: number } | null {
  const open = /^\ufeff?---[ \t]*\n/.exec(text);
  if (!open) return null;
  const close = /^---[ \t]*$/m.exec(text.slice(open[0].length));
  return close ? { from: open[0].length, to: open[0].length + close.index } : null;
}

/** The top-level entries: each key, and the range of its value without a comment. */
function entriesOf(text: string, { from, to }: { from: number; to: number }): { key: string; from: number; to: number }[] {
  const lines = /^([A-Za-z][\w-]*):(?=[ \t\n]|$)[ \t]*(.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n)))*)/gm;
  return [...text.slice(from, to).matchAll(lines)].map((match) => {
    const start = from + match.index + match[0].length - match[2]!.length;
    return { key: match[1]!, from: start, to: start + valueLength(match[2]!) };
  });
}

/** The length of the value after a key, without the comment and the empty lines behind it. */
function valueLength(written: string): number {
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?:#.*)?(?:\n[ \t]*(?:#.*)?)*$/.exec(written);
  if (quoted) return quoted[1]!.length;
  if (/^[|>]/.test(written)) return written.trimEnd().length;
  const value = written.replace(/(?:\n[ \t]*(?:#.*)?)+$/, '').trimEnd();
  const comment = /(^|[ \t])#[^\n]*$/.exec(value);
  return comment ? value.slice(0, comment.index).trimEnd().length : value.length;
}

/** The decoded value; `null` when a form cannot decode it. */
function decoded(raw: string): string | null {
  if (raw.startsWith('"')) {
    // YAML knows more escapes than JSON; a text that uses them stays in the editor.
    try {
      return JSON.parse(raw.replaceAll(/\n[ \t]*/g, ' ')) as string;
    } catch {
      return null;
    }
  }
  if (raw.startsWith("'")) return /^'(?:[^']|'')*'$/.test(raw) ? raw.slice(1, -1).replaceAll("''", "'").replaceAll(/\n[ \t]*/g, ' ') : null;
  if (/^[|>]/.test(raw)) return null;
  if (/^[[\]{}&*!%@`#,?\n-]/.test(raw)) return null;
  // Strict YAML takes a colon for another key. On one line it is clear what is meant, and it is read so; a change quotes it.
  if (/: |:$/m.test(raw) && raw.includes('\n')) return null;
  return raw.replaceAll(/\n[ \t]*/g, ' ');
}

/** A value as YAML, in the notation of the one it replaces. */
function encoded(value: string, before: string): string {
  const oneLine = !/[\n\t]/.test(value);
  if (before.startsWith("'") && oneLine) return `'${value.replaceAll("'", "''")}'`;
  if (!before.startsWith('"') && oneLine && isPlain(value)) return value;
  return JSON.stringify(value);
}

/** Whether YAML reads the unquoted text as this exact text. */
function isPlain(value: string): boolean {
  if (value === '' || value !== value.trim()) return false;
  if (/^[-?:,[\]{}#&*!|>'"%@`=<~]/.test(value) || /: |:$| #/.test(value)) return false;
  return !/^(true|false|yes|no|on|off|null|[-+.]?\d[\d_.,:eExXa-fA-F+-]*|\.inf|\.nan)$/i.test(value);
}
