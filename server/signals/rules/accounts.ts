/** Events of accounts: who they are, what they may do, and how their owners get in. */
import type { Role } from '#shared/vocabulary.ts';
import { auditOnly, NOTHING, type Actor, type AuditRecord, type Consequences, type Stamp } from './effects.ts';

interface OfAccount {
  userId: string;
}
/** A change by somebody else, or by the operator. */
interface ByOther extends OfAccount {
  by: Actor;
}
/** @param device in words, as the list of sessions has it */
interface OnDevice extends OfAccount {
  device: string;
}

export interface AccountEvents {
  /** `waits`: for approval, so that there is no pilot yet */
  'account.registered': OfAccount & { waits: boolean };
  /** @param name the call sign, or null */
  'account.approved': ByOther & { name: string | null };
  'account.declined': ByOther & { name: string | null };
  /** by a ban, which has an event of its own */
  'account.suspended': OfAccount;
  'account.erased': OfAccount;
  /** from a spreadsheet. `rescheduled`: the updated ones that have other times */
  'accounts.imported': Record<'created' | 'updated' | 'rescheduled', readonly string[]>;
  'deletion.requested': OfAccount & { dueAt: Date };
  'deletion.undone': OfAccount;
  'role.added': ByOther & { role: Role };
  'role.removed': ByOther & { role: Role };
  /** An account that joined by an invite is an admin. @param invite its name */
  'role.given_by_invite': ByOther & { invite: string };
  /** call sign and time zone */
  'profile.saved': OfAccount;
  'leave.set': ByOther & { firstDate: string; lastDate: string };
  'leave.ended': ByOther;

  'password.changed': OfAccount;
  'password.reset': ByOther;
  /** for one account, or for several */
  'password.links_made': { by: { id: string }; userIds: readonly string[] };
  /** the same, by email */
  'password.links_sent': { by: { id: string }; userIds: readonly string[] };
  /** by a visitor who has forgotten it */
  'password.link_requested': { address: string };
  /** email and password of an account that had none */
  'credentials.set': OfAccount;
  'verification.requested': OfAccount;
  /** `isFirst`: the address was not known to be read */
  'address.verified': OfAccount & { isFirst: boolean };
  'token.created': ByOther & { name: string; scopes: readonly string[]; expiresAt: string };
  'token.revoked': ByOther & { name: string };
  'calendar.link_made': OfAccount;
  'calendar.link_ended': OfAccount;
  'busy_calendar.added': OfAccount;
  'busy_calendar.removed': OfAccount;

  /** Sessions or tokens have ended, or roles have changed: open pages check. */
  'access.changed': { userIds: readonly string[] };
  /** `isNew`: from a browser that had never signed in to the account. `second`: null without a second factor */
  'session.started': OnDevice & { way: string; address: string; second: string | null; isNew: boolean };
  'session.confirmed': OnDevice;
  'session.ended': OnDevice;
  'sessions.ended': OfAccount & { count: number };
  /** By somebody who may not have been the account's owner, as the two below. */
  'sign_in.failed': OnDevice & { address: string };
  'sign_in.limited': OfAccount & { attempts: number; minutes: number; address: string };
  'second_factor.failed': OnDevice & { second: string; address: string };
  'second_factor.on': OfAccount;
  'second_factor.off': OfAccount;
  /** for somebody who has lost it */
  'second_factor.reset': ByOther;
  'authenticator.added': OfAccount;
  'authenticator.removed': OfAccount;
  'passkey.added': OfAccount & { name: string };
  'passkey.renamed': OfAccount & { from: string; to: string };
  'passkey.removed': OfAccount & { name: string };
  'recovery_codes.made': OfAccount;
  'device.remembered': OnDevice;
  'device.forgotten': OnDevice;
}

type Action = AuditRecord['action'];

/** An entry about an account. */
const record = (by: Actor | null, userId: string, action: Action, detail = {}): AuditRecord => ({
  by,
  action,
  subject: { type: 'user', id: userId },
  detail,
});
/** An entry about the actor's own account. */
const own = ({ userId }: OfAccount, action: Action, detail = {}) => record({ id: userId }, userId, action, detail);
const byOther = ({ by, userId }: ByOther, action: Action, detail = {}) => record(by, userId, action, detail);

const ownOnly = (action: Action) => auditOnly((event: OfAccount) => own(event, action));
const onDevice = (action: Action) => auditOnly((event: OnDevice) => own(event, action, { device: event.device }));

