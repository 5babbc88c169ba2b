/** The rules of recommended times, one by one; expected-pilots.test.ts compares them all with an oracle. */
import { describe, expect, test } from 'vitest';
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import { freeWindows } from '#server/availability/rules/pilot-presences.ts';
import { startsAfter } from '#server/availability/rules/do-not-disturb.ts';
import type { Interval } from '#server/time/intervals.ts';
import { createAvailabilityIndex } from '#server/availability/rules/index/availability-index.ts';
import { Crowd } from '#server/availability/rules/index/crowd.ts';
import { gatherFree } from '#server/board/rules/indexed-counts.ts';
import { recommendTimes } from '#server/board/rules/recommended-times.ts';
import { flyersIn, recommendationWords, spanWords } from '#server/board/rules/recommendation-text.ts';
import { dayBounds } from '#server/time/time.ts';

const at = (time: string): number => Date.parse(`2026-07-${time}:00Z`);
/** `01T18:00 01T22:00`, July 2026, UTC */
function span(text: string): Interval {
  const [start = '', end = ''] = text.split(' ');
  return { startMs: at(start), endMs: at(end) };
}
const shown = ({ startMs, endMs }: Interval): string =>
  `${new Date(startMs).toISOString().slice(8, 16)} ${new Date(endMs).toISOString().slice(8, 16)}`;

interface Given {
  windows: Record<string, string[]>;
  seats?: Record<string, string[]>;
  dnd?: string[];
  missions?: string[];
  now?: string;
  minDuration?: number;
  limit?: number;
}

const toMinutes = ({ startMs, endMs }: Interval) => ({ from: startMs / 60_000, to: endMs / 60_000 });
/** The week says nothing about these pilots: the index asks for their windows on each day. */
const ALWAYS = { from: -Infinity, to: Infinity };

/** Times of July 2, UTC, as `start end pilots`. */
function recommend({ windows, seats = {}, dnd = [], missions = [], now = '01T00:00', ...more }: Given): string[] {
  const { minDuration = 60, limit = 24 } = more;
  const names = Object.keys(windows);
  const free = Object.entries(windows).map(([name, spans]) =>
    freeWindows(
      spans.map((text) => span(text)),
      (seats[name] ?? []).map((text) => span(text)),
    ).map(toMinutes),
  );
  const layers = (['available', 'dnd'] as const).map((state) => {
    const index = createAvailabilityIndex(
      (pilot, { from, to }) => (free[pilot] ?? []).filter((window) => window.from <= to && window.to >= from),
      () => [],
    );
    for (const [pilot, name] of names.entries()) {
      if (dnd.includes(name) === (state === 'dnd')) {
        index.add(pilot, { timeZone: 'UTC', week: [], exceptions: [ALWAYS] });
      }
    }
    return { index, startsAfterMs: startsAfter(state, at(now)) };
  });
  const request = {
    day: dayBounds('2026-07-02', 'UTC'),
    nowMs: at(now),
    minDurationMs: minDuration * 60_000,
    limit,
    missions: missions.map((text) => span(text)),
  };
  const crowd = new Crowd(names.length);
  return recommendTimes(request, layers).map((time) => {
    gatherFree(layers, time, crowd);
    return `${shown(time)} ${names
      .filter((_name, pilot) => crowd.members[pilot] !== 0)
      .toSorted()
      .join('')}`;
  });
}

