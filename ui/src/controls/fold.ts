// Folds, for what is inside of one.

import { tick } from 'svelte';

/** Opens the folds that an element is in. Afterwards it can be scrolled to, and takes the focus. */
export async function unfold(inside: Element): Promise<void> {
  for (let fold = inside.closest('[hidden]'); fold; fold = fold.parentElement?.closest('[hidden]') ?? null) {
    document.querySelector<HTMLElement>(`[aria-controls="${fold.id}"][aria-expanded=false]`)?.click();
  }
  await tick();
}
