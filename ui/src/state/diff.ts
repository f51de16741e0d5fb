// The difference of two texts by line: shown when two versions conflict, and sent when one is saved. An unchanged
// line must keep its bytes, so a splice never covers an equal line.

import type { DiffLine, EditorSplice } from '../backend/types';

/** Removed lines and their replacement, by line index. */
interface Hunk {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/** The smallest changes that turn `before` into `after`, in order. */
export function splices(before: string, after: string): EditorSplice[] {
  const [old, fresh] = [lines(before), lines(after)];
  const starts = offsets(old);
  return hunks(old, fresh).flatMap(({ oldFrom, oldTo, newFrom, newTo }) => {
    // With the same number of lines, each is changed separately, so that the line ends between them stay.
    if (oldTo - oldFrom === newTo - newFrom) {
      return old.slice(oldFrom, oldTo).flatMap((line, i) => within(line, fresh[newFrom + i]!, starts[oldFrom + i]!));
    }
    return within(old.slice(oldFrom, oldTo).join(''), fresh.slice(newFrom, newTo).join(''), starts[oldFrom]!);
  });
}

/** The difference as lines to show, with `context` equal lines around each change. */
export function diffLines(before: string, after: string, context = 3): DiffLine[] {
  const [old, fresh] = [lines(before), lines(after)];
  const shown = (sign: DiffLine['sign'], from: readonly string[], first: number, last: number): DiffLine[] =>
    from.slice(first, last).map((text, i) => ({ sign, number: first + i + 1, text: text.replace(/\n$/, '') }));
  const found = hunks(old, fresh);
  return found.flatMap(({ oldFrom, oldTo, newFrom, newTo }, i) => {
    const shownAbove = i === 0 ? 0 : Math.min(found[i - 1]!.newTo + context, newFrom);
    const below = Math.min(newTo + context, found[i + 1]?.newFrom ?? fresh.length);
    return [
      ...shown('same', fresh, Math.max(newFrom - context, shownAbove), newFrom),
      ...shown('removed', old, oldFrom, oldTo),
      ...shown('added', fresh, newFrom, newTo),
      ...shown('same', fresh, newTo, below),
    ];
  });
}

/** Each line in pieces. In replaced lines, the differences within each pair are marked. */
export function changedWords(of: readonly DiffLine[]): { text: string; changed: boolean }[][] {
  const pieces = of.map(({ text }) => [{ text, changed: false }]);
  const runFrom = (first: number, sign: DiffLine['sign']) => {
    let last = first;
    while (of[last]?.sign === sign) last += 1;
    return last;
  };
  for (let from = 0; from < of.length; from += 1) {
    const middle = runFrom(from, 'removed');
    const end = runFrom(middle, 'added');
    for (let i = from; i < middle && i + middle - from < end; i += 1) {
      const [old, fresh] = [of[i]!.text, of[i + middle - from]!.text];
      const { head, tail } = alikeText(old, fresh);
      // Two lines with little in common are not compared.
      if (head + tail < Math.max(old.length, fresh.length) / 3) continue;
      pieces[i] = marked(old, head, tail);
      pieces[i + middle - from] = marked(fresh, head, tail);
    }
    from = Math.max(from, end - 1);
  }
  return pieces;
}

const marked = (text: string, head: number, tail: number) =>
  [
    { text: text.slice(0, head), changed: false },
    { text: text.slice(head, text.length - tail), changed: true },
    { text: text.slice(text.length - tail), changed: false },
  ].filter((piece) => piece.text !== '');

/** `text` with the splices applied, which must be in order and not overlap. */
export function applied(text: string, changes: readonly EditorSplice[]): string {
  return changes.reduceRight((rest, c) => rest.slice(0, c.from) + c.insert + rest.slice(c.to), text);
}

/** Lines with their line ends; nothing after a last line end. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function offsets(of: readonly string[]): number[] {
  const starts = [0];
  for (const line of of) starts.push(starts.at(-1)! + line.length);
  return starts;
}

/** The single change between two texts with a common start and end; none when they are equal. */
function within(before: string, after: string, offset: number): EditorSplice[] {
  if (before === after) return [];
  const { head, tail } = alikeText(before, after);
  return [{ from: offset + head, to: offset + before.length - tail, insert: after.slice(head, after.length - tail) }];
}

/** The same for two texts, without a half of a character that takes two units: 🚀 and 🔥 share their first one. */
function alikeText(before: string, after: string): { head: number; tail: number } {
  let head = headOf(before, after);
  if (head > 0 && /[\ud800-\udbff]/.test(before[head - 1]!)) head -= 1;
  const tail = tailOf(before, after, head);
  return { head, tail: tail > 0 && /[\udc00-\udfff]/.test(before[before.length - tail]!) ? tail - 1 : tail };
}

/** The number of units that two sequences share at their start, and then at their end. */
function alike(before: ArrayLike<unknown>, after: ArrayLike<unknown>): { head: number; tail: number } {
  const head = headOf(before, after);
  return { head, tail: tailOf(before, after, head) };
}

function headOf(before: ArrayLike<unknown>, after: ArrayLike<unknown>): number {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  return head;
}

function tailOf(before: ArrayLike<unknown>, after: ArrayLike<unknown>, head: number): number {
  const shorter = Math.min(before.length, after.length);
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return tail;
}

/** Myers' shortest edit script over lines. Texts with little in common become one hunk. */
function hunks(old: readonly string[], fresh: readonly string[]): Hunk[] {
  const { head, tail } = alike(old, fresh);
  const [n, m] = [old.length - head - tail, fresh.length - head - tail];
  if (n === 0 && m === 0) return [];
  const whole = [{ oldFrom: head, oldTo: head + n, newFrom: head, newTo: head + m }];
  if (n === 0 || m === 0) return whole;

  // For every diagonal k, trace[d] holds how far d edits reach in the old text.
  const trace: Int32Array[] = [];
  const most = Math.min(n + m, 1_000);
  const reach = new Int32Array(2 * most + 3);
  for (let d = 0; d <= most; d += 1) {
    trace.push(reach.slice());
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[most + k]! < reach[most + k + 2]!);
      let x = down ? reach[most + k + 2]! : reach[most + k]! + 1;
      while (x < n && x - k < m && old[head + x] === fresh[head + x - k]) x += 1;
      reach[most + k + 1] = x;
      if (x >= n && x - k >= m) return walkedBack(trace, d, n, m, most, head);
    }
  }
  return whole;
}

function walkedBack(trace: Int32Array[], edits: number, n: number, m: number, most: number, head: number): Hunk[] {
  const found: Hunk[] = [];
  let [x, y] = [n, m];
  for (let d = edits; d > 0; d -= 1) {
    const reach = trace[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && reach[most + k]! < reach[most + k + 2]!);
    const from = down ? k + 1 : k - 1;
    const oldX = reach[most + from + 1]!;
    const oldY = oldX - from;
    const edit = { oldFrom: head + oldX, oldTo: head + oldX + (down ? 0 : 1), newFrom: head + oldY, newTo: head + oldY + (down ? 1 : 0) };
    const next = found[0];
    if (next && next.oldFrom === edit.oldTo && next.newFrom === edit.newTo) {
      [next.oldFrom, next.newFrom] = [edit.oldFrom, edit.newFrom];
    } else {
      found.unshift(edit);
    }
    [x, y] = [oldX, oldY];
  }
  return found;
}
