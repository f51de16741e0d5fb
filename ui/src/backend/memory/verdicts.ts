// How a few clients would load an example skill.

import type { Problem, Verdict } from '../types';

const clients: [string, string][] = [
  ['claude-code', 'Claude Code'], ['claude-desktop', 'Claude Desktop'], ['codex', 'Codex'], ['copilot-cli', 'Copilot CLI'],
  ['gemini-cli', 'Gemini CLI'], ['opencode', 'opencode'], ['anthropic-upload', 'Anthropic upload'],
];
const rewritten = ['Gemini CLI', 'opencode'];

export function verdicts(name: string, description: string, problems: readonly Problem[]): Verdict[] {
  return clients.map(([client, title]) => {
    const refusing = problems.filter((problem) => problem.severity === 'error' && problem.clients.includes(title));
    const base = { client, name: title, nameShown: null, descriptionShown: null };
    if (refusing.length) return { ...base, verdict: 'refused', why: refusing.map((problem) => problem.message) };
    if (problems.some((problem) => problem.rule === 'yaml') && rewritten.includes(title)) {
      const why = ['It repairs the line with the colon and goes on.'];
      return { ...base, verdict: 'changed', nameShown: name, descriptionShown: description, why };
    }
    return { ...base, verdict: 'loads', nameShown: name, descriptionShown: description, why: [] };
  });
}
