/** Packages as their pilots see them: every flight, its radio, and who has accepted a seat in it. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';

/** Call signs are all that pilots see of each other; who has none is a pilot still. */
export const NAMELESS = 'Pilot';

export type PackageDto = AcceptedMissionDto['package'];

type FlightRow = {
  package_id: string;
  package_callsign: string;
  objective: string;
  callsign: string;
  aircraft_name: string;
  radio_freq: string | null;
  seats: number;
  /** call signs of accepted pilots by seat index, as a JSON object */
  pilots: Record<string, string>;
};

/**
 * Packages by id, in one statement.
 * @returns looks one up: its flights in the order of the mission, a seat without an accepted pilot null; an id that is
 *          none of these has no flights
 */
export async function loadPackages(em: Em, ids: readonly string[]): Promise<(id: string) => PackageDto> {
  const flights = await query<FlightRow>(
    em,
    sql`select p.id as package_id, p.callsign as package_callsign, p.objective, f.callsign, a.name as aircraft_name,
               f.radio_freq, f.size_cap as seats,
               coalesce((
                 select json_object_agg(s.seat_index, coalesce(u.display_name, ${NAMELESS}::text))
                 from seat s join frag_order held on held.id = s.order_id join app_user u on u.id = s.pilot_id
                 where s.flight_id = f.id and held.status = 'issued' and held.rsvp = 'accepted'), '{}') as pilots
        from package p join flight f on f.package_id = p.id join aircraft a on a.id = f.aircraft_id
        where p.id = any(${ids}::uuid[]) order by f.sort_order, f.id`,
  );
  const packages = new Map<string, PackageDto>();
  for (const { package_id, package_callsign, objective, ...flight } of flights) {
    const shown = packages.get(package_id) ?? { callsign: package_callsign, objective, composition: [] };
    packages.set(package_id, shown);
    shown.composition.push({
      callsign: flight.callsign,
      aircraftName: flight.aircraft_name,
      seats: flight.seats,
      radioFreq: flight.radio_freq,
      pilots: Array.from({ length: flight.seats }, (_, seat) => flight.pilots[seat] ?? null),
    });
  }
  return (id) => packages.get(id) ?? { callsign: '', objective: '', composition: [] };
}
