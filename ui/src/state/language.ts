// Which glyphs a text wants: Chinese, Japanese and Korean share characters that are drawn differently.

/** For a `lang` attribute; nothing when the window's own language will do. */
export function languageOf(text: string): 'ja' | 'ko' | 'zh' | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  return /\p{Script=Han}/u.test(text) ? 'zh' : undefined;
}
