// The layers of the window's code: which folder may import which.

import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { expect, test } from 'vitest';

import { source, sources } from './sources';

/** A folder may import itself and the folders after it. */
const order = ['main.ts', 'App.svelte', 'pages', 'parts', 'controls', 'state', 'focus.ts', 'zones.ts', 'text.ts', 'backend', 'speech.svelte.ts', 'messages'];
const name = (path: string) => relative(source, path).split(sep).join('/');
const layer = (path: string) => order.indexOf(name(path).split('/')[0]!);

const imports = new Map(
  sources().map((file) => {
    const found = [...readFileSync(file, 'utf8').matchAll(/^\s*(?:import|export)\s(type\s)?[^'"]*?from '([^']+)'|import\('([^']+)'\)|^\s*import '([^']+)'/gm)];
    return [file, found.map(([, type, from, lazy, bare]) => ({ type: type !== undefined, from: (from ?? lazy ?? bare)! }))] as const;
  }),
);
const files = new Set(sources());
const resolved = (file: string, from: string) => {
  const base = join(dirname(file), from);
  return [base, `${base}.ts`].find((path) => files.has(path));
};

test('every file has its place in the order', () => {
  for (const file of files) expect(layer(file), name(file)).toBeGreaterThanOrEqual(0);
});

test('pages import parts, parts import controls, and nothing points back', () => {
  for (const [file, list] of imports) {
    for (const { from, type } of list) {
      const target = resolved(file, from);
      // Types may be imported from a higher layer; code may not.
      if (target && !type) expect(layer(target), `${name(file)} imports ${name(target)}`).toBeGreaterThanOrEqual(layer(file));
    }
  }
});

test('only backend/ imports Tauri', () => {
  for (const [file, list] of imports) {
    if (name(file).startsWith('backend/')) continue;
    expect(list.filter(({ from }) => from.startsWith('@tauri-apps')), name(file)).toEqual([]);
  }
});

test('no import comes back to where it started', () => {
  const done = new Set<string>();
  const walk = (file: string, path: string[]) => {
    expect(path, [...path, file].map(name).join(' > ')).not.toContain(file);
    if (done.has(file)) return;
    for (const { from, type } of imports.get(file) ?? []) {
      const target = resolved(file, from);
      if (target && !type) walk(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of files) walk(file, []);
});

test('the commands of the shell are named in one file', () => {
  for (const file of files) {
    if (name(file) !== 'backend/commands.ts') expect(readFileSync(file, 'utf8'), name(file)).not.toContain('invoke(');
  }
});
