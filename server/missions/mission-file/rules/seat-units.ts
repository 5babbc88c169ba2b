/** The units of a mission file that seats are: the seats of a group's flights are its units in order. */
import { CALLSIGN_MAX_LENGTH } from '#shared/limits.ts';
import type { FileGroup } from '#shared/schemas/mission-file.ts';

export interface FileSlot {
  readonly fileGroupId?: number | undefined;
  readonly fileStation?: number | undefined;
}
export interface SlotFlight {
  readonly id: string;
  /** index of the slot that it was planned from */
  readonly slotIndex: number;
  readonly sizeCap: number;
}
export interface SeatUnit {
  readonly flightId: string;
  readonly seatIndex: number;
  readonly groupId: number;
  readonly unitId: number;
  readonly station: number;
}

/** @param flights in their order within each slot */
export function assignUnits(
  slots: readonly FileSlot[],
  flights: readonly SlotFlight[],
  groups: readonly FileGroup[],
): SeatUnit[] {
  return slots.flatMap(({ fileGroupId, fileStation = 1 }, slotIndex) => {
    const units = groups.find(({ groupId }) => groupId === fileGroupId)?.units ?? [];
    const seats = flights
      .filter((flight) => flight.slotIndex === slotIndex)
      .flatMap(({ id, sizeCap }) => Array.from({ length: sizeCap }, (_, seatIndex) => ({ flightId: id, seatIndex })));
    return seats.flatMap((seat, index) => {
      const unit = units[index];
      if (fileGroupId === undefined || unit === undefined) return [];
      return [{ ...seat, groupId: fileGroupId, unitId: unit.unitId, station: fileStation }];
    });
  });
}

/** What the flight of a slot should have: the callsign and frequency of its group. Second crew stations have none of their own. */
export function wishOf(
  { fileGroupId, fileStation = 1 }: FileSlot,
  groups: readonly FileGroup[],
): { callsign: string | null; radioFreq: string | null } | undefined {
  const group = groups.find(({ groupId }) => groupId === fileGroupId);
  if (group === undefined || fileStation > 1) return undefined;
  const { callsign, frequency } = group;
  const fits = callsign !== null && callsign.length <= CALLSIGN_MAX_LENGTH;
  return { callsign: fits ? callsign : null, radioFreq: frequency?.endsWith(' AM') ? frequency : null };
}
