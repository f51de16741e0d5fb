// Keys as the shortcuts know them.

import { beforeAll, describe, expect, test, vi } from 'vitest';

import { pressOf, shortcutOf } from '../src/state/shortcuts';

// A press is told apart by the field that it is typed into; here it is typed into none.
beforeAll(() => void vi.stubGlobal('HTMLElement', class {}));

const press = (key: string, held: Partial<KeyboardEvent> = {}) => pressOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, target: null, ...held } as KeyboardEvent);
const meant = (key: string, held?: Partial<KeyboardEvent>) => shortcutOf(press(key, held))?.text;

describe('with Ctrl or Cmd', () => {
  test.each([['s', 'edit.save'], ['k', 'palette.label'], ['n', 'new.title'], ['r', 'action.readAgain'], ['f', 'shortcuts.search'], ['b', 'shortcuts.listBeside']])('Caps Lock does not change what %s does', (key, text) => {
    for (const held of [{ ctrlKey: true }, { metaKey: true }]) expect([meant(key, held), meant(key.toUpperCase(), held)]).toEqual([text, text]);
  });

  test('Shift makes it another one, with Caps Lock too', () => {
    for (const key of ['s', 'S']) expect(meant(key, { ctrlKey: true, shiftKey: true })).toBeUndefined();
  });

  test('what is no letter stays as it is', () => {
    expect([meant('+', { ctrlKey: true, shiftKey: true }), meant(',', { ctrlKey: true }), press('Escape', { ctrlKey: true }).key]).toEqual(['shortcuts.zoom', 'nav.settings', 'Escape']);
  });
});

test('without them, a letter is as it was typed', () => expect([press('S').key, press('s').key]).toEqual(['S', 's']));
