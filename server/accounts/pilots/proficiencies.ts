/**
 * Proficiencies: a pilot's aircraft list, with a level each. A pilot who lists none may be asked to fly every aircraft, at
 * basic level.
 */
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { type Aircraft, Proficiency } from '#server/schema/aircraft.ts';
import { db, isOneOf, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import type { ProficiencyDto, removeProficiencyInput, setProficiencyInput } from '#shared/schemas/profile.ts';
import { findAircraft } from './aircraft.ts';
import { emit } from '#server/signals/emit.ts';
import { findUser, lockUser } from '#server/accounts/users.ts';
import { isAdmin, type Viewer } from '#server/platform/viewer.ts';

function present(row: Proficiency, aircraft: Aircraft): ProficiencyDto {
  return {
    aircraftId: aircraft.id,
    aircraftCode: aircraft.code,
    aircraftName: aircraft.name,
    level: row.level,
    setByAdmin: row.setByAdmin,
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The levels of the aircraft that a pilot lists, by aircraft id. */
export type AircraftList = ReadonlyMap<number, ProficiencyLevel>;

const NO_AIRCRAFT: AircraftList = new Map();

export const selectLevels = (source: Kysely<Database>) =>
  source.selectFrom('proficiency').select(['user_id as userId', 'aircraft_id as aircraftId', 'level']);

/** The whole aircraft list of each of these pilots; an empty one for a pilot who lists none. */
export async function loadAircraftLists(
  em: Em,
  pilotIds: readonly string[],
): Promise<(pilotId: string) => AircraftList> {
  if (pilotIds.length === 0) return () => NO_AIRCRAFT;
  const rows = await selectLevels(db(em)).where(isOneOf('user_id', pilotIds)).execute();
  const lists = new Map<string, Map<number, ProficiencyLevel>>();
  for (const { userId, aircraftId, level } of rows) {
    const list = lists.get(userId);
    if (list) list.set(aircraftId, level);
    else lists.set(userId, new Map([[aircraftId, level]]));
  }
  return (pilotId) => lists.get(pilotId) ?? NO_AIRCRAFT;
}

/** True if the pilot lists any aircraft. */
export async function listsAnyAircraft(em: Em, pilotId: string): Promise<boolean> {
  const row = await db(em)
    .selectFrom('proficiency')
    .select('user_id')
    .where('user_id', '=', pilotId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A pilot's proficiencies by aircraft name. Unknown pilot: 404. */
export async function listProficiencies(em: Em, userId: string): Promise<ProficiencyDto[]> {
  await findUser(em, userId);
  const rows = await em.find(Proficiency, { user: userId }, { populate: ['aircraft'] });
  return rows
    .map((row) => present(row, row.aircraft))
    .toSorted((a, b) => a.aircraftName.localeCompare(b.aircraftName, 'en'));
}

/**
 * The row to change, with its pilot locked, since an admin and the pilot may change it at the same time.
 * Unknown pilot: 404; unknown aircraft: 400; a level that an admin set: 409 for anyone but admins.
 */
async function lockRow(tx: Em, viewer: Viewer, { id, aircraftId }: z.infer<typeof removeProficiencyInput>) {
  await lockUser(tx, id);
  const aircraft = (await findAircraft(tx, [aircraftId])).get(aircraftId);
  if (!aircraft) throw new AppError('AIRCRAFT_NOT_FOUND', { field: 'aircraftId' });
  const row = await tx.findOne(Proficiency, { user: id, aircraft: aircraftId });
  if (row?.setByAdmin && !isAdmin(viewer)) throw new AppError('LEVEL_SET_BY_ADMIN');
  return { aircraft, row };
}

/** Set a level. A level that an admin sets for somebody else is locked for that pilot; admins set their own as pilots. */
export async function setProficiency(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof setProficiencyInput>,
  now: Date,
): Promise<ProficiencyDto> {
  const isForAnother = input.id !== viewer.id;
  return transact(em, async (tx) => {
    const { aircraft, row: known } = await lockRow(tx, viewer, input);
    const setByAdmin = isForAnother || (known?.setByAdmin ?? false);
    const row =
      known ??
      tx.create(Proficiency, { user: tx.getReference(User, input.id), aircraft, level: input.level, setByAdmin });
    const isChange = row !== known || row.level !== input.level || row.setByAdmin !== setByAdmin;
    if (isChange) Object.assign(row, { level: input.level, setByAdmin, updatedAt: now });
    const { id: userId, aircraftId, level } = input;
    emit(tx, { type: 'proficiency.set', by: viewer, userId, aircraftId, level, isChange });
    return present(row, aircraft);
  });
}

/** Remove an aircraft from the list. Removing one that is not on it changes nothing. */
export async function removeProficiency(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof removeProficiencyInput>,
): Promise<void> {
  await transact(em, async (tx) => {
    const { row } = await lockRow(tx, viewer, input);
    if (!row) return;
    tx.remove(row);
    emit(tx, { type: 'proficiency.removed', by: viewer, userId: input.id, aircraftId: input.aircraftId });
  });
}
