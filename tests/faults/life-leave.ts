/** Leaves of absence in the journal: when they stand, and the seats that pilots got in spite of one. */
import { CLOCK_MS } from './life-calls.ts';
import { type Journal, type SeatRow, timelinesOf, type Tx } from './life-journal.ts';
import { keyOf, meet } from './life-machine.ts';

interface Time {
  startMs: number;
  endMs: number;
}

export interface Leaves {
  /** True if the transaction must have seen a leave of the pilot in that time. */
  mustStand: (tx: Tx, pilotId: string, time: Time) => boolean;
  /** True if it may have. */
  mayStand: (tx: Tx, pilotId: string, time: Time) => boolean;
  /** Seats that a transaction gave to pilots on leave, or moved into a leave. @returns a line for each */
  findTaken: (tx: Tx) => string[];
}

export function readLeaves(journal: Journal): Leaves {
  const leaves = timelinesOf(journal, 'leave', ({ pilotId }) => pilotId);
  const mustStand: Leaves['mustStand'] = ({ beganMs, lastMs }, pilotId, time) =>
    (leaves.get(pilotId) ?? []).some(
      ({ row, sureFromMs, sureUntilMs }) =>
        sureFromMs <= beganMs - CLOCK_MS && sureUntilMs >= lastMs + CLOCK_MS && meet(row, time),
    );
  return {
    mustStand,
    mayStand: ({ beganMs, committedByMs }, pilotId, time) =>
      (leaves.get(pilotId) ?? []).some(
        ({ row, fromMs, untilMs }) =>
          fromMs <= committedByMs + CLOCK_MS && untilMs >= beganMs - CLOCK_MS && meet(row, time),
      ),
    findTaken(tx) {
      // a transaction may change a seat more than once: it counts what was there before, and what it leaves
      const moved = new Map<string, { before: SeatRow | null; after: SeatRow | null }>();
      for (const change of tx.changes) {
        const seat = change.table === 'seat' && (change.before ?? change.after);
        if (change.table !== 'seat' || !seat) continue;
        const first = moved.get(seat.orderId);
        moved.set(seat.orderId, { before: first ? first.before : change.before, after: change.after });
      }
      return [...moved.values()].flatMap(({ before, after }) =>
        after && mustStand(tx, after.pilotId, after) && !(before && mustStand(tx, before.pilotId, before))
          ? [`${after.pilotId} got seat ${keyOf(after)} while on leave`]
          : [],
      );
    },
  };
}
