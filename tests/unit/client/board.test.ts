/** Calculations of the operations board: days, address, runs of equal numbers, and days of 23, 24 and 25 hours. */
import { describe, expect, test } from 'vitest';
import { readBoardSearch } from '#client/features/board/board-search.ts';
import { describeHeat, HEAT_STEPS, heatLegend, heatLevel, layOutHeat } from '#client/features/board/heat-model.ts';
import {
  describeDay,
  describeWeek,
  layOutMissions,
  mergeRuns,
  splitDays,
  scaleOf,
} from '#client/features/board/online-figures.ts';
import { describeMinutes, readTimesAsk, timesInput } from '#client/features/board/times-ask.ts';
import { pickDay } from '#client/features/board/week-days.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { HeatDto } from '#shared/schemas/dashboard.ts';

describe('the address', () => {
  test.each([
    [
      'a day and views',
      { day: '2026-11-22', online: 'table', heat: 'table', aircraft: 3, minutes: 90, seats: '2x4' },
      {},
    ],
    [
      'views that do not exist',
      { day: 7, online: 'pie', heat: true, aircraft: 'F-16', minutes: '3 h', seats: 2 },
      {
        day: undefined,
        online: undefined,
        heat: undefined,
        aircraft: undefined,
        minutes: undefined,
        seats: undefined,
      },
    ],
  ])('%s', (_rule, search, change) => expect(readBoardSearch(search)).toEqual({ ...search, ...change }));

  const offered = [1, 2].map((id): AircraftDto => ({
    id,
    code: '',
    name: '',
    seats: 1,
    roles: [],
    active: true,
    pilots: 0,
  }));
  test.each([
    ['three hours for any aircraft', {}, 180, undefined],
    ['an offered length', { minutes: 90 }, 90, undefined],
    ['a length that is not offered', { minutes: 95 }, 180, undefined],
    ['seats', { seats: '1x2,2x4' }, 180, '1x2,2x4'],
    ['seats of one aircraft, added up', { seats: '1x2,2x4,1x3' }, 180, '1x5,2x4'],
    ['unknown aircraft', { seats: '7x2,2x4' }, 180, '2x4'],
    ['text of another form', { seats: '2*4' }, 180, undefined],
  ])('recommended times are asked for: %s', (_rule, search, minDuration, seats) => {
    const { minDuration: length, ...input } = timesInput('2026-11-21', 'UTC', readTimesAsk(search, offered));
    expect([length, 'seats' in input ? input.seats : undefined]).toEqual([minDuration, seats]);
    expect(readTimesAsk(search, undefined).seats).toEqual([]);
  });

  test.each([
    [15, '15 min'],
    [60, '1 h'],
    [90, '1 h 30 min'],
    [720, '12 h'],
  ])('%i minutes are %s', (minutes, words) => expect(describeMinutes(minutes)).toBe(words));

  test.each([
    ['2026-11-21', '2026-11-21'],
    ['2026-11-27', '2026-11-27'],
    ['2026-11-28', '2026-11-21'],
    ['2026-11-20', '2026-11-21'],
    ['2026-11-2', '2026-11-21'],
    [undefined, '2026-11-21'],
  ])('%s named on 21 November is %s', (named, day) => expect(pickDay(named, '2026-11-21')).toBe(day));
});

/** All hours of seven local dates by Temporal; the numbers of pilots count up from 0 on each day. */
function heatOf(startDate: string, timeZone: string): HeatDto {
  const days = Array.from({ length: 7 }, (_day, index) => {
    const date = Temporal.PlainDate.from(startDate).add({ days: index });
    const end = date.add({ days: 1 }).toZonedDateTime(timeZone);
    const hours = [];
    for (
      let at = date.toZonedDateTime(timeZone);
      at.epochMilliseconds < end.epochMilliseconds;
      at = at.add({ hours: 1 })
    ) {
      hours.push({
        startUtc: at.toInstant().toString(),
        startLocal: at.toPlainTime().toString({ smallestUnit: 'minute' }),
        pilots: hours.length,
      });
    }
    return { dateLocal: date.toString(), hours };
  });
  return { startDate, timeZone, aircraftId: 0, days };
}

