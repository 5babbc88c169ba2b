import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NEVER_BUSY } from '#server/availability/rules/busy-minutes.ts';
import {
  expandSlots,
  normalizeSlots,
  type Override,
  type Presence,
  splitByDay,
  statusPresence,
  type WeeklySlot,
  withOverrides,
} from '#server/availability/rules/dated-windows.ts';
import { DAY_MS, HOUR_MS, listDates, MINUTE_MS, timeOf, toInstantMs, toIso } from '#server/time/time.ts';

const NEW_YORK = 'America/New_York';
const F16 = 2;
const F14 = 4;

function slot(weekday: number, startLocal: string, endLocal: string, more: Partial<WeeklySlot> = {}): WeeklySlot {
  return { weekday, startLocal, endLocal, aircraftId: null, notes: null, ...more };
}
function override(
  kind: Override['kind'],
  startLocal: string,
  endLocal: string,
  more: Partial<Override> = {},
): Override {
  return { dateLocal: '2026-07-01', kind, startLocal, endLocal, aircraftId: null, notes: null, ...more };
}
function presence(startMs: number, endMs: number, more: Partial<Presence> = {}): Presence {
  return { startMs, endMs, aircraftId: null, source: 'template', notes: null, ...more };
}
const shown = (presences: readonly Presence[]) =>
  presences.map(({ startMs, endMs }) => `${toIso(startMs).slice(0, 16)} ${toIso(endMs).slice(0, 16)}`);

const anySlot = fc
  .record({
    weekday: fc.integer({ min: 0, max: 6 }),
    start: fc.integer({ min: 0, max: 95 }),
    minutes: fc.integer({ min: 1, max: 95 }),
    aircraftId: fc.constantFrom(null, F16, F14),
    notes: fc.constantFrom(null, 'a', 'b', 'only CAP'),
  })
  .map(({ start, minutes, ...rest }): WeeklySlot => {
    return { ...rest, startLocal: timeOf(start * 15), endLocal: timeOf((start + minutes) * 15) };
  });
const anySlots = fc.array(anySlot, { maxLength: 14 });

/** The oracle: the quarter hours that the slots cover, numbered from the start of their weekday (0 to 191 for two days). */
function quarters(slots: readonly WeeklySlot[]): Set<string> {
  const held = new Set<string>();
  for (const { weekday, aircraftId, startLocal, endLocal } of slots) {
    const at = (time: string) => Number(time.slice(0, 2)) * 4 + Number(time.slice(3)) / 15;
    const from = at(startLocal);
    const to = at(endLocal) <= from ? at(endLocal) + 96 : at(endLocal);
    for (let quarter = from; quarter < to; quarter++) held.add(`${weekday}/${aircraftId}/${quarter}`);
  }
  return held;
}

