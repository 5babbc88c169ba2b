/** Reminders of missions in words, and the question "Still flying?", which pilots are asked a day before the start. */
import { count } from '#shared/plural.ts';
import type { OrderStatus, Rsvp } from './vocabulary.ts';

/**
 * Lead times of reminders in minutes before the start: those that can be chosen, those of a new pilot, and how many at most. The
 * one of `askMinutes` asks "Still flying?".
 */
export const REMINDERS = { minutes: [2880, 1440, 180, 60, 15], initial: [1440, 60], max: 4, askMinutes: 1440 } as const;
export type ReminderMinutes = (typeof REMINDERS.minutes)[number];

/** Instants are epoch milliseconds. */
interface ConfirmableOrder {
  status: OrderStatus;
  rsvp: Rsvp;
  startMs: number;
  acceptedMs: number | null;
  confirmedMs: number | null;
}

/**
 * True from a day before the start until it, while the pilot has not confirmed. A pilot who took the seat later than that has
 * just said so, and is not asked.
 */
export function isConfirmationAsked(order: ConfirmableOrder, nowMs: number): boolean {
  const { status, rsvp, startMs, acceptedMs, confirmedMs } = order;
  const fromMs = startMs - REMINDERS.askMinutes * 60_000;
  const isOpen = status === 'issued' && rsvp === 'accepted' && confirmedMs === null;
  return isOpen && (acceptedMs ?? 0) <= fromMs && fromMs <= nowMs && nowMs < startMs;
}

/** Refusals of lead times. */
export const reminderCopy = {
  fromList: 'Reminders can be 48 hours, 24 hours, 3 hours, 1 hour or 15 minutes before the start, each once',
  tooMany: `You can choose at most ${REMINDERS.max} reminders`,
} as const;

export const STILL_FLYING = {
  question: 'Still flying?',
  meaning: "Confirm that you'll be there, or give the seat back now so that somebody else can fly.",
  confirm: 'Confirm',
  decline: "Can't make it",
} as const;

/** How long until the start, as reminders say it: `48 hours`, `24 hours`, `1 hour`, `15 minutes`. */
export function leadWords(minutes: number): string {
  const isHours = minutes >= 90 || Math.round(minutes / 5) === 12;
  return isHours ? count(Math.round(minutes / 60), 'hour') : count(Math.max(1, Math.round(minutes)), 'minute');
}
