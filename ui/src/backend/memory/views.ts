// An example skill as a row of the list and as a page.

import { folders, type ExampleSkill } from '../example';
import type { Need, Problem, Readiness, SkillPage, SkillRow } from '../types';
import { check } from './check';
import { missingOf, stateOf } from './servers';
import { sharing } from './sharing';
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
    readiness: readiness(shelf, skill, problems),
    problems: { error: count('error'), warning: count('warning'), advice: count('advice') },
    files: Object.keys(skill.files).length + 1,
    needs: skill.needs.length,
    renamed: sharing(shelf).flatMap(({ name, need, users, beside }) =>
      name !== need.server && users.some((user) => user.key === key) ? [{ server: need.server, name, beside }] : [],
    ),
    digest: digest(skill.text),
  };
}

function readiness(shelf: Shelf, skill: ExampleSkill, problems: Problem[]): Readiness {
  if (!skill.enabled) return { state: 'disabled' };
  const worst = problems.find((p) => p.severity === 'error');
  if (worst) return { state: 'problem', message: worst.message, line: worst.line, column: worst.column };
  for (const need of skill.needs) {
    const names = missingOf(need);
    if (names.length) return { state: 'needs-values', server: need.server, names, secret: true };
    const trouble = serverTrouble(shelf, need);
    if (trouble) return trouble;
  }
  return { state: 'ready' };
}

function serverTrouble(shelf: Shelf, need: Need): Readiness | null {
  const { server } = need;
  const state = stateOf(shelf, need);
  switch (state.kind) {
    case 'needs-consent':
      return { state: 'needs-consent', server, changed: state.changed };
    case 'needs-sign-in':
      return { state: 'needs-sign-in', server };
    case 'tools-changed':
      return { state: 'tools-changed', server };
    case 'no-program':
      return { state: 'no-program', server, program: state.program };
    case 'containers-down':
      return { state: 'containers-down', server, program: state.program };
    case 'stopped':
      return { state: 'server-down', server, message: state.message };
    default:
      return null;
  }
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
    suggested: structuredClone(skill.suggested ?? []),
    verdicts: verdicts(field(skill.text, 'name') ?? skill.id, field(skill.text, 'description') ?? '', problems),
  };
}

