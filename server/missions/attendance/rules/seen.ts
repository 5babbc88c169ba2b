/** The yield of every source of presences: somebody aboard, by the name in the game. */
import type { Interval } from '#server/time/intervals.ts';
import type { Side } from '#shared/vocabulary.ts';
import type { PresenceSource } from '#shared/presence.ts';

/** A time aboard, [startMs, endMs) in epoch milliseconds. A value that the source does not know is null. */
export interface Seen extends Interval {
  name: string;
  /** group of the aircraft; empty without one */
  unit: string;
  aircraft: string | null;
  side: Side | null;
  tookOffMs: number | null;
  landedMs: number | null;
}

/** Where presences come from. An adapter turns what it reads into this, and decides nothing about attendance. */
export interface Sighting {
  source: PresenceSource;
  /** the time about which the source says anything */
  covers: Interval;
  seen: readonly Seen[];
}
