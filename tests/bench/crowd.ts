/** A crowd in memory: pilots of the ten zones with weekly evenings and dated exceptions, as typed columns. Same seed, same crowd. */
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { seeded } from '#tests/harness/seeded.ts';

export const MINUTES_PER_DAY = 1_440;
export const WEEKDAYS = 7;

/** The measured day, a Friday on which no clock of the ten zones changes. */
export const DATE = '2026-06-12';

/** First start of an evening, last start, and shortest and longest length, in minutes. */
const EARLIEST = 16 * 60;
const LATEST = 21 * 60;
const SHORTEST = 60;
const LONGEST = 5 * 60;
/** Exceptions are on the measured date or up to this many days from it. */
const AWAY_FROM_DATE = 3;

export type CrowdGiven = {
  readonly seed: number;
  readonly pilots: number;
  /** times are multiples of it */
  readonly step: 15 | 1;
  /** pilots with one dated exception */
  readonly overrides: number;
};

/** Slots of a pilot are at `firstSlot[pilot]` up to, not including, `firstSlot[pilot + 1]`; they never touch each other. */
export type Crowd = {
  readonly given: CrowdGiven;
  /** index into TIME_ZONES, by pilot */
  readonly zone: Uint8Array;
  readonly firstSlot: Uint32Array;
  /** 0 is Sunday */
  readonly weekday: Uint8Array;
  /** minutes since midnight of the pilot's zone */
  readonly start: Uint16Array;
  /** minutes; may run past midnight */
  readonly length: Uint16Array;
  readonly overrides: {
    /** ascending, distinct */
    readonly pilot: Uint32Array;
    /** days from the measured date */
    readonly day: Int8Array;
    /** 1: not available for that time, 0: available */
    readonly isAway: Uint8Array;
    readonly start: Uint16Array;
    readonly length: Uint16Array;
  };
};

export function givenCrowd(given: CrowdGiven): Crowd {
  const { pilots, step, overrides } = given;
  const random = seeded(given.seed);
  const between = (min: number, max: number): number => random.between(min / step, max / step) * step;
  const zone = new Uint8Array(pilots);
  const firstSlot = new Uint32Array(pilots + 1);
  const columns = {
    weekday: new Uint8Array(pilots * WEEKDAYS),
    start: new Uint16Array(pilots * WEEKDAYS),
    length: new Uint16Array(pilots * WEEKDAYS),
  };
  let slot = 0;
  for (let pilot = 0; pilot < pilots; pilot += 1) {
    zone[pilot] = random.between(0, TIME_ZONES.length - 1);
    let left = random.between(3, 6);
    for (let weekday = 0; weekday < WEEKDAYS; weekday += 1) {
      if (random.next() * (WEEKDAYS - weekday) >= left) continue;
      left -= 1;
      columns.weekday[slot] = weekday;
      columns.start[slot] = between(EARLIEST, LATEST);
      columns.length[slot] = between(SHORTEST, LONGEST);
      slot += 1;
    }
    firstSlot[pilot + 1] = slot;
  }
  return {
    given,
    zone,
    firstSlot,
    weekday: columns.weekday.slice(0, slot),
    start: columns.start.slice(0, slot),
    length: columns.length.slice(0, slot),
    overrides: {
      pilot: Uint32Array.from({ length: overrides }, (_, index) => Math.floor((index * pilots) / overrides)),
      day: Int8Array.from({ length: overrides }, () => random.between(-AWAY_FROM_DATE, AWAY_FROM_DATE)),
      isAway: Uint8Array.from({ length: overrides }, () => (random.chance(0.6) ? 1 : 0)),
      start: Uint16Array.from({ length: overrides }, () => between(8 * 60, LATEST)),
      length: Uint16Array.from({ length: overrides }, () => between(SHORTEST, 12 * 60)),
    },
  };
}

/** Each slot in one number of 32 bits, as small as it gets: reading them all is the least that any scan has to do. */
export function packSlots({ zone, firstSlot, weekday, start, length }: Crowd): Uint32Array {
  const packed = new Uint32Array(weekday.length);
  for (let pilot = 0; pilot < zone.length; pilot += 1) {
    for (let slot = firstSlot[pilot] ?? 0; slot < (firstSlot[pilot + 1] ?? 0); slot += 1) {
      const startOfWeek = (weekday[slot] ?? 0) * MINUTES_PER_DAY + (start[slot] ?? 0);
      packed[slot] = ((zone[pilot] ?? 0) << 25) | (startOfWeek << 11) | (length[slot] ?? 0);
    }
  }
  return packed;
}
