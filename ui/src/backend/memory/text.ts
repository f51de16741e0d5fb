// Small text functions of the in-memory backend.

import type { ActionError, EditorSplice, ErrorKind } from '../types';

export function field(text: string, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)$`, 'm').exec(text)?.[1]?.replace(/^"(.*)"$/, '$1');
}

export function applied(text: string, splices: EditorSplice[]): string {
  return splices.reduceRight((rest, s) => rest.slice(0, s.from) + s.insert + rest.slice(s.to), text);
}

export function failure(kind: ErrorKind, message: string, hints: string[] = []): ActionError {
  return { kind, message, hints };
}

/** A digest that is enough to tell two texts apart; the engine uses SHA-256. */
export function digest(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return `${sum}:${text.length}`;
}

