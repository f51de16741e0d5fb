// Every shortcut of the keyboard, once: the window answers those that work everywhere, and the sheet shows all.

import { nextZone } from '../zones';
import { t, type TextKey } from '../text';
import { keys } from './actions';
import type { Appearance } from './appearance.svelte';
import { pages, type App } from './app.svelte';

/** A key that was pressed. */
export interface Press {
  key: string;
  /** Ctrl, or Cmd on a Mac. */
  command: boolean;
  shift: boolean;
  /** Whether it was typed into a field. */
  writing: boolean;
}

export interface Shortcut {
  /** As people read it. */
  keys: string;
  text: TextKey;
  /** Absent for what a list or the editor answers. */
  is?: (press: Press) => boolean;
  run?: (app: App, press: Press) => unknown;
  /** What it does to the size of the content. That works in every window, dialog and menu, the first run included. */
  zoom?: (appearance: Appearance, press: Press) => Promise<void>;
}

const withCommand = (...wanted: string[]) => ({ key, command }: Press) => command && wanted.includes(key);

export const shortcuts: readonly { title: TextKey; members: readonly Shortcut[] }[] = [
  {
    title: 'shortcuts.everywhere',
    members: [
      { keys: keys('K'), text: 'palette.label', is: withCommand('k'), run: (app) => (app.palette = true) },
      { keys: `${keys('1')} – 6`, text: 'shortcuts.pages', is: withCommand('1', '2', '3', '4', '5', '6'), run: (app, { key }) => app.go(pages[Number(key) - 1]!) },
      { keys: keys(','), text: 'nav.settings', is: withCommand(','), run: (app) => app.go('settings') },
      { keys: `/  ${keys('F')}`, text: 'shortcuts.search', is: ({ key, command, writing }) => !writing && (command ? key === 'f' : key === '/'), run: (app) => app.askSearch() },
      { keys: keys('N'), text: 'new.title', is: withCommand('n'), run: (app) => (app.dialog = { kind: 'new' }) },
      { keys: keys('R'), text: 'action.readAgain', is: withCommand('r'), run: (app) => app.readAgain(t('action.wasRead')) },
      { keys: 'F6', text: 'shortcuts.panes', is: ({ key }) => key === 'F6', run: (_, { shift }) => nextZone(shift ? -1 : 1) },
      { keys: `${keys('+')}  ${keys('-')}`, text: 'shortcuts.zoom', is: withCommand('+', '=', '-'), zoom: (appearance, { key }) => appearance.zoomBy(key === '-' ? -1 : 1) },
      { keys: keys('0'), text: 'shortcuts.zoomUsual', is: withCommand('0'), zoom: (appearance) => appearance.setZoom(100) },
      { keys: '?  F1', text: 'shortcuts.title', is: ({ key, command, writing }) => key === 'F1' || (key === '?' && !command && !writing), run: (app) => (app.shortcuts = true) },
      { keys: keys('Q'), text: 'tray.quit' },
    ],
  },
  {
    title: 'shortcuts.list',
    members: [
      { keys: '↑  ↓', text: 'shortcuts.move' },
      { keys: 'Enter', text: 'palette.open' },
      { keys: 'Space', text: 'palette.toggle' },
      { keys: 'Shift ↑  Shift ↓', text: 'shortcuts.pick' },
      { keys: keys('A'), text: 'shortcuts.pickAll' },
      { keys: t('keys.delete'), text: 'action.trash' },
      { keys: 'Shift F10', text: 'shortcuts.menu' },
    ],
  },
  {
    title: 'shortcuts.review',
    members: [
      { keys: 'N', text: 'shortcuts.question' },
      { keys: 'M', text: 'review.mine' },
      { keys: 'T', text: 'review.theirs' },
      { keys: 'A', text: 'updating.update' },
      { keys: 'L', text: 'updating.later' },
    ],
  },
  {
    title: 'shortcuts.editor',
    members: [
      { keys: keys('S'), text: 'edit.save', is: withCommand('s'), run: (app) => app.save() },
      { keys: keys('B'), text: 'shortcuts.listBeside', is: withCommand('b'), run: (app) => (app.listBesideEditor = !app.listBesideEditor) },
      { keys: keys('.'), text: 'shortcuts.fixHere' },
      { keys: keys('F'), text: 'find.find' },
    ],
  },
];

/** A key as the shortcuts know it: with Ctrl or Cmd, Caps Lock makes no other letter of it. */
export function pressOf({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): Press {
  const writing = target instanceof HTMLElement && (target.matches('input:not([type=checkbox]), select, textarea') || target.shadowRoot !== null);
  const command = ctrlKey || metaKey;
  const letter = shiftKey ? key.toUpperCase() : key.toLowerCase();
  return { key: command && key.length === 1 ? letter : key, command, shift: shiftKey, writing };
}

/** The shortcut that works everywhere and is this press. */
export const shortcutOf = (press: Press): Shortcut | undefined => shortcuts.flatMap(({ members }) => members).find(({ is }) => is?.(press));
