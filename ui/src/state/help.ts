// The pages of the documentation that people at the window need, in the program itself: they are there without a network.

import { t, type TextKey } from '../text';

export const helpPages = ['writing-skills', 'servers', 'rules', 'requires-mcp-servers', 'x-personal-mcp'] as const;
export type HelpPage = (typeof helpPages)[number];

/** The pages that are offered; the others are reached from them. */
export const offered: readonly HelpPage[] = ['writing-skills', 'servers', 'rules'];

const titles: Record<HelpPage, TextKey> = {
  'writing-skills': 'help.writing',
  servers: 'help.servers',
  rules: 'help.rules',
  'requires-mcp-servers': 'help.needs',
  'x-personal-mcp': 'help.personal',
};

/** A page's name in the language of the window; the page itself is English. */
export const helpTitle = (page: HelpPage): string => t(titles[page]);

const load: Record<HelpPage, () => Promise<{ default: string }>> = {
  'writing-skills': () => import('../../../docs/writing-skills.md?raw'),
  servers: () => import('../../../docs/servers.md?raw'),
  rules: () => import('../../../docs/rules.md?raw'),
  'requires-mcp-servers': () => import('../../../docs/requires-mcp-servers.md?raw'),
  'x-personal-mcp': () => import('../../../docs/x-personal-mcp.md?raw'),
};

/** The names of the pages as their links spell them. */
export const helpFiles = helpPages.map((page) => `${page}.md`);

export const pageOf = (file: string): HelpPage | undefined => helpPages.find((page) => `${page}.md` === file);

/** The text of a page. */
export const readHelp = async (page: HelpPage): Promise<string> => helpText((await load[page]()).default);

/** A page as people at the window read it: without its title, which the dialog has, without links to pages that are not
    here, and without what only concerns those who make the program. */
export function helpText(text: string): string {
  return text
    .replace(/^# .*\n+/, '')
    .replaceAll(/^This page is generated .*\n+/gm, '')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, to: string) => (/^(#|https?:)/.test(to) || pageOf(to.replace(/^\.\//, '').replace(/#.*/, '')) ? link : words));
}
