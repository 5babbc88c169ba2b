/** A pilot's live status (the stoplight): the end of Find Flight, and the effective status at an instant. */
import type { StatusDto } from './schemas/pilot.ts';
import type { StatusState } from './vocabulary.ts';

const MINUTE_MS = 60_000;

/** Status as stored; minutes and expiry (epoch milliseconds) are set for `now` only. */
export type StoredStatus = {
  readonly state: StatusState;
  readonly minutes: number | null;
  readonly expiresAtMs: number | null;
};

export type EffectiveStatus = StoredStatus & { readonly effectiveState: StatusState };

/** The status that a pilot sets at `nowMs`: `now` ends after `minutes`; the other states ignore them. */
export function chosenStatus(state: StatusState, minutes: number | null, nowMs: number): StoredStatus {
  return state === 'now' && minutes !== null
    ? { state, minutes, expiresAtMs: nowMs + minutes * MINUTE_MS }
    : { state, minutes: null, expiresAtMs: null };
}

/**
 * The effective status at an instant: `now` lasts until its expiry (exclusive) and then counts as `available`; `available`
 * and `dnd` do not expire. `state` keeps the pilot's choice.
 */
export function effectiveStatus({ state, minutes, expiresAtMs }: StoredStatus, nowMs: number): EffectiveStatus {
  if (state !== 'now') return { state, effectiveState: state, minutes: null, expiresAtMs: null };
  const running = expiresAtMs !== null && nowMs < expiresAtMs;
  return { state, effectiveState: running ? 'now' : 'available', minutes, expiresAtMs };
}

/** The status at an instant, as an API answer. */
export function presentStatus(stored: StoredStatus, nowMs: number): StatusDto {
  const { expiresAtMs, ...status } = effectiveStatus(stored, nowMs);
  return { ...status, expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString() };
}
