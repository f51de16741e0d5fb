// Moments for people: relative up to an hour, then the time, then the date.

import { speech } from '../speech.svelte';
import { t } from '../text';

/** `moment` as seen at `now`, both in milliseconds since 1970. */
export function when(moment: number, now: number): string {
  const minutes = Math.floor((now - moment) / 60_000);
  if (minutes < 1) return t('when.now');
  if (minutes < 60) return speech().relative.format(-minutes, 'minute');
  const [then, today] = [new Date(moment), new Date(now)];
  if (then.toDateString() === today.toDateString()) return speech().clock.format(then);
  return (then.getFullYear() === today.getFullYear() ? speech().day : speech().dayAndYear).format(then);
}

/** The day in words: "12 November" in the reader's order. */
export function onDay(moment: number): string {
  return speech().date.format(new Date(moment));
}

/** The moment of an event in a table: to the second for today, with the day for earlier ones. */
export function stamp(moment: number, now: number): string {
  const then = new Date(moment);
  return then.toDateString() === new Date(now).toDateString() ? speech().second.format(then) : speech().dayAndClock.format(then);
}

/** A duration. */
export function lasting(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 1) return t('lasting.seconds');
  if (minutes < 60) return t('lasting.minutes', { n: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? t('lasting.hours', { h: hours, n: minutes % 60 }) : t('lasting.days', { d: Math.floor(hours / 24), h: hours % 24 });
}

/** The time of a line in a log. */
export function toTheSecond(moment: number): string {
  return speech().second.format(new Date(moment));
}

export function atClock(moment: number): string {
  return speech().clock.format(new Date(moment));
}
