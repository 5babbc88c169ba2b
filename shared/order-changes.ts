/** Changes that an admin made to a frag order: material or small, the rule that asks its pilot again, the short form. */
import { CHANGES } from './mission-fields.ts';
import type { OrderChange } from './schemas/pilot.ts';
import type { Rsvp } from './vocabulary.ts';

/** Maximum code points of a value that is shown shortened. */
const VALUE_LENGTH = 80;

type Changed = Pick<OrderChange, 'field'>;

/** True for a change of start, end, side, aircraft or role: an accepted seat must be accepted again. */
export function isMaterial({ field }: Changed): boolean {
  return CHANGES[field].orders === 'material';
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
