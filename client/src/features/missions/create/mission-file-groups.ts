/** Groups of a mission file by side and aircraft: which ones a search finds, and the seats of those that are chosen. */
import { sideName } from '#shared/labels.ts';
import { AIRCRAFT_SLOT_COUNT } from '#shared/limits.ts';
import type { UploadedGroup } from '#shared/schemas/mission-file.ts';
import { SIDES, type Side } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';
import type { FileChoice } from './mission-file-draft.ts';

/** Groups of one aircraft on one side. */
export interface AircraftGroups {
  aircraftName: string;
  groups: readonly UploadedGroup[];
}

export interface SideGroups {
  side: Side;
  aircraft: readonly AircraftGroups[];
  groups: readonly UploadedGroup[];
}

/** The sides that have groups, blue first, each with its aircraft by name. */
export function groupBySide(groups: readonly UploadedGroup[]): SideGroups[] {
  return [SIDES.blue, SIDES.red].flatMap((side) => {
    const ofSide = groups.filter((group) => group.side === side);
    const aircraft = [...Map.groupBy(ofSide, ({ aircraftName }) => aircraftName)]
      .map(([aircraftName, same]) => ({ aircraftName, groups: same }))
      .toSorted((a, b) => a.aircraftName.localeCompare(b.aircraftName, 'en', { numeric: true }));
    return ofSide.length === 0 ? [] : [{ side, aircraft, groups: ofSide }];
  });
}

/** Groups that have every word of the search in their name, side, aircraft, role, task, callsign or frequency. */
export function searchGroups(groups: readonly UploadedGroup[], wanted: string): readonly UploadedGroup[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return groups.filter(({ name, side, aircraftName, type, role, task, callsign, frequency }) => {
    const text = [name, sideName(side), aircraftName, type, role, task, callsign, frequency].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Seats of one crew station of the groups. A slot of the form has at most `AIRCRAFT_SLOT_COUNT.max`. */
export const seatsOf = (groups: readonly UploadedGroup[]): number =>
  groups.reduce((sum, { units }) => sum + Math.min(units.length, AIRCRAFT_SLOT_COUNT.max), 0);

export const chosenOf = (groups: readonly UploadedGroup[], { without }: FileChoice): readonly UploadedGroup[] =>
  groups.filter(({ groupId }) => !without.has(groupId));

/** Seats that the chosen groups fill in, including second crew stations. */
export function countChosen(groups: readonly UploadedGroup[], choice: FileChoice): number {
  const chosen = chosenOf(groups, choice);
  return seatsOf(chosen) + seatsOf(chosen.filter(({ groupId }) => choice.withSecond.has(groupId)));
}

/** `4 groups, 12 seats` */
export const sizeWords = (groups: readonly UploadedGroup[]): string =>
  `${count(groups.length, 'group')}, ${count(seatsOf(groups), 'seat')}`;

/** The set with or without the numbers of the groups. */
export function withGroups(
  set: ReadonlySet<number>,
  groups: readonly UploadedGroup[],
  isIn: boolean,
): ReadonlySet<number> {
  const ids = new Set(groups.map(({ groupId }) => groupId));
  return new Set(isIn ? [...set, ...ids] : [...set].filter((id) => !ids.has(id)));
}
