/** Changes that an admin made to a frag order: material or small, and shortened for display. */
import { CHANGES } from './mission-fields.ts';
import type { OrderChange } from './schemas/pilot.ts';

/** Maximum code points of a value that is shown shortened. */
const VALUE_LENGTH = 80;

/** True for a change of start, end, side, aircraft or role: an accepted seat must be accepted again. */
export function isMaterial({ field }: Pick<OrderChange, 'field'>): boolean {
  return CHANGES[field].orders === 'material';
}

/** Puts text on one line and truncates it with "…" for pages, notifications and the audit log. */
export function shorten(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '));
  return characters.length <= VALUE_LENGTH ? characters.join('') : `${characters.slice(0, VALUE_LENGTH - 1).join('')}…`;
}
