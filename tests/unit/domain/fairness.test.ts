import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SeatingSeat } from '#server/domain/eligibility.ts';
import { debtOf, type LedgerEntry, missionChanges, seatRefund } from '#server/domain/fairness.ts';
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
        expect(changes.reduce((sum, { change }) => sum + change, 0)).toBeCloseTo(0, 9);
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

  test.each([
    ['two days before', 48, 1],
    ['24 h before', 24, 1],
    ['a minute later than that', 24 - 1 / 60, 0],
    ['after the start', -1, 0],
  ])('a seat given back %s', (_rule, hours, refund) => {
    expect(seatRefund(NOW + hours * HOUR_MS, NOW)).toBe(refund);
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
