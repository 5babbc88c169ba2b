/** Schemas of registration from Discord and of one-time sign-in links. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { user } from './auth.ts';
import { callSignInput, discordId, optionalText, rowId, safeText, timeZoneInput } from './common.ts';

const ID_MAX_LENGTH = 100;
const TOKEN_MAX_LENGTH = 200;

/** Required text; `missing` is the message when it is absent, blank or too long. */
const presentText = (max: number, missing: string) =>
  safeText(max, { missing, tooLong: missing }).refine((value) => value !== '', missing);

export const startRegistrationInput = z.object({
  guildId: presentText(ID_MAX_LENGTH, copy.registrationLinkInvalid).meta({
    description: 'Id of the Discord server.',
    minLength: 1,
    examples: ['100200300400500600'],
  }),
  campaignId: optionalText(ID_MAX_LENGTH).meta({ description: 'Campaign of the registration.' }),
});

export const registrationStart = z
  .object({
    guild: z
      .object({
        id: discordId.meta({ description: 'Id of the Discord server.' }),
        name: z.string().meta({ description: 'Name of the server.', examples: ['Fight Club'] }),
        iconUrl: z.string().nullable().meta({ description: 'Address of its icon; null without one.' }),
      })
      .meta({ description: 'The Discord server.' }),
    authorizeUrl: z
      .string()
      .nullable()
      .meta({
        description: 'Address of sign-in with Discord, for visitors without a personal link; null when not configured.',
        examples: ['https://marshal.example.org/api/v1/auth/discord?purpose=register&guildId=100200300400500600'],
      }),
  })
  .meta({ id: 'RegistrationStart', description: 'The start of a registration from Discord.' });
export type RegistrationStartDto = z.infer<typeof registrationStart>;

/** A personal link, as its page reads it. */
export const registrationLinkInput = z.object({
  discordUserId: presentText(ID_MAX_LENGTH, copy.discordInfoMissing).meta({
    description: "Id of the person's Discord account.",
    minLength: 1,
    examples: ['700800900100200300'],
  }),
  guildId: presentText(ID_MAX_LENGTH, copy.discordInfoMissing).meta({
    description: 'Id of the Discord server.',
    minLength: 1,
    examples: ['100200300400500600'],
  }),
  session: presentText(TOKEN_MAX_LENGTH, copy.registrationLinkInvalid).meta({
    description: 'Secret of the personal link.',
    minLength: 1,
    examples: ['b3BlbiBzZXNhbWU'],
  }),
});

export const registrationLink = z
  .object({
    problem: z
      .string()
      .nullable()
      .meta({
        description: 'Why nobody can register by the link, as a sentence; null if they can.',
        examples: [copy.registrationLinkOver],
      }),
    profile: z
      .object({
        callSign: z
          .string()
          .nullable()
          .meta({ description: 'The call sign; null without one.', examples: ['Vesper'] }),
        timeZone: z.string().meta({ description: 'The time zone, by its IANA name.', examples: ['Europe/Berlin'] }),
        wantsGlobalEvents: z
          .boolean()
          .meta({ description: 'True if the pilot hears of open missions and community news.' }),
      })
      .nullable()
      .meta({ description: 'What the account says that is linked to the Discord account; null without one.' }),
  })
  .meta({ id: 'RegistrationLink', description: 'The state of a personal registration link.' });
export type RegistrationLinkDto = z.infer<typeof registrationLink>;

/** The registration form that the pilot fills in. */
export const registrationForm = z.object({
  callSign: callSignInput,
  timeZone: timeZoneInput,
  wantsGlobalEvents: z
    .boolean({ error: copy.trueOrFalse })
    .default(false)
    .meta({ description: 'True to notify of open missions and community news.' }),
});

/** The personal link (`session`) identifies the person: the ids must match it, and the name is ignored. */
export const completeRegistrationInput = z.object({
  ...registrationLinkInput.shape,
  discordUsername: optionalText(ID_MAX_LENGTH).meta({
    description: 'Name on Discord. It is not trusted: the name that the bot reports counts.',
    examples: ['afterglow'],
  }),
  ...registrationForm.shape,
  availabilityWindows: z
    .array(z.unknown())
    .default([])
    .meta({ description: 'An empty list: pilots enter their week on the site.' }),
});

export const completedRegistration = z
  .object({
    success: z.literal(true).meta({ description: 'Always true: a failure has its own status.' }),
    message: z.string().meta({
      description: 'What has happened, as a sentence.',
      examples: ['Registration complete. Welcome, Afterglow!'],
    }),
    fightClubUserId: rowId.meta({ description: 'Id of the account.' }),
    signInUrl: z
      .string()
      .nullable()
      .meta({
        description:
          'One-time link, valid for minutes, to set an email and a password; null when the account has them.',
        examples: ['https://marshal.example.org/sign-in/b3BlbiBzZXNhbWU'],
      }),
  })
  .meta({ id: 'CompletedRegistration', description: 'A completed registration.' });
export type CompletedRegistrationDto = z.infer<typeof completedRegistration>;

export const redeemSignInLinkInput = z.object({
  token: presentText(TOKEN_MAX_LENGTH, copy.signInLinkInvalid).meta({
    description: 'Token of the link.',
    minLength: 1,
    examples: ['b3BlbiBzZXNhbWU'],
  }),
});

export const signInLink = z
  .object({ isLive: z.boolean().meta({ description: 'True for a link that still signs in, once.' }) })
  .meta({ id: 'SignInLink', description: 'The state of a one-time sign-in link.' });

export const redeemedSignInLink = z
  .object({
    user: user.meta({ description: 'The account that is now signed in.' }),
    needsCredentials: z.boolean().meta({ description: 'True when the account still needs an email and a password.' }),
  })
  .meta({ id: 'RedeemedSignInLink', description: 'A sign-in with a one-time link.' });
