import { polled } from '#client/lib/polling.ts';
import { trpc } from '#client/lib/trpc.ts';
import { placeName } from '#shared/labels.ts';
import { OPENINGS_POLL_MS } from '#shared/limits.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { OrderButton } from './answer-buttons.tsx';
import classes from './standby-seat.module.css';
import { useTakeSeat } from './use-take-seat.ts';

/** The open seat that a pilot on standby can take in the same mission; empty while there is none. */
export function StandbySeat({ order: { missionId } }: { order: FragOrderDto }) {
  const openings = trpc.pilot.seats.openings.useQuery(undefined, polled(OPENINGS_POLL_MS));
  const { isTaking, take } = useTakeSeat();
  const seats = openings.data?.open.find((mission) => mission.missionId === missionId)?.seats ?? [];
  const seat = seats.find(({ isLead }) => !isLead) ?? seats[0];
  return (
    seat !== undefined && (
      <div className={classes.open} role="group" aria-label="Open seat in this mission">
        <span className={classes.words}>
          {placeName(seat)} is open ({seat.aircraftName}, {seat.role})
          {seats.length > 1 && `, and ${seats.length - 1} more`}.
        </span>
        <OrderButton
          busy={isTaking}
          onClick={() => void take({ missionId, flightId: seat.flightId, seatIndex: seat.seatIndex })}
        >
          Take this seat
        </OrderButton>
      </div>
    )
  );
}