describe('a recommended time', () => {
  test.each<[string, Given, string[]]>([
    ['none without pilots', { windows: {} }, []],
    ['none if every window is too short', { windows: { a: ['02T18:00 02T18:59'] } }, []],
    ['begins with the window and ends with it', { windows: { a: ['02T18:07 02T20:03'] } }, ['02T18:07 02T20:03 a']],
    [
      'the more pilots the better, however short',
      { windows: { a: ['02T18:00 02T22:00'], b: ['02T21:00 02T23:30'] } },
      ['02T21:00 02T22:00 ab', '02T18:00 02T22:00 a', '02T21:15 02T23:30 b'],
    ],
    [
      'goes on while everybody stays, at most 6 h; what is left of the evening is another one',
      { windows: { a: ['02T12:00 02T23:00'] } },
      ['02T12:00 02T18:00 a', '02T15:15 02T21:15 a', '02T19:45 02T23:00 a'],
    ],
    ['ends on the next date', { windows: { a: ['02T22:00 03T03:00'] } }, ['02T22:00 03T03:00 a']],
    ['never begins on another date', { windows: { a: ['01T22:00 01T23:00', '03T00:00 03T05:00'] } }, []],
    [
      'of a window that reaches into the day begins at midnight',
      { windows: { a: ['02T00:00 02T02:00'] } },
      ['02T00:00 02T02:00 a'],
    ],
    [
      'touching windows are one',
      { windows: { a: ['02T18:00 02T18:40', '02T18:40 02T19:20'] } },
      ['02T18:00 02T19:20 a'],
    ],
    ['does not span a gap of one minute', { windows: { a: ['02T18:00 02T18:40', '02T18:41 02T19:20'] } }, []],
    [
      'a held seat is taken out',
      { windows: { a: ['02T16:00 02T22:00'] }, seats: { a: ['02T18:00 02T19:00'] } },
      ['02T19:00 02T22:00 a', '02T16:00 02T18:00 a'],
    ],
    [
      'does not lie in the past; what is left of a window counts',
      { windows: { a: ['02T18:00 02T22:00'] }, now: '02T19:50' },
      ['02T20:00 02T22:00 a'],
    ],
    [
      'the moment that it begins is not past',
      { windows: { a: ['02T18:00 02T22:00'] }, now: '02T20:00' },
      ['02T20:00 02T22:00 a'],
    ],
    [
      'whoever does not want to be disturbed counts from 24 h on, that moment left out',
      { windows: { a: ['02T10:00 02T11:00'], b: ['02T10:00 02T11:01'] }, dnd: ['b'], now: '01T10:00' },
      ['02T10:00 02T11:00 a', '02T10:01 02T11:01 b'],
    ],
    [
      'the longer the better among equals',
      { windows: { a: ['02T08:00 02T09:00'], b: ['02T20:00 02T21:30'] } },
      ['02T20:00 02T21:30 b', '02T08:00 02T09:00 a'],
    ],
    [
      'beside fewer missions among equals',
      {
        windows: { a: ['02T08:00 02T09:00'], b: ['02T20:00 02T21:00'] },
        missions: ['02T07:00 02T08:30', '02T09:00 02T20:00'],
      },
      ['02T20:00 02T21:00 b', '02T08:00 02T09:00 a'],
    ],
    [
      'the earlier among equals',
      { windows: { a: ['02T20:00 02T21:00'], b: ['02T08:00 02T09:00'] } },
      ['02T08:00 02T09:00 b', '02T20:00 02T21:00 a'],
    ],
    [
      'at most as many as asked for',
      { windows: { a: ['02T08:00 02T09:00'], b: ['02T20:00 02T21:00'] }, limit: 1 },
      ['02T08:00 02T09:00 a'],
    ],
    [
      'asked for longer than 6 h it is as long as asked for',
      { windows: { a: ['02T08:00 02T20:00'] }, minDuration: 600 },
      ['02T08:00 02T18:00 a'],
    ],
  ])('%s', (_rule, given, expected) => {
    expect(recommend(given)).toEqual(expected);
  });

  test('is left out only if a better one covers half of it with all of its pilots', () => {
    // a start at 19:00 would share 3 of 6 hours with the first one; later starts share half with the second
    expect(recommend({ windows: { a: ['02T16:00 03T02:00'] } })).toEqual([
      '02T16:00 02T22:00 a',
      '02T19:15 03T01:15 a',
    ]);
    // half of the first evening is within the time for both pilots; less than half of the second is
    expect(recommend({ windows: { a: ['02T18:00 02T22:00'], b: ['02T20:00 02T23:00'] } })).toEqual([
      '02T20:00 02T22:00 ab',
      '02T21:15 02T23:00 b',
    ]);
    // with another pilot it counts as a different time
    expect(recommend({ windows: { a: ['02T18:00 02T22:00'], b: ['02T18:00 02T20:00'] }, limit: 2 })).toEqual([
      '02T18:00 02T20:00 ab',
      '02T19:15 02T22:00 a',
    ]);
    expect(recommend({ windows: { a: ['02T18:00 02T20:00'], b: ['02T19:30 02T21:00'] } })).toEqual([
      '02T18:00 02T20:00 a',
      '02T19:30 02T21:00 b',
    ]);
  });
});