/** An entry that is left out if there was the same one within a quarter of an hour. */
const atIntervals = (userId: string, action: Action, unlessSame: object, rest: object): AuditRecord => ({
  ...record(null, userId, action, { ...unlessSame, ...rest }),
  unlessSame: { ...unlessSame },
});

const work = ({ userId }: OfAccount) => [{ backfillPilot: userId }];
/** For a change that pages and Discord messages show with the account. */
const PROFILE = {
  live: ({ userId }: OfAccount) => [['profile', [userId]] as const],
  discord: ({ userId }: OfAccount) => [{ accounts: [userId] }],
};
/** For a change after which the account may fly, or may not. */
const FLIES = {
  ...NOTHING,
  ...PROFILE,
  live: ({ userId }: OfAccount) => [
    ['profile', [userId]] as const,
    ['session', [userId]] as const,
    'stats' as const,
    'missions' as const,
  ],
  work,
};
const ROLE = {
  ...NOTHING,
  ...PROFILE,
  live: ({ userId, role }: OfAccount & { role: Role }) => [
    ['profile', [userId]] as const,
    ['session', [userId]] as const,
    ...(role === 'user' ? (['stats', 'missions'] as const) : []),
  ],
  // a job frees the seats of a suspended pilot: missions are not locked while the role lock is held
  work: ({ userId, role }: OfAccount & { role: Role }) => (role === 'user' ? [{ backfillPilot: userId }] : null),
};
const LEAVE = {
  ...NOTHING,
  live: ({ userId }: OfAccount) => [
    ['profile', [userId]] as const,
    ['status', [userId]] as const,
    ['availability', [userId]] as const,
    'stats' as const,
    'missions' as const,
  ],
  discord: PROFILE.discord,
  work,
};
/** The audit entry says what happened to the account's safety. */
const security = ({ id, userId }: OfAccount & Stamp) => [{ kind: 'security' as const, userId, auditId: id }];
const verification = ({ userId }: OfAccount) => [{ kind: 'verification' as const, userId }];

/** The one account, or for several the admin. */
const linksRecord = ({ by, userIds }: AccountEvents['password.links_made'], action: Action) => {
  const [only, ...others] = userIds;
  return record(by, only !== undefined && others.length === 0 ? only : by.id, action, { created: userIds });
};

