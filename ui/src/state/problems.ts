// Problems in order: errors, then warnings, with advice separate.

import type { EditorSplice, Problem } from '../backend/types';

const order: Problem['severity'][] = ['error', 'warning', 'advice'];

export function sorted(problems: readonly Problem[]): { grave: Problem[]; advice: Problem[] } {
  const all = problems.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || a.from - b.from);
  return { grave: all.filter((problem) => problem.severity !== 'advice'), advice: all.filter((problem) => problem.severity === 'advice') };
}

/** The fixes that can be applied together. Of two that touch the same place, the second waits for the next check. */
export function together(problems: readonly Problem[]): EditorSplice[] {
  const taken: EditorSplice[] = [];
  for (const { fix } of problems) {
    if (fix?.splices.every((splice) => taken.every((other) => apart(splice, other)))) taken.push(...fix.splices);
  }
  return taken.sort((a, b) => a.from - b.from);
}

const apart = (a: EditorSplice, b: EditorSplice) => a.to < b.from || b.to < a.from || (a.to === b.from && a.from !== a.to) || (b.to === a.from && b.from !== b.to);
