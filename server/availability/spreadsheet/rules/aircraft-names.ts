/** Aircraft by the names that people write: name, code, or an unmistakable part of one. */
import { didYouMean, shorten } from './nearest.ts';

export interface NamedAircraft {
  id: number;
  code: string;
  name: string;
  active: boolean;
}

/** Shorter parts fit too many names. */
const PART_MIN = 3;

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

export interface AircraftNames {
  /** @returns the aircraft, or the sentence why there is not exactly one */
  find: (text: string) => NamedAircraft | { problem: string };
  /** What to write for an aircraft so that reading it finds the same one; null for an unknown id. */
  write: (id: number) => string | null;
}

/** Separators of the cells that aircraft are written in. */
const SEPARATOR = /[;:,\n]/;

/** @param catalogue every aircraft; those that are switched off are found by their whole name only */
export function createAircraftNames(catalogue: readonly NamedAircraft[]): AircraftNames {
  const spellings = catalogue.map((aircraft) => ({
    aircraft,
    letters: [lettersOf(aircraft.name), lettersOf(aircraft.code)],
  }));
  const matching = (fits: (letters: string) => boolean) =>
    spellings.flatMap(({ aircraft, letters }) => (letters.some(fits) ? [aircraft] : []));
  const offered = (fits: (letters: string) => boolean) => matching(fits).filter(({ active }) => active);

  const find: AircraftNames['find'] = (text) => {
    const wanted = lettersOf(text);
    const isPart = wanted.length >= PART_MIN;
    const whole = matching((letters) => letters === wanted);
    const begun = whole.length > 0 || !isPart ? whole : offered((letters) => letters.startsWith(wanted));
    const found = begun.length > 0 || !isPart ? begun : offered((letters) => letters.includes(wanted));
    const [first, second] = found;
    if (first && !second) return first;
    if (first) {
      const names = found.map(({ name }) => name).join(' or ');
      return { problem: `“${shorten(text)}” can be ${names}. Write the whole name.` };
    }
    const names = catalogue.flatMap(({ name, code, active }) => (active ? [name, code] : []));
    return { problem: `“${shorten(text)}” isn't an aircraft that Marshal knows.${didYouMean(text, names)}` };
  };

  const written = new Map(
    catalogue.map(({ id, name, code }) => {
      const readsBack = (text: string) => {
        const found = find(text);
        return !SEPARATOR.test(text) && 'id' in found && found.id === id;
      };
      return [id, [name, code].find(readsBack) ?? name];
    }),
  );
  return { find, write: (id) => written.get(id) ?? null };
}
