// The glyphs for a text: Chinese, Japanese and Korean share characters that are drawn differently.

/** For a `lang` attribute; `undefined` when the window's own language suffices. */
export function languageOf(text: string): 'ja' | 'ko' | 'zh' | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  return /\p{Script=Han}/u.test(text) ? 'zh' : undefined;
}
