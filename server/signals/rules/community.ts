/** Events of the community and its installation: settings, invites, bans, requests, messages, webhooks and backups. */
import type { Role } from '#shared/vocabulary.ts';
import { auditOnly, COMMAND_LINE, NOTHING, type Actor, type AuditRecord, type Consequences } from './effects.ts';

interface OfInvite {
  by: Actor;
  invite: { id: string; name: string };
}
/** A ban of an account, or of an address with a label. */
interface OfBan {
  by: Actor;
  ban: { id: string; label: string };
  userId: string | null;
}
/** @param host by which the audit log names the webhook */
interface OfWebhook {
  by: Actor;
  webhook: { id: string; host: string };
}

export interface CommunityEvents {
  'community.changed': {
    by: Actor;
    changes: readonly { field: 'name' | 'registration'; from: string | null; to: string | null }[];
  };
  /** steps of the guide for a new community */
  'guide.changed': object;
  /** @param text shortened */
  'community.messaged': { by: Actor; messageId: string; text: string; recipients: number };
  /** @param maxUses null: any number @param expiresAt null: never */
  'invite.created': OfInvite & {
    role: Role;
    limits: { withApproval: boolean; maxUses: number | null; expiresAt: string | null };
    isForRequest: boolean;
  };
  'invite.sent': OfInvite & { addresses: readonly string[] };
  /** `creatorLeft`: with a role or the account of its creator */
  'invite.revoked': OfInvite & { creatorLeft: boolean };
  /** by the new account */
  'invite.used': OfInvite;
  'ban.added': OfBan;
  'ban.lifted': OfBan;
  /** by a visitor */
  'request.made': object;
  'request.dismissed': { by: Actor; requestId: string };
  'digest.due': { userId: string; sunday: string };
  'test_mail.requested': { userId: string };
  'webhook.created': OfWebhook;
  /** @param changes in words; null: none that the audit log tells */
  'webhook.changed': OfWebhook & { changes: string | null };
  'webhook.deleted': OfWebhook;
  'webhook.secret_rotated': OfWebhook;
  /** by the server */
  'webhook.disabled': Omit<OfWebhook, 'by'> & { reason: string };
  'backup.requested': { by: Actor };
  /** by the operator */
  'backup.restored': { madeAt: string };
}

const inviteRecord = ({ by, invite }: OfInvite, action: AuditRecord['action'], detail = {}): AuditRecord => ({
  by,
  action,
  subject: { type: 'invite', id: invite.id },
  detail: { name: invite.name, ...detail },
});
/** The reason of a ban stays out of the log, which is kept for good. */
const banRecord = ({ by, ban, userId }: OfBan, action: AuditRecord['action']): AuditRecord =>
  userId === null
    ? { by, action, subject: { type: 'ban', id: ban.id }, detail: { name: ban.label } }
    : { by, action, subject: { type: 'user', id: userId } };
const webhookRecord = (
  by: Actor | null,
  { id, host }: OfWebhook['webhook'],
  action: AuditRecord['action'],
  detail = {},
): AuditRecord => ({ by, action, subject: { type: 'webhook', id }, detail: { name: host, ...detail } });

/** The pages of admins about the community. */
const ON_COMMUNITY = { ...NOTHING, live: () => ['community' as const] };

export const COMMUNITY_CONSEQUENCES: Consequences<CommunityEvents> = {
  'community.changed': {
    ...ON_COMMUNITY,
    audit: ({ by, changes }) => ({
      by,
      action: 'community_changed',
      subject: { type: 'community', id: 'settings' },
      detail: { changes },
    }),
  },
  'guide.changed': ON_COMMUNITY,
  'community.messaged': {
    ...ON_COMMUNITY,
    audit: ({ by, messageId, text, recipients }) => ({
      by,
      action: 'community_messaged',
      subject: { type: 'community', id: messageId },
      detail: { text, recipients },
    }),
    work: ({ messageId }) => [{ sendCommunityMessage: messageId }],
  },
  'invite.created': {
    ...ON_COMMUNITY,
    audit: (event) => {
      const { role, limits, isForRequest } = event;
      return inviteRecord(event, 'invite_created', { role, ...limits, ...(isForRequest && { isForRequest }) });
    },
  },
  'invite.sent': {
    ...NOTHING,
    // without the addresses: the audit log is kept for good
    audit: (event) => inviteRecord(event, 'invite_sent', { count: event.addresses.length }),
    mail: ({ invite, addresses }) => addresses.map((address) => ({ kind: 'invite', address, inviteId: invite.id })),
  },
  'invite.revoked': {
    ...ON_COMMUNITY,
    audit: (event) => inviteRecord(event, 'invite_revoked', event.creatorLeft ? { creatorLeft: true } : {}),
  },
  'invite.used': auditOnly((event) => inviteRecord(event, 'invite_used')),
  'ban.added': { ...ON_COMMUNITY, audit: (event) => banRecord(event, 'ban_added') },
  'ban.lifted': { ...ON_COMMUNITY, audit: (event) => banRecord(event, 'ban_lifted') },
  'request.made': { ...ON_COMMUNITY, mail: () => [{ kind: 'request' }] },
  'request.dismissed': {
    ...ON_COMMUNITY,
    // without the name: the visitor has no account whose deletion would remove it
    audit: ({ by, requestId }) => ({
      by,
      action: 'request_dismissed',
      subject: { type: 'request', id: requestId },
    }),
  },
  'digest.due': { ...NOTHING, mail: ({ userId, sunday }) => [{ kind: 'digest', userId, sunday }] },
  'test_mail.requested': { ...NOTHING, mail: ({ userId }) => [{ kind: 'test', userId }] },
  'webhook.created': auditOnly(({ by, webhook }) => webhookRecord(by, webhook, 'webhook_created')),
  'webhook.changed': auditOnly(({ by, webhook, changes }) =>
    webhookRecord(by, webhook, 'webhook_changed', { changes }),
  ),
  'webhook.deleted': auditOnly(({ by, webhook }) => webhookRecord(by, webhook, 'webhook_deleted')),
  'webhook.secret_rotated': auditOnly(({ by, webhook }) => webhookRecord(by, webhook, 'webhook_secret_rotated')),
  'webhook.disabled': auditOnly(({ webhook, reason }) => webhookRecord(null, webhook, 'webhook_disabled', { reason })),
  'backup.requested': {
    ...NOTHING,
    audit: ({ by }) => ({ by, action: 'backup_requested', subject: { type: 'community', id: 'settings' } }),
    work: () => [{ backUp: true }],
  },
  'backup.restored': auditOnly(({ madeAt }) => ({
    by: COMMAND_LINE,
    action: 'backup_restored',
    subject: { type: 'community', id: 'settings' },
    detail: { madeAt },
  })),
};
