/** Schemas of accounts, sign-in and passwords. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { ROLES } from '#shared/vocabulary.ts';
import { callSignInput, emailInput, idInput, isoInstant, newPasswordInput, timeZoneInput } from './common.ts';
import { endpointInput } from './push.ts';

export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    displayName: z.string().nullable(),
    timeZone: z.string(),
    roles: z.array(z.enum(ROLES)),
    createdAt: isoInstant,
  })
  .meta({ id: 'User' });
export type UserDto = z.infer<typeof user>;

/** An existing password, of any length: an older rule may have allowed shorter ones. */
export const currentPasswordInput = z.string({ error: copy.passwordRequired }).min(1, copy.passwordRequired);

/** An account with the call signs of other active pilots that look like its own. */
export const comparedUser = user.extend({ looksLike: z.array(z.string()) }).meta({ id: 'ComparedUser' });
export type ComparedUserDto = z.infer<typeof comparedUser>;

export const loginInput = z.object({
  email: emailInput,
  password: currentPasswordInput,
});

const confirmation = z.string({ error: copy.confirmPassword }).min(1, copy.confirmPassword);
const PASSWORDS_DIFFER = { path: ['confirmPassword'], message: copy.passwordsDiffer };

/** The first step of the registration wizard sends the first three fields; scripts may include the profile. */
export const registerInput = z
  .object({
    email: emailInput,
    password: newPasswordInput,
    confirmPassword: confirmation,
    displayName: callSignInput.nullish(),
    timeZone: timeZoneInput.nullish(),
  })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER);

export const changePasswordInput = z
  .object({
    currentPassword: currentPasswordInput,
    newPassword: newPasswordInput,
    confirmPassword: confirmation,
    /** Push endpoint of this device: its notifications continue, those of all other devices end. */
    pushEndpoint: endpointInput.optional(),
  })
  .refine((form) => form.newPassword === form.confirmPassword, PASSWORDS_DIFFER);

export const profileForm = z.object({ displayName: callSignInput, timeZone: timeZoneInput });
export const userInput = z.object({ id: idInput });
export const updateProfileInput = profileForm.extend({ id: idInput });

/** Email and first password of an account that has no password yet. */
export const credentialsInput = z
  .object({ email: emailInput, password: newPasswordInput, confirmPassword: confirmation })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER);

/** Development only: creates or finds an account and returns a bearer token for it. */
export const devTokenInput = z.object({ userId: idInput.optional(), displayName: callSignInput.optional() });
export const devToken = z.object({ token: z.string(), user }).meta({ id: 'DevToken' });
