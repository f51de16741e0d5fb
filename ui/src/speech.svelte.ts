// The language of the window: its texts, and how it writes numbers, dates, times and lists. What reads it is drawn again
// when the language changes. English is always here; another language is loaded when it is first shown.

import english from '../text/en.json';
import type { Language } from './backend/types';
import { Messages } from './messages/messages';

export type Texts = Record<string, string>;

/** The texts of a language, and what the engine says by its English forms; English needs none of those. */
type Loaded = { texts: Texts; engine?: Record<string, string> };

const load: Record<Language, () => Promise<Loaded>> = {
  en: async () => ({ texts: english }),
  'zh-CN': async () => {
    const [texts, engine] = await Promise.all([import('../text/zh-CN.json'), import('../text/zh-CN.engine.json')]);
    return { texts: texts.default, engine: engine.default };
  },
};

/** Every language with texts, in the order in which they are offered. */
export const languages = Object.keys(load) as Language[];

/** The name of each language, in itself. */
export const names: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' };

/** A language as it is shown. */
export class Speech {
  readonly tag: Language;
  readonly texts: Texts;
  readonly plurals: Intl.PluralRules;
  readonly lists: Intl.ListFormat;
  readonly relative: Intl.RelativeTimeFormat;
  readonly clock: Intl.DateTimeFormat;
  readonly second: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly dayAndClock: Intl.DateTimeFormat;
  readonly dayAndYear: Intl.DateTimeFormat;
  readonly date: Intl.DateTimeFormat;

  readonly #numbers: Intl.NumberFormat[] = [];
  readonly #engine: Record<string, string> | undefined;
  #messages: Messages | undefined;

  constructor(tag: Language, texts: Texts, engine?: Record<string, string>) {
    this.tag = tag;
    this.texts = texts;
    this.#engine = engine;
    this.plurals = new Intl.PluralRules(tag);
    // British lists have no comma before the last word, and British minutes no point.
    const plain = tag === 'en' ? 'en-GB' : tag;
    this.lists = new Intl.ListFormat(plain);
    this.relative = new Intl.RelativeTimeFormat(plain, { numeric: 'auto', style: 'short' });
    this.clock = new Intl.DateTimeFormat(tag, clock);
    this.second = new Intl.DateTimeFormat(tag, { ...clock, second: '2-digit' });
    this.day = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' });
    this.dayAndClock = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', ...clock });
    this.dayAndYear = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', year: 'numeric' });
    this.date = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long' });
  }

  /** What the engine says; absent in its own language. Its forms are read when something is first said. */
  get messages(): Messages | undefined {
    return (this.#messages ??= this.#engine && new Messages(this.#engine));
  }

  /** Numbers with so many digits after the point. */
  number(digits: number): Intl.NumberFormat {
    return (this.#numbers[digits] ??= new Intl.NumberFormat(this.tag, digits ? { minimumFractionDigits: digits, maximumFractionDigits: digits } : {}));
  }
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

let spoken = $state.raw(new Speech('en', english));

/** The language that is shown. */
export const speech = (): Speech => spoken;

let wanted: Language = 'en';

/** Shows a language, once its texts are here. The one that was asked for last wins. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  if (spoken.tag === language) return;
  const { texts, engine } = await load[language]();
  if (wanted === language) show(new Speech(language, texts, engine));
}

/** Shows these texts. */
export function show(next: Speech): void {
  spoken = next;
  if (typeof document !== 'undefined') document.documentElement.lang = next.tag;
}
