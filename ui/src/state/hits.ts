// Why a search found a skill, in one line that fits beside its name. Pure, so that a table can test it.

import type { Hit, SkillRow, Snippet } from '../backend/types';
import { listed, t } from '../text';
import { marked } from './marked';

export interface Piece {
  text: string;
  /** Whether it is what was searched for. */
  hit: boolean;
}

/** As much stands before a find: with more, a narrow row would show only what stands before it. */
const lead = 18;

/** The words around the find; `null` where the name says it. */
export function whyFound(skill: SkillRow, { foundIn, snippet }: Hit, query: string): Piece[] | null {
  switch (foundIn) {
    case 'description':
      return marked(fromFind(skill, query), query);
    case 'tag':
      return marked(t('row.tagged', { tags: listed(tagsOf(skill, query)) }), query);
    case 'body':
      return snippet && aroundFind(snippet);
    default:
      return null;
  }
}

function tagsOf({ tags }: SkillRow, query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = tags.filter((tag) => words.some((word) => tag.toLowerCase().includes(word)));
  return fitting.length ? fitting : tags;
}

/** A description from shortly before a find on: of the longest word that the name does not say already. */
function fromFind({ name, description }: SkillRow, query: string): string {
  const [called, text] = [name.toLowerCase(), description.toLowerCase()];
  const words = query.toLowerCase().split(/\s+/).filter((word) => word && text.includes(word));
  const [word] = words.toSorted((a, b) => Number(called.includes(a)) - Number(called.includes(b)) || b.length - a.length);
  if (word === undefined) return description;
  const before = description.slice(0, text.indexOf(word));
  return ending(before) + description.slice(before.length);
}

function aroundFind({ before, found, after }: Snippet): Piece[] {
  return [{ text: ending(withoutMarks(before)), hit: false }, { text: found, hit: true }, { text: withoutMarks(after), hit: false }].filter(({ text }) => text);
}

/** The end of a text, from a whole word on. */
function ending(text: string): string {
  if (text.length <= lead) return text;
  const end = text.slice(-lead);
  const word = end.search(/\s\S/);
  return `…${word < 0 ? end : end.slice(word + 1)}`;
}

/** Text without the marks of Markdown: what a reader of the page would see. */
export function withoutMarks(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    // A link of which only one end is here.
    .replaceAll(/\]\([^)\s]*\)?/g, '')
    .replaceAll(/!?\[(?=[^\]]*$)/g, '')
    .replaceAll(/^[ \t]*(#{1,6}|>|[-*+]|\d+[.)])(?=\s)/gm, '')
    .replaceAll(/\|[\s|:-]*/g, ' ')
    .replaceAll(/\*\*|__|[`~]+/g, '')
    .replaceAll(/\s+/g, ' ');
}
