import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SeatingSeat } from '#server/orders/seating/rules/eligibility.ts';
import { missionChanges } from '#server/accounts/pilots/rules/ledger-entries.ts';
import { orderExpiryMs } from '#shared/order-expiry.ts';
import { decideRsvp } from '#server/orders/rules/rsvp.ts';
import { seatMission } from '#server/orders/seating/rules/one-mission/seating.ts';
import { DAY_MS, HOUR_MS } from '#server/time/time.ts';
import { type Random, seeded } from '#tests/harness/seeded.ts';
import { debtOf, type LedgerEntry, type LedgerOrder, tookSeat } from '#tests/harness/track-record-oracle.ts';
import { shuffle } from '#tests/unit/server/orders/seating/seating-oracle.ts';

const NOW = Date.UTC(2026, 6, 1);

/** True if giving an accepted seat back at `nowMs` is late. */
function isLateAt(startMs: number, nowMs: number): boolean {
  const decision = decideRsvp({
    status: 'issued',
    statusReason: null,
    rsvp: 'accepted',
    expiresMs: orderExpiryMs(nowMs - HOUR_MS, startMs),
    startMs,
    nowMs,
    isSharedOffer: false,
    isUnseen: false,
    seatFree: true,
    response: 'declined',
  });
  if (decision.kind !== 'changed') throw new Error('the seat is not given back');
  return decision.late;
}

