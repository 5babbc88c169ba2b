import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { FlightDto } from '#shared/schemas/missions.ts';
import { seatKey } from './order-groups.ts';
import { SeatRow, type SeatHolder } from './seat-row.tsx';
import classes from './seats.module.css';

/** A seat with its current holder. */
export interface SeatPlace {
  flight: FlightDto;
  seatIndex: number;
  holder: SeatHolder | undefined;
}

export interface SeatWork {
  /** current orders by seat; undefined while loading */
  holders: ReadonlyMap<string, MissionOrderDto> | undefined;
  /** undefined when the mission's seats cannot be changed */
  onAssign: ((place: SeatPlace) => void) | undefined;
  onRemove: ((place: SeatPlace) => void) | undefined;
  /** true when the mission is completed or cancelled, so open seats stay empty */
  isOver: boolean;
  now: Date;
}

/** All seats of a flight in order. */
export function Seats({
  flight,
  work: { holders, onAssign, onRemove, isOver, now },
}: {
  flight: FlightDto;
  work: SeatWork;
}) {
  const accepted = new Map(flight.assignments.map((assignment) => [assignment.seatIndex, assignment]));
  const emptyWord = isOver
    ? 'empty'
    : holders !== undefined || flight.pendingCount === 0
      ? 'open'
      : flight.openSlots === 0
        ? 'pending'
        : 'open or pending';
  return (
    <ol className={classes.seats} aria-label={`Seats of ${flight.callsign}`}>
      {Array.from({ length: flight.sizeCap }, (_seat, seatIndex) => {
        const seatId = seatKey(flight.id, seatIndex);
        const order = holders?.get(seatId);
        const known = order ?? accepted.get(seatIndex);
        const holder = known && { userId: known.userId, userDisplayName: known.userDisplayName, order };
        const place = { flight, seatIndex, holder };
        return (
          <SeatRow
            key={seatIndex}
            callsign={flight.callsign}
            seatId={seatId}
            seatIndex={seatIndex}
            holder={holder}
            emptyWord={emptyWord}
            onAssign={onAssign && (() => onAssign(place))}
            onRemove={onRemove && (() => onRemove(place))}
            now={now}
          />
        );
      })}
    </ol>
  );
}
