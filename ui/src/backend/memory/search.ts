// Search by words: names first, then descriptions, tags and bodies. The engine's search also tolerates a typing
// error.

import type { Hit } from '../types';
import type { Shelf } from './shelf';
import { field } from './text';

const fields = ['name', 'description', 'tag', 'body'] as const;
const around = 32;

export function search(shelf: Shelf, query: string, limit: number): Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hits = [...shelf.library].flatMap(([key, skill]) => {
    const body = skill.text.replace(/^---\n[\s\S]*?\n---\n/, '');
    const texts = [`${skill.id}\n${field(skill.text, 'name') ?? ''}`, field(skill.text, 'description') ?? '', field(skill.text, 'tags') ?? '', body];
    const places = words.map((word) => texts.findIndex((text) => text.toLowerCase().includes(word)));
    if (places.includes(-1)) return [];
    const worst = Math.max(...places);
    const word = words[places.indexOf(worst)]!;
    return [{ key, foundIn: fields[worst]!, snippet: worst === 3 ? snippet(body, word) : null, rank: worst }];
  });
  return hits.sort((a, b) => a.rank - b.rank || a.key.localeCompare(b.key, 'en')).slice(0, limit).map(({ rank: _, ...hit }) => hit);
}

function snippet(body: string, word: string): NonNullable<Hit['snippet']> {
  const text = body.replace(/\s+/g, ' ');
  const at = text.toLowerCase().indexOf(word);
  const end = at + word.length;
  return { before: `…${text.slice(Math.max(0, at - around), at)}`, found: text.slice(at, end), after: `${text.slice(end, end + around)}…` };
}
