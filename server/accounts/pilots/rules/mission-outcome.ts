/** What became of the missions that a pilot was asked to fly, as the track record counts it. */
import type { Attendance, MissionOutcome, OrderStatus, OrderStatusReason, Rsvp } from '#shared/vocabulary.ts';

export interface PastOrder {
  readonly missionId: string;
  readonly status: OrderStatus;
  readonly statusReason: OrderStatusReason | null;
  readonly rsvp: Rsvp;
  readonly attendance: Attendance | null;
  /** the seat was given back less than 24 h before the start */
  readonly isLate: boolean;
}

const MARKED: Record<Attendance, MissionOutcome> = { attended: 'flown', no_show: 'no_show', excused: 'excused' };

/** Outcomes that the track record counts, each as often as it occurs. */
const COUNTED: ReadonlySet<MissionOutcome> = new Set(['flown', 'no_show', 'excused', 'declined_late']);

/** The others by weight: of several in one mission, the first says most. */
const UNCOUNTED: readonly MissionOutcome[] = ['unmarked', 'standby', 'declined_early', 'unanswered'];

/** @returns null for an order that was withdrawn, or that still waits for an answer */
function outcomeOf({ status, statusReason, rsvp, attendance, isLate }: PastOrder): MissionOutcome | null {
  if (attendance !== null) return MARKED[attendance];
  if (isLate) return 'declined_late';
  if (statusReason === 'expired') return 'unanswered';
  if (status !== 'issued') return null;
  if (rsvp === 'accepted') return 'unmarked';
  if (rsvp === 'standby') return 'standby';
  return rsvp === 'declined' ? 'declined_early' : 'unanswered';
}

/**
 * The outcomes to show. One that the track record counts is always shown, so that both have the same numbers; a mission
 * without any has a single other one.
 * @param orders in any order, which is kept
 */
export function outcomesOf<Order extends PastOrder>(orders: readonly Order[]): (Order & { outcome: MissionOutcome })[] {
  const known = orders.flatMap((order) => {
    const outcome = outcomeOf(order);
    return outcome === null ? [] : [{ ...order, outcome }];
  });
  const ofMission = Map.groupBy(known, ({ missionId }) => missionId);
  const shown = new Set(
    [...ofMission.values()].flatMap((entries) => {
      const counted = entries.filter(({ outcome }) => COUNTED.has(outcome));
      const [best] = entries.toSorted((a, b) => UNCOUNTED.indexOf(a.outcome) - UNCOUNTED.indexOf(b.outcome));
      return counted.length > 0 || !best ? counted : [best];
    }),
  );
  return known.filter((entry) => shown.has(entry));
}
