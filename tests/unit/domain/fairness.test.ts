import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SeatingSeat } from '#server/domain/eligibility.ts';
import { debtOf, type LedgerEntry, type LedgerOrder, missionChanges, tookSeat } from '#server/domain/fairness.ts';
import { orderExpiryMs } from '#server/domain/orders.ts';
import { decideRsvp } from '#server/domain/rsvp.ts';
import { seatMission } from '#server/domain/seating.ts';
import { DAY_MS, HOUR_MS } from '#server/domain/time.ts';

const NOW = Date.UTC(2026, 6, 1);

describe('the ledger', () => {
  test('one seat for three willing pilots: the one who had it owes two thirds', () => {
    const changes = missionChanges(['a', 'b', 'c'], new Set(['b']));
    expect(changes.map(({ change }) => Math.round(change * 300))).toEqual([100, -200, 100]);
  });

  test('adds up to nothing, however many are seated, and is quiet when all are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), (count, some) => {
        const willing = Array.from({ length: count }, (_, index) => `p${index}`);
        const changes = missionChanges(willing, new Set(willing.slice(0, some)));
        expect(changes.reduce((sum, { change }) => sum + change, 0)).toBeCloseTo(0, 4);
        if (some === 0 || some >= count) expect(changes.every(({ change }) => change === 0)).toBe(true);
      }),
    );
    expect(missionChanges([], new Set(['stranger']))).toEqual([]);
  });

  test.each([
    ['90 days old', 90 * DAY_MS, 0.5],
    ['a moment older', 90 * DAY_MS + 1, 0],
    ['of today', 0, 0.5],
    ['of a mission to come', -DAY_MS, 0.5],
  ])('an entry %s counts accordingly', (_rule, ageMs, debt) => {
    expect(debtOf([{ atMs: NOW - ageMs, change: 0.5 }], NOW)).toBe(debt);
  });

  test('is kept in whole millionths of a seat, so that sums do not depend on their order', () => {
    const changes = missionChanges(['a', 'b', 'c'], new Set(['b']));
    expect(changes.map(({ change }) => change)).toEqual([0.333333, -0.666667, 0.333333]);
    const entries = Array.from({ length: 30 }, (_, day) => ({ atMs: NOW - day * DAY_MS, change: 0.333333 }));
    expect(debtOf(entries, NOW)).toBe(9.99999);
    expect(debtOf(entries.toReversed(), NOW)).toBe(9.99999);
  });
});

const START = NOW + 30 * DAY_MS;
/** issued three days before the start, waiting for an answer, nothing out of the ordinary */
const ORDER: LedgerOrder = {
  holdsSeat: true,
  isLate: false,
  ranOut: false,
  isOpenOffer: false,
  askedMs: START - 72 * HOUR_MS,
};
const GIVEN_BACK = { ...ORDER, holdsSeat: false };
const RAN_OUT = { ...ORDER, ranOut: true };
const hoursBefore = (hours: number) => ({ askedMs: START - hours * HOUR_MS });

describe('who took a seat', () => {
  test.each<[string, LedgerOrder, boolean]>([
    ['holds one, answered or not', ORDER, true],
    ['holds one that came as an open offer', { ...ORDER, isOpenOffer: true }, true],
    ['gave it back in time, declined, stands by, or was taken off it', GIVEN_BACK, false],
    ['gave it back late', { ...GIVEN_BACK, isLate: true }, true],
    ['let the offer run out, before a job has come by', RAN_OUT, true],
    ['let the offer run out, after that', { ...RAN_OUT, holdsSeat: false }, true],
    ['let run out what came 24 h before the start', { ...RAN_OUT, ...hoursBefore(24) }, true],
    ['let run out what came at shorter notice', { ...RAN_OUT, askedMs: START - 24 * HOUR_MS + 1 }, false],
    ['let run out what an admin changed an hour before', { ...RAN_OUT, ...hoursBefore(1) }, false],
    ['let an open offer run out', { ...RAN_OUT, isOpenOffer: true, holdsSeat: false }, false],
  ])('%s', (_who, order, took) => expect(tookSeat(order, START)).toBe(took));

  test.each([
    ['24 h before the start costs nothing', 24 * 60, 0.5],
    ['23 h 59 min before it costs the seat', 24 * 60 - 1, -0.5],
    ['a week before costs nothing', 7 * 24 * 60, 0.5],
    ['a minute before costs the seat', 1, -0.5],
  ])('an accepted seat given back %s', (_rule, minutes, debt) => {
    const nowMs = START - minutes * 60_000;
    const decision = decideRsvp({
      status: 'issued',
      statusReason: null,
      rsvp: 'accepted',
      expiresAtMs: orderExpiryMs(ORDER.askedMs, START),
      startMs: START,
      nowMs,
      seatFree: true,
      response: 'declined',
    });
    if (decision.kind !== 'changed') throw new Error('the seat is not given back');
    // somebody else takes the seat
    const took = new Set(tookSeat({ ...GIVEN_BACK, isLate: decision.late }, START) ? ['me', 'other'] : ['other']);
    const [mine] = missionChanges(['me', 'other', 'third', 'fourth'].slice(0, took.size * 2), took);
    expect(mine?.change).toBe(debt);
  });
});

/** Fifty missions of sixteen seats, every pilot willing every time; the ledger is all that tells them apart. */
test.each([20, 33, 50, 100])('over 50 missions %i equally willing pilots differ by one seat at most', (count) => {
  const pilots = Array.from({ length: count }, (_, index) => `p${index}`);
  const ledger = new Map<string, LedgerEntry[]>(pilots.map((id) => [id, []]));
  const seatsOf = new Map(pilots.map((id) => [id, 0]));
  for (let night = 0; night < 50; night++) {
    const mission = { id: `m${night}`, startMs: NOW + night * DAY_MS, endMs: NOW + night * DAY_MS + HOUR_MS };
    const seats = Array.from({ length: 16 }, (_, index): SeatingSeat => ({
      flightId: `f${index >> 2}`,
      seatIndex: index % 4,
      aircraftId: 1,
      aircraftName: 'Jet',
      role: 'CAP',
      flightSize: 4,
    }));
    const { seated } = seatMission({
      seats,
      mission,
      nowMs: NOW,
      pilots: pilots.map((id) => ({
        id,
        active: true,
        presences: [{ ...mission, aircraftId: null, source: 'template', notes: null }],
        commitments: [],
        state: 'available',
        levels: new Map(),
        debt: debtOf(ledger.get(id) ?? [], mission.startMs),
        reliability: 1,
      })),
    });
    const holders = new Set(seated.map(({ pilotId }) => pilotId));
    for (const { pilotId, change } of missionChanges(pilots, holders)) {
      ledger.get(pilotId)?.push({ atMs: mission.startMs, change });
      if (holders.has(pilotId)) seatsOf.set(pilotId, (seatsOf.get(pilotId) ?? 0) + 1);
    }
  }
  const counts = [...seatsOf.values()];
  expect(counts.reduce((sum, seats) => sum + seats, 0)).toBe(800);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});
