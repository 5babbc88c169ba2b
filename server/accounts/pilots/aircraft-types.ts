/** Aircraft types as admins manage them: offered or not, and the community's own types beside the catalogue's. */
import { AppError } from '#server/platform/errors.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { countRows, db, isOneOf } from '#server/schema/database.ts';
import { isStillReferenced } from '#server/schema/failures.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { copy } from '#shared/copy.ts';
import { AIRCRAFT } from '#shared/limits.ts';
import type {
  AircraftTypeDto,
  CreateAircraftInput,
  OfferAircraftInput,
  UpdateAircraftInput,
} from '#shared/schemas/aircraft.ts';
import { MISSION_ROLES } from '#shared/vocabulary.ts';

/** Selects types `a` with the numbers of pilots and coming missions that use them. */
const selectTypes = (em: Em, now: Date) =>
  db(em)
    .selectFrom('aircraft as a')
    .select(({ selectFrom }) => [
      'a.id',
      'a.code',
      'a.name',
      'a.seats',
      'a.roles',
      'a.active',
      selectFrom('proficiency as p')
        .select(countRows().as('pilots'))
        .whereRef('p.aircraft_id', '=', 'a.id')
        .$asScalar()
        .$notNull()
        .as('pilots'),
      selectFrom('mission as m')
        .select(countRows().as('missions'))
        .where('m.ends_at', '>', now)
        .where('m.status', '<>', 'cancelled')
        .where(({ exists, selectFrom: from }) =>
          exists(from('flight as f').whereRef('f.mission_id', '=', 'm.id').whereRef('f.aircraft_id', '=', 'a.id')),
        )
        .$asScalar()
        .$notNull()
        .as('missions'),
    ])
    .orderBy('a.name')
    .orderBy('a.id');

type Row = Awaited<ReturnType<ReturnType<typeof selectTypes>['execute']>>[number];

const present = ({ roles, ...row }: Row): AircraftTypeDto => ({
  ...row,
  roles: MISSION_ROLES.filter((role) => roles.includes(role)),
  isOwn: row.id >= AIRCRAFT.firstOwnId,
});

/** All types by name, those that are switched off too. */
export async function listAircraftTypes(em: Em, now: Date): Promise<AircraftTypeDto[]> {
  return (await selectTypes(em, now).execute()).map(present);
}

async function read(em: Em, id: number, now: Date): Promise<AircraftTypeDto> {
  return present(await selectTypes(em, now).where('a.id', '=', id).executeTakeFirstOrThrow());
}

