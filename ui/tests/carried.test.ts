import { expect, test } from 'vitest';

import type { Trust } from '../src/backend/types';
import { brought, byContent, contentsOf, isText } from '../src/state/carried';

const nothing: Trust = {
  carried: { scripts: [], programs: [], archives: [], hosts: [], servers: [], tools: [], commands: [], files: 1, size: 1 },
  findings: [],
  leftOut: [],
};
const finding = (severity: 'high' | 'low'): Trust => ({ ...nothing, findings: [{ rule: 'r', severity, message: 'It.', path: 'SKILL.md', line: 1, column: 1 }] });
const carrying = (more: Partial<Trust['carried']>): Trust => ({ ...nothing, carried: { ...nothing.carried, ...more } });

test.each<[string, Trust, boolean]>([
  ['text', nothing, true],
  ['links', carrying({ hosts: ['example.org'] }), true],
  ['a script', carrying({ scripts: [{ language: 'Python', paths: ['a.py'] }] }), false],
  ['a program', carrying({ programs: ['kettle'] }), false],
  ['an archive', carrying({ archives: ['a.zip'] }), false],
  ['a command', carrying({ commands: ['ls'] }), false],
  ['a server', carrying({ servers: ['github'] }), false],
  ['a tool', carrying({ tools: ['Bash'] }), false],
  ['a finding of the least kind', finding('low'), false],
  ['a part that was not looked at', { ...nothing, leftOut: ['large.txt was not looked at.'] }, false],
])('%s: nothing but text?', (_, trust, text) => expect(isText(trust)).toBe(text));

test('what has something to look at comes with the gravest first, and the rest is counted', () => {
  const script = { id: 'script', trust: carrying({ scripts: [{ language: 'Shell', paths: ['a.sh'] }] }) };
  const [low, high, plain] = [{ id: 'low', trust: finding('low') }, { id: 'high', trust: finding('high') }, { id: 'plain', trust: nothing }];
  const { open, text } = byContent([plain, script, low, high]);
  expect([open.map(({ id }) => id), text.map(({ id }) => id)]).toEqual([['high', 'low', 'script'], ['plain']]);
});

test('a summary says only what there is', () => {
  expect(contentsOf({ open: 8, text: 96 })).toBe('96 carry nothing but text. 8 have something to look at.');
  expect(contentsOf({ open: 1, text: 0 })).toBe('1 has something to look at.');
  expect(contentsOf({ open: 0, text: 1 })).toBe('1 carries nothing but text.');
});

test('what is carried is named by kind, without the kinds that are missing', () => {
  const trust = carrying({ servers: ['github'], scripts: [{ language: 'Shell', paths: ['a.sh', 'b.sh'] }] });
  expect(brought(trust)).toEqual([
    { title: '2 scripts in Shell', items: ['a.sh', 'b.sh'] },
    { title: 'Needs 1 server', items: ['github'] },
  ]);
});
