// Keeps focus in the window: when the focused element is removed, the nearest remaining one gets it.

const reachable = 'button:not(:disabled, .danger), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** What is in front of the page and has the keyboard for itself. */
const front = 'dialog[open], [data-front]';

/** The last focused element and its ancestors: in the page, and in front of it, which restores focus when it closes. */
interface Held {
  page: Element[];
  front: Element[];
}

/** Starts watching; the returned function stops it. */
export function keepFocus(root: HTMLElement): () => void {
  const held: Held = { page: [], front: [] };

  const take = ({ target }: FocusEvent) => {
    const chain = target instanceof Element ? around(target) : [];
    held[chain.some((element) => element.matches(front)) ? 'front' : 'page'] = chain;
  };
  const give = () => {
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body) return;
    const isCovered = document.querySelector(front) !== null;
    const chain = isCovered ? held.front : held.page;
    // An element that still exists was left on purpose.
    if (!chain[0] || chain[0].isConnected) return;
    const left = chain.filter((element) => element.isConnected);
    // Another page, of which nothing was there before, begins at its start.
    const main = document.querySelector('main');
    if (!isCovered && main) left.push(main);
    for (const place of left) {
      for (const next of [place, ...place.querySelectorAll(reachable)].filter(takesFocus)) {
        next.focus({ preventScroll: true });
        // What is folded away has a place and takes no focus.
        if (document.activeElement === next) return;
      }
    }
  };

  const watch = new MutationObserver(give);
  watch.observe(root, { childList: true, subtree: true });
  root.addEventListener('focusin', take);
  return () => {
    watch.disconnect();
    root.removeEventListener('focusin', take);
  };
}

function around(element: Element): Element[] {
  const chain: Element[] = [];
  for (let each: Element | null = element; each !== null && each !== document.body; each = each.parentElement) chain.push(each);
  return chain;
}

const takesFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.matches(reachable) && !element.matches('[tabindex="-1"]') && element.offsetParent !== null;
