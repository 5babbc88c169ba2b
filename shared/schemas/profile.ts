/** Schemas of the profile beside the account: aircraft flown, sessions, notification choices. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { PROFICIENCY_LEVELS, SESSION_KINDS } from '#shared/vocabulary.ts';
import { flagInput, idInput, isoInstant, wholeNumber } from './common.ts';

export const proficiency = z.object({
  aircraftId: z.number(),
  aircraftCode: z.string(),
  aircraftName: z.string(),
  level: z.enum(PROFICIENCY_LEVELS),
  /** it stands until an admin changes it */
  setByAdmin: z.boolean(),
  updatedAt: isoInstant,
});
export type ProficiencyDto = z.infer<typeof proficiency>;

/** A pilot and one aircraft; both stand in the path. */
const pairInput = z.object({ id: idInput, aircraftId: wholeNumber(1, 32_767, copy.unknownAircraft) });

export const proficienciesInput = z.object({ id: idInput });
export const setProficiencyInput = pairInput.extend({
  level: z.enum(PROFICIENCY_LEVELS, { error: copy.levelFromList }),
});
export const removeProficiencyInput = pairInput;

export const session = z.object({
  /** a handle to end it by; nobody can sign in with it */
  id: z.string(),
  /** `Firefox on Windows` */
  device: z.string(),
  isCurrent: z.boolean(),
  createdAt: isoInstant,
  expiresAt: isoInstant,
  kind: z.enum(SESSION_KINDS),
});
export type SessionDto = z.infer<typeof session>;
export const sessionInput = z.object({
  id: z.string({ error: copy.invalidId }).regex(/^[0-9a-f]{16}$/, copy.invalidId),
});

export const notificationChoices = z.object({
  /** new frag orders */
  notifyOrders: z.boolean(),
  /** seats and missions that change */
  notifyChanges: z.boolean(),
  /** open missions and community news */
  wantsGlobalEvents: z.boolean(),
});
export type NotificationChoicesDto = z.infer<typeof notificationChoices>;
export const notificationsInput = z.object({ id: idInput });
export const setNotificationsInput = z.object({
  id: idInput,
  notifyOrders: flagInput,
  notifyChanges: flagInput,
  wantsGlobalEvents: flagInput,
});
