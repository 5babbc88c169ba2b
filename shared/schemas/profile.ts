/** Schemas of profile settings: aircraft and proficiency, sessions, notification choices. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { PROFICIENCY_LEVELS, SESSION_KINDS } from '#shared/vocabulary.ts';
import { flagInput, idInput, isoInstant, wholeNumber } from './common.ts';

export const proficiency = z
  .object({
    aircraftId: z.number(),
    aircraftCode: z.string(),
    aircraftName: z.string(),
    level: z.enum(PROFICIENCY_LEVELS),
    /** True when an admin set the level; the pilot cannot change it then. */
    setByAdmin: z.boolean(),
    updatedAt: isoInstant,
  })
  .meta({ id: 'Proficiency' });
export type ProficiencyDto = z.infer<typeof proficiency>;

/** A pilot and one aircraft, both from the path. */
const pairInput = z.object({ id: idInput, aircraftId: wholeNumber(1, 32_767, copy.unknownAircraft) });

export const proficienciesInput = z.object({ id: idInput });
export const setProficiencyInput = pairInput.extend({
  level: z.enum(PROFICIENCY_LEVELS, { error: copy.levelFromList }),
});
export const removeProficiencyInput = pairInput;

export const session = z
  .object({
    /** Handle for ending the session; cannot be used to sign in. */
    id: z.string(),
    /** Browser and system, such as `Firefox on Windows`. */
    device: z.string(),
    isCurrent: z.boolean(),
    createdAt: isoInstant,
    expiresAt: isoInstant,
    kind: z.enum(SESSION_KINDS),
  })
  .meta({ id: 'Session' });
export type SessionDto = z.infer<typeof session>;
export const sessionInput = z.object({
  id: z.string({ error: copy.invalidId }).regex(/^[0-9a-f]{16}$/, copy.invalidId),
});

export const notificationChoices = z
  .object({
    /** True to notify of new frag orders. */
    notifyOrders: z.boolean(),
    /** True to notify of changes to the pilot's seats and missions. */
    notifyChanges: z.boolean(),
    /** True to notify of open missions and community news. */
    wantsGlobalEvents: z.boolean(),
  })
  .meta({ id: 'NotificationChoices' });
export type NotificationChoicesDto = z.infer<typeof notificationChoices>;
export const notificationsInput = z.object({ id: idInput });
export const setNotificationsInput = z.object({
  id: idInput,
  notifyOrders: flagInput,
  notifyChanges: flagInput,
  wantsGlobalEvents: flagInput,
});
