// How the window looks: light, dark or as the desktop is, and how large. Both are kept for the next run.

import type { Consenting } from '../backend/backend';
import { recall, remember } from './remembered';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The sizes, in percent. */
export const zooms = [75, 80, 90, 100, 110, 125, 150, 175, 200] as const;
const usual = 100;

export class Appearance {
  theme = $state<Theme>(recall('theme', themes) ?? 'system');
  zoom = $state(Number(recall('zoom', zooms.map(String)) ?? usual));

  readonly #backend: Pick<Consenting, 'showAs'>;

  constructor(backend: Pick<Consenting, 'showAs'>) {
    this.#backend = backend;
  }

  /** Shows what was kept. A window that looks usual is left alone. */
  start(): void {
    if (this.theme !== 'system' || this.zoom !== usual) void this.#show().catch(() => {});
  }

  /** Takes over what another window of the program changed, which the shell shows in all; the returned function stops it. */
  follow(): () => void {
    const changed = () => {
      this.theme = recall('theme', themes) ?? 'system';
      this.zoom = Number(recall('zoom', zooms.map(String)) ?? usual);
    };
    addEventListener('storage', changed);
    return () => removeEventListener('storage', changed);
  }

  async setTheme(theme: Theme): Promise<void> {
    this.theme = theme;
    remember('theme', theme);
    await this.#show();
  }

  async setZoom(zoom: number): Promise<void> {
    this.zoom = zoom;
    remember('zoom', String(zoom));
    await this.#show();
  }

  /** Larger or smaller by so many steps. */
  async zoomBy(steps: 1 | -1): Promise<void> {
    const at = zooms.findIndex((zoom) => zoom >= this.zoom) + steps;
    await this.setZoom(zooms[Math.max(0, Math.min(zooms.length - 1, at))]!);
  }

  #show(): Promise<void> {
    const { theme } = this;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    return this.#backend.showAs(theme === 'system' ? null : theme === 'dark', this.zoom);
  }
}
