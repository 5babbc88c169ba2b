/** Busy times as minutes: as they are stored, searched, and taken out of a pilot's times, to which they never add anything. */
import { describe, expect, test } from 'vitest';
import { busyDuring, formatBusy, NEVER_BUSY, parseBusy, toBusy } from '#server/availability/rules/busy-minutes.ts';
import { createExpansion } from '#server/availability/rules/dated-windows.ts';
import { takenByCalendars, timesOf } from '#server/availability/rules/pilot-presences.ts';
import { mergeIntervals, overlaps, subtractIntervals } from '#server/time/intervals.ts';
import { randomCommunity } from '#tests/harness/community.ts';
import { seeded } from '#tests/harness/seeded.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const minutes = (...numbers: number[]) =>
  Array.from({ length: numbers.length / 2 }, (_, index) => ({
    startMs: (numbers[2 * index] ?? 0) * MINUTE_MS,
    endMs: (numbers[2 * index + 1] ?? 0) * MINUTE_MS,
  }));

describe('busy minutes', () => {
  test('are merged where they overlap or touch, whatever their order', () => {
    expect([...toBusy(minutes(30, 40, 0, 10, 10, 20, 35, 50, 60, 60))]).toEqual([0, 20, 30, 50]);
  });

  test('count a minute that is busy in part', () => {
    expect([...toBusy([{ startMs: 90_000, endMs: 150_001 }])]).toEqual([1, 3]);
  });

  test('are stored as ranges, and read as they were', () => {
    const busy = toBusy(minutes(29_400_000, 29_400_060, 29_401_000, 29_401_001));
    expect(formatBusy(busy)).toBe('{[29400000,29400060),[29401000,29401001)}');
    expect(parseBusy(formatBusy(busy))).toEqual(busy);
    expect([formatBusy(NEVER_BUSY), parseBusy('{}'), parseBusy(null)]).toEqual(['{}', NEVER_BUSY, NEVER_BUSY]);
  });

  test('are found in every range as a search through all of them finds them', () => {
    const random = seeded(5);
    for (let round = 0; round < 200; round += 1) {
      const times = Array.from({ length: random.between(0, 8) }, () => {
        const from = random.between(0, 100);
        return minutes(from, from + random.between(1, 20))[0] ?? { startMs: 0, endMs: 0 };
      });
      const busy = toBusy(times);
      const [range] = minutes(random.between(0, 60), random.between(61, 130));
      if (!range) throw new Error('a range was expected');
      expect(busyDuring(busy, range)).toEqual(mergeIntervals(times).filter((time) => overlaps(time, range)));
    }
  });
});

/** Weeks in which the clocks of Europe, America or Australia change, and one without. */
test.each(['2027-03-10', '2027-03-26', '2027-10-01', '2027-10-29', '2027-06-16'])(
  'calendars only take time away, and what they take is told, in the week of %s',
  (week) => {
    const fromMs = Date.parse(week);
    const random = seeded(fromMs / DAY_MS);
    const { pilots } = randomCommunity(random, { size: 60, fromMs, days: 7 });
    const expand = createExpansion(fromMs, fromMs + 7 * DAY_MS);
    let taken = 0;
    for (const { zone, leave, ...pilot } of pilots) {
      const facts = {
        timeZone: zone,
        status: { state: pilot.state, minutes: pilot.minutesLeft, expiresAtMs: fromMs + DAY_MS },
        leaveDates: leave,
        slots: pilot.slots.map((slot) => ({ ...slot, notes: null })),
        overrides: pilot.overrides.map((override) => ({ ...override, notes: null })),
      };
      const busy = toBusy(pilot.busy);
      const without = timesOf({ ...facts, busy: NEVER_BUSY }, expand, fromMs);
      const times = timesOf({ ...facts, busy }, expand, fromMs);
      expect(subtractIntervals(times, without)).toEqual([]);
      const told = takenByCalendars({ ...facts, busy }, expand, fromMs);
      expect(mergeIntervals([...times, ...told])).toEqual(mergeIntervals(without));
      expect(subtractIntervals(told, pilot.busy)).toEqual([]);
      taken += told.length;
    }
    expect(taken).toBeGreaterThan(10);
  },
);
