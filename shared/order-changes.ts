/** An admin's changes to a frag order, for every screen and message. */
import { CHANGES } from './mission-fields.ts';
import type { OrderChange } from './schemas/pilot.ts';

/** Notes may be long: of the old ones a line is enough to know them by. */
const VALUE_LENGTH = 80;

/** Start, end, side, aircraft and role: an accepted seat has to be accepted again. */
export function isMaterial({ field }: Pick<OrderChange, 'field'>): boolean {
  return CHANGES[field].orders === 'material';
}

/** Text on one line, cut to what a page, a notification or a line of the audit holds. */
export function shorten(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '));
  return characters.length <= VALUE_LENGTH ? characters.join('') : `${characters.slice(0, VALUE_LENGTH - 1).join('')}…`;
}
