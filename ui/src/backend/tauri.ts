// The production backend: the commands of the shell, and its events.

import { listen } from '@tauri-apps/api/event';

import type { Asked, Backend, Choice, Consenting, Leave, Show } from './backend';
import { commands } from './commands';
import { latest } from './latest';

export const tauri: Backend & Consenting = {
  ...commands,
  onSnapshot: (listener) => listen('snapshot', latest(commands.current, listener)),
  onShow: (listener) => listen<Show>('show', (event) => listener(event.payload)),
  onLeave: (listener) => listen<Leave>('leave', (event) => listener(event.payload)),
  onClosed: (listener) => listen('closed', () => listener()),
  onDrag: (listener) => listen<boolean>('drag', (event) => listener(event.payload)),
  onDrop: (listener) => listen<Choice[]>('drop', (event) => listener(event.payload)),
  onConsent: (listener) => listen<Asked | null>('consent', (event) => listener(event.payload)),
};
