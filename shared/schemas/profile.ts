/** Schemas of profile settings: aircraft and proficiency, sessions, notification choices. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { reminderCopy, REMINDERS } from '#shared/reminders.ts';
import { PROFICIENCY_LEVELS, SESSION_KINDS } from '#shared/vocabulary.ts';
import { aircraftId, flagInput, idInput, isoInstant, wholeNumber } from './common.ts';

export const proficiency = z
  .object({
    aircraftId,
    aircraftCode: z.string().meta({ description: 'Short name of the aircraft.', examples: ['F-16C'] }),
    aircraftName: z.string().meta({ description: 'Name of the aircraft.', examples: ['F-16C Viper'] }),
    level: z.enum(PROFICIENCY_LEVELS).meta({ description: "The pilot's level." }),
    setByAdmin: z.boolean().meta({ description: 'True when an admin set the level; the pilot cannot change it then.' }),
    updatedAt: isoInstant.meta({ description: 'Time of the last change.' }),
  })
  .meta({ id: 'Proficiency', description: 'An aircraft that a pilot flies, and how well.' });
export type ProficiencyDto = z.infer<typeof proficiency>;

const pilotId = idInput.meta({ description: 'Id of the pilot.' });
/** A pilot and one aircraft, both from the path. */
const pairInput = z.object({
  id: pilotId,
  aircraftId: wholeNumber(1, 32_767, copy.unknownAircraft).meta({ description: 'Id of the aircraft.', examples: [2] }),
});

export const proficienciesInput = z.object({ id: pilotId });
export const setProficiencyInput = pairInput.extend({
  level: z.enum(PROFICIENCY_LEVELS, { error: copy.levelFromList }).meta({ description: "The pilot's level." }),
});
export const removeProficiencyInput = pairInput;

export const session = z
  .object({
    id: z.string().meta({
      description: 'Handle for ending the session; cannot be used to sign in.',
      pattern: '^[0-9a-f]{16}$',
      examples: ['5f0e8a4b6c017a11'],
    }),
    device: z.string().meta({ description: 'Browser and system.', examples: ['Firefox on Windows'] }),
    isCurrent: z.boolean().meta({ description: 'True for the session of the request.' }),
    createdAt: isoInstant.meta({ description: 'Time of the sign-in.' }),
    expiresAt: isoInstant.meta({ description: 'Time at which it ends unless it is used before.' }),
    kind: z.enum(SESSION_KINDS).meta({ description: 'A browser uses a cookie, a script a bearer token.' }),
  })
  .meta({ id: 'Session', description: 'A sign-in that has not ended.' });
export type SessionDto = z.infer<typeof session>;
export const sessionInput = z.object({
  id: z
    .string({ error: copy.invalidId })
    .regex(/^[0-9a-f]{16}$/, copy.invalidId)
    .meta({
      description: '`id` from the list of sessions.',
      examples: ['5f0e8a4b6c017a11'],
    }),
});

const notifyOrders = 'True to notify of new frag orders and of seats from standby.';
const notifyChanges = "True to notify of changes to the pilot's seats and missions.";
const wantsGlobalEvents = 'True to notify of open missions and community news.';

const emailOrders = 'Email about new frag orders and seats from standby, where the server sends email.';
const emailChanges = 'Email about changes to held seats.';
const emailRequests = "Email about visitors' requests for a slot, to admins.";
const emailDigest = 'Weekly email on Sunday at 18:00 local time about the coming 7 days. Off until chosen.';

const reminderMinutes =
  'Minutes before the start of a mission at which a pilot with a seat is reminded; an empty list for no reminders.';
const remindByDiscord = 'Remind by direct message in Discord.';
const remindByPush = 'Remind by push notification.';
const remindByEmail = 'Remind by email, where the server sends email.';
const leadTime = z.literal(REMINDERS.minutes, { error: reminderCopy.fromList });

export const notificationChoices = z
  .object({
    notifyOrders: z.boolean().meta({ description: notifyOrders }),
    notifyChanges: z.boolean().meta({ description: notifyChanges }),
    wantsGlobalEvents: z.boolean().meta({ description: wantsGlobalEvents }),
    emailOrders: z.boolean().meta({ description: emailOrders }),
    emailChanges: z.boolean().meta({ description: emailChanges }),
    emailRequests: z.boolean().meta({ description: emailRequests }),
    emailDigest: z.boolean().meta({ description: emailDigest }),
    reminderMinutes: z.array(leadTime).meta({ description: reminderMinutes, examples: [[...REMINDERS.initial]] }),
    remindByDiscord: z.boolean().meta({ description: remindByDiscord }),
    remindByPush: z.boolean().meta({ description: remindByPush }),
    remindByEmail: z.boolean().meta({ description: remindByEmail }),
  })
  .meta({ id: 'NotificationChoices', description: 'What a pilot wants to be notified of.' });
export type NotificationChoicesDto = z.infer<typeof notificationChoices>;
export const notificationsInput = z.object({ id: pilotId });
export const setNotificationsInput = z.object({
  id: pilotId,
  notifyOrders: flagInput.optional().meta({ description: `${notifyOrders} Unchanged unless given.` }),
  notifyChanges: flagInput.optional().meta({ description: `${notifyChanges} Unchanged unless given.` }),
  wantsGlobalEvents: flagInput.optional().meta({ description: `${wantsGlobalEvents} Unchanged unless given.` }),
  emailOrders: flagInput.optional().meta({ description: `${emailOrders} Unchanged unless given.` }),
  emailChanges: flagInput.optional().meta({ description: `${emailChanges} Unchanged unless given.` }),
  emailRequests: flagInput.optional().meta({ description: `${emailRequests} Unchanged unless given.` }),
  emailDigest: flagInput.optional().meta({ description: `${emailDigest} Unchanged unless given.` }),
  reminderMinutes: z
    .array(leadTime, { error: reminderCopy.fromList })
    .max(REMINDERS.max, reminderCopy.tooMany)
    .refine((minutes) => new Set(minutes).size === minutes.length, reminderCopy.fromList)
    .optional()
    .meta({ description: `${reminderMinutes} Unchanged unless given.`, examples: [[...REMINDERS.initial]] }),
  remindByDiscord: flagInput.optional().meta({ description: `${remindByDiscord} Unchanged unless given.` }),
  remindByPush: flagInput.optional().meta({ description: `${remindByPush} Unchanged unless given.` }),
  remindByEmail: flagInput.optional().meta({ description: `${remindByEmail} Unchanged unless given.` }),
});
