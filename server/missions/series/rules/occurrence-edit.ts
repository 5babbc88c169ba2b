/** The edit that brings the mission of a series to the series' content. */
import type { MissionContent } from '#shared/mission-content.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { EditMissionInput } from '#shared/schemas/mission-edit.ts';
import type { MissionRole, Side } from '#shared/vocabulary.ts';
import { packageKey } from '#server/planning/rules/mission-plan.ts';

export interface OccurrenceFlight {
  readonly id: string;
  readonly aircraftId: number;
  readonly role: MissionRole;
  readonly side: Side;
  readonly notes: string | null;
  readonly sizeCap: number;
  readonly callsign: string;
  readonly radioFreq: string | null;
}

export interface OccurrencePackage {
  readonly id: string;
  readonly callsign: string;
  /** in the order of the board */
  readonly flights: readonly OccurrenceFlight[];
}

interface Taken {
  readonly takenCallsigns: ReadonlySet<string>;
  readonly takenFrequencies: ReadonlySet<string>;
}

type FlightEdits = NonNullable<EditMissionInput['flights']>;

const likeness = (one: { aircraftId: number; role: MissionRole; side: Side; notes: string | null }) =>
  JSON.stringify([one.aircraftId, one.role, one.side, one.notes]);
const natureOf = ({ aircraftId, role, side }: { aircraftId: number; role: MissionRole; side: Side }) =>
  `${aircraftId} ${role} ${side}`;

/** Which flights go, which shrink, and which slots are added, so that each kind of seat has its number. */
function fitSeats(content: MissionContent, flights: readonly OccurrenceFlight[]) {
  const wanted = Map.groupBy(content.slots, (slot) => likeness({ ...slot, notes: slot.additionalNotes }));
  const present = Map.groupBy(flights, likeness);
  const removed = new Set<string>();
  const sizes = new Map<string, number>();
  const added: NonNullable<EditMissionInput['addAircraftSlots']> = [];
  for (const key of new Set([...wanted.keys(), ...present.keys()])) {
    const slots = wanted.get(key) ?? [];
    const members = present.get(key) ?? [];
    const want = slots.reduce((sum, { slotCount }) => sum + slotCount, 0);
    let surplus = members.reduce((sum, { sizeCap }) => sum + sizeCap, 0) - want;
    // from the last flight on
    for (const { id, sizeCap } of members.toReversed()) {
      if (surplus <= 0) break;
      if (sizeCap <= surplus) removed.add(id);
      else sizes.set(id, sizeCap - surplus);
      surplus -= sizeCap;
    }
    const [slot] = slots;
    const missing = want - members.reduce((sum, { sizeCap }) => sum + sizeCap, 0);
    if (slot && missing > 0) {
      const { aircraftId, role, side, additionalNotes } = slot;
      added.push({ aircraftId, slotCount: missing, side, notes: role, additionalNotes });
    }
  }
  return { removed, sizes, added };
}

/**
 * The edit of a mission, without its times. Flights are kept as far as they are alike, so that their pilots keep their
 * orders; the n-th flight of a type, role and side takes the details of the n-th one. A callsign or frequency that another
 * mission uses at that time is left as it is.
 */
export function editToContent(
  missionId: string,
  content: MissionContent,
  packages: readonly OccurrencePackage[],
  taken: Taken,
): EditMissionInput {
  const flights = packages.flatMap((one) => one.flights);
  const { removed, sizes, added } = fitSeats(content, flights);
  const kept = flights.filter(({ id }) => !removed.has(id));
  const wishes = Map.groupBy(content.flights, natureOf);
  const inUse = (wish: string, of: ReadonlySet<string>, own: string | null, field: 'callsign' | 'radioFreq') =>
    wish === own || of.has(wish) || flights.some((flight) => flight[field] === wish);
  const edits: FlightEdits = kept.map((flight) => {
    const wish = wishes.get(natureOf(flight))?.shift();
    const sizeCap = sizes.get(flight.id);
    const radio = wish?.radioFreq ?? null;
    return {
      id: flight.id,
      ...(sizeCap !== undefined && { sizeCap }),
      ...(wish && { launchMinutes: wish.launchMinutes, totMinutes: wish.totMinutes }),
      ...(wish &&
        !inUse(wish.callsign, taken.takenCallsigns, flight.callsign, 'callsign') && { callsign: wish.callsign }),
      ...(radio !== null &&
        !inUse(radio, taken.takenFrequencies, flight.radioFreq, 'radioFreq') && {
          radioFreq: radio.replace(/ AM$/, ''),
        }),
    };
  });
  const packageEdits = packages.flatMap((one) => {
    const first = one.flights.find(({ id }) => !removed.has(id));
    const wish = first && content.packages.find((candidate) => packageKey(candidate) === packageKey(first));
    if (!wish) return [];
    const isFree = packages.every(({ callsign }) => callsign.toLowerCase() !== wish.callsign.toLowerCase());
    return [{ id: one.id, objective: wish.objective, ...(isFree && { callsign: wish.callsign }) }];
  });
  return {
    id: missionId,
    name: content.name,
    theater: content.theater,
    ...eachField(MISSION_TEXT_KEYS, (key) => content[key]),
    links: content.links,
    guildIds: content.guildIds,
    secretSides: content.secretSides,
    flights: edits,
    packages: packageEdits,
    removeFlightIds: [...removed],
    addAircraftSlots: added,
  };
}
