/** Radio frequencies of flights. In whole kilohertz, so that rounding cannot give two flights the same one. */
import type { Theater } from '#shared/vocabulary.ts';
import { hashText } from '#server/time/hash.ts';

type Band = { readonly fromKhz: number; readonly toKhz: number; readonly isFree: (khz: number) => boolean };

const STEP_KHZ = 25;
const UHF_GUARD_KHZ = 243_000;
const VHF_GUARD_KHZ = 121_500;

const UHF: Band = {
  fromKhz: 225_000,
  toKhz: 389_975,
  isFree: (khz) => Math.abs(khz - UHF_GUARD_KHZ) > STEP_KHZ,
};
const VHF: Band = { fromKhz: 118_000, toKhz: 143_975, isFree: (khz) => khz !== VHF_GUARD_KHZ };

/** Types with a VHF radio only: the Gazelle and the warbirds. */
const VHF_TYPES: ReadonlySet<string> = new Set([
  'SA342M',
  'MosquitoFBMkVI',
  // the community's own
  'F4U-1D',
  'P-47D-30',
  'P-47D-30bl1',
  'P-47D-40',
  'P-51D',
  'P-51D-30-NA',
  'SpitfireLFMkIX',
  'SpitfireLFMkIXCW',
  'TF-51D',
]);
/** Types whose radio a mission cannot set in the game. */
const NO_RADIO_TYPES: ReadonlySet<string> = new Set(['F-15C', 'Su-27', 'Su-33', 'MiG-29S', 'J-11A', 'Su-25T']);

/** The seed that picks a flight's frequency: a mission planned again gets the same ones. */
export const tuningSeed = (theater: Theater, startMs: number, callsign: string): string =>
  `${theater} ${startMs} ${callsign}`;

/**
 * A free frequency for a flight, such as "251.000 AM": the channel that a hash of `seed` picks, or the next free one. The
 * same input gives the same answer.
 * @param code the aircraft type
 * @param taken frequencies in use by this mission and those that overlap it, in the same text form
 * @returns null for a type without a settable radio, or when the whole band is taken
 */
export function allocateFrequency(code: string, seed: string, taken: ReadonlySet<string>): string | null {
  if (NO_RADIO_TYPES.has(code)) return null;
  const band = VHF_TYPES.has(code) ? VHF : UHF;
  const channels = (band.toKhz - band.fromKhz) / STEP_KHZ + 1;
  const first = hashText(seed) % channels;
  for (let offset = 0; offset < channels; offset++) {
    const khz = band.fromKhz + ((first + offset) % channels) * STEP_KHZ;
    const text = `${(khz / 1000).toFixed(3)} AM`;
    if (band.isFree(khz) && !taken.has(text)) return text;
  }
  return null;
}

/** A frequency as flights store it, from the number that an admin enters (`251.000`). */
export function frequencyText(megahertz: string): string {
  return `${megahertz} AM`;
}

/** True if a flight whose aircraft type has changed can keep its frequency. */
export function suitsFrequency(code: string, radioFreq: string | null): boolean {
  if (NO_RADIO_TYPES.has(code)) return radioFreq === null;
  if (radioFreq === null) return false;
  const { fromKhz, toKhz } = VHF_TYPES.has(code) ? VHF : UHF;
  const khz = Number.parseFloat(radioFreq) * 1000;
  return fromKhz <= khz && khz <= toKhz;
}
