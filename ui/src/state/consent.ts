// The content of the consent window: the server, the question, and the differences from before.

import type { Consent, ConsentForm, ConsentValue, DiffLine, FileChange } from '../backend/types';
import { t, translated } from '../text';
import { diffLines } from './diff';

/** The server of this consent window, from its address; `null` in the main window. */
export const consentAsked = (): string | null => /^#consent\/(.+)$/.exec(location.hash)?.[1] ?? null;

/** The id of the page of a team that the window asks about, from its address. */
export const teamAsked = (): string | null => /^#team\/(.+)$/.exec(location.hash)?.[1] ?? null;

/**
 * The question: a first approval, the approval of a change, an extension to another skill, or nothing.
 */
export type Asked = 'first' | 'change' | 'wider' | 'nothing';

export function askedOf({ now, before, changed }: Consent): Asked {
  if (before === null) return 'first';
  const { skills, ...rest } = now;
  const { skills: those, ...old } = before;
  if (changed.length || JSON.stringify(rest) !== JSON.stringify(old)) return 'change';
  return skills.every((skill) => those.includes(skill)) ? 'nothing' : 'wider';
}

/** One part of the approved content, as lines before and now. */
export interface Part {
  id: 'command' | 'url' | 'program' | 'real' | 'folder' | 'values' | 'files' | 'held' | 'skills';
  label: string;
  before: string[];
  now: string[];
}

/** The parts that are not empty before or now. */
export function partsOf(now: ConsentForm, before: ConsentForm | null): Part[] {
  const one = (text: string | null) => (text === null ? [] : [text]);
  const part = (id: Part['id'], label: string, lines: (form: ConsentForm) => string[]): Part => ({ id, label, before: before ? lines(before) : [], now: lines(now) });
  const parts = [
    part('command', t('consent.command'), (form) => form.command),
    part('url', t('consent.url'), (form) => one(form.url)),
    part('program', t('consent.program'), (form) => one(form.program)),
    part('real', t('consent.real'), (form) => one(form.real)),
    part('folder', t('consent.folder'), (form) => one(form.folder)),
    part('values', t('consent.values'), (form) => form.values.map(valueLine)),
    part('files', t('consent.files'), (form) => form.files),
    part('held', t('consent.held'), heldLines),
    part('skills', t('consent.skills'), (form) => form.skills.map(translated)),
  ];
  return parts.filter(({ before, now }) => before.length + now.length > 0);
}

export const isChanged = ({ before, now }: Part): boolean => JSON.stringify(before) !== JSON.stringify(now);

/** All lines of a part, with removed and added ones marked. The program has no number; its arguments are counted. */
export function changedLines(part: Part): DiffLine[] {
  const text = (all: string[]) => all.map((line) => `${line}\n`).join('');
  const lines = diffLines(text(part.before), text(part.now), Infinity);
  return lines.map((line) => ({ ...line, number: part.id === 'command' ? line.number - 1 : 0 }));
}

/** The skill's folder when its whole content is approved, and its unreadable files. */
function heldLines({ held }: ConsentForm): string[] {
  if (!held) return [];
  const whole = t('consent.heldFiles', { place: held.place, n: held.files + held.unread });
  return held.unread ? [whole, t('consent.heldUnread', { n: held.unread })] : [whole];
}

/** What happened to a file since the approval. */
export const fateLine = ({ place, fate }: FileChange): string =>
  t(({ added: 'consent.fileAdded', changed: 'consent.fileChanged', removed: 'consent.fileRemoved' } as const)[fate], { place });

/** In plain words: its access, what it downloads, and the source of the command. */
export function plainWords({ reach, fetches, source }: Consent): string[] {
  const words = [t(({ person: 'consent.reachPerson', container: 'consent.reachContainer', elsewhere: 'consent.reachElsewhere' } as const)[reach])];
  if (fetches) words.push(t('consent.fetches', { by: fetches.by, what: fetches.what }));
  if (source) words.push(t('consent.source', { source }));
  return words;
}

/** A value's name and content: its text, or the secret's owner. */
export const valueLine = ({ name, value, secret }: ConsentValue): string =>
  secret === null ? `${name}=${value ?? ''}` : t('consent.secret', { name, secret });
