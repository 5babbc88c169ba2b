/** Staged changes of a seat board: placing, exchanging, putting back, and staying on a board that others change. */
import { expect, test } from 'vitest';
import {
  askAnyway,
  changesOf,
  crewOf,
  place,
  putBack,
  rebase,
  type Stage,
} from '#client/features/missions/board/stage.ts';
import type { BoardPilotDto, SeatBoardDto } from '#shared/schemas/seat-board.ts';

const FLIGHT = 'f';
const seat = (seatIndex: number) => ({ flightId: FLIGHT, seatIndex });
const NONE: Stage = new Map();

/** @param crew who holds each seat; null for an open one @param bench further pilots */
function board(crew: readonly (string | null)[], bench: readonly string[] = []): SeatBoardDto {
  const pilot = (userId: string): BoardPilotDto => ({
    userId,
    userDisplayName: userId,
    group: 'fits',
    aircraft: [],
    reliability: 1,
    isAssignable: true,
    standbyPosition: null,
    sentence: null,
  });
  return {
    version: '',
    seats: crew.map((userId, at) => ({ ...seat(at), userId, state: userId === null ? 'open' : 'accepted' })),
    pilots: [...crew.flatMap((id) => id ?? []), ...bench].map(pilot),
  };
}

const crew = (on: SeatBoardDto, stage: Stage) =>
  on.seats.map((one) => crewOf(on, stage).get(`${FLIGHT}/${one.seatIndex}`) ?? '-').join('');
const ids = (stage: Stage) => [...stage.keys()].toSorted().join('');

test('a pilot from the bench takes a seat, and who sat there leaves', () => {
  const on = board(['a', null], ['x']);
  const stage = place(on, NONE, 'x', seat(0));
  expect([crew(on, stage), changesOf(stage)]).toEqual([
    'x-',
    [
      { userId: 'x', to: seat(0), anyway: false },
      { userId: 'a', to: null, anyway: false },
    ],
  ]);
});

test('two pilots with seats exchange them; a move back leaves no change', () => {
  const on = board(['a', 'b']);
  const swapped = place(on, NONE, 'a', seat(1));
  expect([crew(on, swapped), ids(swapped)]).toEqual(['ba', 'ab']);
  expect(place(on, swapped, 'a', seat(0)).size).toBe(0);
});

test('three pilots go round, and one who is put back takes along whoever is staged on that seat', () => {
  const on = board(['a', 'b', 'c', null]);
  const round = place(on, place(on, NONE, 'a', seat(1)), 'b', seat(2));
  expect(crew(on, round)).toBe('cab-');
  expect([crew(on, putBack(on, round, 'a')), putBack(on, round, 'a').size]).toEqual(['abc-', 0]);
  const chain = place(on, place(on, NONE, 'a', seat(3)), 'b', seat(0));
  expect([crew(on, chain), crew(on, putBack(on, chain, 'b'))]).toEqual(['b-ca', '-bca']);
});

test('asking anyway is of one seat: a move to another one asks again', () => {
  const on = board([null, null], ['x']);
  const asked = askAnyway(place(on, NONE, 'x', seat(0)), 'x');
  expect(changesOf(asked)).toEqual([{ userId: 'x', to: seat(0), anyway: true }]);
  expect(changesOf(place(on, asked, 'x', seat(1)))).toEqual([{ userId: 'x', to: seat(1), anyway: false }]);
});

test('changes stay on a board that others change, as far as they still are changes', () => {
  const on = board(['a', 'b', null], ['x', 'y']);
  const stage = place(on, place(on, place(on, NONE, 'a', null), 'x', seat(2)), 'y', seat(0));
  // meanwhile a has left, x sits there, and y's account is gone
  const after = board([null, 'b', 'x'], ['a']);
  expect(rebase(after, stage).size).toBe(0);
  // somebody else has the seat: the change stays, and the server says so
  expect(ids(rebase(board([null, 'b', 'z'], ['a', 'x', 'y']), stage))).toBe('xy');
  // the flight has a seat less
  expect(ids(rebase(board(['a', 'b'], ['x', 'y']), stage))).toBe('ay');
});
