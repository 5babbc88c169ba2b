/** A pilot's status over time, the same on the server, on /home and in the demo. */
import { expect, test } from 'vitest';
import { chosenStatus, effectiveStatus, presentStatus } from '#shared/pilot-status.ts';

test.each([
  ['available stays', 'available', null, null, 'available', null],
  ['dnd does not expire', 'dnd', null, null, 'dnd', null],
  ['now holds until its expiry', 'now', 60, 1001, 'now', 60],
  ['now ends at its expiry', 'now', 60, 1000, 'available', 60],
  ['now without an expiry is no longer now', 'now', 60, null, 'available', 60],
  ['minutes belong to now only', 'dnd', 60, 9999, 'dnd', null],
] as const)('a pilot’s status: %s', (_rule, state, minutes, expiresAtMs, effectiveState, shownMinutes) => {
  const status = effectiveStatus({ state, minutes, expiresAtMs }, 1000);
  expect(status).toMatchObject({ state, effectiveState, minutes: shownMinutes });
  expect(status.expiresAtMs).toBe(state === 'now' ? expiresAtMs : null);
});

const NOW = Date.UTC(2026, 10, 20, 19);

test.each([
  ['Find Flight for an hour', 'now', 60, { minutes: 60, expiresAtMs: NOW + 3_600_000 }],
  ['Find Flight for the shortest time', 'now', 1, { minutes: 1, expiresAtMs: NOW + 60_000 }],
  ['a state without minutes', 'dnd', null, { minutes: null, expiresAtMs: null }],
  ['minutes that do not belong to the state', 'available', 60, { minutes: null, expiresAtMs: null }],
] as const)('chosen: %s', (_what, state, minutes, ends) => {
  expect(chosenStatus(state, minutes, NOW)).toEqual({ state, ...ends });
});

test('Find Flight lasts until its end and then counts as available, with what was chosen still shown', () => {
  const chosen = chosenStatus('now', 15, NOW);
  const shown = { state: 'now', minutes: 15, expiresAt: '2026-11-20T19:15:00.000Z' };
  expect(presentStatus(chosen, NOW + 15 * 60_000 - 1)).toEqual({ ...shown, effectiveState: 'now' });
  expect(presentStatus(chosen, NOW + 15 * 60_000)).toEqual({ ...shown, effectiveState: 'available' });
});