/** Lock a type until the transaction ends. Unknown id: 404. */
async function lockType(tx: Em, id: number) {
  const row = await db(tx)
    .selectFrom('aircraft')
    .select(['code', 'name', 'seats', 'roles'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('AIRCRAFT_TYPE_NOT_FOUND');
  return row;
}

/** 409 if another type has the code or the name in upper or lower case. */
async function requireUnique(tx: Em, { code, name }: { code: string; name: string }, exceptId: number): Promise<void> {
  const others = await db(tx).selectFrom('aircraft').select(['code', 'name']).where('id', '<>', exceptId).execute();
  const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  const byCode = others.find((other) => isSame(other.code, code));
  if (byCode) throw new AppError('AIRCRAFT_EXISTS', copy.aircraftCodeTaken(byCode.name), { field: 'code' });
  const byName = others.find((other) => isSame(other.name, name));
  if (byName) throw new AppError('AIRCRAFT_EXISTS', copy.aircraftNameTaken(byName.code), { field: 'name' });
}

/** A type in events. */
const factsOf = (id: number, name: string) => ({ id: String(id), name });

/** @returns the id of the new type */
async function createInside(tx: Em, viewer: Viewer, { code, name, seats, roles }: CreateAircraftInput) {
  // one at a time, for the next id and the unique names
  await takeLock(tx, 'aircraft');
  const own = db(tx).selectFrom('aircraft').where('id', '>=', AIRCRAFT.firstOwnId);
  await requireRoom('aircraft', own);
  await requireUnique(tx, { code, name }, 0);
  const { last } = await own.select(({ fn }) => fn.max('id').as('last')).executeTakeFirstOrThrow();
  const id = last === null ? AIRCRAFT.firstOwnId : last + 1;
  await db(tx).insertInto('aircraft').values({ id, code, name, seats, roles, active: true }).execute();
  emit(tx, { type: 'aircraft.added', by: viewer, aircraft: factsOf(id, name) });
  return id;
}

/** Add a type of the community's own. 409 for a code or name that exists, or for too many types. */
export async function createAircraft(
  em: Em,
  viewer: Viewer,
  input: CreateAircraftInput,
  caller: KeyedCaller,
): Promise<AircraftTypeDto> {
  const id = await transact(em, (tx) => onceFor(tx, caller, 'aircraft', input, () => createInside(tx, viewer, input)));
  return read(em, id, caller.now);
}

/** 409 for a type of the catalogue, which releases update. */
function requireOwn(id: number): void {
  if (id < AIRCRAFT.firstOwnId) throw new AppError('AIRCRAFT_FROM_CATALOGUE');
}

/** Change one of the community's own types. Unknown id: 404; 409 for a code or name that is taken. */
export async function updateAircraft(
  em: Em,
  viewer: Viewer,
  input: UpdateAircraftInput,
  now: Date,
): Promise<AircraftTypeDto> {
  const { id, code, name, seats, roles } = input;
  await transact(em, async (tx) => {
    await takeLock(tx, 'aircraft');
    const before = await lockType(tx, id);
    requireOwn(id);
    await requireUnique(tx, { code, name }, id);
    const roleWords = `roles: ${roles.join(', ')}`;
    const changes = [
      ...(before.name === name ? [] : [`name changed from ${before.name} to ${name}`]),
      ...(before.code === code ? [] : [`code changed from ${before.code} to ${code}`]),
      ...(before.seats === seats ? [] : [`seats changed from ${before.seats} to ${seats}`]),
      ...(roleWords === `roles: ${before.roles.join(', ')}` ? [] : [roleWords]),
    ];
    if (changes.length === 0) return;
    await db(tx).updateTable('aircraft').set({ code, name, seats, roles }).where('id', '=', id).execute();
    emit(tx, { type: 'aircraft.changed', by: viewer, aircraft: factsOf(id, name), changes: changes.join('; ') });
  });
  return read(em, id, now);
}

/**
 * Switch types on or off. Missions, lists and times that have a type keep it when it is switched off. Unknown id: 404, and
 * nothing changes.
 * @returns all types, by name
 */
export async function offerAircraft(
  em: Em,
  viewer: Viewer,
  { ids, active }: OfferAircraftInput,
  now: Date,
): Promise<AircraftTypeDto[]> {
  await transact(em, async (tx) => {
    await takeLock(tx, 'aircraft');
    const wanted = [...new Set(ids)];
    const known = await db(tx)
      .selectFrom('aircraft')
      .select(['id', 'name', 'active'])
      .where(isOneOf('id', wanted))
      .orderBy('name')
      .execute();
    if (known.length < wanted.length) throw new AppError('AIRCRAFT_TYPE_NOT_FOUND');
    const switched = known.filter((type) => type.active !== active);
    if (switched.length === 0) return;
    const switchedIds = switched.map(({ id }) => id);
    await db(tx).updateTable('aircraft').set({ active }).where(isOneOf('id', switchedIds)).execute();
    const type = active ? 'aircraft.switched_on' : 'aircraft.switched_off';
    for (const { id, name } of switched) emit(tx, { type, by: viewer, aircraft: factsOf(id, name) });
  });
  return listAircraftTypes(em, now);
}

/**
 * Delete a type of the community's own that nothing refers to. 409 for one of the catalogue's, and for one that a
 * mission, a pilot's list or somebody's times have: that one can only be switched off. Unknown id: 404.
 */
export async function deleteAircraft(em: Em, viewer: Viewer, id: number): Promise<void> {
  try {
    await transact(em, async (tx) => {
      const { name } = await lockType(tx, id);
      requireOwn(id);
      await db(tx).deleteFrom('aircraft').where('id', '=', id).execute();
      emit(tx, { type: 'aircraft.deleted', by: viewer, aircraft: factsOf(id, name) });
    });
  } catch (error) {
    if (isStillReferenced(error)) throw new AppError('AIRCRAFT_IN_USE');
    throw error;
  }
}
