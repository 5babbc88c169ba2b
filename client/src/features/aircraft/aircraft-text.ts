import { AIRCRAFT } from '#shared/limits.ts';
import type { AircraftTypeDto } from '#shared/schemas/aircraft.ts';
import type { AircraftSearch } from './aircraft-search.ts';

/** Sentences of the aircraft page. */
export const aircraftCopy = {
  lead: 'Types that pilots can list and missions can use',
  loading: 'Loading aircraft...',
  loadFailed: 'Error loading aircraft: ',
  noMatch: 'No aircraft match these filters',
  noMatchMeaning: 'Add a type of your own for a mod or another simulator.',
  keeps: "They can't be chosen for new missions, lists and times. Missions and lists that have them keep them.",
  added: (name: string) => `${name} added`,
  changed: (name: string) => `${name} changed`,
  deleted: (name: string) => `${name} deleted`,
  codeHint: "The game's name of the type, if it has one",
  seatsHint: `Crew seats, 1 to ${AIRCRAFT.seatsMax}. A mission has one pilot for each aircraft.`,
  rolesHint: 'What it usually flies: the mission form suggests it for these roles first.',
} as const;

/** `1 type`, `12 types` */
/** The types that match the search, in the list's order. */
export function filterTypes(
  types: readonly AircraftTypeDto[],
  { query = '', show }: AircraftSearch,
): AircraftTypeDto[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return types.filter(({ name, code, active, isOwn }) => {
    const text = `${name} ${code}`.toLowerCase();
    const isShown = show === undefined || (show === 'own' ? isOwn : active === (show === 'on'));
    return isShown && words.every((word) => text.includes(word));
  });
}
