/** Schemas of registration from Discord and of one-time sign-in links. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { user } from './auth.ts';
import { callSignInput, optionalText, safeText, timeZoneInput } from './common.ts';

const ID_MAX_LENGTH = 100;
const TOKEN_MAX_LENGTH = 200;

/** Required text; `missing` is the message when it is absent, blank or too long. */
const presentText = (max: number, missing: string) =>
  safeText(max, { missing, tooLong: missing }).refine((value) => value !== '', missing);

export const startRegistrationInput = z.object({
  guildId: presentText(ID_MAX_LENGTH, copy.registrationLinkInvalid),
  campaignId: optionalText(ID_MAX_LENGTH),
});

export const registrationStart = z
  .object({
    guild: z.object({ id: z.string(), name: z.string(), iconUrl: z.string().nullable() }),
    /** Address of sign-in with Discord, for visitors without a personal link; null when not configured. */
    authorizeUrl: z.string().nullable(),
  })
  .meta({ id: 'RegistrationStart' });
export type RegistrationStartDto = z.infer<typeof registrationStart>;

/** The registration form that the pilot fills in. */
export const registrationForm = z.object({
  callSign: callSignInput,
  timeZone: timeZoneInput,
  wantsGlobalEvents: z.boolean({ error: copy.trueOrFalse }).default(false),
});

/** The personal link (`session`) identifies the person: the ids must match it, and the name is ignored. */
export const completeRegistrationInput = z.object({
  discordUserId: presentText(ID_MAX_LENGTH, copy.discordInfoMissing),
  guildId: presentText(ID_MAX_LENGTH, copy.discordInfoMissing),
  session: presentText(TOKEN_MAX_LENGTH, copy.registrationLinkInvalid),
  discordUsername: optionalText(ID_MAX_LENGTH),
  ...registrationForm.shape,
  /** Always an empty list; pilots enter their week on the site. */
  availabilityWindows: z.array(z.unknown()).default([]),
});

export const completedRegistration = z
  .object({
    success: z.literal(true),
    message: z.string(),
    fightClubUserId: z.string(),
    /** One-time link, valid for minutes, to set an email and a password; null when the account has them. */
    signInUrl: z.string().nullable(),
  })
  .meta({ id: 'CompletedRegistration' });
export type CompletedRegistrationDto = z.infer<typeof completedRegistration>;

export const redeemSignInLinkInput = z.object({
  token: presentText(TOKEN_MAX_LENGTH, copy.signInLinkInvalid),
});

export const redeemedSignInLink = z
  .object({
    user,
    /** True when the account still needs an email and a password. */
    needsCredentials: z.boolean(),
  })
  .meta({ id: 'RedeemedSignInLink' });
