/** Form values from a mission template. */
import { localTime } from '#client/lib/time.ts';
import { addDays, instantOfWallTime } from '#client/lib/wall-time.ts';
import { localDate } from '#shared/clock.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { MissionTemplateDto } from '#shared/schemas/mission-templates.ts';
import { nextKey, type MissionDraft } from './mission-draft.ts';

const MINUTE_MS = 60_000;

/**
 * The template's mission at its usual hours, kept in the template's own zone: on `date`, or else on the first date on which
 * it has not started.
 * @param timeZone the form's zone
 */
export function draftOfTemplate(
  template: MissionTemplateDto,
  date: string | undefined,
  timeZone: string,
  now: Date,
): MissionDraft {
  const zone = template.timeZone;
  const today = localDate(now, zone);
  const startOn = (day: string): Date | undefined => instantOfWallTime(day, template.startLocal, zone);
  const isOver = (startOn(today)?.getTime() ?? 0) <= now.getTime();
  const start = startOn(date ?? (isOver ? addDays(today, 1) : today)) ?? now;
  const toLocal = (at: Date): string => `${localDate(at, timeZone)}T${localTime(at, timeZone)}`;
  return {
    ...eachField(MISSION_TEXT_KEYS, (key) => template[key] ?? ''),
    name: template.missionName,
    theater: template.theater,
    startLocal: toLocal(start),
    endLocal: toLocal(new Date(start.getTime() + template.minutes * MINUTE_MS)),
    links: template.links,
    guildIds: template.guildIds,
    secretSides: template.secretSides,
    templateId: template.isStarter ? null : template.id,
    missionFile: null,
    aircraftSlots: template.aircraftSlots.map(({ aircraftId, slotCount, side, notes, additionalNotes }) => ({
      key: nextKey(),
      aircraftId: String(aircraftId),
      slotCount: String(slotCount),
      role: notes,
      side,
      additionalNotes: additionalNotes ?? '',
    })),
  };
}
