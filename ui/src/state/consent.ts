// What the window that asks shows: which server it is about, what is asked of the person, and what differs from before.

import type { Consent, ConsentForm, ConsentValue, DiffLine } from '../backend/types';
import { t } from '../text';
import { diffLines } from './diff';

/** The server that this window asks about, from its address; `null` in the main window. */
export const consentAsked = (): string | null => /^#consent\/(.+)$/.exec(location.hash)?.[1] ?? null;

/**
 * What a person is asked: to agree for the first time, to agree to a change, to let another skill have what they agreed to
 * already, or nothing.
 */
export type Asked = 'first' | 'change' | 'wider' | 'nothing';

export function askedOf({ now, before }: Consent): Asked {
  if (before === null) return 'first';
  const { skills, ...rest } = now;
  const { skills: those, ...old } = before;
  if (JSON.stringify(rest) !== JSON.stringify(old)) return 'change';
  return skills.every((skill) => those.includes(skill)) ? 'nothing' : 'wider';
}

/** One part of what is agreed to, as lines before and now. */
export interface Part {
  id: 'command' | 'url' | 'program' | 'folder' | 'values' | 'files' | 'skills';
  label: string;
  before: string[];
  now: string[];
}

/** The parts that hold something, before or now. */
export function partsOf(now: ConsentForm, before: ConsentForm | null): Part[] {
  const one = (text: string | null) => (text === null ? [] : [text]);
  const part = (id: Part['id'], label: string, lines: (form: ConsentForm) => string[]): Part => ({ id, label, before: before ? lines(before) : [], now: lines(now) });
  const parts = [
    part('command', t('consent.command'), (form) => form.command),
    part('url', t('consent.url'), (form) => one(form.url)),
    part('program', t('consent.program'), (form) => one(form.program)),
    part('folder', t('consent.folder'), (form) => one(form.folder)),
    part('values', t('consent.values'), (form) => form.values.map(valueLine)),
    part('files', t('consent.files'), (form) => form.files),
    part('skills', t('consent.skills'), (form) => form.skills),
  ];
  return parts.filter(({ before, now }) => before.length + now.length > 0);
}

export const isChanged = ({ before, now }: Part): boolean => JSON.stringify(before) !== JSON.stringify(now);

/** All lines of a part, those that went and came marked. The program has no number: its arguments are counted. */
export function changedLines(part: Part): DiffLine[] {
  const text = (all: string[]) => all.map((line) => `${line}\n`).join('');
  const lines = diffLines(text(part.before), text(part.now), Infinity);
  return lines.map((line) => ({ ...line, number: part.id === 'command' ? line.number - 1 : 0 }));
}

/** A value by its name, and what it holds: its text, or whose secret. */
export const valueLine = ({ name, value, secret }: ConsentValue): string =>
  secret === null ? `${name}=${value ?? ''}` : t('consent.secret', { name, secret });
