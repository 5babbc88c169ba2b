/** Replies about a pilot's availability: the coming week, and the buttons that add times to it or remove them again. */
import type { z } from 'zod';
import { getWindow } from '#server/availability/availability.ts';
import { addOverride, listOverrides, removeOverride } from '#server/availability/overrides.ts';
import { availabilityMessage, type TimesChange } from '#server/discord/rules/availability-text.ts';
import { quickTimes, unpackIds } from '#server/discord/rules/quick-times.ts';
import { listAircraft } from '#server/accounts/pilots/aircraft.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { Em } from '#server/schema/orm.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { ANY_AIRCRAFT_ID, WINDOW_DAYS } from '#shared/limits.ts';
import type { Actor, addTimesInput, DiscordMessage, undoTimesInput } from '#shared/schemas/bot.ts';
import { asNewcomer } from './actor.ts';

/** The notes of what a button adds. Only that can be undone: a pilot's own entry for the same time stays. */
const NOTES = 'Added in Discord';

async function present(
  em: Em,
  viewer: Viewer,
  change: TimesChange | null,
  { locale }: Actor,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  const window = await getWindow(em, viewer, { id: viewer.id, days: WINDOW_DAYS.initial }, now);
  const names = (await listAircraft(em, false)).map(({ id, name }) => [id, name] as const);
  return availabilityMessage(window, new Map(names), publicUrl, change, textsFor(locale));
}

/** The pilot's availability for the next week, in the pilot's zone. */
export async function showAvailability(em: Em, actor: Actor, publicUrl: string, now: Date): Promise<DiscordMessage> {
  return asNewcomer(em, actor, (viewer) => present(em, viewer, null, actor, publicUrl, now));
}

/**
 * Add times as dated exceptions for any aircraft, in the pilot's zone; ones that exist stay as they are.
 * @throws 409 for too many exceptions
 */
export async function addTimes(
  em: Em,
  { actor, times: which }: z.infer<typeof addTimesInput>,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asNewcomer(em, actor, async (viewer) => {
    const { id } = viewer;
    const times = quickTimes(which, now.getTime(), viewer.timeZone);
    const undoIds: string[] = [];
    const own = await listOverrides(em, id, now);
    for (const time of times) {
      const known = own.find(
        (one) =>
          one.kind === 'available' &&
          one.aircraftCodeId === ANY_AIRCRAFT_ID &&
          one.dateLocal === time.dateLocal &&
          one.startLocal <= time.startLocal &&
          one.endLocal === time.endLocal,
      );
      const input = { id, ...time, kind: 'available', aircraftCodeId: ANY_AIRCRAFT_ID, notes: NOTES } as const;
      const added = known ? [known] : await addOverride(em, input, now);
      undoIds.push(...added.filter(({ notes }) => notes === NOTES).map((one) => one.id));
    }
    return present(em.fork(), viewer, { kind: 'added', times, undoIds }, actor, publicUrl, now);
  });
}

/** Remove what a button added; nothing of another pilot's. */
export async function undoTimes(
  em: Em,
  { actor, packed }: z.infer<typeof undoTimesInput>,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asNewcomer(em, actor, async (viewer) => {
    for (const overrideId of unpackIds(packed)) await removeOverride(em, { id: viewer.id, overrideId });
    return present(em.fork(), viewer, { kind: 'removed', times: [], undoIds: [] }, actor, publicUrl, now);
  });
}
