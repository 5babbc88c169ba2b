/**
 * The side rule: which side's plan of a mission a reader sees. The mission page, orders with their messages, calendar
 * entries and kneeboard cards, and swaps all ask it.
 */
import type { Side } from '#shared/vocabulary.ts';

/** Who reads about a mission. */
export interface PlanReader {
  readonly isAdmin: boolean;
  /** side of the seat that the reader holds in the mission; null without one */
  readonly seatSide: Side | null;
}

/**
 * What a reader sees of a side: `plan` is everything; `outline` is the flights with their open seats, without frequencies,
 * crews and texts; `hidden` is nothing.
 */
export type SideView = 'plan' | 'outline' | 'hidden';

/** Admins see both sides. A pilot with a seat sees the plan of that side only; one without a seat, the outline of both. */
export function viewOfSide({ isAdmin, seatSide }: PlanReader, side: Side): SideView {
  if (isAdmin || seatSide === side) return 'plan';
  return seatSide === null ? 'outline' : 'hidden';
}
