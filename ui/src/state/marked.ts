// Finds the words of a search in a text, to draw them in bold.

/** The text in pieces; those that start with or contain a searched word are marked. */
export function marked(text: string, query: string): { text: string; hit: boolean }[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text, hit: false }];
  const escaped = words.toSorted((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'giu'))
    .filter(Boolean)
    .map((piece) => ({ text: piece, hit: words.includes(piece.toLowerCase()) }));
}
