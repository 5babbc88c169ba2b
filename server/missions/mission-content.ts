/** Mission content: what a template or a series takes from a mission, and the request that makes a mission from it. */
import { Aircraft } from '#server/schema/aircraft.ts';
import { Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { MissionTemplate } from '#server/schema/series.ts';
import { AppError } from '#server/platform/errors.ts';
import type { PlanDetails } from '#server/planning/rules/plan-details.ts';
import { localTime, MINUTE_MS } from '#server/time/time.ts';
import type { ContentSlot, MissionContent } from '#shared/mission-content.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';

/** The content of a mission as it is now. Unknown id: 404. */
export async function readContent(em: Em, missionId: string): Promise<MissionContent> {
  const mission = await em.findOne(
    Mission,
    { id: missionId },
    { populate: ['packages.flights.aircraft', 'aircraftSlots.aircraft'], refresh: true },
  );
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const packages = mission.packages.getItems();
  const startMs = mission.startsAt.getTime();
  return {
    ...eachField(MISSION_TEXT_KEYS, (key) => mission[key] ?? null),
    name: mission.name,
    theater: mission.theater,
    startLocal: localTime(startMs, mission.timeZone),
    minutes: Math.round((mission.endsAt.getTime() - startMs) / MINUTE_MS),
    timeZone: mission.timeZone,
    links: mission.links ?? [],
    guildIds: mission.guildIds ?? null,
    secretSides: mission.secretSides ?? null,
    slots: mission.aircraftSlots.getItems().map((slot) => ({
      aircraftId: slot.aircraft.id,
      aircraftName: slot.aircraft.name,
      slotCount: slot.slotCount,
      role: slot.role,
      side: slot.side,
      additionalNotes: slot.additionalNotes ?? null,
    })),
    flights: packages
      .flatMap(({ flights }) => flights.getItems())
      .toSorted((a, b) => a.slotIndex - b.slotIndex)
      .map((flight) => ({
        aircraftId: flight.aircraft.id,
        role: flight.role,
        side: flight.side,
        callsign: flight.callsign,
        radioFreq: flight.radioFreq ?? null,
        launchMinutes: flight.launchMinutes ?? null,
        totMinutes: flight.totMinutes ?? null,
      })),
    packages: packages.flatMap((one) => {
      const [first] = one.flights.getItems();
      const own = { callsign: one.callsign, objective: one.ownObjective ?? null };
      return first ? [{ role: first.role, side: one.side, ...own }] : [];
    }),
  };
}

/** The slots whose aircraft are offered, and the names of the others. */
export async function splitOffered(
  em: Em,
  { slots }: MissionContent,
): Promise<{ offered: ContentSlot[]; missingAircraft: string[] }> {
  const types = await em.find(Aircraft, { id: { $in: slots.map(({ aircraftId }) => aircraftId) }, active: true });
  const ids = new Set(types.map(({ id }) => id));
  const missing = slots.filter(({ aircraftId }) => !ids.has(aircraftId));
  return {
    offered: slots.filter(({ aircraftId }) => ids.has(aircraftId)),
    missingAircraft: [...new Set(missing.map(({ aircraftName }) => aircraftName))],
  };
}

/** What a template says about flights and packages. Unknown id: 404. */
export async function readPlanDetails(em: Em, templateId: string): Promise<PlanDetails> {
  const template = await em.findOne(MissionTemplate, { id: templateId });
  if (!template) throw new AppError('MISSION_TEMPLATE_NOT_FOUND', { field: 'templateId' });
  return template.content;
}
