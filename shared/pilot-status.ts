/** A pilot's live status (the stoplight): when Find Flight ends, and which status counts at an instant. */
import type { StatusDto } from './schemas/pilot.ts';
import type { StatusState } from './vocabulary.ts';

const MINUTE_MS = 60_000;

/** As stored: minutes and expiry (epoch milliseconds) belong to `now` only. */
export type StoredStatus = {
  readonly state: StatusState;
  readonly minutes: number | null;
  readonly expiresAtMs: number | null;
};

export type EffectiveStatus = StoredStatus & { readonly effectiveState: StatusState };

/** The status that a pilot sets at `nowMs`: `now` ends after its minutes; the other states have none, whatever was sent. */
export function chosenStatus(state: StatusState, minutes: number | null, nowMs: number): StoredStatus {
  return state === 'now' && minutes !== null
    ? { state, minutes, expiresAtMs: nowMs + minutes * MINUTE_MS }
    : { state, minutes: null, expiresAtMs: null };
}

/**
 * The meaning of a status at an instant: `now` counts until its expiry (exclusive) and as `available` after it;
 * `available` and `dnd` do not expire. The chosen state stays visible next to the effective one.
 */
export function effectiveStatus({ state, minutes, expiresAtMs }: StoredStatus, nowMs: number): EffectiveStatus {
  if (state !== 'now') return { state, effectiveState: state, minutes: null, expiresAtMs: null };
  const running = expiresAtMs !== null && nowMs < expiresAtMs;
  return { state, effectiveState: running ? 'now' : 'available', minutes, expiresAtMs };
}

/** The status at an instant, as the APIs send it. */
export function presentStatus(stored: StoredStatus, nowMs: number): StatusDto {
  const { expiresAtMs, ...status } = effectiveStatus(stored, nowMs);
  return { ...status, expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString() };
}
