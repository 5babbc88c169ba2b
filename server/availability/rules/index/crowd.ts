/** The crowd of a time: all pilots who are free throughout, and what they offer, gathered from the columns of windows. */
import { hasBit } from './exceptional-days.ts';
import { UNKNOWN_OFFER } from './week-windows.ts';
import { NOBODY, type WindowColumns } from './window-columns.ts';

/** A member of a crowd whose windows tell what they offer, and one whose windows do not. */
const OFFERS_ONE = 1;
const OFFERS_MORE = 2;

/**
 * Pilots who are free throughout a time. Its arrays are filled where the windows are read: a call for each of thousands
 * would take longer.
 */
export class Crowd {
  /** by the pilots' numbers: not 0 for each of them */
  readonly members: Uint8Array;
  /** how many of them make each offer, by its number; the unknown one too */
  offers = new Uint32Array(1);

  /** @param bound the pilots' numbers are below it */
  constructor(bound: number) {
    this.members = new Uint8Array(bound);
  }

  clear(): void {
    this.members.fill(0);
    this.offers.fill(0);
  }

  /** @returns the counts by offer, with a place for each up to one */
  offersUpTo(offer: number): Uint32Array {
    const { offers } = this;
    if (offer >= offers.length) {
      this.offers = new Uint32Array(Math.max(2 * offers.length, offer + 1));
      this.offers.set(offers);
    }
    return this.offers;
  }

  add(pilot: number, offer: number): void {
    const offers = this.offersUpTo(offer);
    offers[offer] = (offers[offer] ?? 0) + 1;
    this.members[pilot] = offer === UNKNOWN_OFFER ? OFFERS_MORE : OFFERS_ONE;
  }

  /** The numbers of those whose windows do not tell what they offer. */
  *others(): Generator<number> {
    const { members } = this;
    for (let pilot = members.indexOf(OFFERS_MORE); pilot >= 0; pilot = members.indexOf(OFFERS_MORE, pilot + 1)) {
      yield pilot;
    }
  }
}

/**
 * Adds the pilots of a group's windows that last for a duration from a minute on.
 * @param minute counted like the starts of the group, and not before them
 * @param left the bits of pilots to leave out
 */
export function collectGroup(
  group: WindowColumns | undefined,
  minute: number,
  duration: number,
  left: Uint8Array,
  crowd: Crowd,
): void {
  if (!group) return;
  group.visitCovering(minute, minute + duration, (from, to) => {
    collectRange(group, from, to, left, crowd);
    return false;
  });
}

function collectRange(
  { offer, pilot, offersMax }: WindowColumns,
  from: number,
  to: number,
  left: Uint8Array,
  crowd: Crowd,
): void {
  const offers = crowd.offersUpTo(offersMax);
  const { members } = crowd;
  for (let at = from; at < to; at += 1) {
    const number = pilot[at] ?? NOBODY;
    if (number === NOBODY || hasBit(left, number)) continue;
    const what = offer[at] ?? UNKNOWN_OFFER;
    offers[what] = (offers[what] ?? 0) + 1;
    members[number] = what === UNKNOWN_OFFER ? OFFERS_MORE : OFFERS_ONE;
  }
}
