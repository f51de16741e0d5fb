// The form of a message: `The file {path} has {count:#} lines.` `{name}` and `{}` are values, as in Rust; `{count:#}` is a
// number, and `{were:was|were}` one of these words. A brace that is only a brace is `{{`.

/** A form: the texts around its values, and what each value may be. */
export interface Form {
  /** One more than there are slots. */
  texts: string[];
  slots: Slot[];
  /** How much text is fixed: of two forms that fit, the one that says more is meant. */
  weight: number;
  /** Whether it says nothing without its values. */
  isBare: boolean;
  /** Texts, and the numbers of slots; of a value that another holds too, -1. */
  translation: (string | number)[];
}

export interface Slot {
  /** Values of one name are equal. */
  name: string;
  isNumber: boolean;
  /** Whether it stands between backticks. */
  isCode: boolean;
  /** Whether it is a number or, somewhere in the form, stands as code, in quotes or in a path: it is no message. */
  isName: boolean;
}

/** The values of a text that fits a form in one way. */
export function fitted({ texts, slots }: Form, text: string): string[] | null {
  const [first, last] = [texts[0]!, texts.at(-1)!];
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return null;
  // A label such as `Write {meant}` fits half of English: its value is one word.
  if (last === '' && slots.length === 1 && /^\p{Lu}\p{Ll}+( \p{Ll}+)? $/u.test(first) && /\s/.test(text.slice(first.length))) return null;
  const ways = [earliest(texts, text), latest(texts, text)].filter((values) => values !== null && isMeant(slots, values)) as string[][];
  // Code ends at its backtick, unless no way is so.
  const clean = ways.filter((values) => slots.every(({ isCode }, at) => !isCode || !values[at]!.includes('`')));
  const [one, other] = clean.length ? clean : ways;
  return one && (!other || other.every((value, at) => value === one[at])) ? one : null;
}

/** The values when each fixed text is taken at its first place. */
function earliest(texts: string[], text: string): string[] | null {
  const values: string[] = [];
  let from = texts[0]!.length;
  const to = text.length - texts.at(-1)!.length;
  for (const fixed of texts.slice(1, -1)) {
    const at = text.indexOf(fixed, from);
    if (at < 0 || at + fixed.length > to) return null;
    values.push(text.slice(from, at));
    from = at + fixed.length;
  }
  return [...values, text.slice(from, to)];
}

/** The values when each fixed text is taken at its last place. */
function latest(texts: string[], text: string): string[] | null {
  const values: string[] = [];
  const from = texts[0]!.length;
  let to = text.length - texts.at(-1)!.length;
  for (const fixed of texts.slice(1, -1).reverse()) {
    const at = to < fixed.length ? -1 : text.lastIndexOf(fixed, to - fixed.length);
    if (at < from) return null;
    values.unshift(text.slice(at + fixed.length, to));
    to = at;
  }
  return [text.slice(from, to), ...values];
}

/** Whether these can be the values: a number is one, and values of one name are equal. */
function isMeant(slots: Slot[], values: string[]): boolean {
  const byName = new Map<string, string>();
  return slots.every(({ name, isNumber }, at) => {
    const [value, before] = [values[at]!, byName.get(name)];
    byName.set(name, value);
    return (!isNumber || /^[\d,.]+$/.test(value)) && (before === undefined || before === value);
  });
}

const placeholder = /\{\{|\}\}|\{([^{}]*)\}/g;

/** A form for each choice of words: `{were:was|were}` is one of them, and stands in the translation where that names it. */
export function spellings(form: string, translation: string): { form: string; translation: string }[] {
  const choice = /(?<!\{)\{(\w*):([^{}#]*)\}/.exec(form);
  if (!choice) return [{ form, translation }];
  const [whole, name, words] = choice;
  return words!.split('|').flatMap((word) => spellings(form.replace(whole, () => word), name ? translation.replaceAll(`{${name}}`, () => word) : translation));
}

/** Whether a form says nothing by itself: then one of its values must be a message. */
export const isBare = (form: string, translation: string): boolean => {
  const own = form.replace(/\{(\w*):([^{}#]*)\}/g, (_, name: string, words: string) => (name && translation.includes(`{${name}}`) ? '' : words));
  return !/\p{L}/u.test(parsed(own).texts.join(''));
};

/** The fixed texts of a form, and the values between them. A value without a name is named by its place. */
export function parsed(form: string): { texts: string[]; slots: Slot[] } {
  const texts = [''];
  const slots: Slot[] = [];
  let unnamed = 0;
  let from = 0;
  const add = (text: string) => void (texts[texts.length - 1] += text);
  for (const { 0: mark, 1: inside, index } of form.matchAll(placeholder)) {
    add(form.slice(from, index));
    from = index + mark.length;
    if (inside === undefined) add(mark[0]!);
    else {
      const [name, kind] = inside.split(':');
      const before = texts.join('');
      const isCode = before.split('`').length % 2 === 0;
      const isNumber = kind === '#';
      slots.push({ name: name || String(unnamed++), isNumber, isCode, isName: isNumber || isCode || /["“/]$/.test(before) });
      texts.push('');
    }
  }
  add(form.slice(from));
  for (const slot of slots) slot.isName ||= slots.some((other) => other.name === slot.name && other.isName);
  return { texts, slots };
}

/** A text without values, its doubled braces as single ones. */
export const plain = (text: string): string => text.replace(/\{\{|\}\}/g, (pair) => pair[0]!);

/** A translation as texts and numbers of values. */
export function filledIn(translation: string, slots: Slot[]): (string | number)[] {
  const { texts, slots: filled } = parsed(translation);
  return texts.flatMap((text, at) => {
    const name = filled[at]?.name;
    const slot = name === undefined ? -1 : slots.findIndex((each) => each.name === name);
    return name === undefined ? [text] : [text, slot];
  });
}
