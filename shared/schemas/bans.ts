/** Schemas of bans: people who may not have an account, for admins. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { BANS } from '#shared/limits.ts';
import { emailInput, idInput, isoInstant, rowId, safeText } from './common.ts';

const label = 'How admins recognize the entry.';
const reason = 'Why, for admins.';

export const ban = z
  .object({
    id: rowId.meta({ description: 'Id of the ban.' }),
    label: z.string().meta({ description: label, examples: ['Viper'] }),
    reason: z.string().meta({ description: reason, examples: ['Harassed other pilots'] }),
    hasEmail: z.boolean().meta({ description: 'True when it names an email, of which only a keyed hash is stored.' }),
    hasDiscord: z
      .boolean()
      .meta({ description: 'True when it names a Discord id, of which only a keyed hash is stored.' }),
    userId: rowId.nullable().meta({ description: 'Id of the account that it has suspended; null for none.' }),
    createdBy: z
      .string()
      .nullable()
      .meta({ description: 'Name of the admin who made it; null once that account is gone.', examples: ['Marshal'] }),
    createdAt: isoInstant.meta({ description: 'When it was made.' }),
  })
  .meta({ id: 'Ban', description: 'Somebody who may not have an account.' });
export type BanDto = z.infer<typeof ban>;

const required = (text: z.ZodType<string>, missing: string) => text.refine((value) => value !== '', missing);

const reasonInput = required(
  safeText(BANS.reasonLength, { missing: copy.banReasonRequired }),
  copy.banReasonRequired,
).meta({ description: reason, maxLength: BANS.reasonLength, examples: ['Harassed other pilots'] });
const labelInput = required(safeText(BANS.labelLength, { missing: copy.banLabelRequired }), copy.banLabelRequired).meta(
  {
    description: label,
    maxLength: BANS.labelLength,
    examples: ['Viper'],
  },
);

export const banAccountInput = z.object({
  id: idInput.meta({ description: 'Id of the account.' }),
  reason: reasonInput,
});
export const banAccountForm = z.object({ reason: reasonInput });

const discordUserId = z
  .string({ error: copy.banDiscordId })
  .trim()
  .regex(/^\d{5,20}$/, copy.banDiscordId)
  .meta({ description: 'Id of a Discord user, in digits.', examples: ['700800900100200300'] });

/** Blank fields of a form are missing ones. */
const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullish()).transform((value) => value ?? null);

export const addBanInput = z
  .object({
    email: orNothing(emailInput).meta({ description: 'Email to ban.', examples: ['viper@example.org'] }),
    discordUserId: orNothing(discordUserId).meta({ description: 'Discord id to ban, in digits.' }),
    label: labelInput,
    reason: reasonInput,
  })
  .superRefine(({ email, discordUserId: id }, { addIssue }) => {
    if (email === null && id === null) addIssue({ code: 'custom', path: ['email'], message: copy.banOfNobody });
  })
  .meta({ id: 'AddBan', description: 'Somebody to ban: by email, Discord id, or both.' });

export const banInput = z.object({ id: idInput.meta({ description: 'Id of the ban.' }) });
