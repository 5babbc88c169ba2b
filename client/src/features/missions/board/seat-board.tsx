import { useId, useMemo, useRef, type ReactNode } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { seatName } from '#client/features/missions/mission-text.ts';
import type { MissionDto, FlightDto } from '#shared/schemas/missions.ts';
import type { BoardPilotDto, SeatBoardDto } from '#shared/schemas/seat-board.ts';
import { Bench } from './bench.tsx';
import { BoardSeat, type SeatWork } from './board-seat.tsx';
import { boardCopy, STATE_WORDS } from './board-text.ts';
import { askAnyway, crewOf, place, putBack, seatKey, seatOf, type Seat, type Stage } from './stage.ts';
import { StageBar } from './stage-bar.tsx';
import { focusHandle, moveFocus, usePick } from './use-pick.ts';
import { useStage } from './use-stage.ts';
import classes from './seat-board.module.css';

interface SeatBoardProps {
  mission: MissionDto;
  board: SeatBoardDto;
  /** false: the seats are shown as they are */
  canChange: boolean;
  /** a guard for the staged changes */
  guard: (isDirty: boolean) => ReactNode;
}

/** The seats of a mission on the left, the bench on the right, and staged changes below. */
export function SeatBoard({ mission, board, canChange, guard }: SeatBoardProps) {
  const helpId = useId();
  const seatsPart = useRef<HTMLDivElement>(null);
  const benchPart = useRef<HTMLDivElement>(null);
  const work = useStage(mission.id, board);
  const { stage, setStage, readStage, checks } = work;
  const { pick, setPick, said, say } = usePick();

  const flights = useMemo(() => mission.packages.flatMap((one) => one.flights), [mission]);
  const flightOf = useMemo(() => new Map(flights.map((flight) => [flight.id, flight])), [flights]);
  const pilotOf = useMemo(() => new Map(board.pilots.map((pilot) => [pilot.userId, pilot])), [board]);
  const aircraftNames = useMemo(
    () => new Map(flights.map(({ aircraftId, aircraftName }) => [aircraftId, aircraftName])),
    [flights],
  );
  const crew = crewOf(board, stage);
  const seated = new Set(crew.values());
  const nameOf = (userId: string): string => pilotOf.get(userId)?.userDisplayName ?? '';
  const placeOf = (seat: Seat): string => seatName(flightOf.get(seat.flightId)?.callsign ?? '', seat.seatIndex);

  /** Stages a change, and says what it does to whom. */
  const change = (next: Stage, userId: string, focus: string | null): void => {
    const before = readStage();
    const moved = [...new Set([userId, ...next.keys(), ...before.keys()])].flatMap((id) => {
      const [from, to] = [seatOf(board, before, id), seatOf(board, next, id)];
      if ((from && seatKey(from)) === (to && seatKey(to))) return [];
      return [to ? `${nameOf(id)} on ${placeOf(to)}.` : `${nameOf(id)} on the bench.`];
    });
    setStage(next);
    setPick(null);
    say(`${moved.join(' ')} ${next.size === 1 ? '1 change' : `${next.size} changes`} staged.`);
    if (focus !== null) focusHandle(focus);
  };
  const put = (userId: string, to: Seat | null): void =>
    change(place(board, readStage(), userId, to), userId, to ? seatKey(to) : userId);
  /** With a pointer the focus stays where it is: a drag that begins meanwhile would end. */
  const drop = (userId: string, to: Seat | null): void => change(place(board, readStage(), userId, to), userId, null);
  const pickPilot = (userId: string): void => {
    setPick({ userId });
    say(`${nameOf(userId)} picked up. ${boardCopy.keys}`);
    seatsPart.current?.scrollIntoView({ block: 'nearest' });
  };
  const cancel = (): void => {
    if (pick === null) return;
    const id = 'userId' in pick ? pick.userId : seatKey(pick.seat);
    const seat = 'userId' in pick ? seatOf(board, readStage(), pick.userId) : null;
    setPick(null);
    say('userId' in pick ? `${nameOf(pick.userId)} put back.` : 'No seat selected.');
    focusHandle(seat ? seatKey(seat) : id);
  };
  const pressSeat = (seat: Seat, userId: string | null): void => {
    if (pick !== null && 'userId' in pick) {
      if (userId === pick.userId) cancel();
      else put(pick.userId, seat);
    } else if (userId !== null) pickPilot(userId);
    else if (pick !== null && 'seat' in pick && seatKey(pick.seat) === seatKey(seat)) cancel();
    else {
      setPick({ seat });
      say(`${placeOf(seat)} selected. ${boardCopy.choosePilot} ${placeOf(seat)}.`);
      // on a phone the bench is below the seats
      if (benchPart.current && seatsPart.current && benchPart.current.offsetTop > seatsPart.current.offsetTop)
        benchPart.current.scrollIntoView({ block: 'start' });
    }
  };
  const pressBench = (userId: string): void => {
    if (pick !== null && 'seat' in pick) put(userId, pick.seat);
    else if (pick !== null && pick.userId === userId) cancel();
    else pickPilot(userId);
  };

  // rows are drawn again only when their own content changes, so what they call never does
  const latest = { pressSeat, put, drop, change, board, readStage, pressBench };
  const current = useRef(latest);
  current.current = latest;
  const seatWork = useMemo(
    (): SeatWork => ({
      press: (seat, userId) => current.current.pressSeat(seat, userId),
      drop: (userId, seat) => current.current.drop(userId, seat),
      remove: (userId) => current.current.put(userId, null),
      putBack: (userId) => {
        const { board: now, readStage: read, change: apply } = current.current;
        const seat = seatOf(now, read(), userId);
        apply(putBack(now, read(), userId), userId, seat ? seatKey(seat) : userId);
      },
      askAnyway: (userId) => {
        const { readStage: read, change: apply } = current.current;
        apply(askAnyway(read(), userId), userId, null);
      },
    }),
    [],
  );
  const benchWork = useMemo(
    () => ({
      press: (userId: string) => current.current.pressBench(userId),
      drop: (userId: string) => current.current.drop(userId, null),
    }),
    [],
  );

  const pickedPilot = pick !== null && 'userId' in pick ? pilotOf.get(pick.userId) : undefined;
  const pickedSeat = pick !== null && 'seat' in pick ? pick.seat : null;
  const wanted = pickedSeat && (flightOf.get(pickedSeat.flightId) ?? null);
  const bench = useMemo(
    () => board.pilots.filter(({ userId, group }) => !seated.has(userId) && (group !== 'seated' || stage.has(userId))),
    // oxlint-disable-next-line react/exhaustive-deps -- `seated` follows from the other two
    [board, stage],
  );
  const leftOf = useMemo(
    () =>
      new Map(
        board.seats.flatMap((seat) =>
          seat.userId !== null && stage.get(seat.userId)?.to === null ? [[seat.userId, placeOf(seat)]] : [],
        ),
      ),
    // oxlint-disable-next-line react/exhaustive-deps -- `placeOf` follows from the flights
    [board, stage, flightOf],
  );
  const picked = pickedPilot
    ? `${boardCopy.chooseSeat} ${pickedPilot.userDisplayName}`
    : pickedSeat && `${boardCopy.choosePilot} ${placeOf(pickedSeat)}`;
  const meanwhile = work.meanwhile.map((seat) =>
    [`${placeOf(seat)} ${STATE_WORDS[seat.state]}`, ...(seat.userId === null ? [] : [`(${nameOf(seat.userId)})`])].join(
      ' ',
    ),
  );

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys and Escape for the handles inside
    <div
      onKeyDown={(event) => {
        if (event.key === 'Escape') cancel();
        else moveFocus(event, pickedPilot !== undefined);
      }}
    >
      {guard(stage.size > 0)}
      <VisuallyHidden id={helpId}>{boardCopy.keys}</VisuallyHidden>
      <VisuallyHidden role="status">
        <span key={said.turn}>{said.text}</span>
      </VisuallyHidden>
      <div className={classes.columns}>
        <div ref={seatsPart} className={classes.seats} data-part="seats">
          {flights.map((flight) => (
            <FlightSeats
              key={flight.id}
              flight={flight}
              {...{ board, stage, crew, pilotOf, checks, helpId, placeOf, pickedPilot, pickedSeat }}
              work={canChange ? seatWork : null}
            />
          ))}
        </div>
        <div ref={benchPart} className={classes.benchPart} data-part="bench">
          <Bench
            pilots={bench}
            leftOf={leftOf}
            aircraftNames={aircraftNames}
            wanted={wanted}
            pickedId={pickedPilot?.userId ?? null}
            helpId={helpId}
            work={canChange ? benchWork : null}
          />
        </div>
      </div>
      <StageBar
        work={work}
        meanwhile={meanwhile}
        picked={picked}
        onDropPick={cancel}
        onBench={pickedPilot && seated.has(pickedPilot.userId) ? () => put(pickedPilot.userId, null) : null}
      />
    </div>
  );
}

