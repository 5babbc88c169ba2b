/** A pilot's aircraft list in 60 bytes: a large community has tens of thousands of different ones, and a Map takes 500. */
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';

type Entry = [aircraftId: number, level: ProficiencyLevel];

const FIELDS = 2;
/** An aircraft's id, which is a smallint, and the place of the level, each a character. */
const codeOf = ([id, level]: readonly [number, ProficiencyLevel]): string =>
  String.fromCharCode(id, PROFICIENCY_LEVELS.indexOf(level));

/** The same text for equal lists: the aircraft and their levels, by id. */
export const packLevels = (entries: Iterable<readonly [aircraftId: number, level: ProficiencyLevel]>): string =>
  Array.from(entries)
    .sort(([a], [b]) => a - b)
    .map(codeOf)
    .join('');

export class AircraftLevels implements ReadonlyMap<number, ProficiencyLevel> {
  private readonly packed: string;

  /** @param packed by `packLevels` */
  constructor(packed: string) {
    this.packed = packed;
  }

  get size(): number {
    return this.packed.length / FIELDS;
  }

  get(aircraftId: number): ProficiencyLevel | undefined {
    for (let at = 0; at < this.packed.length; at += FIELDS) if (this.idAt(at) === aircraftId) return this.levelAt(at);
    return undefined;
  }

  has(aircraftId: number): boolean {
    return this.get(aircraftId) !== undefined;
  }

  keys(): MapIterator<number> {
    return this.entries().map(([id]) => id);
  }

  values(): MapIterator<ProficiencyLevel> {
    return this.entries().map(([, level]) => level);
  }

  *entries(): MapIterator<Entry> {
    for (let at = 0; at < this.packed.length; at += FIELDS) yield [this.idAt(at), this.levelAt(at)];
  }

  [Symbol.iterator](): MapIterator<Entry> {
    return this.entries();
  }

  forEach(act: (level: ProficiencyLevel, aircraftId: number, map: this) => void): void {
    for (const [id, level] of this.entries()) act(level, id, this);
  }

  private idAt(at: number): number {
    return this.packed.charCodeAt(at);
  }

  private levelAt(at: number): ProficiencyLevel {
    return PROFICIENCY_LEVELS[this.packed.charCodeAt(at + 1)] ?? 'basic';
  }
}
