/** Text of an admin's changes to an issued frag order. */
import { CHANGES } from '#shared/mission-fields.ts';
import { shorten } from '#shared/order-changes.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';

export interface ChangeWords {
  /** `Start` */
  field: string;
  from: string;
  to: string;
}

/** `Start`, `Nov 21 1900Z`, `Nov 21 2000Z`; no value is `none`, a seat taken away is `removed`. New values are not cut. */
export function changeWords({ field, from, to }: OrderChange): ChangeWords {
  const without = field === 'seat' ? 'removed' : 'none';
  return { field: CHANGES[field].words, from: shorten(from ?? 'none'), to: to ?? without };
}
