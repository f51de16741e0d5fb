// An example skill as the list and as its page show it.

import { folders, type ExampleSkill } from '../example';
import type { Need, Problem, Readiness, SkillPage, SkillRow } from '../types';
import { check } from './check';
import type { Shelf } from './shelf';
import { digest, field } from './text';
import { verdicts } from './verdicts';

export function row(shelf: Shelf, key: string, skill: ExampleSkill): SkillRow {
  const problems = check(skill.text);
  const count = (severity: Problem['severity']) => problems.filter((p) => p.severity === severity).length;
  return {
    key,
    id: skill.id,
    name: field(skill.text, 'name') ?? skill.id,
    description: field(skill.text, 'description') ?? '',
    version: field(skill.text, 'version') ?? null,
    tags: (field(skill.text, 'tags') ?? '').split(/[[\],\s]+/).filter(Boolean),
    folder: skill.folder,
    category: skill.category ?? null,
    place: `${folders.find((f) => f.id === skill.folder)?.place}/${skill.id}/SKILL.md`,
    enabled: skill.enabled,
    asks: !skill.enabled && !shelf.switched.has(key),
    readiness: readiness(skill, problems),
    problems: { error: count('error'), warning: count('warning'), advice: count('advice') },
    files: Object.keys(skill.files).length + 1,
    needs: skill.needs.length,
    digest: digest(skill.text),
  };
}

function readiness(skill: ExampleSkill, problems: Problem[]): Readiness {
  if (!skill.enabled) return { state: 'disabled' };
  const worst = problems.find((p) => p.severity === 'error');
  if (worst) return { state: 'problem', message: worst.message, line: worst.line, column: worst.column };
  for (const need of skill.needs) {
    const missing = need.values.filter((v) => v.required && v.state.kind === 'secret-missing');
    if (missing.length) return { state: 'needs-values', server: need.server, names: missing.map((v) => v.name), secret: true };
  }
  return { state: 'ready' };
}

export function page(key: string, skill: ExampleSkill): SkillPage {
  const problems = check(skill.text);
  const body = /^---\n[\s\S]*?\n---\n/.exec(skill.text)?.[0].length ?? 0;
  return {
    key,
    digest: digest(skill.text),
    text: skill.text,
    readOnly: null,
    body,
    lineEnds: 'LF',
    files: [
      { path: 'SKILL.md', size: new TextEncoder().encode(skill.text).length },
      ...Object.entries(skill.files).map(([path, text]) => ({ path, size: text?.length ?? 18_204 })),
    ],
    problems,
    needs: structuredClone(skill.needs) as Need[],
    verdicts: verdicts(field(skill.text, 'name') ?? skill.id, field(skill.text, 'description') ?? '', problems),
  };
}

