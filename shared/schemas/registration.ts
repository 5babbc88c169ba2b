/** Registration that starts in Discord, and the one-time links into accounts that have no password yet. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { user } from './auth.ts';
import { callSignInput, optionalText, safeText, timeZoneInput } from './common.ts';

const ID_MAX_LENGTH = 100;
const TOKEN_MAX_LENGTH = 200;

/** A text that must be there; `missing` is said when it is absent or blank. */
const presentText = (max: number, missing: string) =>
  safeText(max, { missing, tooLong: missing }).refine((value) => value !== '', missing);

export const startRegistrationInput = z.object({
  guildId: presentText(ID_MAX_LENGTH, copy.registrationLinkInvalid),
  campaignId: optionalText(ID_MAX_LENGTH),
});

export const registrationStart = z.object({
  guild: z.object({ id: z.string(), name: z.string(), iconUrl: z.string().nullable() }),
  /** where to go without a link of the bot's; null: only the bot's links lead here */
  authorizeUrl: z.string().nullable(),
});
export type RegistrationStartDto = z.infer<typeof registrationStart>;

/** What the pilot types. */
export const registrationForm = z.object({
  callSign: callSignInput,
  timeZone: timeZoneInput,
  wantsGlobalEvents: z.boolean({ error: copy.trueOrFalse }).default(false),
});

/** Who registers is read from the link: the ids are compared with it and the name is not believed. */
export const completeRegistrationInput = z.object({
  discordUserId: presentText(ID_MAX_LENGTH, copy.discordInfoMissing),
  guildId: presentText(ID_MAX_LENGTH, copy.discordInfoMissing),
  session: presentText(TOKEN_MAX_LENGTH, copy.registrationLinkInvalid),
  discordUsername: optionalText(ID_MAX_LENGTH),
  ...registrationForm.shape,
  /** an empty list; the week is set on the site */
  availabilityWindows: z.array(z.unknown()).default([]),
});

export const completedRegistration = z.object({
  success: z.literal(true),
  message: z.string(),
  fightClubUserId: z.string(),
  /** one-time, for minutes: the way to an email and a password; null when the account has them */
  signInUrl: z.string().nullable(),
});
export type CompletedRegistrationDto = z.infer<typeof completedRegistration>;

export const redeemSignInLinkInput = z.object({
  token: presentText(TOKEN_MAX_LENGTH, copy.signInLinkInvalid),
});

export const redeemedSignInLink = z.object({
  user,
  /** the account has no password yet */
  needsCredentials: z.boolean(),
});
