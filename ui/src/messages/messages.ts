// What the engine says, in another language. The engine speaks English and knows of no translation: a message is known by
// its English form, as gettext knows it, with a placeholder for each value (`form.ts`). `Messages` holds the forms of one
// language; `translated` in `text.ts` looks up those of the language that is shown. How a form is written:
// docs/translating.md.
//
// Values are kept byte for byte, with one exception: a value that is itself a message, and does not stand as code or in
// quotes, is translated too. A text that fits a form in two ways is not taken for it.

import { filledIn, fitted, isBare, parsed, plain, spellings, type Form } from './form';

/** A part of a message: translated, or in English because no form is known. */
export interface Piece {
  text: string;
  english: boolean;
}

/** As many texts are remembered as a long list shows. */
const REMEMBERED = 4_000;
/** No message of the engine is longer: what a server wrote may be. */
const LONGEST = 8_000;
const MOST_SENTENCES = 24;
/** A message in a message in a message. */
const DEEPEST = 5;
/** So many parts of one text are looked up. A message has few; what others wrote may look like many messages in each other. */
const MOST_PARTS = 1_000;

/** The translation of one message, and whether a value of it spans sentences. */
type Whole = { text: string; spans: boolean } | null;

export class Messages {
  readonly #exact = new Map<string, string>();
  /** By a word at the start or the end; by '' where both are values. */
  readonly #byFirst = new Map<string, Form[]>();
  readonly #byLast = new Map<string, Form[]>();
  readonly #remembered = new Map<string, Piece[]>();
  /** What became of the parts of the present text. */
  readonly #parts = new Map<string, Whole>();

  /** From English forms and their translations. */
  constructor(translations: Record<string, string>) {
    for (const [form, translation] of Object.entries(translations)) {
      const bare = isBare(form, translation);
      for (const spelt of spellings(form, translation)) this.#add(spelt.form, spelt.translation, bare);
    }
  }

  /** The text, piece by piece; its pieces joined are the whole. */
  pieces(text: string): Piece[] {
    const known = this.#remembered.get(text);
    if (known) return known;
    this.#parts.clear();
    const pieces = text.length > LONGEST || !/\p{L}/u.test(text) ? [english(text)] : this.#sentences(text, 0);
    if (this.#remembered.size >= REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value!);
    this.#remembered.set(text, pieces);
    return pieces;
  }

  /** The translation of a whole text without values. */
  exact(text: string): string | undefined {
    return this.#exact.get(text);
  }

  #add(spelt: string, translation: string, isBare: boolean): void {
    const { texts, slots } = parsed(spelt);
    if (slots.length === 0) {
      this.#exact.set(texts[0]!, plain(translation));
      return;
    }
    // Of two values with nothing between them, the first holds both.
    const apart = slots.map((_, at) => at === 0 || texts[at] !== '');
    const own = slots.filter((_, at) => apart[at]);
    const form: Form = {
      texts: texts.filter((_, at) => apart[at] ?? true),
      slots: own,
      weight: texts.join('').length,
      isBare,
      translation: filledIn(translation, own),
    };
    const [first, last] = [firstWord(texts[0]!), lastWord(texts.at(-1)!)];
    const [map, word] = first === undefined ? ([this.#byLast, last ?? ''] as const) : ([this.#byFirst, first] as const);
    map.set(word, [...(map.get(word) ?? []), form]);
  }

  /** As a whole if it is one message, else sentence by sentence. */
  #sentences(text: string, depth: number): Piece[] {
    const whole = this.#whole(text, depth);
    if (whole && !whole.spans) return [translatedPiece(whole.text)];
    const ends = sentenceEnds(text);
    if (ends.length === 0 || ends.length > MOST_SENTENCES) return whole ? [translatedPiece(whole.text)] : [english(text)];
    const apart = this.#apart(text, [...ends, text.length], depth);
    return whole && apart.some((piece) => piece.english) ? [translatedPiece(whole.text)] : apart;
  }

  /** The longest messages that its sentences make, from the first. */
  #apart(text: string, ends: number[], depth: number): Piece[] {
    const pieces: Piece[] = [];
    for (let from = 0; from < text.length; ) {
      const later = ends.filter((end) => end > from);
      const blank = /^\s*/.exec(text.slice(from))![0];
      let taken: { text: string; to: number } | undefined;
      for (const to of later.toReversed()) {
        const whole = this.#whole(text.slice(from + blank.length, to), depth);
        if (whole && (!whole.spans || to === later[0])) {
          taken = { text: whole.text, to };
          break;
        }
      }
      const to = taken?.to ?? later[0]!;
      const last = pieces.at(-1);
      const sentence = taken?.text ?? text.slice(from + blank.length, to);
      if (!taken && last?.english) last.text += blank + sentence;
      // Chinese sentences follow each other without a blank; English ones keep theirs.
      else pieces.push({ text: (last?.english || (last && !/[。！？：]$/.test(last.text)) ? blank : '') + sentence, english: !taken });
      from = to;
    }
    return pieces;
  }

