// What the windows that ask have in common: their keys, and whether a question was read to its end.

import type { Appearance } from './appearance.svelte';
import { pressOf, shortcutOf } from './shortcuts';

/** The keys of a window that asks: the size of its text, which `resized` follows, and Escape for the safe answer. */
export function keysOf(appearance: Appearance, resized: () => void, later: () => unknown): (event: KeyboardEvent) => void {
  return (event) => {
    const press = pressOf(event);
    const { zoom } = shortcutOf(press) ?? {};
    if (zoom) {
      event.preventDefault();
      // A window that cannot be enlarged stays as it is.
      void zoom(appearance, press).then(resized, () => {});
      return;
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    void later();
  };
}

/** Whether the end of what scrolls is on the screen. */
export const isAtEnd = (body: HTMLElement | undefined): boolean => body !== undefined && body.scrollTop + body.clientHeight >= body.scrollHeight - 4;
