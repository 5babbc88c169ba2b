/** Documentation of the calls for email. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Name = Extract<ProcedureName, `mail.${string}` | `admin.mail.${string}`>;

export const MAIL_DOCS = {
  'mail.account': {
    id: 'getMailAccount',
    tag: 'Email',
    summary: 'Get the state of the own address',
    description: 'Whether the address was verified. Nothing depends on it except what the profile shows.',
  },
  'mail.sendVerification': {
    id: 'sendVerification',
    tag: 'Email',
    summary: 'Send a link that verifies the own address',
    description: 'At most 5 in a quarter of an hour. The link works for 7 days.',
    refusals: ['MAIL_OFF', 'EMAIL_REQUIRED', 'RATE_LIMITED'],
  },
  'mail.verify': {
    id: 'verifyAddress',
    tag: 'Email',
    summary: 'Verify an address by the link of an email',
    description: 'Works without a session, and more than once.',
    refusals: ['LINK_INVALID', 'RATE_LIMITED'],
  },
  'mail.setSubscription': {
    id: 'setSubscription',
    tag: 'Email',
    summary: 'Unsubscribe by the link of an email, or undo it',
    description:
      'Works without a session, for the account or address of the link and one kind of email. Mail programs post to the address in `List-Unsubscribe` instead.',
    refusals: ['LINK_INVALID'],
  },
  'admin.mail.log': {
    id: 'getMailLog',
    tag: 'Email',
    summary: 'Get counts and failures of email',
    description: 'The failures include email that will be tried again.',
  },
  'admin.mail.test': {
    id: 'sendTestMail',
    tag: 'Email',
    summary: 'Send a test email to oneself',
    description: 'At most 5 in a quarter of an hour.',
    refusals: ['MAIL_OFF', 'EMAIL_REQUIRED', 'RATE_LIMITED'],
  },
  'admin.mail.sendInvite': {
    id: 'sendInvite',
    tag: 'Email',
    summary: 'Send an invite to addresses',
    description:
      'Addresses that have an account, or whose owners want no invites, are left out and named in the answer.',
    refusals: ['MAIL_OFF', 'INVITE_NOT_FOUND', 'INVITE_INVALID'],
  },
  'admin.mail.sendPasswordLinks': {
    id: 'sendPasswordLinks',
    tag: 'Email',
    summary: 'Send accounts personal links to set a password',
    description: 'Like `makePasswordLinks`, by email instead of in the answer.',
    refusals: ['MAIL_OFF', 'USER_NOT_FOUND', 'DELETION_REQUESTED', 'EMAIL_REQUIRED', 'FORBIDDEN'],
  },
} as const satisfies Record<Name, OperationDocs>;
