import { expect, test } from 'vitest';

import type { EditorSplice, Problem } from '../src/backend/types';
import { sorted, together } from '../src/state/problems';

const problem = (severity: Problem['severity'], from: number, splices?: EditorSplice[]): Problem => ({
  rule: 'r', severity, message: '', field: null, line: 1, column: 1, from, to: from + 1, fix: splices ? { label: '', splices } : null, demands: '', why: '', clients: [],
});
const splice = (from: number, to: number, insert = 'x'): EditorSplice => ({ from, to, insert });

test('what breaks the skill comes first, and advice apart', () => {
  const { grave, advice } = sorted([problem('advice', 0), problem('warning', 1), problem('error', 9), problem('error', 2)]);
  expect(grave.map((each) => [each.severity, each.from])).toEqual([['error', 2], ['error', 9], ['warning', 1]]);
  expect(advice).toHaveLength(1);
});

test.each<[string, EditorSplice[][], number]>([
  ['apart', [[splice(0, 2)], [splice(5, 6)]], 2],
  ['side by side', [[splice(0, 2)], [splice(2, 4)]], 2],
  ['over each other', [[splice(0, 4)], [splice(2, 6)]], 1],
  ['at the same place, both only inserting', [[splice(3, 3)], [splice(3, 3)]], 1],
  ['one inside the other', [[splice(0, 9)], [splice(4, 5)]], 1],
  ['of which the second has two ends', [[splice(4, 5)], [splice(0, 0), splice(4, 4), splice(9, 9)]], 1],
])('fixes that are %s', (_how, fixes, kept) => {
  const made = together(fixes.map((splices) => problem('error', 0, splices)));
  expect(made).toEqual(fixes.slice(0, kept).flat().sort((a, b) => a.from - b.from));
});
