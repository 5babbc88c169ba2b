/** Schemas of user management: user list, roles, password reset. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { PAGE_SIZE } from '#shared/limits.ts';
import { ROLES, USER_SORTS } from '#shared/vocabulary.ts';
import { comparedUser, currentPasswordInput } from './auth.ts';
import { idInput, newPasswordInput, safeText, wholeNumber } from './common.ts';

const role = z.enum(ROLES, { error: 'The role must be admin or user' });

export const usersInput = z.object({
  page: wholeNumber(1, 1_000_000, copy.pageRange).default(1),
  pageSize: wholeNumber(PAGE_SIZE.min, PAGE_SIZE.max, copy.pageSizeRange).default(PAGE_SIZE.initial),
  query: safeText(200).optional(),
  sort: z.enum(USER_SORTS, { error: copy.sortFromList }).default('createdAt'),
  direction: z.enum(['asc', 'desc'], { error: copy.sortFromList }).default('asc'),
  /** One role or several: users with any of them are listed. */
  role: z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(role).max(ROLES.length).optional(),
  ),
});
export type UsersInput = z.infer<typeof usersInput>;
export const usersPage = z
  .object({
    users: z.array(comparedUser),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
  })
  .meta({ id: 'UsersPage' });

export const resetPasswordInput = z.object({
  id: idInput,
  newPassword: newPasswordInput,
  /** The admin's current password; required to reset the admin's own password, unused otherwise. */
  currentPassword: currentPasswordInput.optional(),
});
export const rolesInput = z.object({ id: idInput });
export const roleInput = z.object({ id: idInput, role });
export const roles = z.object({ roles: z.array(role) }).meta({ id: 'Roles' });

/** Configuration warnings for admins, in sentences. */
export const warnings = z.object({ warnings: z.array(z.string()) }).meta({ id: 'Warnings' });
