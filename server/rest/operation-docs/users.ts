/** Documentation of the admins' calls for accounts, roles, one pilot's availability and the audit log. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Accounts = 'users' | 'resetPassword' | 'roles' | 'addRole' | 'removeRole' | 'audit' | 'warnings';
type Name = Extract<ProcedureName, `admin.${Accounts}` | `admin.pilot.${string}`>;

export const USER_DOCS = {
  'admin.users': {
    id: 'listUsers',
    tag: 'Users',
    summary: 'List accounts',
    description: '`query` searches in call sign and email.',
  },
  'admin.resetPassword': {
    id: 'resetPassword',
    tag: 'Users',
    summary: "Reset an account's password",
    description:
      "Ends the account's sessions, sign-in links and push devices. Admins need `currentPassword` to reset their own.",
    refusals: ['USER_NOT_FOUND', 'EMAIL_REQUIRED', 'WRONG_PASSWORD'],
  },
  'admin.roles': {
    id: 'listRoles',
    tag: 'Users',
    summary: "List an account's roles",
    refusals: ['USER_NOT_FOUND'],
  },
  'admin.addRole': {
    id: 'addRole',
    tag: 'Users',
    summary: 'Add a role',
    description: 'Adding a role that the account has already changes nothing.',
    refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED'],
  },
  'admin.removeRole': {
    id: 'removeRole',
    tag: 'Users',
    summary: 'Remove a role',
    description:
      'Removing `user` suspends the pilot and frees the seats. Removing a role that the account lacks changes nothing.',
    refusals: ['USER_NOT_FOUND', 'OWN_ADMIN_ROLE', 'LAST_ADMIN', 'DELETION_REQUESTED'],
  },
  'admin.pilot.availabilitySummary': {
    id: 'getAvailabilitySummary',
    tag: 'Users',
    summary: "Get a pilot's availability and missions",
    description: 'Free times of the next days, aircraft, upcoming and previous missions, in `tz` (UTC by default).',
    refusals: ['USER_NOT_FOUND'],
  },
  'admin.pilot.schedule': {
    id: 'getSchedule',
    tag: 'Users',
    summary: "Get a pilot's weekly schedule",
    description: "The active template, in `tz` or else in the pilot's own time zone.",
    refusals: ['USER_NOT_FOUND'],
  },
  'admin.audit': {
    id: 'listAudit',
    tag: 'Users',
    summary: 'List the audit log',
    description: "Admins' changes are kept for good, sign-ins for 90 days.",
  },
  'admin.warnings': {
    id: 'listWarnings',
    tag: 'Users',
    summary: 'List warnings about the configuration',
  },
} as const satisfies Record<Name, OperationDocs>;