test('windows are rounded inwards to whole minutes', () => {
  const ragged = { startMs: at('01T18:00') + 1, endMs: at('01T19:00') + 59_999 };
  expect(freeWindows([ragged], []).map(shown)).toEqual(['01T18:01 01T19:00']);
});

describe('the reason', () => {
  const evening = span('01T18:00 01T21:00');
  const here = (aircraftId: number | null, text = '01T18:00 01T21:00'): Presence => ({
    ...span(text),
    aircraftId,
    source: 'template',
    notes: null,
  });
  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  test.each([
    ['180 minutes', '01T18:00 01T21:00', '3 h'],
    ['90 minutes', '01T18:00 01T19:30', '1 h 30 min'],
    ['45 minutes', '01T18:00 01T18:45', '45 min'],
  ])('%s in words', (_length, text, words) => expect(spanWords(span(text))).toBe(words));

  test.each<[string, Presence[][], string, number[]?]>([
    [
      'names count, span and aircraft, the most frequent first',
      [...times(2, [here(4)]), ...times(9, [here(null)]), ...times(4, [here(2)])],
      '15 pilots are free for 3 h; aircraft: 9 any, 4 F-16C, 2 F-14B',
    ],
    [
      'names the twelve most frequent choices, and the number of other pilots',
      [...Array.from({ length: 12 }, (_, index) => times(2, [here(101 + index)])).flat(), [here(113)], [here(114)]],
      '26 pilots are free for 3 h; aircraft: 2 type 101, 2 type 102, 2 type 103, 2 type 104, 2 type 105, 2 type 106, 2 type 107, 2 type 108, 2 type 109, 2 type 110, 2 type 111, 2 type 112, 2 others',
    ],
    [
      'names a thirteenth choice if it is the last',
      [...Array.from({ length: 12 }, (_, index) => times(2, [here(101 + index)])).flat(), [here(113)]],
      '25 pilots are free for 3 h; aircraft: 2 type 101, 2 type 102, 2 type 103, 2 type 104, 2 type 105, 2 type 106, 2 type 107, 2 type 108, 2 type 109, 2 type 110, 2 type 111, 2 type 112, 1 type 113',
    ],
    ['of one pilot', [[here(null)]], '1 pilot is free for 3 h; aircraft: 1 any'],
    ['of a pilot with a choice', [[here(4), here(2)]], '1 pilot is free for 3 h; aircraft: 1 F-14B or F-16C'],
    [
      'of a pilot who is there throughout, but in no one aircraft',
      [[here(4, '01T18:00 01T20:00'), here(2, '01T19:00 01T21:00')]],
      '1 pilot is free for 3 h; aircraft: 1 changing',
    ],
    [
      'an aircraft and any make the aircraft',
      [[here(null, '01T18:00 01T20:00'), here(2)]],
      '1 pilot is free for 3 h; aircraft: 1 F-16C',
    ],
    ['a type without a designation keeps its name', [[here(10)]], '1 pilot is free for 3 h; aircraft: 1 Mirage 2000C'],
    ['any aircraft is any on the list', [[here(null)]], '1 pilot is free for 3 h; aircraft: 1 F-14B or F-16C', [2, 4]],
    ['a long list is counted', [[here(null)]], '1 pilot is free for 3 h; aircraft: 1 4 types', [1, 2, 4, 5]],
  ])('%s', (_rule, crowd, words, listed = []) => {
    const levels = new Map(listed.map((id) => [id, 'basic' as const]));
    expect(
      recommendationWords(
        flyersIn(
          crowd.map((presences) => ({ presences, levels })),
          evening,
        ),
        evening,
      ),
    ).toBe(words);
  });
});
