/** The pilots of a recommended time by what they could fly at that time, as its sentence says it. */
import { UNKNOWN_OFFER } from '#server/availability/rules/index/week-windows.ts';
import type { Crowd } from '#server/availability/rules/index/crowd.ts';
import type { Roster } from '#server/availability/rules/roster.ts';
import type { Interval } from '#server/time/intervals.ts';
import { flyersIn, offerWords } from './recommendation-text.ts';

/** Pilots by the words for what they could fly: nearly all by their offers, because they are few. */
export function flyersBy(roster: Roster, crowd: Crowd, time: Interval): Map<string, number> {
  const pilots = new Map<string, number>();
  const add = (words: string, count: number) => pilots.set(words, (pilots.get(words) ?? 0) + count);
  for (const [number, count] of crowd.offers.entries()) {
    if (number !== UNKNOWN_OFFER && count > 0) add(offerWords(roster.offer(number)), count);
  }
  const flyers = crowd.others().map((handle) => ({
    levels: roster.levelsOf(handle),
    presences: roster.presencesDuring(handle, time),
  }));
  for (const [words, count] of flyersIn(flyers.toArray(), time)) add(words, count);
  return pilots;
}
