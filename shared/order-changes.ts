/** Changes that an admin made to a frag order: material or small, the rule that asks its pilot again, the short form. */
import { CHANGES } from './mission-fields.ts';
import type { OrderChange } from './schemas/pilot.ts';
import type { Rsvp } from './vocabulary.ts';

/** Maximum code points of a value that is shown shortened. */
const VALUE_LENGTH = 80;

type Changed = Pick<OrderChange, 'field'> & Partial<Pick<OrderChange, 'from' | 'to'>>;

const DAY_MINUTES = 24 * 60;

/** Minutes from midnight to a time such as `1930Z`; NaN for other words. */
const zuluMinutes = (words: string): number => {
  const [, hours, minutes] = /^(\d\d)(\d\d)Z$/.exec(words) ?? [];
  return Number(hours) * 60 + Number(minutes);
};

/** Minutes between two times of day, the shorter way round the clock; NaN unless both are times. */
function minutesApart(from: string, to: string): number {
  const apart = Math.abs(zuluMinutes(from) - zuluMinutes(to));
  return Math.min(apart, DAY_MINUTES - apart);
}

/**
 * True for a change of start, end, side, aircraft or role, and for a launch or TOT that moves by 15 minutes or more: an accepted
 * seat must be accepted again.
 */
export function isMaterial({ field, from, to }: Changed): boolean {
  const { orders, materialMinutes = 0 }: { orders: string | null; materialMinutes?: number } = CHANGES[field];
  if (orders !== 'material') return false;
  // a time that appears or is taken away is as good as moved
  return !(minutesApart(from ?? '', to ?? '') < materialMinutes);
}

/**
 * True if changes ask an order's pilot (again): one of them is material, the pilot is not on standby, and the mission has not
 * started. Otherwise the pilot is only notified.
 */
export function asksAgain(
  { rsvp }: { rsvp: Rsvp },
  changes: readonly Changed[],
  { isUnderWay = false }: { isUnderWay?: boolean } = {},
): boolean {
  return !isUnderWay && rsvp !== 'standby' && changes.some(isMaterial);
}

/** Puts text on one line and truncates it with "…" for pages, notifications and the audit log. */
export function shorten(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '));
  return characters.length <= VALUE_LENGTH ? characters.join('') : `${characters.slice(0, VALUE_LENGTH - 1).join('')}…`;
}