describe('the heat', () => {
  test.each([
    ['24 hours each', '2026-11-21', 'America/New_York', 24, []],
    ['an hour is skipped', '2027-03-13', 'America/New_York', 24, [['2027-03-14', '02L']]],
    [
      'an hour is repeated',
      '2027-11-06',
      'America/New_York',
      25,
      [
        ['2027-11-06', '01L again'],
        ['2027-11-08', '01L again'],
        ['2027-11-09', '01L again'],
        ['2027-11-10', '01L again'],
        ['2027-11-11', '01L again'],
        ['2027-11-12', '01L again'],
      ],
    ],
    ['half an hour is skipped', '2026-10-03', 'Australia/Lord_Howe', 24, []],
  ])('has a row for each date and a column for each local hour: %s', (_rule, startDate, timeZone, columns, gaps) => {
    const heat = heatOf(startDate, timeZone);
    const layout = layOutHeat(heat, 0);
    expect(layout.columns).toHaveLength(columns);
    const found = layout.rows.flatMap(({ date, cells }) =>
      cells.flatMap((cell, index) => {
        const { label = '', isRepeat = false } = layout.columns[index] ?? {};
        return cell === null ? [[date, isRepeat ? `${label} again` : label]] : [];
      }),
    );
    expect(found).toEqual(gaps);
    // no hour is missing, and they are in order
    for (const [index, { cells }] of layout.rows.entries()) {
      expect(cells.filter((cell) => cell !== null).map(({ startUtc }) => startUtc)).toEqual(
        heat.days[index]?.hours.map(({ startUtc }) => startUtc),
      );
    }
  });

  test('labels an hour with its date, local and Zulu time and pilots, and as past once it has begun', () => {
    const { rows } = layOutHeat(heatOf('2026-11-21', 'America/New_York'), Date.parse('2026-11-21T06:00:00Z'));
    const [midnight, one, two] = rows[0]?.cells ?? [];
    expect(midnight?.name).toBe('Sat, Nov 21, 0500–0600Z 0000–0100L: 0 pilots');
    expect(one?.name).toBe('Sat, Nov 21, 0600–0700Z 0100–0200L: 1 pilot');
    expect([midnight?.isPast, one?.isPast, two?.isPast]).toEqual([true, true, false]);
  });

  test.each([0, 1, 2, 3, 5, 7, 23, 300])(
    'with at most %i pilots, every number has one step, which the legend shows',
    (most) => {
      const ranges = heatLegend(most).map(({ level, range }) => {
        const [low = '', high = low] = range.split('–');
        return { level, low: Number(low), high: Number(high) };
      });
      for (let pilots = 0; pilots <= most; pilots += 1) {
        const level = heatLevel(pilots, most);
        expect(ranges.filter(({ low, high }) => low <= pilots && pilots <= high)).toEqual([
          expect.objectContaining({ level }),
        ]);
      }
      expect(Math.max(...ranges.map(({ level }) => level))).toBe(most === 0 ? 0 : HEAT_STEPS);
    },
  );

  test('zero pilots has a label', () => {
    const heat = heatOf('2026-11-21', 'UTC');
    const days = heat.days.map((day) => ({ ...day, hours: day.hours.map((hour) => ({ ...hour, pilots: 0 })) }));
    expect(describeHeat(layOutHeat({ ...heat, days }, 0))).toBe('Nobody is available in these 7 days.');
    expect(describeHeat(layOutHeat(heat, 0))).toBe('Best hour: Sat, Nov 21, 2300–0000Z+1: 23 pilots.');
  });

  test('the best hour is one that has not begun', () => {
    const heat = heatOf('2026-11-21', 'UTC');
    expect(describeHeat(layOutHeat(heat, Date.parse('2026-11-21T23:00:00Z')))).toBe(
      'Best hour: Sun, Nov 22, 2300–0000Z+1: 23 pilots.',
    );
    expect(describeHeat(layOutHeat(heat, Date.parse('2026-11-27T22:59:00Z')))).toContain('Fri, Nov 27, 2300–0000Z+1');
    expect(describeHeat(layOutHeat(heat, Date.parse('2026-11-27T23:00:00Z')))).toBe(
      'Nobody is available in these 7 days.',
    );
  });
});

