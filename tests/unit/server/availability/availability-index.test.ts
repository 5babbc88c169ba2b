/** The availability index under random edits, against a plain look at every window: with one zone, its columns are full of pilots. */
import { describe, expect, test } from 'vitest';
import { createAvailabilityIndex } from '#server/availability/rules/index/availability-index.ts';
import { Crowd } from '#server/availability/rules/index/crowd.ts';
import { mergeWeek, MINUTES_PER_WEEK, type WeekWindow } from '#server/availability/rules/index/week-windows.ts';
import { type Random, seeded } from '#tests/harness/seeded.ts';

const PILOTS = 400;
const EDITS = 1_500;
/** 1970-01-04 was a Sunday; in UTC the minutes from here on are those of the week. */
const SUNDAY = 3 * 1_440;
const TIME_ZONE = 'UTC';
const OFFERS = 5;

/** @param step times are multiples of it */
function randomWeek(random: Random, step: number): WeekWindow[] {
  if (random.chance(0.02)) return [{ start: 0, length: MINUTES_PER_WEEK, offer: 1 }];
  const most = (hours: number): number => (hours * 60) / step;
  return mergeWeek(
    Array.from({ length: random.between(0, 6) }, () => ({
      // some run over Saturday midnight, and few are longer than a day
      start: random.between(0, MINUTES_PER_WEEK / step - 1) * step,
      length: random.between(1, random.chance(0.05) ? most(40) : most(6)) * step,
      offer: random.between(0, OFFERS),
    })),
  );
}

/** The window of a week that covers a time from a minute of the week on. */
const covering = (week: readonly WeekWindow[], minute: number, duration: number): WeekWindow | undefined =>
  week.find(({ start, length }) => {
    const since = (minute - start + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
    return length === MINUTES_PER_WEEK || since + duration <= length;
  });

describe.each([1, 15])('weeks on multiples of %i minutes', (step) => {
  test('counts and crowds are those of the windows, after any edit', () => {
    const random = seeded(step);
    const weeks: (WeekWindow[] | undefined)[] = [];
    const index = createAvailabilityIndex(
      () => [],
      (pilot) => weeks[pilot] ?? [],
    );
    const edit = (pilot: number): void => {
      index.remove(pilot);
      weeks[pilot] = random.chance(0.1) ? undefined : randomWeek(random, step);
      if (weeks[pilot]) index.add(pilot, { timeZone: TIME_ZONE, week: weeks[pilot], exceptions: [] });
    };
    for (let pilot = 0; pilot < PILOTS; pilot += 1) edit(pilot);
    const crowd = new Crowd(PILOTS);
    for (let edits = 0; edits < EDITS; edits += 1) {
      edit(random.between(0, PILOTS - 1));
      if (edits % 5 > 0) continue;
      const duration = random.pick([15, 60, 90, 1_440, random.between(1, 1_440)]);
      const apart = random.pick([1, 15, 30, random.between(1, 100)]);
      const from = random.between(0, MINUTES_PER_WEEK / step - 1) * step;
      const counts = new Int32Array(random.between(1, 100));
      index.addCounts(SUNDAY + from, duration, counts, apart);
      const expected = Array.from(counts, (_, at) => {
        const minute = (from + at * apart) % MINUTES_PER_WEEK;
        return weeks.filter((week) => week && covering(week, minute, duration)).length;
      });
      expect(Array.from(counts), `${edits}: ${duration} min, every ${apart} from ${from}`).toEqual(expected);

      crowd.clear();
      index.collectFree(SUNDAY + from, SUNDAY + from + duration, crowd);
      const free = weeks.map((week) => (week ? covering(week, from, duration) : undefined));
      expect(Array.from(crowd.members, (member) => member !== 0)).toEqual(free.map((window) => window !== undefined));
      expect(crowd.others().toArray()).toEqual([...free.keys()].filter((pilot) => free[pilot]?.offer === 0));
      for (let offer = 0; offer <= OFFERS; offer += 1) {
        expect(crowd.offers[offer] ?? 0).toBe(free.filter((window) => window?.offer === offer).length);
      }
    }
    expect(index.size()).toBe(weeks.filter(Boolean).length);
  });
});

test('a week that is not the one that was added is refused', () => {
  let week: WeekWindow[] = [{ start: 60, length: 60 }];
  const index = createAvailabilityIndex(
    () => [],
    () => week,
  );
  index.add(0, { timeZone: TIME_ZONE, week, exceptions: [] });
  week = [{ start: 120, length: 60 }];
  expect(() => index.remove(0)).toThrow('Pilot 0 has no window at 120.');
});
