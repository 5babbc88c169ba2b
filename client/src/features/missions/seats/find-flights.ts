import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { FlightDto, MissionDto } from '#shared/schemas/missions.ts';
import { seatKey } from './order-groups.ts';

type PackageDto = MissionDto['packages'][number];

/**
 * Packages in order, with the flights whose callsign, aircraft, role or pilots match the search; `open` matches flights with
 * an open seat. Packages without a match are left out.
 * @param wanted '' matches everything
 */
export function findFlights(
  packages: readonly PackageDto[],
  wanted: string,
  holders: ReadonlyMap<string, MissionOrderDto> | undefined,
): PackageDto[] {
  const sorted = packages.toSorted((a, b) => a.sortOrder - b.sortOrder);
  if (wanted === '') {
    return sorted;
  }
  const text = wanted.toLowerCase();
  return sorted
    .map((pack) => ({ ...pack, flights: pack.flights.filter((flight) => isFound(flight, text, holders)) }))
    .filter(({ flights }) => flights.length > 0);
}

function isFound(flight: FlightDto, text: string, holders: ReadonlyMap<string, MissionOrderDto> | undefined): boolean {
  const pilots = Array.from(
    { length: flight.sizeCap },
    (_seat, seatIndex) => holders?.get(seatKey(flight.id, seatIndex))?.userDisplayName,
  );
  const words = [
    flight.callsign,
    flight.aircraftName,
    flight.role,
    ...pilots,
    ...flight.assignments.map(({ userDisplayName }) => userDisplayName),
    ...(flight.openSlots > 0 ? ['open'] : []),
  ];
  return words.some((word) => word?.toLowerCase().includes(text) === true);
}