export const ACCOUNT_CONSEQUENCES: Consequences<AccountEvents> = {
  'account.registered': {
    ...NOTHING,
    live: () => ['stats', 'community'],
    webhooks: ({ userId, waits }) => (waits ? null : [{ type: 'pilot.registered', userId }]),
  },
  'account.approved': {
    ...NOTHING,
    ...PROFILE,
    audit: (event) => byOther(event, 'account_approved', { name: event.name }),
    live: ({ userId }) => [['profile', [userId]], 'stats', 'missions', 'community'],
    webhooks: ({ userId }) => [{ type: 'pilot.registered', userId }],
    work,
  },
  'account.declined': {
    ...NOTHING,
    ...PROFILE,
    audit: (event) => byOther(event, 'account_declined', { name: event.name }),
    live: ({ userId }) => [['profile', [userId]], 'stats', 'missions', 'community'],
  },
  'account.suspended': { ...FLIES, live: (event) => [...FLIES.live(event), 'community'] },
  'account.erased': {
    ...NOTHING,
    audit: ({ userId }) => record(null, userId, 'account_erased'),
    live: ({ userId }) => ['stats', 'missions', ['session', [userId]]],
  },
  'accounts.imported': {
    ...NOTHING,
    // the import writes its audit entry itself: all calls of one import share it
    audit: null,
    live: ({ updated, rescheduled }) => [['profile', updated], ['availability', rescheduled], 'missions', 'stats'],
    discord: ({ updated }) => [{ accounts: updated }],
    webhooks: ({ created }) => created.map((userId) => ({ type: 'pilot.registered', userId })),
    work: ({ created, updated }) => [...created, ...updated].map((userId) => ({ backfillPilot: userId })),
  },
  'deletion.requested': { ...FLIES, audit: (event) => own(event, 'deletion_requested', { dueAt: event.dueAt }) },
  'deletion.undone': { ...FLIES, audit: (event) => own(event, 'deletion_undone') },
  'role.added': { ...ROLE, audit: (event) => byOther(event, 'role_added', { role: event.role }) },
  'role.removed': { ...ROLE, audit: (event) => byOther(event, 'role_removed', { role: event.role }) },
  'role.given_by_invite': auditOnly((event) => byOther(event, 'role_added', { role: 'admin', invite: event.invite })),
  'profile.saved': {
    ...NOTHING,
    ...PROFILE,
    // availability is in the pilot's zone
    live: ({ userId }) => [['profile', [userId]], ['availability', [userId]], 'missions'],
    work,
  },
  'leave.set': {
    ...LEAVE,
    // the reason stays out of the log, which is kept for good
    audit: (event) => byOther(event, 'leave_set', { firstDate: event.firstDate, lastDate: event.lastDate }),
  },
  'leave.ended': { ...LEAVE, audit: (event) => byOther(event, 'leave_ended') },

  'password.changed': ownOnly('password_changed'),
  'password.reset': auditOnly((event) => byOther(event, 'password_reset')),
  'password.links_made': auditOnly((event) => linksRecord(event, 'password_links_made')),
  'password.links_sent': {
    ...NOTHING,
    audit: (event) => linksRecord(event, 'password_links_sent'),
    mail: ({ userIds }) => userIds.map((userId) => ({ kind: 'welcome', userId })),
  },
  'password.link_requested': { ...NOTHING, mail: ({ address }) => [{ kind: 'password', address }] },
  'credentials.set': { ...NOTHING, audit: (event) => own(event, 'credentials_set'), mail: verification },
  'verification.requested': { ...NOTHING, mail: verification },
  'address.verified': {
    ...NOTHING,
    ...PROFILE,
    audit: (event) => (event.isFirst ? own(event, 'address_verified') : null),
  },
  'token.created': auditOnly((event) => {
    const { name, scopes, expiresAt } = event;
    return byOther(event, 'token_created', { name, scopes, expiresAt });
  }),
  'token.revoked': {
    ...NOTHING,
    audit: (event) => byOther(event, 'token_revoked', { name: event.name }),
    live: ({ userId }) => [['session', [userId]]],
  },
  'calendar.link_made': ownOnly('calendar_link_made'),
  'calendar.link_ended': ownOnly('calendar_link_ended'),
  'busy_calendar.added': ownOnly('busy_calendar_added'),
  'busy_calendar.removed': ownOnly('busy_calendar_removed'),

  'access.changed': { ...NOTHING, live: ({ userIds }) => [['session', userIds]] },
  'session.started': {
    ...NOTHING,
    audit: (event) => {
      const { way, address, device, second, isNew } = event;
      return own(event, 'signed_in', {
        way,
        address,
        device,
        ...(second !== null && { second }),
        ...(isNew && { isNew }),
      });
    },
    mail: (event) => (event.isNew ? security(event) : null),
  },
  'session.confirmed': onDevice('session_confirmed'),
  'session.ended': onDevice('session_ended'),
  'sessions.ended': auditOnly((event) => own(event, 'other_sessions_ended', { count: event.count })),
  'sign_in.failed': auditOnly(({ userId, address, device }) =>
    atIntervals(userId, 'sign_in_failed', {}, { address, device }),
  ),
  'sign_in.limited': auditOnly(({ userId, attempts, minutes, address }) =>
    atIntervals(userId, 'sign_in_limited', { attempts, minutes }, { address }),
  ),
  'second_factor.failed': auditOnly(({ userId, second, address, device }) =>
    atIntervals(userId, 'second_factor_failed', { second }, { address, device }),
  ),
  'second_factor.on': ownOnly('second_factor_on'),
  'second_factor.off': { ...NOTHING, ...PROFILE, audit: (event) => own(event, 'second_factor_off'), mail: security },
  'second_factor.reset': {
    ...NOTHING,
    ...PROFILE,
    audit: (event) => byOther(event, 'second_factor_reset'),
    mail: security,
  },
  'authenticator.added': { ...NOTHING, ...PROFILE, audit: (event) => own(event, 'authenticator_added') },
  'authenticator.removed': { ...NOTHING, ...PROFILE, audit: (event) => own(event, 'authenticator_removed') },
  'passkey.added': { ...NOTHING, ...PROFILE, audit: (event) => own(event, 'passkey_added', { name: event.name }) },
  'passkey.renamed': auditOnly((event) => own(event, 'passkey_renamed', { from: event.from, to: event.to })),
  'passkey.removed': { ...NOTHING, ...PROFILE, audit: (event) => own(event, 'passkey_removed', { name: event.name }) },
  'recovery_codes.made': ownOnly('recovery_codes_made'),
  'device.remembered': onDevice('device_remembered'),
  'device.forgotten': onDevice('device_forgotten'),
};
