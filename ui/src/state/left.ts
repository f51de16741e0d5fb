// What the page leaves for the next one when its window is closed while the program runs on: where it was, what was
// chosen, and unsaved texts. A half-filled dialog or field is not carried over: the page then keeps its window, hidden.

import type { SkillPage } from '../backend/types';
import type { Place } from './app.svelte';
import type { Filter } from './list';
import type { ServerTab } from './server.svelte';
import type { Tab } from './skill.svelte';

/** An unsaved text, with the file as it was last read and the moment of the kept text that it goes on with. */
export interface LeftDraft {
  base: SkillPage;
  text: string;
  caret: number | null;
  kept: number | null;
}

export interface Left {
  place: Place;
  pane: 'list' | 'detail';
  listBesideEditor: boolean;
  skill: { key: string; tab: Tab; file: string } | null;
  server: { name: string; tab: ServerTab } | null;
  list: { query: string; filter: Filter; picked: string[] };
  drafts: LeftDraft[];
  scrolled: Scrolled[];
}

/** How far an element is scrolled; its path leads from the body, by places among siblings. */
export interface Scrolled {
  path: number[];
  top: number;
}

export const scrolledNow = (): Scrolled[] =>
  [...document.body.querySelectorAll('*')].filter((element) => element.scrollTop > 0).map((element) => ({ path: pathOf(element), top: element.scrollTop }));

/** Scrolls as before, once there is so much to scroll; given up when the person does something first. */
export function scrollBack(places: readonly Scrolled[]): void {
  let waiting = [...places];
  const ended = new AbortController();
  for (const event of ['wheel', 'pointerdown', 'keydown']) addEventListener(event, () => ended.abort(), { signal: ended.signal, capture: true });
  const end = performance.now() + patience;
  const step = () => {
    if (ended.signal.aborted) return;
    waiting = waiting.filter(({ path, top }) => {
      const element = path.reduce<Element | undefined>((above, at) => above?.children[at], document.body);
      if (element) element.scrollTop = top;
      return !element || Math.abs(element.scrollTop - top) > 1;
    });
    if (waiting.length && performance.now() < end) requestAnimationFrame(step);
    else ended.abort();
  };
  requestAnimationFrame(step);
}

/** How long a page may take to have as much to scroll as before, in milliseconds. */
const patience = 3_000;

function pathOf(element: Element): number[] {
  const path: number[] = [];
  for (let at = element; at !== document.body; at = at.parentElement!) path.unshift([...at.parentElement!.children].indexOf(at));
  return path;
}

/** The fields that a person typed into and that still hold a text. Those of the list and of a draft are carried over. */
export class TypedFields {
  readonly #fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

  note(event: Event): void {
    const field = event.target;
    if ((field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && !field.closest('[data-carried]')) this.#fields.add(field);
  }

  get any(): boolean {
    for (const field of this.#fields) if (!field.isConnected) this.#fields.delete(field);
    return [...this.#fields].some((field) => field.value !== '');
  }
}
