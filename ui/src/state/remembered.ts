// What the window remembers from one run to the next: small choices of one person on one computer. Where the engine of
// the page stores nothing, they hold for this run.

type Name = 'begun' | 'language' | 'order' | 'page' | 'picking' | 'theme' | 'zoom';

/** The remembered word, if it is one of `words`. */
export function recall<Word extends string>(name: Name, words: readonly Word[]): Word | null {
  try {
    const word = localStorage.getItem(name);
    return words.find((each) => each === word) ?? null;
  } catch {
    return null;
  }
}

export function remember(name: Name, word: string): void {
  try {
    localStorage.setItem(name, word);
  } catch {
    // It holds for this run.
  }
}
