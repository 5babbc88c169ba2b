/**
 * Recommended times by reading every pilot, for crowds whose windows begin and end on quarter hours: the baseline and oracle
 * of the benches. Written from the rules alone.
 */
const QUARTER_MS = 15 * 60_000;
const LONGEST_MS = 6 * 3_600_000;

/** Merged windows, epoch milliseconds; the pilot flies only what starts after an instant. */
type Person = {
  readonly windows: readonly { readonly startMs: number; readonly endMs: number }[];
  readonly startsAfterMs: number;
};
type PlainTime<P> = { readonly startMs: number; readonly endMs: number; readonly pilots: readonly P[] };

/** The best times of a day with no missions, most pilots first, then the longest, then the earliest. */
export function rankPlainly<P extends Person>(
  people: readonly P[],
  { day, minDurationMs, limit }: { day: { startMs: number; endMs: number }; minDurationMs: number; limit: number },
): PlainTime<P>[] {
  const times: PlainTime<P>[] = [];
  for (let startMs = day.startMs; startMs < day.endMs; startMs += QUARTER_MS) {
    const pilots: P[] = [];
    let endMs = startMs + LONGEST_MS;
    for (const person of people) {
      if (startMs <= person.startsAfterMs) continue;
      const window = person.windows.find((one) => one.startMs <= startMs && startMs + minDurationMs <= one.endMs);
      if (!window) continue;
      pilots.push(person);
      endMs = Math.min(endMs, window.endMs);
    }
    if (pilots.length > 0) times.push({ startMs, endMs, pilots });
  }
  const lengthOf = (time: PlainTime<P>) => time.endMs - time.startMs;
  times.sort((a, b) => b.pilots.length - a.pilots.length || lengthOf(b) - lengthOf(a) || a.startMs - b.startMs);
  const chosen: PlainTime<P>[] = [];
  for (const time of times) {
    if (chosen.length === limit) break;
    const isRepeated = chosen.some((better) => {
      const shared = Math.min(better.endMs, time.endMs) - Math.max(better.startMs, time.startMs);
      if (shared * 2 < lengthOf(time)) return false;
      const there = new Set(better.pilots);
      return time.pilots.every((pilot) => there.has(pilot));
    });
    if (!isRepeated) chosen.push(time);
  }
  return chosen;
}
