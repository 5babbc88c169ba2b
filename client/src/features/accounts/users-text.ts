import { PASSWORD_LINK_DAYS } from '#shared/limits.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { Role } from '#shared/vocabulary.ts';

/** Sentences of /admin/users; the specification fixes titles, success and error messages. */
export const usersCopy = {
  loading: 'Loading users...',
  loadFailed: 'Error loading users: ',
  roleAdded: 'Role added successfully!',
  roleRemoved: 'Role removed successfully!',
  passwordReset: 'Password reset successfully!',
  roleAddFailed: 'Error adding role: ',
  roleRemoveFailed: 'Error removing role: ',
  resetFailed: 'Error resetting password: ',
  none: 'No users found',
  noneText: 'Nobody matches this search and role.',
  noEmail: 'No email: signs in through Discord',
  sessionsEnd:
    "This signs the user out on every device. Access tokens, unused sign-in links, remembered devices, the calendar link and notifications on all devices stop working too. Give them the new password yourself: Marshal doesn't send it.",
  ownSessionsEnd:
    "This is your own account: you'll be signed out here too. Your access tokens, unused sign-in links, remembered devices, your calendar link and notifications on all devices stop working. To stay signed in, change the password on your profile instead.",
  factorReset: 'Two-step sign-in reset',
  factorResetFailed: 'Error resetting two-step sign-in: ',
  factorResetMeaning: (name: string) =>
    `${name} then signs in with the password alone, and can set up a second factor again. Do this only if you are sure that ${name} asks for it: it removes the app, passkeys, recovery codes and remembered devices.`,
  linkMeaning: (name: string) =>
    `${name} uses it to set a password and sign in. It works once, within ${PASSWORD_LINK_DAYS} days, and replaces earlier links. The current password works until then.`,
  linkOnce: "Copy it now: it won't be shown again. Give it to the pilot yourself: Marshal doesn't send it.",
  linkFailed: 'Error making the link: ',
  exportFailed: 'Error exporting users: ',
} as const;

export function addRoleTitle(role: Role): string {
  return `Add ${role} role to user?`;
}

export function removeRoleTitle(role: Role): string {
  return `Remove ${role} role from user?`;
}

/** Effect of adding or removing a role, for the confirmation. */
export const ROLE_EFFECTS: Record<'add' | 'remove', Record<Role, (name: string) => string>> = {
  add: {
    admin: (name) => `${name} will see every admin page and can change missions, users and roles.`,
    user: (name) => `${name} becomes a pilot again: matched to missions, with an inbox and weekly availability.`,
  },
  remove: {
    admin: (name) => `${name} can no longer open the admin pages.`,
    user: (name) =>
      `This suspends the pilot. ${name} can still sign in, but gets no new missions and cannot answer frag orders. Seats they already hold are kept; you can remove them on the mission page.`,
  },
};

export const roleNotes = {
  onlyAdmin: 'You will then be the only admin.',
  ownPilot: 'This is your own account. You stay an admin.',
  ownAdmin: 'Another admin can do it.',
  lastAdmin: 'You are the last admin. Give the admin role to someone else first; they can then remove yours.',
} as const;

/** Name of a user in the list: the call sign, or else the email. */
export function personName({ displayName, email }: Pick<UserDto, 'displayName' | 'email'>): string {
  return displayName ?? (email === '' ? 'No call sign' : email);
}
