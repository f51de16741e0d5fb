// Messages shown once, at the lower edge of the window.

export interface Toast {
  id: number;
  message: string;
  hints: string[];
  kind: 'done' | 'failed';
  /** Undoes the action, while the toast is shown. */
  undo?: () => unknown;
}

export class Toasts {
  shown = $state<Toast[]>([]);
  #next = 1;
  /** Where somebody is, with the pointer or the keyboard. */
  #held: number | null = null;

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
    this.shown = [...this.shown.slice(-2), { ...toast, id }];
    return id;
  }
}
