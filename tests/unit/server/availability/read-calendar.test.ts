/**
 * When a calendar is busy: calendars with the known traps of other programs. What is expected of them was written by another
 * program (`tests/harness/calendars/witness.py`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { NotACalendar, readCalendar, TooManyEvents } from '#server/availability/busy/read-calendar.ts';

const FOLDER = join(ROOT, 'tests/harness/calendars');
/** As in `witness.py`. */
const QUESTION = {
  startMs: Date.parse('2026-11-29T00:00Z'),
  endMs: Date.parse('2027-05-01T00:00Z'),
  timeZone: 'Europe/Berlin',
  countsWholeDays: true,
};

const minute = (at: number): string => `${new Date(at * 60_000).toISOString().slice(0, 16)}Z`;
const listed = (text: string, more: Partial<typeof QUESTION> = {}): string[] =>
  [...readCalendar(text, { ...QUESTION, ...more }).busy].map(minute).reduce<string[]>((spans, at, index) => {
    if (index % 2 === 0) spans.push(at);
    else spans.push(`${spans.pop()}/${at}`);
    return spans;
  }, []);

const calendars = readdirSync(FOLDER).filter((name) => name.endsWith('.ics'));
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

describe('the busy times are the same as those of the other program', () => {
  test.each(calendars)('%s', (name) => {
    expect(listed(read(name))).toEqual(JSON.parse(read(name.replace('.ics', '.json'))));
  });

  test('of calendars with times', () => {
    expect(calendars.length).toBeGreaterThan(10);
  });
});

const calendar = (...events: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flatMap((event) => event.split(' | ')), 'END:VCALENDAR'].join('\r\n');
const event = (...lines: string[]): string => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT'].join(' | ');
const HOUR = ['DTSTART:20261201T180000Z', 'DTEND:20261201T190000Z'];
const AT = ['2026-12-01T18:00Z/2026-12-01T19:00Z'];

describe('an event', () => {
  test.each([
    ['is busy', [...HOUR], AT],
    ['that is tentative is busy', [...HOUR, 'STATUS:TENTATIVE'], AT],
    ['that is cancelled is not', [...HOUR, 'STATUS:CANCELLED'], []],
    ['that is marked free is not', [...HOUR, 'TRANSP:TRANSPARENT'], []],
    ['that Outlook marks free is not', [...HOUR, 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'], []],
    ['that Outlook marks out of office is', [...HOUR, 'X-MICROSOFT-CDO-BUSYSTATUS:OOF'], AT],
    ['with an alarm is busy at its own time', [...HOUR, 'BEGIN:VALARM', 'DURATION:PT9H', 'END:VALARM'], AT],
    ['counts a minute that is busy in part', ['DTSTART:20261201T180030Z', 'DTEND:20261201T185930Z'], AT],
    ['without a length takes no time', ['DTSTART:20261201T180000Z'], []],
    ['that ends before it starts takes no time', ['DTSTART:20261201T180000Z', 'DTEND:20261201T170000Z'], []],
    [
      'that has begun before the range is busy in it',
      ['DTSTART:20261101T000000Z', 'DTEND:20261129T010000Z'],
      ['2026-11-29T00:00Z/2026-11-29T01:00Z'],
    ],
    [
      'that repeats leaves out a date of another kind than its start',
      [...HOUR, 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE;VALUE=DATE:20261202'],
      AT,
    ],
    [
      'that repeats until a date includes that date',
      [...HOUR, 'RRULE:FREQ=DAILY;UNTIL=20261202'],
      [...AT, '2026-12-02T18:00Z/2026-12-02T19:00Z'],
    ],
  ])('%s', (_rule, lines, expected) => {
    expect(listed(calendar(event(...lines)))).toEqual(expected);
  });

  test('of whole days counts from midnight to midnight of the pilot, or not at all', () => {
    const day = calendar(event('DTSTART;VALUE=DATE:20261205', 'DTEND;VALUE=DATE:20261206'));
    expect(listed(day, { timeZone: 'America/New_York' })).toEqual(['2026-12-05T05:00Z/2026-12-06T05:00Z']);
    expect(listed(day, { timeZone: 'Asia/Tokyo' })).toEqual(['2026-12-04T15:00Z/2026-12-05T15:00Z']);
    expect(listed(day, { countsWholeDays: false })).toEqual([]);
  });

  test('without a zone is in that of the pilot, wherever the server is', () => {
    const floating = calendar(event('DTSTART:20261201T190000', 'DURATION:PT1H'));
    expect(listed(floating, { timeZone: 'Asia/Tokyo' })).toEqual(['2026-12-01T10:00Z/2026-12-01T11:00Z']);
  });

  test('in a zone of which nobody knows anything is in that of the calendar, or of the pilot', () => {
    const strange = event('DTSTART;TZID=Pacific Standard Time:20261201T190000', 'DURATION:PT1H');
    expect(listed(calendar(strange))).toEqual(['2026-12-01T18:00Z/2026-12-01T19:00Z']);
    expect(listed(calendar('X-WR-TIMEZONE:Asia/Tokyo', strange))).toEqual(['2026-12-01T10:00Z/2026-12-01T11:00Z']);
  });

  test('that Marshal itself has put into the calendar is not busy: it is the mission', () => {
    const own = ['BEGIN:VEVENT', 'UID:0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01@marshal', ...HOUR, 'END:VEVENT'];
    expect(listed(calendar(own.join(' | ')))).toEqual([]);
  });

  test('that is not understood is left out and counted, and the others are read', () => {
    const wrong = event('DTSTART:yesterday', 'DTEND:20261201T190000Z');
    const rule = event('DTSTART:20261203T180000Z', 'DTEND:20261203T190000Z', 'RRULE:FREQ=SOMETIMES');
    expect(readCalendar(calendar(wrong, event(...HOUR), rule), QUESTION)).toMatchObject({ events: 1, unread: 2 });
  });
});

describe('a calendar', () => {
  test('is not a web page, and not nothing', () => {
    for (const text of ['<!doctype html><title>Sign in</title>', '', '{}', 'BEGIN:VCARD\r\nEND:VCARD']) {
      expect(() => readCalendar(text, QUESTION)).toThrow(NotACalendar);
    }
  });

  test('may be empty, and begin with a byte order mark', () => {
    expect(readCalendar(`\uFEFF${calendar()}`, QUESTION)).toMatchObject({ events: 0, unread: 0 });
  });

  test('with a rule that repeats every second is refused soon', () => {
    const endless = event('DTSTART:19700101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY');
    const begin = performance.now();
    expect(() => readCalendar(calendar(endless), QUESTION)).toThrow(TooManyEvents);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  test('with more busy times than anybody has is refused', () => {
    const often = event('DTSTART:20261201T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=MINUTELY;INTERVAL=10');
    expect(() => readCalendar(calendar(often), QUESTION)).toThrow(TooManyEvents);
  });
});
