/** Staged changes of a seat board: where pilots would sit, before anybody is told. */
import type { BoardSeatDto, SeatBoardDto } from '#shared/schemas/seat-board.ts';

export interface Seat {
  flightId: string;
  seatIndex: number;
}

/** A staged change. */
export interface Change {
  /** null: off the board */
  to: Seat | null;
  /** the admin asks a pilot who does not fit */
  anyway: boolean;
}
/** By pilot, in the order in which they were made. */
export type Stage = ReadonlyMap<string, Change>;

export const seatKey = ({ flightId, seatIndex }: Seat): string => `${flightId}/${seatIndex}`;

type Board = Pick<SeatBoardDto, 'seats'>;

const seatNow = ({ seats }: Board, userId: string): Seat | null => seats.find((seat) => seat.userId === userId) ?? null;

const isSame = (one: Seat | null, other: Seat | null): boolean =>
  one === null || other === null ? one === other : seatKey(one) === seatKey(other);

/** The seat of a pilot with the staged changes. */
export const seatOf = (board: Board, stage: Stage, userId: string): Seat | null => {
  const change = stage.get(userId);
  return change === undefined ? seatNow(board, userId) : change.to;
};

/** The pilots on the seats with the staged changes. */
export function crewOf(board: Board, stage: Stage): Map<string, string> {
  const crew = new Map(
    board.seats.flatMap((seat) =>
      seat.userId === null || stage.has(seat.userId) ? [] : [[seatKey(seat), seat.userId]],
    ),
  );
  for (const [userId, { to }] of stage) if (to) crew.set(seatKey(to), userId);
  return crew;
}

function set(board: Board, stage: Stage, userId: string, to: Seat | null): Stage {
  const next = new Map(stage);
  if (isSame(seatNow(board, userId), to)) next.delete(userId);
  else next.set(userId, { to: to && { flightId: to.flightId, seatIndex: to.seatIndex }, anyway: false });
  return next;
}

/** Stage a pilot on a seat, or off the board. Who sits there takes the pilot's seat in exchange, or leaves the board. */
export function place(board: Board, stage: Stage, userId: string, to: Seat | null): Stage {
  const from = seatOf(board, stage, userId);
  const other = to && crewOf(board, stage).get(seatKey(to));
  const placed = set(board, stage, userId, to);
  return other === null || other === undefined || other === userId ? placed : set(board, placed, other, from);
}

/** Stage the same change of a pilot who does not fit. */
export function askAnyway(stage: Stage, userId: string): Stage {
  const change = stage.get(userId);
  return change ? new Map(stage).set(userId, { ...change, anyway: true }) : stage;
}

/** Put a pilot back, and whoever is staged on the pilot's seat. */
export function putBack(board: Board, stage: Stage, userId: string): Stage {
  const next = new Map(stage);
  next.delete(userId);
  const seat = seatNow(board, userId);
  const other = [...next].find(([, { to }]) => seat !== null && isSame(to, seat));
  return other ? putBack(board, next, other[0]) : next;
}

/** The staged changes that are still changes of a board that others have changed meanwhile. */
export function rebase(board: SeatBoardDto, stage: Stage): Stage {
  const seats = new Set(board.seats.map(seatKey));
  const pilots = new Set(board.pilots.map(({ userId }) => userId));
  const kept = [...stage].filter(
    ([userId, { to }]) =>
      pilots.has(userId) && (to === null || seats.has(seatKey(to))) && !isSame(seatNow(board, userId), to),
  );
  return kept.length === stage.size ? stage : new Map(kept);
}

/** The changes as the call takes them. */
export const changesOf = (stage: Stage) => [...stage].map(([userId, { to, anyway }]) => ({ userId, to, anyway }));

/** The seats that somebody else has changed since a board was read. */
export function changedSeats(before: Board, after: Board): BoardSeatDto[] {
  const known = new Map(before.seats.map((seat) => [seatKey(seat), seat]));
  return after.seats.filter((seat) => {
    const old = known.get(seatKey(seat));
    return old !== undefined && (old.userId !== seat.userId || old.state !== seat.state);
  });
}
