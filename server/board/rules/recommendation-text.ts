/** Reason sentence of a recommended time: "15 pilots are free for 3 h; aircraft: 9 any, 4 F-16C, 2 F-14B". */
import { AIRCRAFT_CATALOGUE } from '#server/pilots/rules/aircraft-catalogue.ts';
import { compareText, presentIn, type SeatingPilot } from '#server/seating/rules/eligibility.ts';
import { coversInterval, type Interval, overlaps } from '#server/time/intervals.ts';
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

/**
 * The aircraft a pilot could fly throughout: `any`, `F-16C`, `F-14B or F-16C`, `5 types`; `changing` if none for the whole
 * time.
 */
function aircraftWords({ presences, levels }: Flyer, time: Interval): string {
  const here = { presences: presences.filter((presence) => overlaps(presence, time)), levels };
  const isPresent = (id: number) => coversInterval(presentIn(here, id), time);
  if (isPresent(UNNAMED)) return 'any';
  const ids = new Set([...levels.keys(), ...here.presences.flatMap(({ aircraftId }) => aircraftId ?? [])]);
  const names = [...ids].filter(isPresent).map((id) => SHORT_NAMES.get(id) ?? `type ${id}`);
  if (names.length > NAMED_MAX) return `${names.length} types`;
  return names.length === 0 ? 'changing' : names.sort(compareText).join(' or ');
}

/**
 * @param crowd the pilots who are free for the whole time; at least one
 * @returns the number of pilots, the duration, and their aircraft, the most frequent first
 */
export function recommendationWords(crowd: readonly Flyer[], time: Interval): string {
  const known = new Map<Flyer, string>();
  const kinds = Map.groupBy(crowd, (pilot) => {
    const words = known.get(pilot) ?? aircraftWords(pilot, time);
    known.set(pilot, words);
    return words;
  });
  const mix = [...kinds]
    .map(([words, { length }]) => ({ words, length }))
    .sort((a, b) => b.length - a.length || compareText(a.words, b.words))
    .map(({ words, length }) => `${length} ${words}`);
  const who = crowd.length === 1 ? '1 pilot is' : `${crowd.length} pilots are`;
  return `${who} free for ${spanWords(time)}; aircraft: ${mix.join(', ')}`;
}
