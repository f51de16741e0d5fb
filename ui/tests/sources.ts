// The window's own source files, for the tests that read them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const source = join(import.meta.dirname, '../src');

export function sources(ending = ''): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(svelte|ts)$/.test(path) && path.endsWith(ending))
    .map((path) => join(source, path));
}
