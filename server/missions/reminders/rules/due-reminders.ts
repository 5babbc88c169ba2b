/** Reminders that are due for a held seat, and when the next one is. */
import { REMINDERS } from '#shared/reminders.ts';
import { MINUTE_MS } from '#server/time/time.ts';

/** A seat that its pilot has accepted, with the pilot's lead times. Instants are epoch milliseconds. */
export interface HeldSeat {
  startMs: number;
  /**
   * since when its pilot holds it and wants reminders at these times; a mission that moves has to be accepted again, so that
   * this is after the move
   */
  sinceMs: number;
  leadMinutes: readonly number[];
  /** lead times of which the pilot has been reminded for this start */
  reminded: readonly number[];
}

export interface DueReminder {
  /** the shortest lead time that is due, which the message is about */
  leadMinutes: number;
  /** longer ones that are due as well, because no process was running: one message is enough */
  alsoDue: number[];
  /** one of them asks "Still flying?" */
  asks: boolean;
}

/** Lead times that are still to come or due, with their instants; those before `sinceMs` are skipped. */
function openLeads({ startMs, sinceMs, leadMinutes, reminded }: HeldSeat): { lead: number; dueMs: number }[] {
  return leadMinutes
    .map((lead) => ({ lead, dueMs: startMs - lead * MINUTE_MS }))
    .filter(({ lead, dueMs }) => dueMs >= sinceMs && !reminded.includes(lead));
}

/** @returns null if nothing is due, or the mission has started */
export function dueReminder(seat: HeldSeat, nowMs: number): DueReminder | null {
  if (nowMs >= seat.startMs) return null;
  const due = openLeads(seat).flatMap(({ lead, dueMs }) => (dueMs <= nowMs ? [lead] : []));
  // one that was sent meanwhile for a shorter lead time has said it all
  const isSaid = (lead: number) => seat.reminded.some((shorter) => shorter < lead);
  const [leadMinutes, ...alsoDue] = due.filter((lead) => !isSaid(lead)).toSorted((a, b) => a - b);
  if (leadMinutes === undefined) return null;
  return { leadMinutes, alsoDue, asks: [leadMinutes, ...alsoDue].includes(REMINDERS.askMinutes) };
}

/** When the next reminder of a seat is due; null if there is none. */
export function nextDueMs(seat: HeldSeat, nowMs: number): number | null {
  const coming = openLeads(seat).flatMap(({ dueMs }) => (dueMs > nowMs ? [dueMs] : []));
  return coming.length === 0 ? null : Math.min(...coming);
}
