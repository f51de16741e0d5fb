// What a menu holds, and where it opens: arithmetic only.

import type { IconName } from './Icon.svelte';

export interface MenuItem {
  id: string;
  label: string;
  icon?: IconName;
  /** The keys that do the same, as people read them. */
  keys?: string;
  /** Red words: it takes something away. */
  danger?: boolean;
  run: () => unknown;
}

/** A rectangle to open beside, or with no extent the place of the pointer. */
export interface Anchor {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

// The sizes that the styles of the menu give it.
export const menuWidth = 232;
const [itemHeight, gap, padding, distance, margin] = [28, 9, 8, 4, 8];

/** The menu's upper left corner: below the anchor and flush with its right edge, or above where there is no room. */
export function placed(groups: MenuItem[][], anchor: Anchor, window: { width: number; height: number }): { left: number; top: number } {
  const items = groups.reduce((sum, group) => sum + group.length, 0);
  const height = items * itemHeight + (groups.length - 1) * gap + padding;
  const wanted = anchor.right === anchor.left ? anchor.left : anchor.right - menuWidth;
  const left = Math.max(margin, Math.min(wanted, window.width - menuWidth - margin));
  const below = anchor.bottom + distance;
  const above = anchor.top - distance - height;
  const top = below + height + margin <= window.height || above < margin ? below : above;
  return { left, top: Math.max(margin, Math.min(top, window.height - height - margin)) };
}
