import type { AuditAction } from '#shared/vocabulary.ts';

/** Sentences of the audit log. */
export const auditCopy = {
  loading: 'Loading audit log...',
  loadFailed: 'Error loading audit log: ',
  empty: 'No entries yet',
  emptyMeaning: 'Changes to roles, passwords, levels, missions and seats appear here, along with sign-ins.',
  emptyFiltered: 'No entries match these filters',
  emptyPage: 'There is no such page',
  actorGone: 'deleted account',
  actorUnknown: 'not signed in',
  commandLine: 'command line',
} as const;

/** Labels of the actions in the filter. */
export const ACTION_NAMES: Record<AuditAction, string> = {
  role_added: 'Role added',
  role_removed: 'Role removed',
  password_reset: 'Password reset',
  deletion_requested: 'Deletion requested',
  deletion_undone: 'Deletion undone',
  account_erased: 'Account erased',
  proficiency_set: 'Level set',
  proficiency_removed: 'Level removed',
  mission_created: 'Mission created',
  mission_edited: 'Mission edited',
  mission_published: 'Mission published',
  mission_cancelled: 'Mission cancelled',
  pilot_assigned: 'Pilot assigned',
  pilot_removed: 'Pilot removed',
  attendance_recorded: 'Attendance recorded',
  registration_resent: 'Registration resent',
  token_created: 'Access token made',
  token_revoked: 'Access token revoked',
  aircraft_added: 'Aircraft added',
  aircraft_changed: 'Aircraft changed',
  aircraft_switched_on: 'Aircraft switched on',
  aircraft_switched_off: 'Aircraft switched off',
  aircraft_deleted: 'Aircraft deleted',
  webhook_created: 'Webhook created',
  webhook_changed: 'Webhook changed',
  webhook_deleted: 'Webhook deleted',
  webhook_secret_rotated: 'Webhook secret rotated',
  webhook_disabled: 'Webhook disabled',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_in_limited: 'Sign-ins limited',
};
