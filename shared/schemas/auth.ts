/** Schemas of accounts, sign-in and passwords. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { CALL_SIGN_LENGTH, INVITE_TOKEN_MAX_LENGTH } from '#shared/limits.ts';
import { APPROVAL_STATES, ROLES } from '#shared/vocabulary.ts';
import {
  callSignInput,
  emailInput,
  flagInput,
  idInput,
  isoInstant,
  newPasswordInput,
  optionalText,
  rowId,
  safeText,
  timeZoneInput,
} from './common.ts';
import { leave } from './leave.ts';
import { endpointInput } from './push.ts';

export const user = z
  .object({
    id: rowId.meta({ description: 'Id of the account.' }),
    email: z.string().meta({
      description: 'Email address; empty for an account from Discord that has none yet.',
      examples: ['viper@example.org'],
    }),
    displayName: z
      .string()
      .nullable()
      .meta({ description: 'Call sign; null before it is chosen.', examples: ['Viper'] }),
    timeZone: z.string().meta({ description: 'IANA time zone of the pilot.', examples: ['Europe/Berlin'] }),
    roles: z.array(z.enum(ROLES)).meta({
      description: '`user` is a pilot, `admin` an admin. A suspended pilot lacks `user`.',
      examples: [['user']],
    }),
    approval: z
      .enum(APPROVAL_STATES)
      .nullable()
      .meta({
        description:
          '`waiting` for an account that an admin has yet to approve, `declined` after a refusal; null otherwise.',
        examples: [null],
      }),
    createdAt: isoInstant.meta({ description: 'Time of registration.' }),
  })
  .meta({ id: 'User', description: 'An account.' });
export type UserDto = z.infer<typeof user>;

const newSignIn = z
  .object({
    id: z.string().meta({ description: 'Handle of its session.', examples: ['5f0e8a4b6c017a11'] }),
    device: z.string().meta({ description: 'Browser and system.', examples: ['Firefox on Windows'] }),
    createdAt: isoInstant.meta({ description: 'Time of the sign-in.' }),
  })
  .meta({ id: 'NewSignIn', description: 'A sign-in from a device that had never signed in to the account.' });
export type NewSignInDto = z.infer<typeof newSignIn>;

export const signedInUser = user
  .extend({
    listsAircraft: z.boolean().meta({ description: 'False for a pilot who has not listed an aircraft yet.' }),
    needsSecondFactor: z.boolean().meta({
      description: 'True for an admin who has to set up a second factor before the calls of admins work.',
    }),
    newSignIn: newSignIn.nullable().meta({
      description: 'The oldest sign-in from a new device that nobody has confirmed, by another session than this one.',
    }),
    leave: leave.nullable().meta({ description: 'The leave of absence, now or ahead; null for none.' }),
  })
  .meta({ id: 'SignedInUser', description: 'The signed-in account.' });
export type SignedInUserDto = z.infer<typeof signedInUser>;

/** An existing password, of any length: an older rule may have allowed shorter ones. */
export const currentPasswordInput = z
  .string({ error: copy.passwordRequired })
  .min(1, copy.passwordRequired)
  .meta({ description: 'The current password.', format: 'password', examples: ['seven green kneeboards'] });

/** Proof of the owner's will to delete the account. */
export const requestDeletionInput = z
  .object({
    currentPassword: currentPasswordInput.optional(),
    confirmation: safeText(CALL_SIGN_LENGTH.max)
      .optional()
      .meta({
        description:
          'For an account without a password, in its place: the call sign, or the word `delete` for an account without one.',
        examples: ['Viper'],
      }),
  })
  .meta({ id: 'RequestDeletion', description: 'The password once more, or the call sign for an account without one.' });
export type RequestDeletionInput = z.infer<typeof requestDeletionInput>;

export const deletion = z
  .object({
    dueAt: isoInstant
      .nullable()
      .meta({ description: 'When the account will be erased; null if nobody has asked for it.' }),
    hasPassword: z.boolean().meta({ description: 'False for an account that signs in through Discord only.' }),
  })
  .meta({ id: 'Deletion', description: "The state of an account's deletion." });
export type DeletionDto = z.infer<typeof deletion>;

/** An account with the call signs of other active pilots that look like its own. */
export const comparedUser = user
  .extend({
    looksLike: z.array(z.string()).meta({
      description: 'Call signs of other pilots that look like this one.',
      examples: [['Vlper']],
    }),
  })
  .meta({ id: 'ComparedUser', description: 'An account, with the call signs of other pilots that look like its own.' });
export type ComparedUserDto = z.infer<typeof comparedUser>;

export const loginInput = z.object({
  email: emailInput,
  password: currentPasswordInput,
  withSecondFactor: flagInput.default(false).meta({
    description: 'True to ask for the second factor also in a browser that is remembered, as a fresh session needs it.',
  }),
});

const confirmation = z
  .string({ error: copy.confirmPassword })
  .min(1, copy.confirmPassword)
  .meta({ description: 'The new password once more.', format: 'password', examples: ['seven green kneeboards'] });
const PASSWORDS_DIFFER = { path: ['confirmPassword'], message: copy.passwordsDiffer };

/** The first step of the registration wizard sends the first three fields; scripts may include the profile. */
export const registerInput = z
  .object({
    email: emailInput,
    password: newPasswordInput,
    confirmPassword: confirmation,
    displayName: callSignInput.nullish(),
    timeZone: timeZoneInput
      .nullish()
      .meta({ description: "IANA time zone of the pilot; when missing, the invite's, or else UTC." }),
    invite: optionalText(INVITE_TOKEN_MAX_LENGTH).meta({
      description: 'Token of an invite link, `/join/{token}`; needed when registration is by invite.',
    }),
  })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER);

export const changePasswordInput = z
  .object({
    currentPassword: currentPasswordInput,
    newPassword: newPasswordInput,
    confirmPassword: confirmation,
    pushEndpoint: endpointInput.optional().meta({
      description: 'Push endpoint of this device: its notifications continue, those of all other devices end.',
    }),
  })
  .refine((form) => form.newPassword === form.confirmPassword, PASSWORDS_DIFFER);

export const profileForm = z.object({ displayName: callSignInput, timeZone: timeZoneInput });
export const userInput = z.object({ id: idInput });
export const updateProfileInput = profileForm.extend({
  id: idInput,
  seen: z
    .object({
      displayName: safeText(CALL_SIGN_LENGTH.max, { tooLong: copy.callSignTooLong })
        .nullable()
        .meta({
          description: 'Call sign; null if there was none.',
          examples: ['Goose'],
        }),
      timeZone: safeText(64, { tooLong: copy.invalidInput }).meta({ description: 'Time zone.', examples: ['UTC'] }),
    })
    .optional()
    .meta({
      description:
        'The profile that was changed. Values that are the same as in it stay as they are stored, and a value that has been changed elsewhere as well is refused; without it, both values are replaced.',
    }),
});

/** Email and first password of an account that has no password yet. */
export const credentialsInput = z
  .object({ email: emailInput, password: newPasswordInput, confirmPassword: confirmation })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER);

/** Development only: creates or finds an account and returns a bearer token for it. */
export const devTokenInput = z.object({
  userId: idInput.optional().meta({ description: 'Id of an account; without it a new account is created.' }),
  displayName: callSignInput.optional().meta({ description: 'Call sign of a new account.' }),
});
export const devToken = z
  .object({
    token: z.string().meta({ description: 'Bearer token.', examples: ['q2xv7m3kd5w8'] }),
    user: user.meta({ description: 'The account that the token signs in.' }),
  })
  .meta({ id: 'DevToken', description: 'A bearer token for development.' });
