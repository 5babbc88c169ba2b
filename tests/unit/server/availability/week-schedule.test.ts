import { describe, expect, test } from 'vitest';
import type { WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import { scheduleIn, timeRange } from '#server/availability/rules/week-schedule.ts';

const slot = (weekday: number, startLocal: string, endLocal: string, aircraftId: number | null = null): WeeklySlot => ({
  weekday,
  startLocal,
  endLocal,
  aircraftId,
  notes: null,
});
/** Wednesdays in winter, in summer, and before clocks go back in Europe. */
const WINTER = Date.parse('2026-01-14T12:00:00Z');
const SUMMER = Date.parse('2026-07-15T12:00:00Z');
const BEFORE_THE_SWITCH = Date.parse('2026-10-21T12:00:00Z');

function read(slots: readonly WeeklySlot[], pilotZone: string, timeZone: string, nowMs = WINTER): string[] {
  return scheduleIn(slots, pilotZone, timeZone, nowMs).map((entry) => `${entry.dayOfWeek} ${timeRange(entry)}`);
}

describe('in the pilot’s own zone the week is as entered', () => {
  test.each([
    ['an evening', slot(1, '18:00', '22:00'), '1 18:00 - 22:00'],
    ['an end at midnight is the end of that day', slot(1, '18:00', '00:00'), '1 18:00 - 24:00'],
    ['an end after midnight is marked', slot(6, '22:00', '01:00'), '6 22:00 - 01:00 +1'],
    ['a time that the clocks skip this week', slot(0, '02:30', '04:00'), '0 02:30 - 04:00'],
  ])('%s', (_rule, weekly, words) => {
    const beforeSpring = Date.parse('2026-03-26T12:00:00Z');
    expect(read([weekly], 'Europe/Berlin', 'Europe/Berlin', beforeSpring)).toEqual([words]);
  });

  test('slots are sorted by day, start and aircraft', () => {
    const slots = [
      slot(3, '18:00', '22:00', 4),
      slot(3, '18:00', '22:00'),
      slot(3, '06:00', '07:00'),
      slot(0, '23:00', '23:30'),
    ];
    expect(
      scheduleIn(slots, 'UTC', 'UTC', WINTER).map(({ dayOfWeek, startLocal, aircraftId }) => [
        dayOfWeek,
        startLocal,
        aircraftId,
      ]),
    ).toEqual([
      [0, '23:00', null],
      [3, '06:00', null],
      [3, '18:00', null],
      [3, '18:00', 4],
    ]);
  });
});

describe('in another zone a slot is shown for its next date', () => {
  test.each([
    ['an hour earlier', slot(1, '18:00', '22:00'), 'Europe/Berlin', 'UTC', WINTER, '1 17:00 - 21:00'],
    ['two in summer', slot(1, '18:00', '22:00'), 'Europe/Berlin', 'UTC', SUMMER, '1 16:00 - 20:00'],
    // Oct 21 is before the change; the Tuesday after it is in winter time
    [
      'after a change of the clocks, if it falls there',
      slot(2, '18:00', '22:00'),
      'Europe/Berlin',
      'UTC',
      BEFORE_THE_SWITCH,
      '2 17:00 - 21:00',
    ],
    [
      'before it, if it falls there',
      slot(5, '18:00', '22:00'),
      'Europe/Berlin',
      'UTC',
      BEFORE_THE_SWITCH,
      '5 16:00 - 20:00',
    ],
    ['the weekday moves on', slot(6, '20:00', '22:00'), 'America/New_York', 'UTC', WINTER, '0 01:00 - 03:00'],
    ['the weekday moves back', slot(0, '06:00', '08:00'), 'Asia/Tokyo', 'America/New_York', WINTER, '6 16:00 - 18:00'],
    ['midnight comes in between', slot(2, '18:00', '22:00'), 'UTC', 'Asia/Tokyo', WINTER, '3 03:00 - 07:00'],
    ['it runs past midnight there', slot(2, '14:00', '16:00'), 'UTC', 'Asia/Tokyo', WINTER, '2 23:00 - 01:00 +1'],
    ['it ends at midnight there', slot(2, '13:00', '15:00'), 'UTC', 'Asia/Tokyo', WINTER, '2 22:00 - 24:00'],
    [
      'it runs past midnight here only',
      slot(2, '23:00', '02:00'),
      'UTC',
      'America/New_York',
      WINTER,
      '2 18:00 - 21:00',
    ],
    [
      'what goes on at this moment is today’s',
      slot(3, '11:00', '13:00'),
      'UTC',
      'Europe/Berlin',
      WINTER,
      '3 12:00 - 14:00',
    ],
  ])('%s', (_rule, weekly, pilotZone, timeZone, nowMs, words) => {
    expect(read([weekly], pilotZone, timeZone, nowMs)).toEqual([words]);
  });

  test('no time of the week is lost, in any zone and week', () => {
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Europe/London'];
    const slots = Array.from({ length: 7 }, (_, day) => [
      slot(day, '01:30', '02:30'),
      slot(day, '22:00', '21:00'),
    ]).flat();
    for (let week = 0; week < 53; week += 1) {
      const nowMs = Date.parse('2026-01-01T00:00:00Z') + week * 7 * 86_400_000;
      for (const from of zones) {
        for (const to of zones) expect(scheduleIn(slots, from, to, nowMs)).toHaveLength(slots.length);
      }
    }
  });
});
