/** Reason sentence of a recommended time: "15 pilots are free for 3 h; aircraft: 9 any, 4 F-16C, 2 F-14B". */
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { compareText } from '#server/availability/rules/name-order.ts';
import { isPresentIn, type SeatingPilot } from '#server/orders/seating/rules/eligibility.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';
import type { Offer } from '#server/availability/rules/roster.ts';
import { MINUTE_MS } from '#server/time/time.ts';

/** The designation if the name begins with one ("F-16C Viper"), otherwise the whole name ("Mirage 2000C"). */
function shortName(name: string): string {
  const [first = ''] = name.split(' ');
  return /\d/.test(first) ? first : name;
}

const SHORT_NAMES = new Map(AIRCRAFT_CATALOGUE.map(({ id, name }) => [id, shortName(name)]));

/** `3 h`, `1 h 30 min`, `45 min` */
export function spanWords({ startMs, endMs }: Interval): string {
  const minutes = Math.round((endMs - startMs) / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}

type Flyer = Pick<SeatingPilot, 'presences' | 'levels'>;

/** An aircraft that nobody lists or asks for: who could fly it could fly any. */
const UNNAMED = -1;
/** More aircraft than this are not named one by one. */
const NAMED_MAX = 3;
/** Only the most frequent choices are named: thousands of pilots have hundreds of them. */
const CHOICES_MAX = 12;

/**
 * The aircraft a pilot could fly throughout: `any`, `F-16C`, `F-14B or F-16C`, `5 types`; `changing` if none for the whole
 * time.
 */
function aircraftWords({ presences, levels }: Flyer, time: Interval): string {
  const here = { presences: presences.filter((presence) => overlaps(presence, time)), levels };
  const isPresent = (id: number) => isPresentIn(here, id, time);
  if (isPresent(UNNAMED)) return 'any';
  const ids = new Set([...levels.keys(), ...here.presences.flatMap(({ aircraftId }) => aircraftId ?? [])]);
  const names = [...ids].filter(isPresent).map((id) => SHORT_NAMES.get(id) ?? `type ${id}`);
  if (names.length > NAMED_MAX) return `${names.length} types`;
  return names.length === 0 ? 'changing' : names.sort(compareText).join(' or ');
}

/** Words for an offer: the same at any time, as it holds for all of it. */
const wordsOfOffers = new WeakMap<Offer, string>();

/** @param offer what a pilot offers throughout a time */
export function offerWords(offer: Offer): string {
  const known = wordsOfOffers.get(offer);
  if (known !== undefined) return known;
  const time = { startMs: 0, endMs: MINUTE_MS };
  const words = aircraftWords(
    { levels: offer.levels, presences: [{ ...time, aircraftId: offer.aircraftId, source: 'template', notes: null }] },
    time,
  );
  wordsOfOffers.set(offer, words);
  return words;
}

/** Pilots by the words for what they could fly throughout a time. @param crowd may hold the same flyer for many */
export function flyersIn(crowd: readonly Flyer[], time: Interval): Map<string, number> {
  const pilots = new Map<Flyer, number>();
  for (const flyer of crowd) pilots.set(flyer, (pilots.get(flyer) ?? 0) + 1);
  const byWords = new Map<string, number>();
  for (const [flyer, count] of pilots) {
    const words = aircraftWords(flyer, time);
    byWords.set(words, (byWords.get(words) ?? 0) + count);
  }
  return byWords;
}

/**
 * @param pilots who are free for the whole time, by the words for what they could fly; at least one
 * @returns the number of pilots, the duration, and their aircraft, the most frequent first, at most `CHOICES_MAX` or one more
 */
export function recommendationWords(pilots: ReadonlyMap<string, number>, time: Interval): string {
  const choices = [...pilots].sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || compareText(a, b));
  // the last choice alone would be as short as the number of others
  const named = choices.length === CHOICES_MAX + 1 ? choices.length : CHOICES_MAX;
  const mix = choices.slice(0, named).map(([words, count]) => `${count} ${words}`);
  const others = countPilots(choices.slice(named));
  if (others > 0) mix.push(`${others} others`);
  const total = countPilots(choices);
  const who = total === 1 ? '1 pilot is' : `${total} pilots are`;
  return `${who} free for ${spanWords(time)}; aircraft: ${mix.join(', ')}`;
}

function countPilots(choices: readonly (readonly [string, number])[]): number {
  return choices.reduce((sum, [, count]) => sum + count, 0);
}