  #whole(text: string, depth: number): Whole {
    const exact = this.#exact.get(text);
    if (exact !== undefined) return { text: exact, spans: false };
    const known = this.#parts.get(text);
    if (known !== undefined) return known;
    if (depth >= DEEPEST || this.#parts.size >= MOST_PARTS) return null;
    this.#parts.set(text, null);
    const whole = this.#made(text, depth);
    this.#parts.set(text, whole);
    return whole;
  }

  /** From the form that fits best, and what its values say. */
  #made(text: string, depth: number): Whole {
    for (const { form, values } of this.#fitting(text)) {
      const said = form.slots.map(({ isName }, at) => (isName ? null : this.#value(values[at]!, depth + 1)));
      const spans = values.some((value, at) => !form.slots[at]!.isName && sentenceEnds(value).length > 0);
      if (form.isBare && (spans || said.every((value) => value === null))) continue;
      return { text: filled(form.translation, values, said), spans };
    }
    return null;
  }

  /** The forms that a text fits, those with the most fixed text first. */
  *#fitting(text: string): Generator<{ form: Form; values: string[] }> {
    const alike = [this.#byFirst.get(firstWord(text) ?? ''), this.#byLast.get(lastWord(text) ?? ''), this.#byLast.get('')];
    const fitting = alike.flatMap((forms) => forms ?? []).flatMap((form) => {
      const values = fitted(form, text);
      return values ? [{ form, values }] : [];
    });
    yield* fitting.sort((a, b) => b.form.weight - a.form.weight);
  }

  /** What a value says, if it is a message or a list of quoted names. */
  #value(value: string, depth: number): string | null {
    const bare = value.trim();
    if (!/\s/.test(bare)) return null;
    const listed = this.#listed(bare, depth);
    if (listed !== null) return listed;
    const pieces = this.#sentences(bare, depth);
    if (pieces.every((piece) => piece.english)) return null;
    return pieces.map((piece) => piece.text).join('');
  }

  /** A list of quoted names or of messages, as Rust joins them: `a`, `b` and `c`. */
  #listed(list: string, depth: number): string | null {
    const parts = list.split(/(, then |, | and | or )(?=`|[^`]*(?:`[^`]*`[^`]*)*$)/);
    if (parts.length < 3) return null;
    const said = parts.map((part) => (/^`[^`]*`$/.test(part) ? part : (this.#exact.get(part) ?? (part.includes('`') ? this.#whole(part, depth)?.text : undefined))));
    return said.includes(undefined) ? null : said.reduce<string>((all, part) => joined(all, part!), '');
  }
}

const english = (text: string): Piece => ({ text, english: true });
const translatedPiece = (text: string): Piece => ({ text, english: false });
const mark = /[，。：；、？！（）“”]/u;
const han = /\p{Script=Han}/u;

/** The translation with its values: as they are, or in words. */
function filled(translation: (string | number)[], values: string[], said: (string | null)[]): string {
  let whole = '';
  let isAfterWords = false;
  for (const piece of translation) {
    const words: string | null = typeof piece === 'string' ? null : (said[piece] ?? null);
    const next = typeof piece === 'string' ? piece : (words ?? values[piece] ?? '');
    if (typeof piece === 'number' && next === '') whole = whole.replace(/ $/, '');
    // A name is set off by blanks where the translation says so; a message is joined as its first and last letters ask.
    else whole = words === null && !isAfterWords ? whole + next : joined(whole, next);
    if (next !== '') isAfterWords = words !== null;
  }
  return whole;
}

/** A blank stands between Chinese and other words or numbers, and none beside a Chinese mark. */
function joined(before: string, after: string): string {
  const [left, right] = [before.replace(/ +$/, ''), after.replace(/^ +/, '')];
  const [last, first] = [left.at(-1) ?? '', right[0] ?? ''];
  if (!last || !first) return before + after;
  if (mark.test(last) || mark.test(first) || (han.test(last) && han.test(first))) return left + right;
  return han.test(last) || han.test(first) ? `${left} ${right}` : before + after;
}

const firstWord = (text: string): string | undefined => /^[^\s{]+(?=\s)/.exec(text)?.[0];
const lastWord = (text: string): string | undefined => /(?<=\s)[^\s}]+$/.exec(text)?.[0];

/** Where sentences end inside of a text, outside of backticks. */
function sentenceEnds(text: string): number[] {
  const ends: number[] = [];
  let isCode = false;
  for (let at = 0; at < text.length - 1; at += 1) {
    const mark = text[at]!;
    if (mark === '`') isCode = !isCode && text.includes('`', at + 1);
    else if (!isCode && '.!?'.includes(mark)) {
      const end = '”")'.includes(text[at + 1]!) ? at + 2 : at + 1;
      if (/^\s+\S/.test(text.slice(end, end + 8)) && text[at - 1] !== '.') ends.push(end);
    }
  }
  return ends;
}