describe('normalising slots', () => {
  test.each<[string, WeeklySlot[], string[]]>([
    ['overlapping', [slot(1, '18:00', '20:00'), slot(1, '19:00', '22:00')], ['1 18:00-22:00']],
    ['touching', [slot(1, '20:00', '22:00'), slot(1, '18:00', '20:00')], ['1 18:00-22:00']],
    ['one inside the other', [slot(1, '18:00', '22:00'), slot(1, '19:00', '20:00')], ['1 18:00-22:00']],
    ['over midnight', [slot(6, '22:00', '01:00'), slot(6, '23:00', '03:00')], ['6 22:00-03:00']],
    ['touching midnight', [slot(6, '22:00', '00:00'), slot(6, '20:00', '22:30')], ['6 20:00-00:00']],
    ['a gap stays', [slot(1, '18:00', '19:00'), slot(1, '20:00', '21:00')], ['1 18:00-19:00', '1 20:00-21:00']],
    [
      'the morning does not touch the same evening',
      [slot(1, '22:00', '00:00'), slot(1, '00:00', '02:00')],
      ['1 00:00-02:00', '1 22:00-00:00'],
    ],
    ['other weekdays stay', [slot(1, '22:00', '02:00'), slot(2, '01:00', '03:00')], ['1 22:00-02:00', '2 01:00-03:00']],
    [
      'a whole day stays in two',
      [slot(3, '00:00', '12:00'), slot(3, '12:00', '00:00')],
      ['3 00:00-12:00', '3 12:00-00:00'],
    ],
    [
      'more than a day stays in two',
      [slot(3, '02:00', '23:00'), slot(3, '22:00', '06:00')],
      ['3 02:00-22:00', '3 22:00-06:00'],
    ],
  ])('%s', (_rule, slots, expected) => {
    expect(normalizeSlots(slots).map((s) => `${s.weekday} ${s.startLocal}-${s.endLocal}`)).toEqual(expected);
  });

  test('slots of different aircraft stay separate, any aircraft first', () => {
    const slots = [slot(1, '18:00', '20:00', { aircraftId: F16 }), slot(1, '18:00', '20:00')];
    expect(normalizeSlots(slots)).toEqual([slots[1], slots[0]]);
  });

  test('notes are joined without duplicates, and a single note is unchanged', () => {
    const merged = normalizeSlots([
      slot(1, '18:00', '20:00', { notes: 'late' }),
      slot(1, '19:00', '21:00', { notes: 'CAP only' }),
      slot(1, '20:00', '22:00', { notes: 'late' }),
      slot(2, '18:00', '20:00', { notes: 'x; x' }),
    ]);
    expect(merged.map(({ notes }) => notes)).toEqual(['late; CAP only', 'x; x']);
  });

  test('no time is lost or added, nothing overlaps, in any order, and the result is stable', () => {
    fc.assert(
      fc.property(anySlots, fc.infiniteStream(fc.double({ noNaN: true })), (slots, stream) => {
        const merged = normalizeSlots(slots);
        expect(quarters(merged)).toEqual(quarters(slots));
        expect(merged.length).toBeLessThanOrEqual(slots.length);
        expect(merged.every(({ startLocal, endLocal }) => startLocal !== endLocal)).toBe(true);
        const held = merged.flatMap((one) => [...quarters([one])]);
        expect(new Set(held).size).toBe(held.length);
        expect(normalizeSlots(merged)).toEqual(merged);
        const keyed = slots.map((one) => ({ one, key: stream.next().value ?? 0 }));
        const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
        const times = (list: WeeklySlot[]) => list.map((one) => ({ ...one, notes: null }));
        expect(times(normalizeSlots(shuffled))).toEqual(times(merged));
      }),
    );
  });
});

