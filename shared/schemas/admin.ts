/** Schemas of user management: user list, roles, password reset. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { PAGE_SIZE } from '#shared/limits.ts';
import { PROFICIENCY_LEVELS, ROLES, USER_SORTS } from '#shared/vocabulary.ts';
import { comparedUser, currentPasswordInput } from './auth.ts';
import { leave } from './leave.ts';
import {
  flagInput,
  idInput,
  isoInstant,
  newPasswordInput,
  pageFields,
  rowId,
  safeText,
  wholeNumber,
} from './common.ts';

const role = z
  .enum(ROLES, { error: 'The role must be admin or user' })
  .meta({ description: '`user` is a pilot, `admin` an admin.', examples: ['user'] });
const accountId = idInput.meta({ description: 'Id of the account.' });

export const usersInput = z.object({
  page: wholeNumber(1, 1_000_000, copy.pageRange).default(1).meta({ description: 'Page, from 1.' }),
  pageSize: wholeNumber(PAGE_SIZE.min, PAGE_SIZE.max, copy.pageSizeRange)
    .default(PAGE_SIZE.initial)
    .meta({ description: 'Accounts per page.' }),
  query: safeText(200)
    .optional()
    .meta({ description: 'Text in the call sign or the email.', examples: ['viper'] }),
  sort: z
    .enum(USER_SORTS, { error: copy.sortFromList })
    .default('createdAt')
    .meta({ description: 'Order of the list.' }),
  direction: z
    .enum(['asc', 'desc'], { error: copy.sortFromList })
    .default('asc')
    .meta({ description: 'Ascending or descending.' }),
  role: z
    .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(role).max(ROLES.length).optional())
    .meta({ description: 'One role or several: accounts with any of them are listed. Repeat the parameter.' }),
  noAircraft: flagInput
    .optional()
    .meta({ description: 'True to list only pilots who list no aircraft.', default: false }),
});
/** An account in the user list. */
const listedUser = comparedUser
  .extend({
    aircraft: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the aircraft.', examples: ['F-16C Viper'] }),
          level: z.enum(PROFICIENCY_LEVELS).meta({ description: "The pilot's level." }),
        }),
      )
      .meta({ description: 'Aircraft that the pilot lists, by name.' }),
    reliability: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'How likely the pilot is to show up; null before any mission counts.', examples: [0.92] }),
    hasSecondFactor: z.boolean().meta({ description: 'True when sign-ins to it ask for a second factor.' }),
    leave: leave.nullable().meta({ description: 'The leave of absence, now or ahead; null for none.' }),
    ban: z
      .object({
        id: rowId.meta({ description: 'Id of the ban.' }),
        reason: z.string().meta({ description: 'Why, for admins.', examples: ['Harassed other pilots'] }),
      })
      .nullable()
      .meta({ description: 'The ban of the account; null for none.' }),
    lastSeenAt: isoInstant
      .nullable()
      .meta({ description: 'When the account was last used, to within five minutes; null for never.' }),
  })
  .meta({ id: 'ListedUser', description: 'An account of the user list.' });
export type ListedUserDto = z.infer<typeof listedUser>;

export const exportPilotsInput = usersInput.omit({ page: true, pageSize: true });
export type UsersInput = z.infer<typeof usersInput>;
export const usersPage = z
  .object({
    users: z.array(listedUser).meta({ description: 'Accounts of the page.' }),
    ...pageFields('Accounts', { total: 41, pageSize: 50 }),
  })
  .meta({ id: 'UsersPage', description: 'A page of accounts.' });

export const resetPasswordInput = z.object({
  id: accountId,
  newPassword: newPasswordInput,
  currentPassword: currentPasswordInput
    .optional()
    .meta({ description: "The admin's current password; needed to reset the admin's own, unused otherwise." }),
});
export const rolesInput = z.object({ id: accountId });
export const roleInput = z.object({ id: accountId, role });
export const roles = z
  .object({ roles: z.array(role).meta({ description: 'Roles of the account.', examples: [['admin', 'user']] }) })
  .meta({ id: 'Roles', description: 'The roles of an account.' });

export const warnings = z
  .object({
    warnings: z
      .array(z.string())
      .meta({ description: 'Warnings as sentences; empty when all is well.', examples: [[]] }),
  })
  .meta({
    id: 'Warnings',
    description: 'Warnings about the configuration and about background work that fails, for admins.',
  });
