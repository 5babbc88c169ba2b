import { Button } from '@mantine/core';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useTakeSeat } from '#client/features/order/use-take-seat.ts';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { placeName } from '#shared/labels.ts';
import { formatLocal, formatZulu, type Instant } from '#shared/clock.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import classes from './near-misses.module.css';

type ClosedMission = OpeningsDto['closed'][number];

/** Missions that the pilot misses by a short part of the time: one tap adds that time and takes a seat. */
export function NearMisses({ missions }: { missions: readonly ClosedMission[] }) {
  const { isTaking, take } = useTakeSeat();
  return (
    <ul className={classes.list} aria-label="Missions you nearly have time for">
      {missions.map((mission) => (
        <NearMissRow
          key={mission.missionId}
          mission={mission}
          busy={isTaking}
          onTake={(seat) => void take({ ...seat, missionId: mission.missionId, fixes: ['addAvailability'] })}
        />
      ))}
    </ul>
  );
}

interface NearMissRowProps {
  mission: ClosedMission;
  busy: boolean;
  onTake: (seat: { flightId: string; seatIndex: number }) => void;
}

function NearMissRow({ mission: { missionName, startUtc, endUtc, nearMiss }, busy, onTake }: NearMissRowProps) {
  const timeZone = useReaderZone();
  // Lead seats come first on the board, but are the ones to leave to others.
  const seat = nearMiss?.seats.find(({ isLead }) => !isLead) ?? nearMiss?.seats[0];
  if (nearMiss === null || seat === undefined) {
    return null;
  }
  const question = askFree(nearMiss.missing, { startUtc, endUtc }, (instant) =>
    timeZone === 'UTC' ? formatZulu(instant) : formatLocal(instant, timeZone),
  );
  return (
    <li className={classes.mission}>
      <p className={classes.what}>
        <strong className={classes.name}>{missionName}</strong> <ZTime iso={startUtc} withDate copyable={false} />
        <span className={classes.seat}>
          {placeName(seat)}, {seat.aircraftName}, {seat.role}
        </span>
      </p>
      <Button
        variant="light"
        className={classes.button}
        aria-disabled={busy || undefined}
        aria-label={`${question} Add and take ${placeName(seat)} in ${missionName}`}
        onClick={() => {
          if (!busy) {
            onTake({ flightId: seat.flightId, seatIndex: seat.seatIndex });
          }
        }}
      >
        {question} Add and take the seat
      </Button>
    </li>
  );
}

type Part = ClosedMission['nearMiss'] extends { missing: (infer P)[] } | null ? P : never;

/** `Free until 2300L that day?`, `Free from 1900L that day?`, or both ends of the missing parts. */
function askFree(
  missing: readonly Part[],
  mission: { startUtc: string; endUtc: string },
  format: (instant: Instant) => string,
): string {
  const [first, second] = missing;
  if (first === undefined) {
    return '';
  }
  if (second === undefined && first.endUtc === mission.endUtc) {
    return `Free until ${format(first.endUtc)} that day?`;
  }
  if (second === undefined && first.startUtc === mission.startUtc) {
    return `Free from ${format(first.startUtc)} that day?`;
  }
  const spans = missing.map(({ startUtc, endUtc }) => `${format(startUtc)} to ${format(endUtc)}`);
  return `Free from ${new Intl.ListFormat('en').format(spans)} that day?`;
}
