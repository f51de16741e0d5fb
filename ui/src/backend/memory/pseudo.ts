// A language for tests: the English texts with accents on every letter, longer by two fifths, in brackets. What is on the
// screen without accents is no text of the files, and what does not fit would not fit in German.

import english from '../../../text/en.json';

const accented = 'åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻḾÑÖÞǪŔŠŢÛṼŴẊÝŽ';
const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const more = 'öñé ţŵö ţĥŕéé ƒöûŕ ƒîṽé šîẋ šéṽéñ éîĝĥţ ñîñé ţéñ ';

/** A text in that language; a value that is filled in stands between ‹ and ›. */
function pseudo(text: string): string {
  const letters = text.replace(/\{\w+\}/g, '').length;
  if (!/[a-z]/i.test(text.replace(/\{\w+\}/g, ''))) return text;
  const words = text
    .split(/(\{\w+\})/)
    .map((piece) => (piece.startsWith('{') ? `‹${piece}›` : piece.replace(/[a-z]/gi, (letter) => accented[plain.indexOf(letter)]!)))
    .join('');
  return `⟦${words} ${more.repeat(10).slice(0, Math.ceil(letters * 0.4)).trim()}⟧`;
}

/** All texts in that language. */
export const pseudoTexts = (): Record<string, string> => Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)]));
