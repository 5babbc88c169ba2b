/** Form values for copying a mission to a later week. */
import { localTime } from '#client/lib/time.ts';
import { addDays, instantOfWallTime } from '#client/lib/wall-time.ts';
import { localDate } from '#shared/clock.ts';
import { eachField, MISSION_FIELD_KEYS } from '#shared/mission-fields.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { MissionDetailDto } from '#shared/schemas/mission-admin.ts';
import { nextKey, type MissionDraft } from './mission-draft.ts';

const WEEK_DAYS = 7;

export interface MissionAgain {
  draft: MissionDraft;
  /** number of entries left out because their aircraft is no longer available */
  leftOut: number;
}

/**
 * Copies a mission to the same weekday and hours in the first later week that is in the future. The hours are kept in the
 * mission's own zone, so a clock change in the reader's zone does not move it.
 * @param timeZone the form's zone
 */
export function missionAgain(
  mission: MissionDetailDto,
  aircraft: readonly AircraftDto[],
  timeZone: string,
  now: Date,
): MissionAgain {
  const zone = mission.ownTimeZone;
  const moved = (instant: string, weeks: number): Date | undefined =>
    instantOfWallTime(addDays(localDate(instant, zone), weeks * WEEK_DAYS), localTime(instant, zone), zone);
  let weeks = 1;
  while ((moved(mission.startUtc, weeks)?.getTime() ?? Infinity) <= now.getTime()) {
    weeks += 1;
  }
  const toLocal = (instant: string): string => {
    const at = moved(instant, weeks);
    return at === undefined ? '' : `${localDate(at, timeZone)}T${localTime(at, timeZone)}`;
  };
  const offered = new Set(aircraft.map(({ id }) => id));
  const slots = mission.aircraftSlots.filter(({ aircraftId }) => offered.has(aircraftId));
  return {
    draft: {
      ...eachField(MISSION_FIELD_KEYS, (key) => mission[key] ?? ''),
      startLocal: toLocal(mission.startUtc),
      endLocal: toLocal(mission.endUtc),
      links: mission.links,
      guildIds: mission.guildIds,
      secretSides: mission.secretSides,
      templateId: null,
      missionFile: null,
      aircraftSlots: slots.map(({ aircraftId, slotCount, side, notes, additionalNotes }) => ({
        key: nextKey(),
        aircraftId: String(aircraftId),
        slotCount: String(slotCount),
        role: notes,
        side,
        additionalNotes: additionalNotes ?? '',
      })),
    },
    leftOut: mission.aircraftSlots.length - slots.length,
  };
}
