import { expect, test } from 'vitest';

import { scrolledTo, stacked, visible } from '../src/state/window';

const thousand = stacked(Array.from({ length: 1_000 }, (_, i) => i), (i) => (i === 0 ? 36 : 56));

test('rows stand one below the other', () => {
  expect(thousand.rows[2]).toEqual({ item: 2, top: 92, height: 56 });
  expect(thousand.height).toBe(36 + 999 * 56);
});

test('only rows near the visible stretch are drawn', () => {
  for (const scrollTop of [0, 20_000, thousand.height - 800]) {
    const { first, last } = visible(thousand.rows, scrollTop, 800);
    expect(thousand.rows[first]!.top).toBeLessThanOrEqual(scrollTop);
    expect(thousand.rows[last - 1]!.top + 56).toBeGreaterThanOrEqual(scrollTop + 800);
    expect(last - first).toBeLessThan(80);
  }
});

test('an empty list draws nothing', () => expect(visible([], 0, 800)).toEqual({ first: 0, last: 0 }));

test('scrolling to a row moves as little as possible', () => {
  const row = thousand.rows[10]!;
  expect(scrolledTo(row, 0, 2_000)).toBe(0);
  expect(scrolledTo(row, 5_000, 800)).toBe(row.top);
  expect(scrolledTo(row, 0, 100)).toBe(row.top + row.height - 100);
});
