/** Schemas of personal links to set a password. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { PASSWORD_LINKS_MAX } from '#shared/limits.ts';
import { emailInput, idInput, isoInstant, newPasswordInput, rowId, safeText } from './common.ts';

const TOKEN_MAX_LENGTH = 200;

const email = z
  .string()
  .meta({ description: 'Email with which the account signs in.', examples: ['viper@example.org'] });
const displayName = z
  .string()
  .nullable()
  .meta({ description: 'Call sign; null before it is chosen.', examples: ['Viper'] });

export const passwordLinksInput = z.object({
  ids: z
    .array(idInput, { error: copy.invalidInput })
    .min(1, copy.textMissing)
    .max(PASSWORD_LINKS_MAX, copy.passwordLinksTooMany)
    .meta({ description: 'Ids of accounts.' }),
});

export const passwordLink = z
  .object({
    id: rowId.meta({ description: 'Id of the account.' }),
    email,
    displayName,
    url: z.string().meta({
      description: 'The personal link. It works once and is not shown again.',
      examples: ['https://marshal.example.org/set-password/b3BlbiBzZXNhbWU'],
    }),
    expiresAt: isoInstant.meta({ description: 'Time at which it stops working.' }),
  })
  .meta({ id: 'PasswordLink', description: 'A personal link with which a pilot sets a password.' });
export type PasswordLinkDto = z.infer<typeof passwordLink>;

const token = safeText(TOKEN_MAX_LENGTH, { missing: copy.passwordLinkInvalid, tooLong: copy.passwordLinkInvalid })
  .refine((value) => value !== '', copy.passwordLinkInvalid)
  .meta({ description: 'Token at the end of the link.', minLength: 1, examples: ['b3BlbiBzZXNhbWU'] });

export const requestPasswordInput = z.object({
  email: emailInput.meta({ description: 'Email of the account.', examples: ['viper@example.org'] }),
});

export const readPasswordLinkInput = z.object({ token });
export const passwordLinkHolder = z
  .object({ email, displayName })
  .meta({ id: 'PasswordLinkHolder', description: 'The account that a personal link is for.' });

/** The new password, entered twice. */
export const passwordForm = z.object({
  password: newPasswordInput,
  confirmPassword: z
    .string({ error: copy.confirmPassword })
    .min(1, copy.confirmPassword)
    .meta({ description: 'The password once more.', format: 'password', examples: ['seven green kneeboards'] }),
});
export const isConfirmed = (form: z.infer<typeof passwordForm>): boolean => form.password === form.confirmPassword;
export const PASSWORDS_DIFFER = { path: ['confirmPassword'], message: copy.passwordsDiffer };
export const setPasswordInput = passwordForm.extend({ token }).refine(isConfirmed, PASSWORDS_DIFFER);