describe('the ledger', () => {
  test('one seat for three willing pilots: the one who held it owes two thirds', () => {
    const changes = missionChanges(['a', 'b', 'c'], new Set(['b']));
    expect(changes.map(({ change }) => Math.round(change * 300))).toEqual([100, -200, 100]);
  });

  test('adds up to zero for any number of seated pilots, and everybody is at zero if all are seated', () => {
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
/** a pending order, issued three days before the start */
const ORDER: LedgerOrder = {
  holdsSeat: true,
  isLate: false,
  ranOut: false,
  isSharedOffer: false,
  askedMs: START - 72 * HOUR_MS,
};
const GIVEN_BACK = { ...ORDER, holdsSeat: false };
const RAN_OUT = { ...ORDER, ranOut: true };
const hoursBefore = (hours: number) => ({ askedMs: START - hours * HOUR_MS });

describe('pilots with a seat', () => {
  test.each<[string, LedgerOrder, boolean]>([
    ['holds one, answered or not', ORDER, true],
    ['holds one that came as a shared offer', { ...ORDER, isSharedOffer: true }, true],
    ['gave it back in time, declined, stands by, or was taken off it', GIVEN_BACK, false],
    ['gave it back late', { ...GIVEN_BACK, isLate: true }, true],
    ['let the offer run out, before a job has come by', RAN_OUT, true],
    ['let the offer run out, after that', { ...RAN_OUT, holdsSeat: false }, true],
    ['let run out what came 24 h before the start', { ...RAN_OUT, ...hoursBefore(24) }, true],
    ['let run out what came at shorter notice', { ...RAN_OUT, askedMs: START - 24 * HOUR_MS + 1 }, false],
    ['let run out what an admin changed an hour before', { ...RAN_OUT, ...hoursBefore(1) }, false],
    ['let a shared offer run out', { ...RAN_OUT, isSharedOffer: true, holdsSeat: false }, false],
  ])('%s', (_who, order, took) => expect(tookSeat(order, START)).toBe(took));

  test.each([
    ['24 h before the start costs nothing', 24 * 60, 0.5],
    ['23 h 59 min before it costs the seat', 24 * 60 - 1, -0.5],
    ['a week before costs nothing', 7 * 24 * 60, 0.5],
    ['a minute before costs the seat', 1, -0.5],
  ])('an accepted seat that is given back %s', (_rule, minutes, debt) => {
    const isLate = isLateAt(START, START - minutes * 60_000);
    // somebody else takes the seat
    const took = new Set(tookSeat({ ...GIVEN_BACK, isLate }, START) ? ['me', 'other'] : ['other']);
    const [mine] = missionChanges(['me', 'other', 'third', 'fourth'].slice(0, took.size * 2), took);
    expect(mine?.change).toBe(debt);
  });
});

const SEATS = 16;
const MISSIONS = 50;

const crewOf = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);
const startOf = (night: number) => NOW + night * DAY_MS;

/** The pilots who get a seat on that night; they differ only in their debts. */
function seatNight(night: number, pilots: readonly string[], debt: (id: string) => number, random: Random) {
  const mission = { id: `m${night}`, startMs: startOf(night), endMs: startOf(night) + HOUR_MS };
  const seats = Array.from({ length: SEATS }, (_, index): SeatingSeat => ({
    flightId: `f${index >> 2}`,
    seatIndex: index % 4,
    aircraftId: 1,
    aircraftName: 'Jet',
    role: 'CAP',
    flightSize: 4,
  }));
  const { seated, ineligible } = seatMission({
    seats: shuffle(random, seats),
    mission,
    nowMs: NOW,
    pilots: shuffle(random, pilots).map((id) => ({
      id,
      active: true,
      presences: [{ ...mission, aircraftId: null, source: 'template', notes: null }],
      commitments: [],
      state: 'available',
      levels: new Map(),
      debt: debt(id),
      reliability: 1,
    })),
  });
  expect(ineligible.every(({ reason }) => reason === 'OUTRANKED')).toBe(true);
  return new Set(seated.map(({ pilotId }) => pilotId));
}

describe('over 50 missions of 16 seats, equally willing pilots differ by at most one seat', () => {
  test.each([20, 24, 40, 64, 100])('%i of them', (count) => {
    const random = seeded(count);
    const pilots = crewOf(count);
    const ledger = new Map<string, LedgerEntry[]>(pilots.map((id) => [id, []]));
    const seatsOf = new Map(pilots.map((id) => [id, 0]));
    for (let night = 0; night < MISSIONS; night++) {
      const debts = new Map(pilots.map((id) => [id, debtOf(ledger.get(id) ?? [], startOf(night))]));
      // A debt is the fair share of all seats so far minus one's own, in whole numbers of 1/willing of a seat.
      for (const id of pilots) {
        const owed = (night * SEATS - count * (seatsOf.get(id) ?? 0)) / count;
        // a mission's share is rounded to whole millionths
        expect(Math.abs((debts.get(id) ?? Number.NaN) - owed)).toBeLessThan((night + 1) * 1e-6);
      }
      const holders = seatNight(night, pilots, (id) => debts.get(id) ?? 0, random);
      expect(holders.size).toBe(SEATS);
      for (const { pilotId, change } of missionChanges(pilots, holders)) {
        ledger.get(pilotId)?.push({ atMs: startOf(night), change });
        if (holders.has(pilotId)) seatsOf.set(pilotId, (seatsOf.get(pilotId) ?? 0) + 1);
      }
      const counts = [...seatsOf.values()];
      expect(counts.reduce((sum, seats) => sum + seats, 0)).toBe((night + 1) * SEATS);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
  });

  /** With a ledger in whole numbers, so that the result cannot depend on rounding. */
  test.each([20, 24, 40, 64, 100])('%i of them, by a ledger in whole numbers', (count) => {
    const random = seeded(count + 1);
    const pilots = crewOf(count);
    const owed = new Map(pilots.map((id) => [id, 0]));
    const seatsOf = new Map(pilots.map((id) => [id, 0]));
    for (let night = 0; night < MISSIONS; night++) {
      const holders = seatNight(night, pilots, (id) => (owed.get(id) ?? 0) / count, random);
      for (const id of pilots) {
        owed.set(id, (owed.get(id) ?? 0) + holders.size - (holders.has(id) ? count : 0));
        seatsOf.set(id, (seatsOf.get(id) ?? 0) + (holders.has(id) ? 1 : 0));
      }
    }
    const counts = [...seatsOf.values()];
    expect(counts.reduce((sum, seats) => sum + seats, 0)).toBe(MISSIONS * SEATS);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });
});

describe('a pilot who gives a seat back', () => {
  const pilots = crewOf(40);

  /** Sixteen of forty pilots are seated on the first night, and one of them gives the seat back. */
  function afterReturn(hoursAhead: number) {
    const random = seeded(7);
    const first = seatNight(0, pilots, () => 0, random);
    const [returner = ''] = [...first].sort();
    const isLate = isLateAt(startOf(0), startOf(0) - hoursAhead * HOUR_MS);
    const took = new Set([...first].filter((id) => id !== returner || tookSeat({ ...GIVEN_BACK, isLate }, startOf(0))));
    const entries = new Map<string, LedgerEntry[]>(
      missionChanges(pilots, took).map(({ pilotId, change }) => [pilotId, [{ atMs: startOf(0), change }]]),
    );
    const debts = new Map(pilots.map((id) => [id, debtOf(entries.get(id) ?? [], startOf(1))]));
    return { first, returner, debts, random };
  }

  test.each([24, 25, 72])('%i h ahead ranks with pilots without a seat, before those who flew', (hours) => {
    const { first, returner, debts, random } = afterReturn(hours);
    const waiting = pilots.filter((id) => !first.has(id));
    for (const id of waiting) expect(debts.get(returner)).toBeCloseTo(debts.get(id) ?? Number.NaN, 9);
    const flew = [...first].filter((id) => id !== returner);
    for (const id of flew) expect(debts.get(returner)).toBeGreaterThan(debts.get(id) ?? Number.NaN);
    // Of these pilots only the returner's rank depends on the refund: without it, one who flew could get the seat.
    const crew = [...waiting.slice(0, SEATS - 1), returner, ...flew];
    const second = seatNight(1, crew, (id) => debts.get(id) ?? 0, random);
    expect([...second].sort()).toEqual([...waiting.slice(0, SEATS - 1), returner].sort());
  });

  test.each([23.99, 1, 0.01])('%d h ahead ranks with those who flew', (hours) => {
    const { first, returner, debts, random } = afterReturn(hours);
    for (const id of first) expect(debts.get(returner)).toBeCloseTo(debts.get(id) ?? Number.NaN, 9);
    const waiting = pilots.filter((id) => !first.has(id));
    const second = seatNight(1, [...waiting.slice(0, SEATS), returner], (id) => debts.get(id) ?? 0, random);
    expect(second.has(returner)).toBe(false);
  });
});
