/** The aircraft list: reading it, and syncing the table with the catalogue. */
import { Aircraft } from '#server/schema/aircraft.ts';
import { countRows, db } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { AppError } from '#server/platform/errors.ts';
import { shareRead } from '#server/schema/shared-read.ts';
import { copy } from '#shared/copy.ts';
import { AIRCRAFT } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';

const countAll = named('aircraft_pilots', (source) =>
  source
    .selectFrom('proficiency as r')
    .innerJoin('app_user as u', 'u.id', 'r.user_id')
    .select(['r.aircraft_id as id', countRows().as('pilots')])
    .where(isActivePilot('u'))
    .groupBy('r.aircraft_id'),
);

/** Every page that opens asks for it, and with 100,000 pilots it takes a tenth of a second of the database. */
const countPilots = shareRead(async (em) => new Map((await countAll(em, {})).map(({ id, pilots }) => [id, pilots])));

const listAll = named('aircraft', (source) =>
  source.selectFrom('aircraft').select(['id', 'code', 'name', 'seats', 'roles', 'active']).orderBy('name'),
);

/** Aircraft by name, each with the number of active pilots who list it. */
export async function listAircraft(em: Em, activeOnly: boolean): Promise<AircraftDto[]> {
  const rows = await listAll(em, {});
  const pilotsOf = await countPilots(em);
  return rows
    .filter(({ active }) => active || !activeOnly)
    .map((aircraft) => ({ ...aircraft, pilots: pilotsOf.get(aircraft.id) ?? 0 }));
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
  if (unknown !== undefined) throw new AppError('AIRCRAFT_NOT_FOUND', { field: fieldOf(unknown) });
  return found;
}

/** 400 for aircraft that are switched off. @param fieldOf the path of the input that names an id */
export function requireOffered(aircraft: Iterable<Aircraft>, fieldOf: (id: number) => string): void {
  for (const { id, name, active } of aircraft) {
    if (!active) throw new AppError('AIRCRAFT_SWITCHED_OFF', copy.aircraftSwitchedOff(name), { field: fieldOf(id) });
  }
}

/**
 * Update the table from the catalogue, at every startup. `active` is an admin's choice and is kept. A type that the
 * community added itself before the catalogue had it keeps its code and name: the catalogue's one is left out.
 */
export async function syncAircraft(em: Em, catalogue = AIRCRAFT_CATALOGUE): Promise<void> {
  const own = await em.find(Aircraft, { id: { $gte: AIRCRAFT.firstOwnId } });
  const taken = new Set(own.flatMap(({ code, name }) => [code.toLowerCase(), name.toLowerCase()]));
  for (const { id, code, name, seats, roles } of catalogue) {
    if (taken.has(code.toLowerCase()) || taken.has(name.toLowerCase())) continue;
    const listed = { code, name, seats, roles: [...roles] };
    await db(em)
      .insertInto('aircraft')
      .values({ id, ...listed, active: true })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(listed))
      .execute();
  }
}
