// Messages shown once, at the lower edge of the window: every failure, and the last of what was done. What is behind an
// open dialog can be neither heard nor used, so they are shown in the dialog on top, and without one in the page.

import { createContext } from 'svelte';

export const [useToasts, provideToasts] = createContext<Toasts>();

export interface Toast {
  id: number;
  message: string;
  hints: string[];
  kind: 'done' | 'failed';
  /** Undoes the action, while the toast is shown. */
  undo?: () => unknown;
}

/** The most of those that are done. */
const MOST = 3;

export class Toasts {
  shown = $state<Toast[]>([]);
  #next = 1;
  /** Where somebody is, with the pointer or the keyboard. */
  #held: number | null = null;
  /** The page, and the dialogs in front of it, the one on top last. */
  #places = $state.raw<number[]>([]);
  /** The place that said a toast to screen readers. */
  readonly #saidIn = new Map<number, number>();

  /** A place for toasts, in front of the others until it is closed. */
  open(): number {
    const place = this.#next;
    this.#next += 1;
    this.#move([...this.#places, place]);
    return place;
  }

  close(place: number): void {
    this.#move(this.#places.filter((other) => other !== place));
  }

  isOnTop(place: number): boolean {
    return this.#places.at(-1) === place;
  }

  /** Whether a toast is news here: another place has not said it. */
  isNews(id: number, place: number): boolean {
    return (this.#saidIn.get(id) ?? place) === place;
  }

  /** A place has said this toast. */
  said(id: number, place: number): void {
    this.#saidIn.set(id, place);
  }

  /** Shown for five seconds, or ten when it can be undone, so that the person can read it and decide. */
  done(message: string, undo?: () => unknown): void {
    const id = this.#add({ message, hints: [], kind: 'done', ...(undo && { undo }) });
    this.#leave(id, undo ? 10_000 : 5_000);
  }

  /** Stays until it is dismissed: a failure must not vanish unread. */
  failed(message: string, hints: string[] = []): void {
    if (this.shown.some((toast) => toast.message === message)) return;
    this.#add({ message, hints, kind: 'failed' });
  }

  /** Somebody is at this one, which stays for as long; `null`: at none. */
  hold(id: number | null): void {
    this.#held = id;
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((toast) => toast.id !== id);
    this.#saidIn.delete(id);
  }

  /** Toasts that move leave the pointer and the keyboard behind. */
  #move(places: number[]): void {
    this.#places = places;
    this.#held = null;
  }

  #leave(id: number, after: number): void {
    setTimeout(() => {
      if (!this.shown.some((toast) => toast.id === id)) return;
      if (this.#held === id) this.#leave(id, 1_000);
      else this.dismiss(id);
    }, after);
  }

  #add(toast: Omit<Toast, 'id'>): number {
    const id = this.#next;
    this.#next += 1;
    this.shown = [...this.shown, { ...toast, id }];
    const done = this.shown.filter((each) => each.kind === 'done' && each.id !== this.#held);
    for (const old of done.slice(0, -MOST)) this.dismiss(old.id);
    return id;
  }
}
