/** The aircraft list: reading it, and syncing the table with the catalogue. */
import { Aircraft } from '#server/schema/aircraft.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { AIRCRAFT_CATALOGUE } from '#server/pilots/rules/aircraft-catalogue.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';

/** Aircraft by name. */
export async function listAircraft(em: Em, activeOnly: boolean): Promise<AircraftDto[]> {
  const rows = await em.find(Aircraft, activeOnly ? { active: true } : {}, { orderBy: { name: 'asc' } });
  return rows.map(({ id, code, name, seats, roles, active }) => ({ id, code, name, seats, roles, active }));
}

/**
 * Aircraft by id; 400 for an unknown one.
 * @param fieldOf the path of the input that names an id
 */
export async function findAircraft(
  em: Em,
  ids: Iterable<number>,
  fieldOf: (id: number) => string = () => 'aircraftId',
): Promise<Map<number, Aircraft>> {
  const wanted = new Set(ids);
  if (wanted.size === 0) return new Map();
  const rows = await em.find(Aircraft, { id: { $in: [...wanted] } });
  const found = new Map(rows.map((row) => [row.id, row]));
  const unknown = [...wanted].find((id) => !found.has(id));
  if (unknown !== undefined)
    throw new AppError('AIRCRAFT_NOT_FOUND', copy.unknownAircraft, { field: fieldOf(unknown) });
  return found;
}

/** Update the table from the catalogue, at every startup; `active` is an admin's choice and is kept. */
export async function syncAircraft(em: Em): Promise<void> {
  for (const { id, code, name, seats, roles } of AIRCRAFT_CATALOGUE) {
    const listed = { code, name, seats, roles: [...roles] };
    await db(em)
      .insertInto('aircraft')
      .values({ id, ...listed, active: true })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(listed))
      .execute();
  }
}