interface FlightSeatsProps {
  flight: FlightDto;
  board: SeatBoardDto;
  stage: Stage;
  crew: ReadonlyMap<string, string>;
  pilotOf: ReadonlyMap<string, BoardPilotDto>;
  checks: ReturnType<typeof useStage>['checks'];
  helpId: string;
  placeOf: (seat: Seat) => string;
  pickedPilot: BoardPilotDto | undefined;
  pickedSeat: Seat | null;
  work: SeatWork | null;
}

/** A flight's card with its seats. */
function FlightSeats(props: FlightSeatsProps) {
  const { flight, board, stage, crew, pilotOf, checks, helpId, placeOf, pickedPilot, pickedSeat, work } = props;
  const seats = board.seats.filter(({ flightId }) => flightId === flight.id);
  const filled = seats.filter((seat) => crew.has(seatKey(seat))).length;
  const fit =
    pickedPilot &&
    (pickedPilot.aircraft.some(({ aircraftId, isFree }) => isFree && aircraftId === flight.aircraftId)
      ? 'free'
      : 'other');
  return (
    <Panel
      flush
      title={flight.callsign}
      actions={
        <span className={classes.about}>
          <span className={classes.aircraft}>
            {flight.aircraftName}, {flight.role}
          </span>
          <SideFlag side={flight.side} />
          <span className={classes.filled}>
            {filled}/{seats.length}
          </span>
        </span>
      }
    >
      <ol className={classes.list} aria-label={`Seats of ${flight.callsign}`}>
        {seats.map((seat) => {
          const pilot = pilotOf.get(crew.get(seatKey(seat)) ?? '');
          const before = pilot && board.seats.find(({ userId }) => userId === pilot.userId);
          const isStaged = pilot !== undefined && stage.has(pilot.userId);
          const holder = seat.userId === null ? undefined : pilotOf.get(seat.userId);
          return (
            <BoardSeat
              key={seatKey(seat)}
              flight={flight}
              seat={seat}
              pilot={pilot}
              from={isStaged ? (before ? placeOf(before) : null) : undefined}
              leaving={pilot === undefined ? holder?.userDisplayName : undefined}
              check={pilot && checks.get(pilot.userId)}
              isPicked={
                (pilot !== undefined && pilot.userId === pickedPilot?.userId) ||
                (pickedSeat !== null && seatKey(pickedSeat) === seatKey(seat))
              }
              fit={fit ?? null}
              helpId={helpId}
              work={work}
            />
          );
        })}
      </ol>
    </Panel>
  );
}
