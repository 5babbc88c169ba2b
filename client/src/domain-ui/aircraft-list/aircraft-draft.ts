/** The pilot's aircraft list in the form: saved proficiencies merged with unsaved changes. */
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { ProficiencyDto } from '#shared/schemas/profile.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';

/** Unsaved changes: aircraft id to the new level; null removes the aircraft. */
export type AircraftDraft = ReadonlyMap<number, ProficiencyLevel | null>;

export interface AircraftRow {
  aircraftId: number;
  code: string;
  name: string;
  level: ProficiencyLevel;
  setByAdmin: boolean;
}

const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name, 'en');

/** Rows to show, by name. A change for an unknown aircraft is ignored. */
export function mergeDraft(
  saved: readonly ProficiencyDto[],
  draft: AircraftDraft,
  catalogue: readonly AircraftDto[],
): AircraftRow[] {
  const rows = saved.flatMap((row): AircraftRow[] => {
    const drafted = draft.get(row.aircraftId);
    if (drafted === null) {
      return [];
    }
    const { aircraftId, aircraftCode, aircraftName, setByAdmin } = row;
    return [{ aircraftId, code: aircraftCode, name: aircraftName, level: drafted ?? row.level, setByAdmin }];
  });
  const known = new Set(saved.map(({ aircraftId }) => aircraftId));
  const added = catalogue.flatMap(({ id, code, name }): AircraftRow[] => {
    const level = known.has(id) ? undefined : draft.get(id);
    return level ? [{ aircraftId: id, code, name, level, setByAdmin: false }] : [];
  });
  return [...rows, ...added].toSorted(byName);
}

/** Changes to send: the draft without entries that equal the saved state. */
export function changesOf(
  saved: readonly ProficiencyDto[],
  draft: AircraftDraft,
): { aircraftId: number; level: ProficiencyLevel | null }[] {
  const levels = new Map(saved.map(({ aircraftId, level }) => [aircraftId, level]));
  return [...draft]
    .map(([aircraftId, level]) => ({ aircraftId, level }))
    .filter(({ aircraftId, level }) => (levels.get(aircraftId) ?? null) !== level);
}

/** Aircraft not on the list whose name or code contains every word of the search, by name. */
export function findAircraft(
  catalogue: readonly AircraftDto[],
  listed: ReadonlySet<number>,
  search: string,
): AircraftDto[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return catalogue
    .filter(({ id, code, name }) => {
      const text = `${name} ${code}`.toLowerCase();
      return !listed.has(id) && words.every((word) => text.includes(word) || text.replaceAll('-', '').includes(word));
    })
    .toSorted(byName);
}

const POPULAR_MAX = 8;

/** The aircraft that the most pilots list, the most-flown first; the others in the order of the catalogue. */
export function listPopular(catalogue: readonly AircraftDto[]): AircraftDto[] {
  return catalogue.toSorted((a, b) => b.pilots - a.pilots || a.id - b.id).slice(0, POPULAR_MAX);
}
