import { IconArrowBackUp, IconUserMinus } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { memo } from 'react';
import { IconButton } from '#client/components/icon-button.tsx';
import { Mark, type Shape } from '#client/components/marks.tsx';
import { Avatar } from '#client/domain-ui/avatar.tsx';
import { seatName } from '#client/features/missions/mission-text.ts';
import type { BoardPilotDto, BoardSeatDto, SeatChangeDto } from '#shared/schemas/seat-board.ts';
import type { FlightDto } from '#shared/schemas/missions.ts';
import { percent, STATE_WORDS } from './board-text.ts';
import { Handle } from './handle.tsx';
import { seatKey, type Seat } from './stage.ts';
import { useDraggable, useDropTarget } from './use-drag.ts';
import classes from './board-seat.module.css';

/** Actions on seats. The functions never change, so that only rows that differ are drawn again. */
export interface SeatWork {
  press: (seat: Seat, userId: string | null) => void;
  drop: (userId: string, seat: Seat) => void;
  remove: (userId: string) => void;
  putBack: (userId: string) => void;
  askAnyway: (userId: string) => void;
}

interface BoardSeatProps {
  flight: FlightDto;
  seat: BoardSeatDto;
  /** who sits there with the staged changes */
  pilot: BoardPilotDto | undefined;
  /** where the pilot comes from, if that is a staged change: another seat, or the bench (`null`) */
  from: string | null | undefined;
  /** who leaves the seat with the staged changes */
  leaving: string | undefined;
  check: SeatChangeDto | undefined;
  isPicked: boolean;
  /** how the pilot who is picked up fits; null while none is */
  fit: 'free' | 'other' | null;
  helpId: string;
  /** null when the seats cannot change */
  work: SeatWork | null;
}

const SHAPES: Record<BoardSeatDto['state'], Shape> = {
  open: 'square',
  asked: 'circle',
  accepted: 'triangle',
  confirmed: 'triangle',
};

/** Row of a seat: its pilot with level, reliability and state, a staged change, and what the dry run says of it. */
export const BoardSeat = memo(function BoardSeat(props: BoardSeatProps) {
  const { flight, seat, pilot, from, leaving, check, isPicked, fit, helpId, work } = props;
  const place = seatName(flight.callsign, seat.seatIndex);
  const isStaged = from !== undefined;
  const drag = useDraggable(work === null || !pilot ? null : pilot.userId);
  const [target, isOver] = useDropTarget<HTMLLIElement>(work && ((userId) => work.drop(userId, seat)));
  const level = pilot?.aircraft.find(({ aircraftId }) => aircraftId === flight.aircraftId)?.level ?? 'not listed';
  const state = pilot === undefined ? 'open' : isStaged ? null : seat.state;
  const origin = from === undefined ? null : from === null ? 'from the bench' : `from ${from}`;
  const row = (
    <>
      <span className={classes.number}>{seat.seatIndex + 1}</span>
      {pilot === undefined ? (
        <span className={classes.nobody}>{leaving === undefined ? 'Open' : `Open, ${leaving} leaves`}</span>
      ) : (
        <>
          <Avatar name={pilot.userDisplayName} />
          <span className={classes.name}>{pilot.userDisplayName}</span>
          <span className={classes.facts}>
            <span className={classes.level} data-dim={level === 'basic' || level === 'not listed' || undefined}>
              {level}
            </span>
            <span className={classes.reliability} title="Reliability">
              {percent(pilot.reliability)}
            </span>
          </span>
        </>
      )}
      {state !== null && state !== 'open' && (
        <span className={classes.state} data-state={state}>
          <Mark shape={SHAPES[state]} filled={state === 'confirmed'} size={14} />
          {STATE_WORDS[state]}
        </span>
      )}
      {origin !== null && <span className={classes.origin}>{origin}</span>}
    </>
  );
  const words =
    pilot === undefined
      ? leaving === undefined
        ? 'open'
        : `open, ${leaving} leaves`
      : [
          pilot.userDisplayName,
          level,
          `reliability ${percent(pilot.reliability)}`,
          ...(state === null ? [] : [STATE_WORDS[state]]),
          ...(origin === null ? [] : [`staged ${origin}`]),
        ].join(', ');
  return (
    <li
      ref={target}
      className={classes.seat}
      data-seat={seatKey(seat)}
      data-staged={isStaged || leaving !== undefined || undefined}
      data-over={isOver || undefined}
      data-fit={fit ?? undefined}
    >
      <div className={classes.row}>
        {work === null ? (
          <span className={classes.still}>{row}</span>
        ) : (
          <Handle
            ref={drag}
            label={`${place}: ${words}`}
            isPicked={isPicked}
            id={seatKey(seat)}
            describedBy={helpId}
            onPress={() => work.press(seat, pilot?.userId ?? null)}
          >
            {row}
          </Handle>
        )}
        {work !== null && pilot !== undefined && (
          <span className={classes.actions}>
            {isStaged ? (
              <IconButton inline label={`Put back ${pilot.userDisplayName}`} onClick={() => work.putBack(pilot.userId)}>
                <IconArrowBackUp size={18} aria-hidden="true" />
              </IconButton>
            ) : (
              <IconButton
                inline
                label={`Take ${pilot.userDisplayName} off ${place}`}
                onClick={() => work.remove(pilot.userId)}
              >
                <IconUserMinus size={18} aria-hidden="true" />
              </IconButton>
            )}
          </span>
        )}
      </div>
      {check !== undefined && isStaged && <Check check={check} work={work} />}
    </li>
  );
});

/** The dry run's words on a staged change. */
function Check({ check, work }: { check: SeatChangeDto; work: SeatWork | null }) {
  const { refusal, warnings, userId, userDisplayName } = check;
  const said = refusal ? [refusal.message] : warnings;
  if (said.length === 0) return null;
  return (
    <div className={classes.check} data-refused={refusal !== null || undefined}>
      <span>{said.join(' ')}</span>
      {refusal?.code === 'NOT_ELIGIBLE' && work !== null && (
        <Button
          size="compact-xs"
          variant="light"
          color="yellow"
          className={classes.anyway}
          aria-label={`Ask ${userDisplayName} anyway`}
          onClick={() => work.askAnyway(userId)}
        >
          Ask anyway
        </Button>
      )}
    </div>
  );
}
