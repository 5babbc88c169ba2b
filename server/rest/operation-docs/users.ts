/** Documentation of the admins' calls for accounts, roles, one pilot's availability and the audit log. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Accounts =
  | 'users'
  | 'resetPassword'
  | 'resetSecondFactor'
  | 'passwordLinks'
  | 'roles'
  | 'addRole'
  | 'removeRole'
  | 'audit'
  | 'warnings';
type Name = Extract<
  ProcedureName,
  `admin.${Accounts}` | `admin.pilot.${string}` | `admin.bans.${string}` | `admin.spreadsheet.${string}`
>;

export const USER_DOCS = {
  'admin.users': {
    id: 'listUsers',
    tag: 'Users',
    summary: 'List accounts',
    description:
      '`query` searches in call sign and email. Reliability counts as on the board; new pilots have none yet and come last.',
  },
  'admin.resetPassword': {
    id: 'resetPassword',
    tag: 'Users',
    summary: "Reset an account's password",
    description:
      "Ends the account's sessions, sign-in links and push devices. Admins need `currentPassword` to reset their own.",
    refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED', 'EMAIL_REQUIRED', 'WRONG_PASSWORD'],
  },
  'admin.resetSecondFactor': {
    id: 'resetSecondFactor',
    tag: 'Users',
    summary: "Remove an account's second factor",
    description:
      'For a pilot who has lost it: removes the authenticator app, passkeys, recovery codes and remembered devices. The pilot gets an email, where the server sends email. Not for the own account.',
    refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED', 'SECOND_FACTOR_MISSING', 'OWN_ACCOUNT'],
  },
  'admin.passwordLinks': {
    id: 'makePasswordLinks',
    tag: 'Users',
    summary: 'Make personal links to set a password',
    description:
      'Each link works once, for 14 days, and replaces earlier ones of the account. A present password keeps working until the link is used. `sendPasswordLinks` sends such links by email instead.',
    answer: 'A link for each account, in the order of the ids.',
    refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED', 'EMAIL_REQUIRED', 'FORBIDDEN'],
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
    refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED', 'BANNED'],
  },
  'admin.removeRole': {
    id: 'removeRole',
    tag: 'Users',
    summary: 'Remove a role',
    description:
      'Removing `user` suspends the pilot and frees the seats. Removing either role revokes the open invites for admins that the account has made. Removing a role that the account lacks changes nothing.',
    refusals: ['USER_NOT_FOUND', 'OWN_ADMIN_ROLE', 'LAST_ADMIN', 'DELETION_REQUESTED'],
  },
  'admin.bans.list': {
    id: 'listBans',
    tag: 'Users',
    summary: 'List bans',
    answer: 'Bans, the newest first.',
  },
  'admin.bans.add': {
    id: 'addBan',
    tag: 'Users',
    summary: 'Ban an email or a Discord id',
    description:
      'Nobody can register, be imported, sign in or be linked with it any more. Only a keyed hash is stored. An account that has it is banned whole, as by `banAccount`.',
    answer: 'The new bans: one for each account that has the email or the Discord id, and one for what no account has.',
    refusals: ['OWN_ACCOUNT', 'BANNED', 'LIMIT_REACHED'],
  },
  'admin.bans.banAccount': {
    id: 'banAccount',
    tag: 'Users',
    summary: 'Ban an account',
    description:
      'Bans its email and its Discord id, suspends it and ends all access to it. Its seats go to other pilots a moment later. The ban outlives the account. It says nothing of the person once the account is deleted.',
    answer: 'The new ban.',
    refusals: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'BANNED', 'LIMIT_REACHED'],
  },
  'admin.bans.lift': {
    id: 'liftBan',
    tag: 'Users',
    summary: 'Lift a ban',
    description: 'Its account stays suspended until an admin restores it.',
    refusals: ['BAN_NOT_FOUND'],
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
  'admin.pilot.fairness': {
    id: 'getFairness',
    tag: 'Users',
    summary: "Compare a pilot's seats with those of peers",
    description:
      'Seats and fair shares of the pilot and of pilots with the same aircraft, in missions of the last 90 days and upcoming ones: the figures that seating uses.',
    refusals: ['USER_NOT_FOUND'],
  },
  'admin.spreadsheet.export': {
    id: 'exportPilots',
    tag: 'Users',
    summary: 'Export pilots as a spreadsheet',
    description:
      'Active pilots as rows, with their aircraft and weekly times. With `Accept: text/csv` it is a file that an import takes: into an empty Marshal it brings the same pilots. Suspended accounts are left out.',
    answer: 'Pilots as rows.',
  },
  'admin.spreadsheet.preview': {
    id: 'previewImport',
    tag: 'Users',
    summary: 'Preview the import of a spreadsheet',
    description:
      'Reads up to 5,000 rows and answers what an import would do with each. Stores nothing. A pilot is found by the email, else by the Discord id; blank cells change nothing.',
  },
  'admin.spreadsheet.import': {
    id: 'importPilots',
    tag: 'Users',
    summary: 'Import previewed rows',
    description:
      'Creates and changes pilots, at most 100 in one call, all of them or none. Importing rows again changes nothing. New accounts have no password: their pilots sign in through Discord or with a personal link.',
    refusals: ['CHANGED'],
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
