/** Mission files in the database: uploads that wait for their mission, the versions of a mission's file, the units of its seats. */
import { createHash } from 'node:crypto';
import { emit } from '#server/signals/emit.ts';
import { lockUser } from '#server/accounts/users.ts';
import { listAircraft } from '#server/accounts/pilots/aircraft.ts';
import { AppError } from '#server/platform/errors.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { db, isOneOf, json, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { HOUR_MS, toIso } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { NAMELESS } from '#shared/labels.ts';
import { MISSION_FILE } from '#shared/limits.ts';
import type {
  FileGroup,
  FoundMission,
  MissionFileVersions,
  UploadedMissionFile,
} from '#shared/schemas/mission-file.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { MissionFileReader } from './mission-file-thread.ts';
import { codesOfType, knownType } from './rules/dcs-types.ts';
import type { SeatUnit } from './rules/seat-units.ts';

/** A stored file, with what was found in it. */
export interface StoredFile {
  id: string;
  name: string;
  sha256: string;
  sizeBytes: number;
  found: FoundMission;
}

const selectFiles = (em: Em) =>
  db(em)
    .selectFrom('mission_file as f')
    .innerJoin('mission_file_content as c', 'c.sha256', 'f.content_sha256')
    .select(['f.id', 'f.name', 'c.sha256', 'c.size_bytes as sizeBytes', 'c.found']);

/** The aircraft that a type flies as: one on offer, by the type's own code or by the code of the type it is a variant of. */
export function aircraftOfType(type: string, offered: readonly AircraftDto[]): AircraftDto | undefined {
  const codes = codesOfType(type).map((code) => code.toLowerCase());
  return codes.map((code) => offered.find((one) => one.code.toLowerCase() === code)).find((one) => one !== undefined);
}

async function presentFile(em: Em, { found, ...file }: StoredFile): Promise<UploadedMissionFile> {
  const known = await listAircraft(em, false);
  const offered = known.filter(({ active }) => active);
  const switchedOff = [...new Set(found.groups.map(({ type }) => type))].flatMap((type) =>
    aircraftOfType(type, offered) ? [] : (aircraftOfType(type, known)?.name ?? []),
  );
  const present = (group: FileGroup): UploadedMissionFile['groups'][number] => {
    const aircraft = aircraftOfType(group.type, offered);
    const named = aircraft ?? knownType(group.type);
    return {
      ...group,
      aircraftId: aircraft?.id ?? null,
      aircraftName: named.name,
      crewStations: named.seats,
      usualRoles: [...named.roles],
    };
  };
  const problems = switchedOff.map((name) => `${name} is switched off. Switch it on to plan its groups.`);
  return { ...file, ...found, groups: found.groups.map(present), problems: [...found.problems, ...problems] };
}

async function storeContent(tx: Em, sha256: string, bytes: Buffer, found: FoundMission, now: Date): Promise<void> {
  const known = await db(tx)
    // a later release may read more in the same file
    .updateTable('mission_file_content')
    .set({ found: json(found) })
    .where('sha256', '=', sha256)
    .returning('sha256')
    .executeTakeFirst();
  if (known) return;
  await db(tx)
    .insertInto('mission_file_content')
    .values({ sha256, size_bytes: bytes.length, found: json(found), created_at: now })
    .execute();
  const { chunkBytes } = MISSION_FILE;
  for (let sortOrder = 0; sortOrder * chunkBytes < bytes.length; sortOrder += 1) {
    const chunk = bytes.subarray(sortOrder * chunkBytes, (sortOrder + 1) * chunkBytes);
    await db(tx)
      .insertInto('mission_file_chunk')
      .values({ content_sha256: sha256, sort_order: sortOrder, bytes: chunk })
      .execute();
  }
}

const selectWaiting = (tx: Em, viewer: Viewer) =>
  selectFiles(tx).where('f.uploaded_by_id', '=', viewer.id).where('f.mission_id', 'is', null);

/**
 * Read an uploaded file and keep it for a day, until a mission has it. The same file sent again is the same upload.
 * @throws AppError 400 with one sentence for a file that cannot be read; 409 for too many that wait
 */
