/** Dates of series: instants around clock changes and dates of rules against other programs, and properties of both. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { datesBetween, dueDates, isDateOf, publishFromMs, timesOn } from '#server/missions/series/rules/due-dates.ts';
import { addDays, localDate, localTime, weekdayOf } from '#server/time/time.ts';
import { seriesWords } from '#shared/labels.ts';
import { RULE_DATES, WALL_TIMES } from './witness.ts';

test.each(WALL_TIMES)('in %s, %s %s is %s', (timeZone, date, startLocal, instant) => {
  const { startMs, endMs } = timesOn(date, { startLocal, minutes: 150, timeZone });
  expect(new Date(startMs).toISOString()).toBe(instant.replace('Z', ':00.000Z'));
  // elapsed time, whatever the clock does meanwhile
  expect(endMs - startMs).toBe(150 * 60_000);
});

test.each(RULE_DATES)('on $weekdays every $everyWeeks weeks from $firstDate', ({ dates, ...rule }) => {
  expect(datesBetween(rule, '2026-01-01', '2028-01-01').join(' ')).toBe(dates);
});

const ZONES = [...new Set(WALL_TIMES.map(([zone]) => zone))];
const dateArbitrary = fc.integer({ min: 0, max: 729 }).map((days) => addDays('2026-01-01', days));
const ruleArbitrary = fc.record({
  weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
  everyWeeks: fc.integer({ min: 1, max: 8 }),
  firstDate: dateArbitrary,
  lastDate: fc.option(dateArbitrary),
});

test('dates have the weekdays of the rule, ascend, and repeat after the interval', () => {
  fc.assert(
    fc.property(ruleArbitrary, (rule) => {
      const dates = datesBetween(rule, '2026-01-01', '2028-06-30');
      expect(dates).toEqual([...new Set(dates)].toSorted());
      for (const date of dates) {
        expect(rule.weekdays).toContain(weekdayOf(date));
        expect(date >= rule.firstDate && (rule.lastDate === null || date <= rule.lastDate)).toBe(true);
        const next = addDays(date, 7 * rule.everyWeeks);
        expect(isDateOf(rule, next)).toBe(rule.lastDate === null || next <= rule.lastDate);
      }
    }),
  );
});

test('a split at one of its dates gives the same dates in two parts', () => {
  fc.assert(
    fc.property(ruleArbitrary, fc.nat(), (rule, pick) => {
      const dates = datesBetween(rule, '2026-01-01', '2028-06-30');
      const from = dates[pick % Math.max(1, dates.length)];
      if (from === undefined) return;
      const before = datesBetween({ ...rule, lastDate: addDays(from, -1) }, '2026-01-01', '2028-06-30');
      const rest = datesBetween({ ...rule, firstDate: from }, '2026-01-01', '2028-06-30');
      expect([...before, ...rest]).toEqual(dates);
    }),
  );
});

test('a mission is at its wall time on its date, or later by what the clock skips', () => {
  fc.assert(
    fc.property(
      dateArbitrary,
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 95 }),
      (date, timeZone, quarter) => {
        const startLocal = `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
        const { startMs } = timesOn(date, { startLocal, minutes: 60, timeZone });
        expect(localDate(startMs, timeZone)).toBe(date);
        const shown = localTime(startMs, timeZone);
        expect(shown >= startLocal).toBe(true);
        // none of the zones skips more than an hour
        expect(Number(shown.slice(0, 2)) - Number(startLocal.slice(0, 2))).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test('due dates are those to come, as far as the horizon', () => {
  const rule = { weekdays: [3], everyWeeks: 1, firstDate: '2026-03-04', lastDate: null, horizonWeeks: 2 };
  const content = { startLocal: '19:00', minutes: 120, timeZone: 'Europe/Berlin' };
  const at = (iso: string) => dueDates(rule, content, '2026-03-18', Date.parse(iso));
  expect(at('2026-03-18T17:59:00Z')).toEqual(['2026-03-18', '2026-03-25', '2026-04-01']);
  expect(at('2026-03-18T18:00:00Z')).toEqual(['2026-03-25', '2026-04-01']);
});

test.each([
  ['2026-03-30T18:00:00Z', 3, '2026-03-27T07:00:00.000Z'],
  ['2026-03-30T18:00:00Z', 0, '2026-03-30T06:00:00.000Z'],
  // a mission in the morning: two hours ahead
  ['2026-03-30T06:00:00Z', 0, '2026-03-30T04:00:00.000Z'],
])('in Berlin, a mission at %s is published %i days ahead at %s', (start, days, at) => {
  expect(new Date(publishFromMs(Date.parse(start), days, 'Europe/Berlin')).toISOString()).toBe(at);
});

test.each([
  [[3], 1, 'every Wednesday at 1900L (UTC)'],
  [[0, 1, 6], 1, 'every Monday, Saturday and Sunday at 1900L (UTC)'],
  [[5], 2, 'every 2 weeks on Friday at 1900L (UTC)'],
  [[0, 1, 2, 3, 4, 5, 6], 1, 'every day at 1900L (UTC)'],
])('in words: %j every %i', (weekdays, everyWeeks, words) => {
  expect(seriesWords({ weekdays, everyWeeks, startLocal: '19:00', timeZone: 'UTC' })).toBe(words);
});
