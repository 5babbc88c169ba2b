/** A mission's file for the evening: pilots' names on their units, the frequencies of the plan, and kneeboard pages. */
import { loadFlightKneeboards } from '#server/missions/briefing/kneeboard.ts';
import type { KneeboardRenderer } from '#server/missions/briefing/kneeboard-thread.ts';
import { readContent, requireMissionFile } from '#server/missions/mission-file/mission-files.ts';
import type { MissionFileReader } from '#server/missions/mission-file/mission-file-thread.ts';
import { keyedName } from '#server/missions/mission-file/rules/file-key.ts';
import type { GroupChange } from '#server/missions/mission-file/rules/change-mission.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { Em } from '#server/schema/orm.ts';
import { toIso } from '#server/time/time.ts';
import { formatDate, formatZulu } from '#shared/clock.ts';
import type { CardFlight, KneeboardCard } from '#shared/kneeboard-content.ts';
import { sideName } from '#shared/labels.ts';
import type { FileGroup } from '#shared/schemas/mission-file.ts';
import type { Side } from '#shared/vocabulary.ts';
import { readLineUp, type LineUp, type LineUpSeat } from './line-up.ts';

/** Pages of one aircraft type; flights beyond are on the roster only. A page takes a tenth of a second. */
const PAGES_MAX = 12;
/** Flights that a page of the roster has room for, with their pilots. */
const ROSTER_FLIGHTS = 7;

/** The changes of a file: frequencies that differ from its own, and names for the units of accepted pilots. */
function listGroupChanges({ seats, groups }: Pick<LineUp, 'seats' | 'groups'>): GroupChange[] {
  return groups.flatMap((group) => {
    const own = seats.filter(({ groupId }) => groupId === group.groupId);
    const radioFreq = own.find(({ station }) => station === 1)?.radioFreq ?? null;
    const isTuned = radioFreq !== null && radioFreq !== group.frequency;
    const units = group.units.flatMap(({ unitId }) => {
      const crew = own.filter((seat) => seat.unitId === unitId).toSorted((a, b) => (a.station ?? 1) - (b.station ?? 1));
      const pilots = crew.flatMap(({ pilot }) => pilot ?? []);
      return pilots.length === 0 ? [] : [{ unitId, name: pilots.join(' / ') }];
    });
    const megahertz = isTuned ? Number.parseFloat(radioFreq) : null;
    return megahertz === null && units.length === 0 ? [] : [{ groupId: group.groupId, megahertz, units }];
  });
}

const flightsOf = (seats: readonly LineUpSeat[]): LineUpSeat[][] => [
  ...Map.groupBy(seats, ({ flightId }) => flightId).values(),
];

function rosterCards({ name, theater, startMs, endMs, seats }: LineUp, side: Side, host: string): KneeboardCard[] {
  const flights = flightsOf(seats.filter((seat) => seat.side === side)).flatMap((flight): CardFlight[] => {
    const [first] = flight;
    if (!first) return [];
    const { callsign, aircraftName: aircraft, radioFreq: radio } = first;
    return [{ callsign, aircraft, radio, isOwn: false, seats: flight.map(({ pilot }) => pilot) }];
  });
  const pilots = flights.flatMap((flight) => flight.seats.filter((pilot) => pilot !== null)).length;
  const all = flights.reduce((sum, flight) => sum + flight.seats.length, 0);
  const pages = Math.ceil(flights.length / ROSTER_FLIGHTS);
  const time = (label: string, instant: number) => ({ label, zulu: formatZulu(toIso(instant)), local: '', shift: '' });
  return Array.from({ length: pages }, (_, page) => ({
    label: 'ROSTER',
    mission: name,
    theater,
    role: sideName(side),
    side,
    dateZulu: formatDate(toIso(startMs), 'UTC'),
    dateLocal: formatDate(toIso(startMs), 'UTC'),
    zone: 'UTC',
    times: [time('Start', startMs), time('End', endMs)],
    seat: {
      flightCallsign: { label: 'Flights', value: String(flights.length) },
      seatIndex: { label: 'Pilots', value: `${pilots} of ${all}` },
      aircraftName: { label: 'Page', value: `${page + 1} of ${pages}` },
    },
    radio: {
      radioFreq: { label: 'Open seats', value: String(all - pilots) },
      package: { label: 'Side', value: sideName(side) },
    },
    flights: flights.slice(page * ROSTER_FLIGHTS, (page + 1) * ROSTER_FLIGHTS),
    notes: [],
    links: [],
    footer: { pilot: '', issued: '', host },
  }));
}

/** Types with the side that flies them. The simulator shows a type's pages to both sides, so types of both have none. */
function typesOfOneSide(groups: readonly FileGroup[], seats: readonly LineUpSeat[]): Map<string, Side> {
  const planned = groups.filter(({ groupId }) => seats.some((seat) => seat.groupId === groupId));
  const types = Map.groupBy(groups, ({ type }) => type);
  return new Map(
    planned.flatMap(({ type, side }) =>
      (types.get(type) ?? []).every((one) => one.side === side) ? [[type, side]] : [],
    ),
  );
}

/** The kneeboard pages of each type: the roster of its side, then a card for each flight. */
function planPages(
  lineUp: LineUp,
  cards: ReadonlyMap<string, KneeboardCard>,
  host: string,
): Map<string, KneeboardCard> {
  const pages = new Map<string, KneeboardCard>();
  for (const [type, side] of typesOfOneSide(lineUp.groups, lineUp.seats)) {
    const groupIds = new Set(lineUp.groups.filter((group) => group.type === type).map(({ groupId }) => groupId));
    const own = flightsOf(lineUp.seats.filter(({ groupId }) => groupId !== null && groupIds.has(groupId)));
    const flights = own.flatMap(([first]) => {
      const card = first && cards.get(first.callsign);
      return card ? [{ name: first.callsign.replaceAll(/[^\w-]+/g, '-'), card }] : [];
    });
    const rosters = rosterCards(lineUp, side, host).map((card) => ({ name: 'roster', card }));
    for (const [index, { name, card }] of [...rosters, ...flights].slice(0, PAGES_MAX).entries()) {
      const number = String(index + 1).padStart(2, '0');
      pages.set(`KNEEBOARD/${type}/IMAGES/marshal-${number}-${name}.png`, card);
    }
  }
  return pages;
}

export interface ExportTools {
  reader: MissionFileReader;
  renderer: KneeboardRenderer;
  publicUrl: string;
}

/**
 * The newest version of a mission's file with the pilots in it, under a name with the key of the mission.
 * @throws AppError 404 for an unknown mission, and for one without a file
 */
export async function exportMissionFile(
  em: Em,
  { reader, renderer, publicUrl }: ExportTools,
  viewer: Viewer,
  missionId: string,
  now: Date,
): Promise<{ name: string; content: Buffer }> {
  const lineUp = await readLineUp(em, missionId);
  const file = await requireMissionFile(em, missionId);
  const cards = await loadFlightKneeboards(em, viewer, missionId, publicUrl, now);
  const entries = new Map<string, Uint8Array>();
  for (const [name, card] of planPages(lineUp, cards, new URL(publicUrl).host)) {
    entries.set(name, await renderer.render(card, 'day'));
  }
  const content = await reader.write(await readContent(em, file.sha256), listGroupChanges(lineUp), entries);
  return { name: keyedName(file.name, missionId), content };
}
