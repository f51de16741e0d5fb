// What a skill carries besides its text, and how grave the findings in it are: for the dialogs that ask about many.

import type { Trust } from '../backend/types';
import { sentences, t } from '../text';

/** One kind of thing that a skill carries, and the things by name. */
export interface Brought {
  title: string;
  items: string[];
}

/** What it carries, without the parts that it lacks. */
export function brought({ carried }: Trust): Brought[] {
  return [
    ...carried.scripts.map(({ language, paths }) => ({ title: t('carries.scripts', { n: paths.length, language: language.charAt(0).toUpperCase() + language.slice(1) }), items: paths })),
    { title: t('carries.programs', { n: carried.programs.length }), items: carried.programs },
    { title: t('carries.archives', { n: carried.archives.length }), items: carried.archives },
    { title: t('carries.commands', { n: carried.commands.length }), items: carried.commands },
    { title: t('carries.servers', { n: carried.servers.length }), items: carried.servers },
    { title: t('carries.tools', { n: carried.tools.length }), items: carried.tools },
    { title: t('carries.hosts', { n: carried.hosts.length }), items: carried.hosts },
  ].filter(({ items }) => items.length > 0);
}

/** Whether it has a finding that can do harm. */
export const grave = ({ findings }: Trust): boolean => findings.some(({ severity }) => severity === 'high');

/** Whether it is text that nothing was found in, and that was read whole. A link is text. */
export function isText({ carried, findings, leftOut }: Trust): boolean {
  const { scripts, programs, archives, commands, servers, tools } = carried;
  return [scripts, programs, archives, commands, servers, tools, findings, leftOut].every((list) => list.length === 0);
}

/** Those with something to look at, the gravest first, and those that carry nothing but text. */
export function byContent<T extends { trust: Trust }>(all: readonly T[]): { open: T[]; text: T[] } {
  const weight = ({ trust }: T) => (grave(trust) ? 2 : trust.findings.length > 0 ? 1 : 0);
  const open = all.filter(({ trust }) => !isText(trust)).sort((a, b) => weight(b) - weight(a));
  return { open, text: all.filter(({ trust }) => isText(trust)) };
}

/** How many carry nothing but text, and how many have something to look at, as sentences. */
export function contentsOf({ open, text }: { open: number; text: number }): string {
  return sentences([text && t('carries.textOnly', { n: text }), open && t('carries.toLook', { n: open })]);
}