export async function uploadMissionFile(
  em: Em,
  reader: MissionFileReader,
  viewer: Viewer,
  { name, bytes }: { name: string; bytes: Buffer },
  now: Date,
): Promise<UploadedMissionFile> {
  const found = await reader.read(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const id = await transact(em, async (tx) => {
    await lockUser(tx, viewer.id);
    await takeLock(tx, 'missionFiles');
    await storeContent(tx, sha256, bytes, found, now);
    const again = await selectWaiting(tx, viewer).where('c.sha256', '=', sha256).executeTakeFirst();
    if (again) {
      await db(tx).updateTable('mission_file').set({ name, created_at: now }).where('id', '=', again.id).execute();
      return again.id;
    }
    await requireRoom(
      'missionFiles',
      db(tx).selectFrom('mission_file').where('uploaded_by_id', '=', viewer.id).where('mission_id', 'is', null),
    );
    const file = { id: newId(), content_sha256: sha256, name, uploaded_by_id: viewer.id, created_at: now };
    await db(tx).insertInto('mission_file').values(file).execute();
    return file.id;
  });
  return presentFile(em, { id, name, sha256, sizeBytes: bytes.length, found });
}

/** An upload of the viewer that waits for its mission. @throws AppError 404 */
export async function requireUpload(tx: Em, viewer: Viewer, id: string): Promise<StoredFile> {
  const file = await selectWaiting(tx, viewer).where('f.id', '=', id).executeTakeFirst();
  if (!file) throw new AppError('MISSION_FILE_NOT_FOUND', copy.missionFileNotFound, { field: 'missionFileId' });
  return file;
}

/** The file of a mission: its newest version. Null without one. */
export async function findMissionFile(em: Em, missionId: string): Promise<StoredFile | null> {
  const file = await selectFiles(em)
    .where('f.mission_id', '=', missionId)
    .orderBy('f.version', 'desc')
    .executeTakeFirst();
  return file ?? null;
}

/** The same. @throws AppError 404 for a mission without a file */
export async function requireMissionFile(em: Em, missionId: string): Promise<StoredFile> {
  const file = await findMissionFile(em, missionId);
  if (!file) throw new AppError('MISSION_FILE_NOT_FOUND', copy.missionHasNoFile);
  return file;
}

export async function readContent(em: Em, sha256: string): Promise<Buffer> {
  const chunks = await db(em)
    .selectFrom('mission_file_chunk')
    .select('bytes')
    .where('content_sha256', '=', sha256)
    .orderBy('sort_order')
    .execute();
  return Buffer.concat(chunks.map(({ bytes }) => bytes));
}

/** Make an upload the newest version of a mission's file; the oldest ones beyond the limit are removed. */
export async function attachFile(
  tx: Em,
  viewer: Viewer,
  mission: { id: string; name: string },
  file: StoredFile,
  units: readonly SeatUnit[],
): Promise<void> {
  const versions = await db(tx)
    .selectFrom('mission_file')
    .select(['id', 'version'])
    .where('mission_id', '=', mission.id)
    .orderBy('version', 'desc')
    .execute();
  const version = (versions[0]?.version ?? 0) + 1;
  await db(tx).updateTable('mission_file').set({ mission_id: mission.id, version }).where('id', '=', file.id).execute();
  const outdated = versions.slice(MISSION_FILE.versionsMax - 1).map(({ id }) => id);
  await db(tx).deleteFrom('mission_file').where(isOneOf('id', outdated)).execute();
  await db(tx).deleteFrom('mission_file_seat').where('mission_id', '=', mission.id).execute();
  if (units.length > 0) {
    await db(tx)
      .insertInto('mission_file_seat')
      .values(
        units.map(({ flightId, seatIndex, groupId, unitId, station }) => ({
          flight_id: flightId,
          seat_index: seatIndex,
          mission_id: mission.id,
          group_id: groupId,
          unit_id: unitId,
          station,
        })),
      )
      .execute();
  }
  const { name, sha256 } = file;
  emit(tx, { type: 'mission.file_kept', by: viewer, mission, file: name, version, sha256 });
}

/** The units of a mission's seats. */
export async function listUnits(em: Em, missionId: string): Promise<SeatUnit[]> {
  return (
    db(em)
      .selectFrom('mission_file_seat as s')
      .innerJoin('flight as f', 'f.id', 's.flight_id')
      .select([
        's.flight_id as flightId',
        's.seat_index as seatIndex',
        's.group_id as groupId',
        's.unit_id as unitId',
        's.station',
      ])
      .where('s.mission_id', '=', missionId)
      // a flight that has become smaller has lost its last seats
      .whereRef('s.seat_index', '<', 'f.size_cap')
      .orderBy('s.station')
      .orderBy('s.flight_id')
      .orderBy('s.seat_index')
      .execute()
  );
}

/** The versions of a mission's file, the newest first. */
export async function listFileVersions(em: Em, missionId: string): Promise<MissionFileVersions> {
  const rows = await db(em)
    .selectFrom('mission_file as f')
    .innerJoin('mission_file_content as c', 'c.sha256', 'f.content_sha256')
    .leftJoin('app_user as u', 'u.id', 'f.uploaded_by_id')
    .select(({ ref }) => [
      'f.id',
      'f.name',
      'c.sha256',
      'c.size_bytes as sizeBytes',
      'f.version',
      nameForAdmins('u').as('uploadedByName'),
      ms(ref('f.created_at')).as('createdMs'),
    ])
    .where('f.mission_id', '=', missionId)
    .orderBy('f.version', 'desc')
    .execute();
  return rows.map(({ createdMs, version, uploadedByName, ...row }) => ({
    ...row,
    version: version ?? 1,
    uploadedByName: uploadedByName ?? NAMELESS,
    uploadedAt: toIso(createdMs),
  }));
}

/** Remove uploads that no mission got within a day, and contents that no file has. */
export async function removeForgottenFiles(em: Em, now: Date): Promise<void> {
  const since = new Date(now.getTime() - MISSION_FILE.waitingHours * HOUR_MS);
  await transact(em, async (tx) => {
    await takeLock(tx, 'missionFiles');
    await db(tx).deleteFrom('mission_file').where('mission_id', 'is', null).where('created_at', '<', since).execute();
    await db(tx)
      .deleteFrom('mission_file_content as c')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('mission_file as f').whereRef('f.content_sha256', '=', 'c.sha256'))),
      )
      .execute();
  });
}
