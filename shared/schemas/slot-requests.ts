/** Schemas of visitors' requests for a slot, from the form on the front page. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { CALL_SIGN_LENGTH, EMAIL_MAX_LENGTH } from '#shared/limits.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { count, emailInput, idInput, isoInstant, optionalText, rowId, safeText } from './common.ts';

/** What the form offers. The last module stands for all others. */
export const REQUEST_MODULES = ['F/A-18C', 'F-16C', 'A-10C II', 'F-14B', 'Mirage 2000C', 'Other'] as const;
export const WEEKLY_SLOTS = ['Weeknights UTC-5', 'Weekends UTC-5', 'Flexible'] as const;

/**
 * `notesLength` in characters. `stored`: requests of an installation, beyond which no more are kept. `days`: how long one is
 * kept. A client can make `perClient` in `minutes`, and an admin gets one email in `mailMinutes`, which names `named` of them.
 */
export const SLOT_REQUESTS = {
  notesLength: 1_000,
  stored: 200,
  days: 30,
  perClient: 5,
  minutes: 15,
  mailMinutes: 60,
  named: 10,
} as const;

const handle = 'Name that the visitor flies under.';
const module = z
  .enum(REQUEST_MODULES, { error: copy.invalidInput })
  .meta({ description: 'Aircraft that the visitor mostly flies.', examples: ['F-16C'] });
const level = z
  .enum(PROFICIENCY_LEVELS, { error: copy.invalidInput })
  .meta({ description: 'How well the visitor flies it.', examples: ['proficient'] });
const slot = z
  .enum(WEEKLY_SLOTS, { error: copy.invalidInput })
  .meta({ description: 'When the visitor would like to fly.', examples: ['Weekends UTC-5'] });
const notes = 'What else the visitor wrote; null for nothing.';

/** The fields that the form requires, with its sentences. */
export const slotRequestFields = {
  handle: safeText(CALL_SIGN_LENGTH.max)
    .refine((text) => text !== '', 'Pilot handle is required')
    .meta({ description: handle, minLength: 1, examples: ['Viper'] }),
  email: z
    .string({ error: 'Email is required' })
    .trim()
    .min(1, { error: 'Email is required', abort: true })
    .pipe(emailInput)
    .meta({
      description: 'Email address of the visitor.',
      format: 'email',
      maxLength: EMAIL_MAX_LENGTH,
      examples: ['viper@example.org'],
    }),
};

export const slotRequestInput = z
  .object({
    ...slotRequestFields,
    module,
    level,
    slot,
    notes: optionalText(SLOT_REQUESTS.notesLength, { multiline: true }).meta({ description: notes }),
  })
  .meta({ id: 'RequestSlot', description: "A visitor's request for a slot." });
export type SlotRequestInput = z.infer<typeof slotRequestInput>;

export const slotRequestIdInput = z.object({ id: idInput.meta({ description: 'Id of the request.' }) });

const slotRequest = z
  .object({
    id: rowId.meta({ description: 'Id of the request.' }),
    handle: z.string().meta({ description: handle, examples: ['Viper'] }),
    email: z.string().meta({ description: 'Email address of the visitor.', examples: ['viper@example.org'] }),
    module,
    level,
    slot,
    notes: z
      .string()
      .nullable()
      .meta({ description: notes, examples: ['Mostly night strikes.'] }),
    createdAt: isoInstant.meta({ description: 'When it was made, or made again.' }),
    invitedAt: isoInstant.nullable().meta({
      description: 'When an invite was made for it; null before, and once that invite lets nobody in any more.',
    }),
  })
  .meta({ id: 'SlotRequest', description: 'A request of a visitor who has no account yet.' });
export type SlotRequestDto = z.infer<typeof slotRequest>;

export const slotRequests = z
  .object({
    requests: z
      .array(slotRequest)
      .max(SLOT_REQUESTS.stored)
      .meta({ description: 'Those that wait for an answer first, each the oldest first.' }),
    waiting: count.meta({ description: 'How many wait for an answer.', examples: [2] }),
  })
  .meta({ id: 'SlotRequests', description: "Visitors' requests for a slot." });
export type SlotRequestsDto = z.infer<typeof slotRequests>;