/** Minutes of the week by Intl, an independent implementation of the zone rules. */
function minuteOfWeek(ms: number, timeZone: string): { weekday: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(String(parts['weekday']));
  return { weekday, minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
}

describe('weekly slots on the calendar', () => {
  test.each<[string, WeeklySlot, string, string[]]>([
    ['a plain evening', slot(3, '19:00', '22:00'), '2026-07-01', ['2026-07-01T23:00 2026-07-02T02:00']],
    ['an end at 00:00 is midnight', slot(3, '22:00', '00:00'), '2026-07-01', ['2026-07-02T02:00 2026-07-02T04:00']],
    ['over midnight', slot(3, '22:00', '02:00'), '2026-07-01', ['2026-07-02T02:00 2026-07-02T06:00']],
    ['into the hour DST skips', slot(0, '01:00', '02:30'), '2026-03-08', ['2026-03-08T06:00 2026-03-08T07:30']],
    ['out of the hour DST skips', slot(0, '02:30', '04:00'), '2026-03-08', ['2026-03-08T07:30 2026-03-08T08:00']],
    ['inside the skipped hour', slot(0, '02:15', '02:45'), '2026-03-08', ['2026-03-08T07:15 2026-03-08T07:45']],
    ['exactly the skipped hour', slot(0, '02:00', '03:00'), '2026-03-08', ['2026-03-08T07:00 2026-03-08T08:00']],
    ['skipped start after its end', slot(0, '02:30', '03:15'), '2026-03-08', ['2026-03-08T07:30 2026-03-08T08:15']],
    ['the repeated hour once', slot(0, '01:00', '02:00'), '2026-11-01', ['2026-11-01T05:00 2026-11-01T07:00']],
    ['within the first pass', slot(0, '01:15', '01:45'), '2026-11-01', ['2026-11-01T05:15 2026-11-01T05:45']],
  ])('%s', (_rule, one, date, expected) => {
    const noon = toInstantMs(date, '12:00', NEW_YORK);
    expect(shown(expandSlots([one], NEW_YORK, noon - DAY_MS, noon + DAY_MS))).toEqual(expected);
  });

  test('slots that overlap the range are returned whole; those that end at its start or start at its end are not', () => {
    const wednesday = slot(3, '10:00', '12:00');
    const at = (time: string) => toInstantMs('2026-07-01', time, 'UTC');
    const whole = ['2026-07-01T10:00 2026-07-01T12:00'];
    expect(shown(expandSlots([wednesday], 'UTC', at('11:00'), at('11:01')))).toEqual(whole);
    expect(shown(expandSlots([wednesday], 'UTC', at('12:00'), at('13:00')))).toEqual([]);
    expect(shown(expandSlots([wednesday], 'UTC', at('09:00'), at('10:00')))).toEqual([]);
    expect(shown(expandSlots([wednesday], 'UTC', at('11:59'), at('11:58')))).toEqual([]);
  });

  const zones = fc.constantFrom(NEW_YORK, 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia');
  const instants = fc.integer({ min: Date.UTC(2024, 0, 1) / MINUTE_MS, max: Date.UTC(2027, 0, 1) / MINUTE_MS });

  test('away from clock changes a pilot is present exactly when the wall clock is in a slot', () => {
    fc.assert(
      fc.property(anySlots, zones, instants, (slots, zone, minute) => {
        const ms = minute * MINUTE_MS;
        const wall = minuteOfWeek(ms, zone);
        const near = [-3, 3].map((days) => minuteOfWeek(ms + days * DAY_MS, zone).minute);
        fc.pre(near.every((other) => other === wall.minute));
        const expected = slots.some((one) => {
          const from = Number(one.startLocal.slice(0, 2)) * 60 + Number(one.startLocal.slice(3));
          const to = Number(one.endLocal.slice(0, 2)) * 60 + Number(one.endLocal.slice(3));
          const length = (to - from + 1440) % 1440;
          const since = ((wall.weekday - one.weekday + 7) % 7) * 1440 + wall.minute - from;
          return since >= 0 && since < length;
        });
        const found = expandSlots(slots, zone, ms, ms + 1);
        expect(found.length > 0).toBe(expected);
        expect(found.every(({ startMs, endMs }) => startMs <= ms && ms < endMs)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('every slot occurs once a week with a positive length, all year round', () => {
    fc.assert(
      fc.property(anySlot, zones, (one, zone) => {
        const year = expandSlots([one], zone, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1));
        expect(year.length).toBeGreaterThanOrEqual(52);
        expect(year.length).toBeLessThanOrEqual(54);
        expect(year.every(({ startMs, endMs }) => startMs < endMs && endMs - startMs <= 25 * HOUR_MS)).toBe(true);
        expect(year.every((each, index) => index === 0 || each.startMs > (year[index - 1]?.startMs ?? 0))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe('dated exceptions', () => {
  const evening = [presence(toInstantMs('2026-07-01', '18:00', 'UTC'), toInstantMs('2026-07-01', '22:00', 'UTC'))];

  test.each<[string, Override[], string[]]>([
    [
      'away cuts',
      [override('unavailable', '19:00', '20:00')],
      ['2026-07-01T18:00 2026-07-01T19:00', '2026-07-01T20:00 2026-07-01T22:00'],
    ],
    [
      'away for one aircraft is away',
      [override('unavailable', '18:00', '20:00', { aircraftId: F16 })],
      ['2026-07-01T20:00 2026-07-01T22:00'],
    ],
    ['away over midnight', [override('unavailable', '21:00', '02:00')], ['2026-07-01T18:00 2026-07-01T21:00']],
    [
      'here adds',
      [override('available', '10:00', '12:00')],
      ['2026-07-01T10:00 2026-07-01T12:00', '2026-07-01T18:00 2026-07-01T22:00'],
    ],
    [
      'away all day but here for an hour',
      [override('available', '20:00', '21:00'), override('unavailable', '00:00', '23:59')],
      ['2026-07-01T20:00 2026-07-01T21:00'],
    ],
    [
      'another date changes nothing',
      [override('unavailable', '00:00', '23:59', { dateLocal: '2026-07-02' })],
      ['2026-07-01T18:00 2026-07-01T22:00'],
    ],
  ])('%s', (_rule, overrides, expected) => {
    expect(shown(withOverrides(evening, overrides, 'UTC', NEVER_BUSY))).toEqual(expected);
  });

  test('added time names its exception as the source', () => {
    const added = override('available', '10:00', '12:00', { aircraftId: F16, notes: 'holiday' });
    expect(withOverrides([], [added], NEW_YORK, NEVER_BUSY)).toEqual([
      {
        startMs: Date.UTC(2026, 6, 1, 14),
        endMs: Date.UTC(2026, 6, 1, 16),
        aircraftId: F16,
        source: 'override',
        notes: 'holiday',
      },
    ]);
  });
});

test.each([
  [
    'now runs to its expiry',
    { state: 'now', minutes: 60, expiresAtMs: 5000 },
    1000,
    [presence(1000, 5000, { source: 'status' })],
  ],
  ['now at its expiry is over', { state: 'now', minutes: 60, expiresAtMs: 5000 }, 5000, []],
  ['available adds nothing', { state: 'available', minutes: null, expiresAtMs: null }, 1000, []],
  ['dnd adds nothing', { state: 'dnd', minutes: null, expiresAtMs: null }, 1000, []],
] as const)('live status: %s', (_rule, status, nowMs, expected) => {
  expect(statusPresence(status, nowMs)).toEqual(expected);
});

describe('display by day', () => {
  test('a slot across midnight is split, and an end at midnight is 24:00', () => {
    const night = presence(Date.UTC(2026, 6, 1, 22), Date.UTC(2026, 6, 3, 2), { aircraftId: F16, notes: 'long' });
    const same = { aircraftId: F16, source: 'template', notes: 'long' };
    expect(splitByDay([night], 'UTC', listDates('2026-06-30', 5))).toEqual([
      { dateLocal: '2026-06-30', slots: [] },
      { dateLocal: '2026-07-01', slots: [{ startLocal: '22:00', endLocal: '24:00', ...same }] },
      { dateLocal: '2026-07-02', slots: [{ startLocal: '00:00', endLocal: '24:00', ...same }] },
      { dateLocal: '2026-07-03', slots: [{ startLocal: '00:00', endLocal: '02:00', ...same }] },
      { dateLocal: '2026-07-04', slots: [] },
    ]);
  });

  test('times are the reader’s, whatever zone the pilot planned in', () => {
    const tokyo = expandSlots([slot(4, '19:00', '22:00')], 'Asia/Tokyo', Date.UTC(2026, 6, 1), Date.UTC(2026, 6, 4));
    const [day] = splitByDay(tokyo, NEW_YORK, ['2026-07-02']);
    expect(day?.slots.map(({ startLocal, endLocal }) => `${startLocal}-${endLocal}`)).toEqual(['06:00-09:00']);
  });

  test('the parts of all days add up to the presence, also at clock changes', () => {
    const zones = fc.constantFrom(NEW_YORK, 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Africa/Cairo');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 30 }), zones, (day, hours, zone) => {
        const startMs = Date.UTC(2017, 0, 1) + day * DAY_MS + hours * HOUR_MS;
        const whole = presence(startMs, startMs + hours * HOUR_MS);
        const dates = listDates(toIso(startMs - 2 * DAY_MS).slice(0, 10), 7);
        const parts = splitByDay([whole], zone, dates).flatMap(({ dateLocal, slots }) =>
          slots.map((part) => ({ dateLocal, ...part })),
        );
        const first = parts[0];
        const last = parts.at(-1);
        expect(first && toInstantMs(first.dateLocal, first.startLocal, zone)).toBeLessThanOrEqual(startMs);
        expect(last && toInstantMs(last.dateLocal, last.endLocal, zone)).toBeGreaterThanOrEqual(whole.endMs - HOUR_MS);
        for (const part of parts.slice(0, -1)) expect(part.endLocal).toBe('24:00');
        expect(parts.map(({ dateLocal }) => dateLocal)).toEqual(
          dates.slice(dates.indexOf(first?.dateLocal ?? ''), dates.indexOf(last?.dateLocal ?? '') + 1),
        );
      }),
      { numRuns: 200 },
    );
  });
});
