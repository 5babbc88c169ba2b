/** One mission in full, with its requested aircraft slots. */
import type { z } from 'zod';
import { versionOf } from '#server/schema/base.ts';
import { Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { AppError } from '#server/platform/errors.ts';
import type { missionInput, MissionDetailDto } from '#shared/schemas/mission-admin.ts';
import { presentMission } from './mission-view.ts';

/** @param tz of the wall times; by default the mission's own. Unknown id: 404. */
export async function getMission(
  em: Em,
  { id, tz }: z.infer<typeof missionInput>,
  now: Date,
): Promise<MissionDetailDto> {
  const mission = await em.findOne(
    Mission,
    { id },
    { populate: ['createdBy', 'packages.flights.aircraft', 'aircraftSlots'], refresh: true },
  );
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  return {
    ...(await presentMission(em, mission, tz ?? mission.timeZone, now)),
    ownTimeZone: mission.timeZone,
    guildIds: mission.guildIds ?? null,
    secretSides: mission.secretSides ?? null,
    version: versionOf(mission.updatedAt),
    aircraftSlots: mission.aircraftSlots.getItems().map((slot) => ({
      aircraftId: slot.aircraft.id,
      slotCount: slot.slotCount,
      side: slot.side,
      notes: slot.role,
      additionalNotes: slot.additionalNotes ?? null,
    })),
  };
}
