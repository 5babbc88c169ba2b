/** The pilots of a recommended time by what they could fly at that time, as its sentence says it. */
import type { Roster } from '#server/availability/rules/roster.ts';
import type { Interval } from '#server/time/intervals.ts';
import type { Crowd } from './indexed-times.ts';
import { flyersIn, offerWords } from './recommendation-text.ts';

/** Pilots by the words for what they could fly: nearly all by their offers, because they are few. */
export function flyersBy(roster: Roster, { offers, others }: Crowd, time: Interval): Map<string, number> {
  const pilots = new Map<string, number>();
  const add = (words: string, count: number) => pilots.set(words, (pilots.get(words) ?? 0) + count);
  for (const [number, count] of offers.entries()) if (count !== undefined) add(offerWords(roster.offer(number)), count);
  const flyers = others.map((handle) => ({
    levels: roster.pilot(handle).levels,
    presences: roster.presencesDuring(handle, time),
  }));
  for (const [words, count] of flyersIn(flyers, time)) add(words, count);
  return pilots;
}
