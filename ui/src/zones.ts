// The panes that F6 walks through: sidebar, list, page.

/** The focus target in a pane: its selected element, else the first focusable one. */
const wanted = ['[role="row"][tabindex="0"]', '[role="tab"][tabindex="0"]', '[aria-current="page"]', 'button:not(:disabled), input'];

/** Moves focus to the next visible pane, or with -1 to the one before. */
export function nextZone(by: 1 | -1): void {
  const zones = [...document.querySelectorAll<HTMLElement>('[data-zone]')].filter(isVisible);
  const current = zones.findIndex((zone) => zone.contains(document.activeElement));
  const next = zones[(current + by + zones.length) % zones.length];
  if (!next) return;
  const candidates = wanted.flatMap((css) => [...next.querySelectorAll<HTMLElement>(css)]);
  candidates.find(isVisible)?.focus();
}

const isVisible = (element: HTMLElement) => element.offsetParent !== null;
