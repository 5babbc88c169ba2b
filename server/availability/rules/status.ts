/** A pilot's live status (the stoplight). `now` runs out by the clock; nothing has to write that down. */
import type { StatusState } from '#shared/vocabulary.ts';

/** As stored: minutes and expiry belong to `now` only. */
export type StoredStatus = {
  readonly state: StatusState;
  readonly minutes: number | null;
  readonly expiresAtMs: number | null;
};

export type EffectiveStatus = StoredStatus & { readonly effectiveState: StatusState };

/**
 * What a status means at an instant: `now` counts until its expiry (exclusive) and as `available` after it;
 * `available` and `dnd` do not expire. The chosen state stays visible next to the effective one.
 */
export function effectiveStatus({ state, minutes, expiresAtMs }: StoredStatus, nowMs: number): EffectiveStatus {
  if (state !== 'now') return { state, effectiveState: state, minutes: null, expiresAtMs: null };
  const running = expiresAtMs !== null && nowMs < expiresAtMs;
  return { state, effectiveState: running ? 'now' : 'available', minutes, expiresAtMs };
}
