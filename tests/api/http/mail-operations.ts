/** The operations of email. The configuration of these tests has no SMTP server; tests/api/delivery/mail has one. */
import { INVITE_ID } from './community-operations.ts';
import type { Operation } from './operations.ts';

const MAIL_OFF = ['MAIL_OFF', 'This server does not send email.'] as const;
const nothing = () => undefined;

export const MAIL_OPERATIONS: Record<string, Operation> = {
  'auth.requestPassword': { policy: 'public', input: () => ({ email: 'lost@example.org' }), refusal: MAIL_OFF },
  'pilot.mail.account': { policy: 'signedIn', input: nothing },
  'pilot.mail.sendVerification': { policy: 'signedIn', input: nothing, refusal: MAIL_OFF },
  'pilot.mail.verify': {
    policy: 'public',
    input: () => ({ token: 'unknown' }),
    refusal: ['LINK_INVALID', 'This link has expired, or was for another address. Send a new one from your profile.'],
  },
  'pilot.mail.setSubscription': {
    policy: 'public',
    input: () => ({ token: 'unknown', isWanted: false }),
    refusal: ['LINK_INVALID', 'This link is not complete. Open it from the email again.'],
  },
  'admin.mail.log': { policy: 'admin', input: nothing },
  'admin.mail.test': { policy: 'admin', input: nothing, refusal: MAIL_OFF },
  'admin.mail.sendInvite': {
    policy: 'admin',
    input: () => ({ id: INVITE_ID, addresses: ['newcomer@example.org'] }),
    refusal: MAIL_OFF,
  },
  'admin.mail.sendPasswordLinks': { policy: 'admin', input: ({ id }) => ({ ids: [id] }), refusal: MAIL_OFF },
};
