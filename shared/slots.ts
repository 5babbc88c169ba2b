/** Slots of a mission for its game server: numbers, each with its unit. */
export const SLOTS = {
  /** they can be read from this long before the start until the end */
  hoursBefore: 6,
  /** a seat is kept for its pilot until this long after the start */
  minutesKept: 15,
} as const;
