import { expect, test } from 'vitest';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { resolveMissionTimes } from '#server/planning/rules/mission-times.ts';
import { toIso } from '#server/time/time.ts';

test.each([
  ['before it starts', 'scheduled', 99, 'scheduled'],
  ['at its start', 'scheduled', 100, 'launched'],
  ['just before its end', 'scheduled', 199, 'launched'],
  ['at its end', 'scheduled', 200, 'completed'],
  ['a draft stays a draft', 'draft', 150, 'draft'],
  ['cancelled is final', 'cancelled', 250, 'cancelled'],
] as const)('a mission’s status: %s', (_rule, stored, nowMs, status) => {
  expect(missionStatus(stored, 100, 200, nowMs)).toBe(status);
});

const NOW = Date.UTC(2026, 0, 1);
test.each([
  ['an evening', '2026-07-01T19:00', '2026-07-01T22:00', '2026-07-01T23:00Z to 2026-07-02T02:00Z'],
  ['an earlier end is the next day', '2026-07-01T19:00', '2026-07-01T02:00', '2026-07-01T23:00Z to 2026-07-02T06:00Z'],
  [
    'an end at midnight is the next day',
    '2026-07-01T19:00',
    '2026-07-01T00:00',
    '2026-07-01T23:00Z to 2026-07-02T04:00Z',
  ],
  ['an end on a named next day', '2026-07-01T19:00', '2026-07-02T02:00', '2026-07-01T23:00Z to 2026-07-02T06:00Z'],
  ['24 h exactly', '2026-07-01T19:00', '2026-07-02T19:00', '2026-07-01T23:00Z to 2026-07-02T23:00Z'],
  ['a minute more', '2026-07-01T19:00', '2026-07-02T19:01', 'too long'],
  ['24 h on the wall, 25 by the clock', '2026-10-31T19:00', '2026-11-01T19:00', 'too long'],
  ['no length', '2026-07-01T19:00', '2026-07-01T19:00', 'zero length'],
  ['an earlier date', '2026-07-02T19:00', '2026-07-01T22:00', 'end before start'],
  ['no length left by the clock change', '2026-03-08T02:00', '2026-03-08T03:00', 'zero length'],
  ['turned round by the clock change', '2026-03-08T02:30', '2026-03-08T03:00', 'end before start'],
  ['in the past', '2025-12-31T18:00', '2025-12-31T22:00', 'start in the past'],
  ['just within the grace', '2025-12-31T18:55', '2025-12-31T22:00', '2025-12-31T23:55Z to 2026-01-01T03:00Z'],
  ['just out of the grace', '2025-12-31T18:54', '2025-12-31T22:00', 'start in the past'],
])('mission times: %s', (_rule, startLocal, endLocal, expected) => {
  const times = resolveMissionTimes(startLocal, endLocal, 'America/New_York', NOW);
  const minute = (ms: number) => `${toIso(ms).slice(0, 16)}Z`;
  expect(times.ok ? `${minute(times.startMs)} to ${minute(times.endMs)}` : times.problem).toBe(expected);
});
