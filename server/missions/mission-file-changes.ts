/** A changed mission file for a mission that has one: the differences first, then the edit with its orders. */
import {
  attachFile,
  aircraftOfType,
  listUnits,
  requireMissionFile,
  requireUpload,
  type StoredFile,
} from '#server/missions/mission-file/mission-files.ts';
import {
  compareFiles,
  findGroup,
  reassign,
  type FileComparison,
} from '#server/missions/mission-file/rules/compare-files.ts';
import type { SeatUnit } from '#server/missions/mission-file/rules/seat-units.ts';
import { listAircraft } from '#server/accounts/pilots/aircraft.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { editMissionInput, type EditedMissionDto, type EditMissionInput } from '#shared/schemas/mission-edit.ts';
import type { ApplyMissionFileInput, MissionFileChanges } from '#shared/schemas/mission-file.ts';
import { getMission } from './mission-detail.ts';
import { editMission, previewEdit } from './mission-edit.ts';

/** A mission's file, the changed one, and what differs. */
interface Change {
  before: StoredFile;
  after: StoredFile;
  units: SeatUnit[];
  comparison: FileComparison;
  version: string;
}

const selectFlights = (em: Em, missionId: string) =>
  db(em)
    .selectFrom('flight as f')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .select(['f.id', 'f.slot_index as slotIndex', 'f.callsign', 'f.size_cap as sizeCap', 'f.radio_freq as radioFreq'])
    .where('f.mission_id', '=', missionId)
    .orderBy('f.slot_index')
    .orderBy('p.sort_order')
    .orderBy('f.sort_order');

async function readChange(em: Em, viewer: Viewer, id: string, fileId: string, now: Date): Promise<Change> {
  const { version } = await getMission(em, { id }, now);
  const before = await requireMissionFile(em, id);
  const after = await requireUpload(em, viewer, fileId);
  const units = await listUnits(em, id);
  const offered = await listAircraft(em, true);
  const comparison = compareFiles({
    before: before.found,
    after: after.found,
    units,
    flights: await selectFlights(em, id).execute(),
    aircraftOf: (type) => aircraftOfType(type, offered)?.id ?? null,
  });
  return { before, after, units, comparison, version };
}

const editOf = (id: string, { comparison, version }: Change, rest: Partial<EditMissionInput> = {}): EditMissionInput =>
  editMissionInput.parse({ id, version, ...comparison.edit, ...rest });

/**
 * What a changed file would mean for a mission and its pilots. Changes nothing.
 * @throws AppError 404 for a mission without a file and for an unknown upload; otherwise like the edit itself
 */
export async function previewMissionFile(
  em: Em,
  viewer: Viewer,
  { id, fileId }: { id: string; fileId: string },
  now: Date,
): Promise<MissionFileChanges> {
  const change = await readChange(em, viewer, id, fileId, now);
  const { misfits } = await previewEdit(em, editOf(id, change), now);
  const { changes, problems } = change.comparison;
  return { version: change.version, changes, problems: [...change.after.found.problems, ...problems], misfits };
}

/** The units of all seats after the edit: first of the groups that both files have, then of new flights. */
async function unitsAfter(
  tx: Em,
  id: string,
  { before, after, units, comparison }: Change,
  known: ReadonlySet<string>,
): Promise<SeatUnit[]> {
  const flights = await selectFlights(tx, id).execute();
  const added = flights.filter((flight) => !known.has(flight.id));
  const slotIndexes = [...new Set(added.map(({ slotIndex }) => slotIndex))];
  /** group and station of each flight, by the file before or by the slot that was added */
  const origin = (flight: (typeof flights)[number]): { groupId: number; station: number } | undefined => {
    const was = units.find(({ flightId }) => flightId === flight.id);
    if (was) {
      const group = before.found.groups.find(({ groupId }) => groupId === was.groupId);
      const is = group && findGroup(group, after.found.groups);
      return is && { groupId: is.groupId, station: was.station };
    }
    const slot = comparison.edit.addAircraftSlots[slotIndexes.indexOf(flight.slotIndex)];
    return known.has(flight.id) || slot === undefined ? undefined : { groupId: slot.fileGroupId, station: 1 };
  };
  return after.found.groups.flatMap((group) =>
    [1, 2].flatMap((station) => {
      const own = flights.filter((flight) => {
        const from = origin(flight);
        return from?.groupId === group.groupId && from.station === station;
      });
      const seats = own.flatMap(({ id: flightId, sizeCap }) =>
        Array.from({ length: sizeCap }, (_, seatIndex) => ({ flightId, seatIndex, station })),
      );
      return reassign(seats, units, group);
    }),
  );
}

/**
 * Bring a changed file in: the mission is edited as by hand, with the same rules for its orders, and the file becomes its newest
 * version. Orders of seats that stay as they are do not change.
 * @throws AppError as `editMission` does; 409 if the mission has changed since the preview
 */
export async function applyMissionFile(
  em: Em,
  viewer: Viewer,
  { id, fileId, version, keepPilotIds }: ApplyMissionFileInput,
  now: Date,
): Promise<EditedMissionDto> {
  const change = await readChange(em, viewer, id, fileId, now);
  const known = new Set((await selectFlights(em, id).execute()).map((flight) => flight.id));
  const input = editOf(id, change, { version, ...(keepPilotIds && { keepPilotIds }) });
  return editMission(em, viewer, input, now, {
    also: async (tx, name) => {
      const file = await requireUpload(tx, viewer, fileId);
      await attachFile(tx, viewer, { id, name }, file, await unitsAfter(tx, id, change, known));
    },
  });
}
