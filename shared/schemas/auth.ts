/** Accounts and sessions: what comes in, what goes out. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { ROLES } from '#shared/vocabulary.ts';
import { callSignInput, emailInput, idInput, isoInstant, newPasswordInput, timeZoneInput } from './common.ts';
import { endpointInput } from './push.ts';

export const user = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.string().nullable(),
  timeZone: z.string(),
  roles: z.array(z.enum(ROLES)),
  createdAt: isoInstant,
});
export type UserDto = z.infer<typeof user>;

/** A password that exists: any length. */
export const currentPasswordInput = z.string({ error: copy.passwordRequired }).min(1, copy.passwordRequired);

/** An account beside the call signs of other active pilots that look like its own. */
export const comparedUser = user.extend({ looksLike: z.array(z.string()) });
export type ComparedUserDto = z.infer<typeof comparedUser>;

export const loginInput = z.object({
  email: emailInput,
  password: currentPasswordInput,
});

const confirmation = z.string({ error: copy.confirmPassword }).min(1, copy.confirmPassword);
const PASSWORDS_DIFFER = { path: ['confirmPassword'], message: copy.passwordsDiffer };

/** The wizard's first step sends the first three; scripts may send the profile along. */
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
    /** by which this device is notified, if it is: it goes on, all other devices end */
    pushEndpoint: endpointInput.optional(),
  })
  .refine((form) => form.newPassword === form.confirmPassword, PASSWORDS_DIFFER);

export const profileForm = z.object({ displayName: callSignInput, timeZone: timeZoneInput });
export const updateProfileInput = profileForm.extend({ id: idInput });

/** An email with the account's first password; for accounts that have none. */
export const credentialsInput = z
  .object({ email: emailInput, password: newPasswordInput, confirmPassword: confirmation })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER);

/** Development only: an account by id, made when there is none, and a bearer token for it. */
export const devTokenInput = z.object({ userId: idInput.optional(), displayName: callSignInput.optional() });
export const devToken = z.object({ token: z.string(), user });
