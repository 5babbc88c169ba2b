import type { InviteDto } from '#shared/schemas/community.ts';
import type { InviteState, MailKind, RegistrationMode } from '#shared/vocabulary.ts';

/** Sentences of the pages for invites and settings. */
export const communityCopy = {
  loadingInvites: 'Loading invites...',
  invitesFailed: 'Error loading invites: ',
  noInvites: 'No invites yet',
  noInvitesMeaning: 'Make a link and post it where your pilots are. Anybody who opens it can create an account.',
  created: 'Invite made. Copy its link and share it.',
  revoked: 'Invite revoked',
  revokeMeaning: 'The link stops working right away. Pilots who joined with it stay.',
  loadingRequests: 'Loading requests...',
  requestsFailed: 'Error loading requests: ',
  noRequests: 'No requests. Visitors make them with the form on the front page.',
  dismissed: 'Request dismissed',
  loadingWaiting: 'Loading waiting accounts...',
  waitingFailed: 'Error loading waiting accounts: ',
  nobodyWaits: 'Nobody is waiting',
  nobodyWaitsMeaning: 'Accounts that need your approval appear here.',
  approveAdminMeaning:
    'They came by an invite for admins. Admins can read all email addresses and change every account. To approve as a pilot instead, revoke the invite first.',
  declineMeaning:
    'They see that you declined, and can use nothing else. Their account is deleted after 30 days; you can approve it until then.',
  loadingInvited: 'Loading pilots...',
  invitedFailed: 'Error loading pilots: ',
  nobodyJoined: 'Nobody has joined with this invite yet',
  nobodyJoinedMeaning: 'Copy the link and share it with your pilots.',
  adminWarning:
    'Anybody who registers with this link becomes an admin, and can read all email addresses and change every account. Share it only with the right person.',
  loadingSettings: 'Loading settings...',
  settingsFailed: 'Error loading settings: ',
  saved: 'Settings saved',
  loadingMessages: 'Loading messages...',
  messagesFailed: 'Error loading messages: ',
  messageSent: 'Message sent',
  noneLeft: 'Three messages were sent within a day. Wait until the oldest is a day old.',
  nobodyListens:
    'Nobody would get it yet: pilots choose community news in their profile, and need Discord or notifications on a device.',
  loadingMail: 'Loading email...',
  mailFailed: 'Error loading email: ',
  mailOff:
    'This server sends no email. With the settings SMTP_URL and MAIL_FROM pilots can replace a forgotten password, and get frag orders and invites by email.',
  testQueued: 'On its way. Look in your inbox, or below if it fails.',
} as const;

export const MAIL_WORDS: Record<MailKind, string> = {
  password: 'New password',
  welcome: 'Personal link',
  verification: 'Verification',
  test: 'Test',
  invite: 'Invite',
  order: 'Frag order',
  request: 'Requests',
  reminder: 'Reminder',
  digest: 'Weekly digest',
  turnout: 'Too few pilots',
  security: 'Account safety',
};

export const INVITE_WORDS = {
  open: { word: 'Open', signal: 'green', shape: 'circle' },
  expired: { word: 'Expired', signal: 'gray', shape: 'circle' },
  used_up: { word: 'Used up', signal: 'gray', shape: 'square' },
  revoked: { word: 'Revoked', signal: 'red', shape: 'cross' },
} as const satisfies Record<InviteState, object>;

export const MODE_WORDS: Record<RegistrationMode, { label: string; meaning: string }> = {
  open: { label: 'Open', meaning: 'Anybody can create an account.' },
  invite: { label: 'By invite', meaning: 'Only people with an invite link can create an account.' },
  approval: {
    label: 'With approval',
    meaning: 'Anybody can create an account, and an admin approves it. Invites without approval let people in at once.',
  },
};

/** `12 of 40`, or `12` without a limit */
export const usesText = ({ uses, maxUses }: Pick<InviteDto, 'uses' | 'maxUses'>): string =>
  maxUses === null ? `${uses}` : `${uses} of ${maxUses}`;
