import { expect, test } from 'vitest';

import { menuWidth, placed, type MenuItem } from '../src/controls/menu';

const items = (n: number): MenuItem[] => Array.from({ length: n }, (_, i) => ({ id: String(i), label: '', run: () => {} }));
const window = { width: 900, height: 640 };
const button = (left: number, top: number) => ({ left, right: left + 28, top, bottom: top + 28 });

test('a menu opens below its button and ends where the button ends', () => {
  expect(placed([items(3)], button(500, 20), window)).toEqual({ left: 528 - menuWidth, top: 52 });
});

test('at the lower edge it opens upwards', () => {
  const { top } = placed([items(3)], button(500, 600), window);
  expect(top).toBe(600 - 4 - (3 * 28 + 8));
});

test.each([[0, 0], [899, 639], [2, 600]])('at %i, %i it stays inside the window', (x, y) => {
  const groups = [items(4), items(2)];
  const { left, top } = placed(groups, { left: x, right: x, top: y, bottom: y }, window);
  expect(left).toBeGreaterThanOrEqual(8);
  expect(left + menuWidth).toBeLessThanOrEqual(window.width - 8);
  expect(top).toBeGreaterThanOrEqual(8);
  expect(top + 6 * 28 + 9 + 8).toBeLessThanOrEqual(window.height - 8);
});
