/** At which stage the creator of a mission is told of too few pilots, and in which words. */
import { expect, test } from 'vitest';
import { dueStage } from '#server/missions/reminders/rules/turnout-stage.ts';
import { betterTimesPath, turnoutSentence } from '#server/missions/reminders/rules/turnout-words.ts';

const HOUR_MS = 3_600_000;
const startMs = Date.parse('2026-11-27T19:00Z');
const at = (hoursBefore: number) => startMs - hoursBefore * HOUR_MS;

test.each([
  ['before the first stage', 169, 400, [], null],
  ['at 7 days', 168, 400, [], '7 days'],
  ['at 48 hours', 48, 400, ['7 days'], '48 hours'],
  ['once', 47, 400, ['48 hours'], null],
  ['the nearest alone, after an outage', 20, 400, [], '24 hours'],
  ['published between two stages', 30, 40, [], null],
  ['published between two stages, at the next', 24, 40, [], '24 hours'],
  ['published at the minute of a stage', 48, 48, [], '48 hours'],
  ['at the start', 0, 400, [], null],
] as const)('%s', (_words, hours, publishedHours, seen, stage) => {
  expect(dueStage({ startMs, sinceMs: at(publishedHours), seen }, at(hours))).toBe(stage);
});

test('a chance just below the limit does not read as the limit', () => {
  const facts = { missionId: 'm', missionName: 'Op', startMs, minutes: 120, timeZone: 'UTC', enough: 1 };
  expect(turnoutSentence({ ...facts, stage: '7 days', probability: 0.7999, seats: 2, accepted: 0 })).toBe(
    '7 days before the start, the chance of having enough pilots is 79 %. 0 of 2 seats are accepted, and at least 1 pilot is needed.',
  );
});

test('better times are looked for on the local day of the start, for the length of the mission', () => {
  const late = Date.parse('2026-11-27T23:30Z');
  expect(betterTimesPath({ startMs: late, minutes: 120, timeZone: 'Asia/Tokyo' })).toBe(
    '/admin?day=2026-11-28&minutes=120',
  );
  expect(betterTimesPath({ startMs: late, minutes: 100_000, timeZone: 'UTC' })).toBe('/admin?day=2026-11-27');
});
