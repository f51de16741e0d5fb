// The panes that F6 walks through: sidebar, list, page.

/** Moves focus to the next visible pane, or with -1 to the one before. */
export function nextZone(by: 1 | -1): void {
  const zones = [...document.querySelectorAll<HTMLElement>('[data-zone]')].filter((zone) => zone.offsetParent !== null);
  const current = zones.findIndex((zone) => zone.contains(document.activeElement));
  const zone = zones.at((current + by + zones.length) % zones.length);
  const wanted = '[role="row"][tabindex="0"], [aria-current="page"], [role="tab"][tabindex="0"], button:not(:disabled), input';
  zone?.querySelector<HTMLElement>(wanted)?.focus();
}
