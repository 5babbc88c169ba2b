/** When an order needs an admin: its pilot has not answered, or not confirmed, for a while. Pure. */
import { isConfirmationAsked, REMINDERS } from '#shared/reminders.ts';
import type { Nudge } from '#shared/board-needs.ts';
import type { OrderStatus, Rsvp } from '#shared/vocabulary.ts';

const MINUTE_MS = 60_000;
/** A pilot has so long in peace, or half of the time that is left, whichever is shorter. */
const PATIENCE_MS = 180 * MINUTE_MS;
/** And never less than this. */
const LEAST_MS = 15 * MINUTE_MS;

/** Instants are epoch milliseconds. */
export interface WaitingOrder {
  status: OrderStatus;
  rsvp: Rsvp;
  isSharedOffer: boolean;
  startMs: number;
  issuedMs: number;
  changedMs: number | null;
  nudgedMs: number | null;
  expiresMs: number;
  acceptedMs: number | null;
  confirmedMs: number | null;
}

function isPatienceOver(askedMs: number, untilMs: number, nowMs: number): boolean {
  const patience = Math.min(PATIENCE_MS, (untilMs - askedMs) / 2);
  return nowMs - askedMs >= Math.max(LEAST_MS, patience) && nowMs < untilMs;
}

/**
 * What the pilot of an order may be asked for again; null for nothing, or not yet. An offer that several pilots have holds no
 * seat, so that nobody waits for one of them.
 */
export function nudgeDue(order: WaitingOrder, nowMs: number): Nudge | null {
  const { status, rsvp, isSharedOffer, startMs, issuedMs, changedMs, nudgedMs, expiresMs } = order;
  if (status === 'issued' && rsvp === 'pending' && !isSharedOffer) {
    const askedMs = Math.max(issuedMs, changedMs ?? 0, nudgedMs ?? 0);
    return isPatienceOver(askedMs, Math.min(expiresMs, startMs), nowMs) ? 'unanswered' : null;
  }
  if (!isConfirmationAsked(order, nowMs)) return null;
  const askedMs = Math.max(startMs - REMINDERS.askMinutes * MINUTE_MS, nudgedMs ?? 0);
  return isPatienceOver(askedMs, startMs, nowMs) ? 'unconfirmed' : null;
}
