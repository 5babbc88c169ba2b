/** A pilot's aircraft list in 100 bytes: a large community has tens of thousands of different ones, and a Map takes 500. */
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';

type Entry = [aircraftId: number, level: ProficiencyLevel];

const LEVELS = PROFICIENCY_LEVELS.length;
const idIn = (code: number): number => Math.floor(code / LEVELS);
const levelIn = (code: number): ProficiencyLevel => PROFICIENCY_LEVELS[code % LEVELS] ?? 'basic';

export class AircraftLevels implements ReadonlyMap<number, ProficiencyLevel> {
  /** the aircraft's id and the level in one number, ascending */
  private readonly codes: readonly number[];

  constructor(entries: Iterable<readonly [aircraftId: number, level: ProficiencyLevel]>) {
    const codes = Array.from(entries, ([id, level]) => id * LEVELS + PROFICIENCY_LEVELS.indexOf(level));
    // a list that has grown would keep room for many more
    this.codes = codes.sort((a, b) => a - b).slice();
  }

  get size(): number {
    return this.codes.length;
  }

  get(aircraftId: number): ProficiencyLevel | undefined {
    const code = this.codes.find((one) => idIn(one) === aircraftId);
    return code === undefined ? undefined : levelIn(code);
  }

  has(aircraftId: number): boolean {
    return this.codes.some((code) => idIn(code) === aircraftId);
  }

  keys(): MapIterator<number> {
    return this.codes.values().map(idIn);
  }

  values(): MapIterator<ProficiencyLevel> {
    return this.codes.values().map(levelIn);
  }

  entries(): MapIterator<Entry> {
    return this.codes.values().map((code): Entry => [idIn(code), levelIn(code)]);
  }

  [Symbol.iterator](): MapIterator<Entry> {
    return this.entries();
  }

  forEach(act: (level: ProficiencyLevel, aircraftId: number, map: this) => void): void {
    for (const code of this.codes) act(levelIn(code), idIn(code), this);
  }
}
