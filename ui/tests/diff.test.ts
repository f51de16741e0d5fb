import { describe, expect, test } from 'vitest';

import { applied, changedWords, diffLines, splices } from '../src/state/diff';

describe('splices', () => {
  test('turn the old text into the new one', () => {
    const texts = ['', 'a', 'a\n', 'a\nb\nc\n', 'x\nb\ny\n', 'b\na\n', 'a\nb\nc', '\n\n', 'a\nb\nc\nd\ne\nf\ng\n', 'g\nf\ne\nd\nc\nb\na\n', 'a\n会\nc\n'];
    for (const before of texts) for (const after of texts) expect(applied(before, splices(before, after))).toBe(after);
  });

  test('never halve a character that takes two units', () => {
    const texts = ['🚀🔥 Fast\n', '🔥 Fast\n', '🚀 Fast\n', '🟢\n', '🔴\n', '🔴🟢\n', 'a🌱b🌲\n', 'a🌲b🌱\n', '🏁\n', '𐀀\n', '𐐀\n', '\n'];
    const isWhole = (text: string) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(text);
    for (const before of texts) {
      for (const after of texts) {
        const changes = splices(before, after);
        expect(applied(before, changes)).toBe(after);
        for (const { from, to, insert } of changes) {
          expect([before.slice(0, from), before.slice(from, to), before.slice(to), insert].map(isWhole), `${before}${after}`).not.toContain(false);
        }
      }
    }
    expect(splices('🚀🔥 Fast', '🔥 Fast')).toEqual([{ from: 0, to: 2, insert: '' }]);
    expect(splices('🟢', '🔴')).toEqual([{ from: 0, to: 2, insert: '🔴' }]);
  });

  test('of equal texts are none', () => expect(splices('a\nb\n', 'a\nb\n')).toEqual([]));

  test('cover only the characters that changed within a line', () => {
    expect(splices('name: tea\nage: 1\n', 'name: tee\nage: 1\n')).toEqual([{ from: 8, to: 9, insert: 'e' }]);
  });

  test('leave the line ends between two changed lines alone', () => {
    expect(splices('ab\ncd\n', 'aX\ncY\n')).toEqual([
      { from: 1, to: 2, insert: 'X' },
      { from: 4, to: 5, insert: 'Y' },
    ]);
  });

  test('leave the lines between two far changes alone', () => {
    const middle = Array.from({ length: 50 }, (_, i) => `line ${i}\n`).join('');
    const found = splices(`a\n${middle}z\n`, `b\n${middle}y\nz\n`);
    expect(found).toEqual([
      { from: 0, to: 1, insert: 'b' },
      { from: middle.length + 2, to: middle.length + 2, insert: 'y\n' },
    ]);
  });

  test('take a removed line out with its own line end', () => {
    expect(splices('a\nb\nc\n', 'a\nc\n')).toEqual([{ from: 2, to: 4, insert: '' }]);
  });

  test('of two large texts with nothing in common are found all the same', () => {
    const before = Array.from({ length: 3_000 }, (_, i) => `old ${i}\n`).join('');
    const after = Array.from({ length: 3_500 }, (_, i) => `new ${i}\n`).join('');
    expect(applied(before, splices(before, after))).toBe(after);
  });
});

describe('shown lines', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n';

  test('keep a few equal lines around a change', () => {
    const lines = diffLines(before, before.replace('five', '5'), 2).map(({ sign, number, text }) => `${sign} ${number} ${text}`);
    expect(lines).toEqual(['same 3 three', 'same 4 four', 'removed 5 five', 'added 5 5', 'same 6 six', 'same 7 seven']);
  });

  test('never show a line twice between two near changes', () => {
    const lines = diffLines(before, before.replace('three', '3').replace('five', '5'), 3);
    expect(lines.filter((line) => line.text === 'four')).toHaveLength(1);
    expect(lines.map((line) => line.text)).toEqual(['one', 'two', 'three', '3', 'four', 'five', '5', 'six', 'seven', 'eight']);
  });
});

test('what is different within a line that another one replaced is marked', () => {
  const marks = (before: string, after: string) => changedWords(diffLines(before, after)).map((pieces) => pieces.filter((piece) => piece.changed).map((piece) => piece.text).join());
  expect(marks('a\nname@1.0\nb\n', 'a\nname@2.0\nb\n')).toEqual(['', '1', '2', '']);
  expect(marks('--set=all\n', '--set=some\n--write\n')).toEqual(['all', 'some', '']);
  expect(marks('one thing\n', 'quite another\n')).toEqual(['', '']);
});