describe('the missions under the hours', () => {
  const day = { startMs: Date.parse('2026-11-21T00:00:00Z'), endMs: Date.parse('2026-11-22T00:00:00Z') };
  const mission = (id: string, start: string, end: string) => ({
    id,
    name: id,
    startUtc: `2026-11-21T${start}:00.000Z`,
    endUtc: end.length > 5 ? end : `2026-11-21T${end}:00.000Z`,
  });
  const placed = (missions: ReturnType<typeof mission>[], lanes = 3) => {
    const { bars, hidden } = layOutMissions(missions, day, lanes);
    return { bars: bars.map(({ id, lane, from, width, label }) => [id, lane, from, width, label]), hidden };
  };

  test('are as long as their time, end with the day, and stand below each other where they or labels would overlap', () => {
    const late = mission('late', '18:00', '2026-11-22T02:00:00.000Z');
    expect(placed([late, mission('noon', '12:00', '15:00'), mission('early', '00:00', '06:00')])).toEqual({
      bars: [
        ['early', 0, 0, 25, 'after'],
        ['noon', 1, 50, 12.5, 'after'],
        ['late', 2, 75, 25, 'before'],
      ],
      hidden: 0,
    });
  });

  test('that are long have their label inside', () => {
    expect(placed([mission('watch', '06:00', '20:00')]).bars).toEqual([
      ['watch', 0, 25, expect.closeTo(58.33, 2), 'inside'],
    ]);
  });

  test('that have no room are counted', () => {
    const same = ['a', 'b', 'c'].map((id) => mission(id, '18:00', '21:00'));
    expect(placed(same, 2)).toEqual({
      bars: [
        ['a', 0, 75, 12.5, 'before'],
        ['b', 1, 75, 12.5, 'before'],
      ],
      hidden: 1,
    });
  });
});

describe('the week ahead', () => {
  const point = (startUtc: string, expected: number, committed = 0) => ({ startUtc, expected, partial: 0, committed });

  test('equal neighbours are one run, split where a local date begins', () => {
    const points = [
      point('2026-11-21T22:00:00.000Z', 3),
      point('2026-11-21T22:30:00.000Z', 3),
      point('2026-11-21T23:00:00.000Z', 3),
      point('2026-11-21T23:30:00.000Z', 4),
    ];
    const runs = mergeRuns(points, 30, 'Europe/Berlin');
    expect(runs.map(({ date, startUtc, endUtc, expected }) => [date, startUtc, endUtc, expected])).toEqual([
      ['2026-11-21', '2026-11-21T22:00:00.000Z', '2026-11-21T23:00:00.000Z', 3],
      ['2026-11-22', '2026-11-21T23:00:00.000Z', '2026-11-21T23:30:00.000Z', 3],
      ['2026-11-22', '2026-11-21T23:30:00.000Z', '2026-11-22T00:00:00.000Z', 4],
    ]);
    const days = splitDays(points, ['2026-11-21', '2026-11-22', '2026-11-23'], 'Europe/Berlin');
    expect(days.map(({ date, startMs, points: own }) => [date, new Date(startMs).toISOString(), own.length])).toEqual([
      ['2026-11-21', '2026-11-20T23:00:00.000Z', 2],
      ['2026-11-22', '2026-11-21T23:00:00.000Z', 2],
      ['2026-11-23', '2026-11-22T23:00:00.000Z', 0],
    ]);
    expect(scaleOf(points)).toEqual([0, 1, 2, 3, 4]);
    expect(scaleOf([])).toEqual([0, 1]);
    expect(scaleOf([point('2026-11-21T22:00:00.000Z', 3, 15)])).toEqual([0, 4, 8, 12, 16]);
    expect(scaleOf([point('2026-11-21T22:00:00.000Z', 300)])).toEqual([0, 75, 150, 225, 300]);
    const [today, tomorrow, later] = days;
    expect(today && describeDay(today, 'Europe/Berlin')).toBe(
      'Sat, Nov 21: at most 3 pilots, at 2200Z 2300L. Most seats taken: 0.',
    );
    expect(tomorrow && describeDay(tomorrow, 'UTC')).toBe(
      'Sun, Nov 22: at most 4 pilots, at 2330Z. Most seats taken: 0.',
    );
    expect(later && describeDay(later, 'UTC')).toBe('Mon, Nov 23: nobody is expected.');
  });

  test.each([
    [[point('2026-11-21T19:00:00Z', 0, 0)], 'Nobody is expected in the next 7 days.'],
    [
      [point('2026-11-21T19:00:00Z', 1), point('2026-11-21T19:30:00Z', 1)],
      'Peak: 1 pilot, Sat, Nov 21 1900Z 2000L. No seats are taken yet.',
    ],
    [
      [point('2026-11-21T19:00:00Z', 23, 2), point('2026-11-22T23:30:00Z', 9, 8)],
      'Peak: 23 pilots, Sat, Nov 21 1900Z 2000L. Most seats taken: 8, Sun, Nov 22 2330Z 0030L+1.',
    ],
  ])('in words: %#', (points, sentence) => expect(describeWeek(points, 'Europe/Berlin')).toBe(sentence));
});
