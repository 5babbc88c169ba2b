/** Whose name in the game is whose: names are compared without case and decoration, and nobody is chosen among two. */
import { overlaps, type Interval } from '#server/time/intervals.ts';

/** A name as a whole, without case, width and repeated spaces: for names that an admin has said to be a pilot's. */
export const wholeName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();

/** `[JG54]`, `(VF-1)`, `{132nd}`, `<TAG>` */
const BRACKETED = /\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|<[^>]*>/gu;
/** `=RvE=Vesper`, `-JG54-Vesper`, `*TAG* Vesper` */
const WRAPPED_TAG = /^\s*([=\-~*^_.])\1*[^=\-~*^_.\s]{1,8}\1+/u;
/** `Viper 1-1 Vesper` */
const PLACE_BEFORE = /^\s*\p{L}+[\s-]?\d{1,2}-\d{1,2}\s+(?=\S)/u;
const SEPARATOR = /[|/\\•·»«]|\s[-–—]\s/u;
/** A place in a flight, `1-1`, `Viper 1-1`, `Uzi 21`, or a squadron, `JG54`, `VF-84`, `132nd`: short, and with a digit. */
const PLACE_OR_SQUADRON = /^(?:\p{L}+[\s-]*)?\d{1,3}(?:[\s.-]*\d{1,2})?(?:st|nd|rd|th)?$/u;

const lettersAndDigits = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * The name behind its decoration: `[JG54] Vesper`, `Vesper | 1-1` and `VESPER` are alike. A name of nothing but decoration
 * is itself.
 * @returns letters and digits in lower case, or else the whole name
 */
export function nameKey(name: string): string {
  const whole = wholeName(name);
  const bare = whole.replaceAll(BRACKETED, ' ').replace(WRAPPED_TAG, ' ').replace(PLACE_BEFORE, ' ');
  const parts = bare.split(SEPARATOR).map((part) => part.trim());
  const named = parts.filter((part) => part !== '' && !PLACE_OR_SQUADRON.test(part));
  return lettersAndDigits(named.join('')) || lettersAndDigits(bare) || lettersAndDigits(whole) || whole;
}

const UNIT_NUMBER = /^[\s#.-]*\d+(?:[\s.-]+\d+)*$/u;
const PILOT_NUMBER = /^pilot ?#? ?\d+$/u;

/** Computer pilots have the name of their unit, which begins with the name of their group: `Aerial-1-1` of `Aerial-1`. */
export function isUnitName(name: string, group: string): boolean {
  const [whole, ofGroup] = [wholeName(name), wholeName(group)];
  if (PILOT_NUMBER.test(whole)) return true;
  if (ofGroup === '' || !whole.startsWith(ofGroup)) return false;
  const rest = whole.slice(ofGroup.length);
  return rest === '' || UNIT_NUMBER.test(rest);
}

/** A pilot with the names by which the pilot can be known. */
export interface Known {
  pilotId: string;
  callSign: string | null;
}

/** A name that an admin has said to be a pilot's. */
export interface Proved {
  pilotId: string;
  name: string;
}

export type Owner =
  | { kind: 'pilot'; pilotId: string; isProved: boolean }
  | { kind: 'alike'; pilotIds: readonly string[] }
  | { kind: 'unknown' };

const UNKNOWN: Owner = { kind: 'unknown' };

/** Pilots by a key of their names; a key may be of several. */
function indexBy(entries: readonly (readonly [key: string, pilotId: string])[]): Map<string, Set<string>> {
  const index = new Map<string, Set<string>>();
  for (const [key, pilotId] of entries) index.set(key, (index.get(key) ?? new Set()).add(pilotId));
  return index;
}

/** Whose a name is: an admin's word first, then what call signs and names that are proved say without decoration. */
export function createOwnerOf(known: readonly Known[], proved: readonly Proved[]): (name: string) => Owner {
  const byWhole = new Map(proved.map(({ name, pilotId }) => [wholeName(name), pilotId]));
  const byKey = indexBy([
    ...known.flatMap(({ callSign, pilotId }) => (callSign === null ? [] : [[nameKey(callSign), pilotId] as const])),
    ...proved.map(({ name, pilotId }) => [nameKey(name), pilotId] as const),
  ]);
  return (name) => {
    const pilotId = byWhole.get(wholeName(name));
    if (pilotId !== undefined) return { kind: 'pilot', pilotId, isProved: true };
    const [first, ...others] = byKey.get(nameKey(name)) ?? [];
    if (first === undefined) return UNKNOWN;
    if (others.length > 0) return { kind: 'alike', pilotIds: [first, ...others] };
    return { kind: 'pilot', pilotId: first, isProved: false };
  };
}

/**
 * The owners of all names of a mission. Nobody is aboard twice at a time: where two names of one pilot overlap, none of those
 * that only look like it is the pilot's.
 * @param times when each name was aboard, disjoint and in order
 */
export function ownersOf(
  times: ReadonlyMap<string, readonly Interval[]>,
  ownerOf: (name: string) => Owner,
): Map<string, Owner> {
  const owners = new Map([...times.keys()].map((name) => [name, ownerOf(name)]));
  const names = Map.groupBy(
    [...owners].flatMap(([name, owner]) => (owner.kind === 'pilot' ? [{ name, owner }] : [])),
    ({ owner }) => owner.pilotId,
  );
  const timesOf = (name: string) => times.get(name) ?? [];
  for (const [pilotId, ofPilot] of names) {
    const contested = ofPilot.filter(
      ({ name, owner }) =>
        !owner.isProved &&
        ofPilot.some(
          (other) => wholeName(other.name) !== wholeName(name) && timesOverlap(timesOf(other.name), timesOf(name)),
        ),
    );
    for (const { name } of contested) owners.set(name, { kind: 'alike', pilotIds: [pilotId] });
  }
  return owners;
}

/** Both disjoint and in order. */
function timesOverlap(a: readonly Interval[], b: readonly Interval[]): boolean {
  let [i, j] = [0, 0];
  for (;;) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) return false;
    if (overlaps(one, other)) return true;
    if (one.endMs <= other.endMs) i += 1;
    else j += 1;
  }
}
