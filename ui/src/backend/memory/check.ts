// A few rules that produce problems, fixes and advice; the real table is in the engine.

import type { Fix, Problem } from '../types';

type Rule = Pick<Problem, 'rule' | 'severity' | 'demands' | 'why' | 'clients'>;

const yaml: Rule = {
  rule: 'yaml',
  severity: 'error',
  demands: 'The frontmatter is YAML that every parser reads the same way.',
  why: 'A strict parser gives up at the first error, and the client then drops the whole skill without a word.',
  clients: ['Codex', 'Copilot CLI', 'Anthropic upload'],
};
const unknownKey: Rule = {
  rule: 'unknown-key',
  severity: 'warning',
  demands: 'A key that is nearly a known one is spelt like it.',
  why: 'An unknown key is kept but means nothing, so what it says has no effect.',
  clients: ['Anthropic upload'],
};
const vague: Rule = {
  rule: 'description-vague',
  severity: 'advice',
  demands: 'The description says what the skill does and when to use it.',
  why: 'A model chooses a skill by its description alone. One that names the occasions is found more often.',
  clients: [],
};
export function check(text: string): Problem[] {
  const problems: Problem[] = [];
  const colon = /^description: (?!")(.*: .*)$/m.exec(text);
  if (colon) {
    const from = colon.index + 'description: '.length;
    const to = from + colon[1]!.length;
    const fix = { label: 'Quote the value', splices: [{ from, to: from, insert: '"' }, { from: to, to, insert: '"' }] };
    problems.push(problem(text, yaml, 'The description holds a colon, so YAML reads it as a second key.', from, to, fix));
  }
  const typo = /^verison/m.exec(text);
  if (typo) {
    const [from, to] = [typo.index, typo.index + typo[0].length];
    const fix = { label: 'Rename to version', splices: [{ from, to, insert: 'version' }] };
    problems.push(problem(text, unknownKey, '“verison” is not a known key. Did you mean “version”?', from, to, fix));
  }
  const description = /^description: *(.*)$/m.exec(text);
  if (description && !/use when|when the|提到/i.test(description[1]!)) {
    const from = description.index;
    problems.push(problem(text, vague, 'The description does not say when to use the skill.', from, from + 'description'.length, null));
  }
  return problems;
}

function problem(text: string, rule: Rule, message: string, from: number, to: number, fix: Fix | null): Problem {
  const before = text.slice(0, from).split('\n');
  return { ...rule, message, field: null, line: before.length, column: before.at(-1)!.length + 1, from, to, fix };
}
