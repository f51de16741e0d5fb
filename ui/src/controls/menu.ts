// The content of a menu, and its position: arithmetic only.

import type { IconName } from './Icon.svelte';

export interface MenuItem {
  id: string;
  label: string;
  icon?: IconName;
  /** The keyboard shortcut, as people read it. */
  keys?: string;
  /** Of a choice that is on or off: whether it is on. */
  checked?: boolean;
  /** Shown in red: it removes something. */
  danger?: boolean;
  run: () => unknown;
}

/** The rectangle to open next to; without extent, the place of the pointer. */
export interface Anchor {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

// The sizes set by the menu's styles.
export const menuWidth = 232;
const [itemHeight, gap, padding, distance, margin] = [28, 9, 8, 4, 8];

/** The menu's upper left corner: below the anchor and flush with its right edge, or above it without room below. */
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
