import type { MissionOrderDto } from '#shared/schemas/mission-work.ts';
import type { FlightDto, MissionDto } from '#shared/schemas/missions.ts';
import { seatKey } from './order-groups.ts';

type PackageDto = MissionDto['packages'][number];

/**
 * The packages in their order, with the flights that have what was typed in their call sign, aircraft, role or pilots;
 * `open` finds those with an open seat. Packages in which nothing is found are left out.
 * @param wanted '' finds everything
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
