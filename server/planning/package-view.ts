/** Packages as a reader sees them: the flights, and for those who may read the plan, radio frequencies and pilots. */
import { sql } from 'kysely';
import { isOneOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { publicName } from '#server/schema/predicates.ts';
import { NAMELESS } from '#shared/labels.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import type { PlanView } from '#shared/secret-sides.ts';
import type { SideView } from './rules/side-rule.ts';

export type PackageDto = AcceptedMissionDto['package'];

const listFlights = named('packages', (source, { ids }: { ids: readonly string[] }) =>
  source
    .selectFrom('package as p')
    .innerJoin('flight as f', 'f.package_id', 'p.id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ fn, selectFrom }) => [
      'p.id as packageId',
      'p.callsign as packageCallsign',
      'p.objective',
      'f.callsign',
      'a.name as aircraftName',
      'f.size_cap as seats',
      'f.radio_freq as radioFreq',
      // call signs of accepted pilots by seat index, as a JSON object
      fn
        .coalesce(
          selectFrom('seat as s')
            .innerJoin('frag_order as held', 'held.id', 's.order_id')
            .innerJoin('app_user as u', 'u.id', 's.pilot_id')
            .select(
              sql<Record<string, string>>`json_object_agg(s.seat_index, ${publicName('u', NAMELESS)})`.as('pilots'),
            )
            .whereRef('s.flight_id', '=', 'f.id')
            .where('held.status', '=', 'issued')
            .where('held.rsvp', '=', 'accepted'),
          sql<Record<string, string>>`'{}'`,
        )
        .as('pilots'),
    ])
    .where(isOneOf('p.id', ids))
    .orderBy('f.sort_order')
    .orderBy('f.id'),
);

/**
 * Load packages by id, in one statement.
 * @returns a lookup by id and by what the reader sees of its side: the flights in mission order, null for a seat without an
 * accepted pilot; an unknown id has no flights
 */
export async function loadPackages(
  em: Em,
  ids: readonly string[],
): Promise<(id: string, view: SideView) => PackageDto> {
  const flights = await listFlights(em, { ids });
  const packages = new Map<string, PackageDto>();
  for (const { packageId, packageCallsign, objective, pilots, ...flight } of flights) {
    const shown = packages.get(packageId) ?? { callsign: packageCallsign, objective, composition: [] };
    packages.set(packageId, shown);
    shown.composition.push({
      ...flight,
      pilots: Array.from({ length: flight.seats }, (_, seat) => pilots[seat] ?? null),
    });
  }
  return (id, view) => {
    const found = packages.get(id);
    return found && view !== 'hidden' ? show(found, view) : { callsign: '', objective: '', composition: [] };
  };
}

/** Only the plan has frequencies; `counts` has no crews either. */
function show({ composition, ...shown }: PackageDto, view: PlanView): PackageDto {
  if (view === 'plan') return { ...shown, composition };
  return {
    ...shown,
    composition: composition.map((flight) => ({
      ...flight,
      radioFreq: null,
      pilots: view === 'roster' ? flight.pilots : flight.pilots.map(() => null),
    })),
  };
}
