/** Words for an admin's changes to a frag order after it went out. */
import { CHANGES } from '#shared/mission-fields.ts';
import { isMaterial, shorten } from '#shared/order-changes.ts';
import type { FragOrderDto, OrderChange } from '#shared/schemas/pilot.ts';

type Changed = Pick<FragOrderDto, 'changes'>;

/** Whether what changed has to be answered anew: time, side, aircraft or role. */
export function asksAgain({ changes }: Changed): boolean {
  return changes.some(isMaterial);
}

export interface ChangeWords {
  /** `Start` */
  field: string;
  from: string;
  to: string;
}

/** `Start`, `Nov 21 1900Z`, `Nov 21 2000Z`; nothing is `none`, a seat that was taken back `removed`. What is new is told in full. */
export function changeWords({ field, from, to }: OrderChange): ChangeWords {
  const without = field === 'seat' ? 'removed' : 'none';
  return { field: CHANGES[field].words, from: shorten(from ?? 'none'), to: to ?? without };
}
