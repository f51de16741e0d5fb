// Messages that are shown once: which stay, and for how long.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Toasts } from '../src/state/toasts.svelte';

let toasts: Toasts;
beforeEach(() => {
  vi.useFakeTimers();
  toasts = new Toasts();
});
afterEach(() => void vi.useRealTimers());
const shown = () => toasts.shown.map(({ message }) => message).join(' ');

test('a failure stays until somebody dismisses it, whatever comes after it', () => {
  for (const message of ['a', 'b', 'c', 'd', 'e']) toasts.failed(message);
  for (const message of ['1', '2', '3', '4', '5']) toasts.done(message);
  toasts.failed('f');
  expect(shown()).toBe('a b c d e 3 4 5 f');
  vi.advanceTimersByTime(60_000);
  expect(shown()).toBe('a b c d e f');
  toasts.dismiss(toasts.shown[0]!.id);
  expect(shown()).toBe('b c d e f');
});

test('a failure that is shown is not shown twice', () => {
  for (const message of ['a', 'b', 'c', 'd', 'a']) toasts.failed(message);
  expect(shown()).toBe('a b c d');
});

test('of what is done the last three are shown, and the one where somebody is', () => {
  for (const message of ['1', '2', '3', '4']) toasts.done(message);
  expect(shown()).toBe('2 3 4');
  toasts.hold(toasts.shown[0]!.id);
  for (const message of ['5', '6']) toasts.done(message);
  expect(shown()).toBe('2 4 5 6');
});

test('what can be undone is shown for longer', () => {
  toasts.done('1');
  toasts.done('2', () => {});
  vi.advanceTimersByTime(5_000);
  expect(shown()).toBe('2');
  vi.advanceTimersByTime(5_000);
  expect(shown()).toBe('');
});
