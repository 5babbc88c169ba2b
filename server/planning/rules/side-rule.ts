/**
 * The side rule: how much a reader sees of each side of a mission. The mission page, orders with their messages, calendar
 * entries and kneeboard cards, swaps, and Discord's cards all ask it.
 */
import { hasSecretSides, type PlanView, type SecretSides } from '#shared/secret-sides.ts';
import type { Side } from '#shared/vocabulary.ts';

/** Who reads about a mission. */
export interface PlanReader {
  readonly isAdmin: boolean;
  /** side of the seat that the reader holds in the mission; null without one */
  readonly seatSide: Side | null;
  /** side of the flight that the reader is in the queue for; null outside of the queue */
  readonly queueSide: Side | null;
}

/** Anybody: a member without a seat, or a reader of Discord's channel. */
export const ANYBODY: PlanReader = { isAdmin: false, seatSide: null, queueSide: null };

/** The facts of a mission that the rule depends on. */
export interface MissionSides extends SecretSides {
  endMs: number;
}

/** How much a reader sees of a side; with `hidden`, nothing at all. */
export type SideView = PlanView | 'hidden';

/** Secrets end with the mission: then everybody reads who flew. */
export const keepsSecrets = (mission: MissionSides, nowMs: number): boolean =>
  nowMs < mission.endMs && hasSecretSides(mission);

/**
 * Admins see both sides in full, and the pilot of a seat that of the seat. Where the sides are secret, a pilot with a seat
 * sees nothing of the other side, and all others see counts. Where they are not, everybody sees who flies; a place in the
 * queue shows the plan of its side.
 */
export function viewOfSide(reader: PlanReader, side: Side, mission: MissionSides, nowMs: number): SideView {
  if (reader.isAdmin || reader.seatSide === side) return 'plan';
  if (keepsSecrets(mission, nowMs)) return reader.seatSide === null ? 'counts' : 'hidden';
  return reader.seatSide === null && reader.queueSide === side ? 'plan' : 'roster';
}
