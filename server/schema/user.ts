/** Accounts, their sessions, access tokens and live status. */
import { defineEntity, p } from '@mikro-orm/core';
import {
  APPROVAL_STATES,
  LINK_PURPOSES,
  ROLES,
  STATUS_STATES,
  TOKEN_SCOPES,
  type ApprovalState,
  type LinkPurpose,
  type Role,
  type StatusState,
  type TokenScope,
} from '#shared/vocabulary.ts';
import { PLACEHOLDER_DOMAIN } from '#shared/email-domain.ts';
import { REMINDERS, type ReminderMinutes } from '#shared/reminders.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { rosterTriggers } from './roster-triggers.ts';

/** The channel on which the database says that what somebody may do has changed, whoever has changed it. */
export const ACCESS_CHANNEL = 'marshal_access';

/** The body of a trigger. The notification is empty, so that a transaction sends it once for all of its rows. */
const whenAccessEnds = (condition: string): string =>
  `if ${condition} then perform pg_notify('${ACCESS_CHANNEL}', ''); end if; return null`;

export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'app_user', // "user" is a reserved word
  properties: {
    id: id(),
    email: p.text(),
    /** NFC, lower case, IDNA domain: computed only in server/accounts/email.ts, never in SQL */
    emailKey: p.text().unique(),
    /** when its owner opened a link that was sent there; null again after a change of address */
    emailVerifiedAt: p.datetime().nullable(),
    displayName: p.text().nullable(),
    timeZone: p.text().default('UTC'),
    roles: p.array().columnType('text[]').$type<Role[]>().defaultRaw(`'{user}'`),
    /** of an account that is not a pilot yet, and lacks the role `user`; null for all others */
    approval: p.text().$type<ApprovalState>().nullable(),
    /** when it began to wait, or was declined */
    approvalSince: p.datetime().nullable(),
    /** null: the account signs in through Discord only */
    passwordHash: p.text().nullable(),
    /** since when the account has a second factor, an authenticator app or a passkey; null without one */
    secondFactorAt: p.datetime().nullable(),
    wantsGlobalEvents: p.boolean().default(false),
    /** push notifications for new frag orders, and for changed seats and missions */
    notifyOrders: p.boolean().default(true),
    notifyChanges: p.boolean().default(true),
    /** email about new frag orders, and about changed seats and missions */
    emailOrders: p.boolean().default(true),
    emailChanges: p.boolean().default(true),
    /** email to admins about visitors' requests */
    emailRequests: p.boolean().default(true),
    /** the weekly digest by email */
    emailDigest: p.boolean().default(false),
    /** the Sunday for which the digest was last queued, or found empty: there is one for each week */
    digestedOn: p.date().$type<string>().nullable(),
    /** minutes before the start of a mission at which its pilot is reminded, and by which channels */
    reminderMinutes: p
      .array((minutes) => Number(minutes))
      .columnType('smallint[]')
      .$type<ReminderMinutes[]>()
      .defaultRaw(`'{${REMINDERS.initial.join(',')}}'`),
    /** when they were last chosen: a lead time that was over by then is skipped */
    remindersSetAt: p.datetime().nullable(),
    remindByDiscord: p.boolean().default(true),
    remindByPush: p.boolean().default(true),
    remindByEmail: p.boolean().default(true),
    /** the last time this pilot read the inbox; orders since then are "new" */
    inboxReadAt: p.datetime().nullable(),
    /** when the account will be erased, because its owner has asked for it; its roles are kept for a change of mind */
    deletionDueAt: p.datetime().nullable(),
    rolesBeforeDeletion: p.array().columnType('text[]').$type<Role[]>().nullable(),
    /** when the account was erased: the row stays, as the former pilot of its missions */
    erasedAt: p.datetime().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'app_user_created_at_idx', properties: ['createdAt', 'id'] },
    {
      name: 'app_user_deletion_due_idx',
      expression: `create index "app_user_deletion_due_idx" on "app_user" ("deletion_due_at") where deletion_due_at is not null and erased_at is null`,
    },
    {
      name: 'app_user_no_pilot_idx',
      expression: `create index "app_user_no_pilot_idx" on "app_user" ("id") where not ('user' = any (roles))`,
    },
  ],
  triggers: [
    ...rosterTriggers('app_user', "note_roster_change('id')"),
    {
      name: 'app_user_access',
      timing: 'after',
      events: ['update'],
      body: whenAccessEnds(
        `(new.email, new.display_name, new.time_zone, new.roles, new.approval, new.password_hash, new.second_factor_at, new.deletion_due_at, new.created_at) is distinct from (old.email, old.display_name, old.time_zone, old.roles, old.approval, old.password_hash, old.second_factor_at, old.deletion_due_at, old.created_at)`,
      ),
    },
  ],
  checks: [
    {
      name: 'app_user_roles_known',
      expression: `roles <@ array[${ROLES.map((role) => `'${role}'::text`).join(', ')}]`,
    },
    {
      name: 'app_user_reminder_minutes_known',
      expression: `(reminder_minutes <@ (array[${REMINDERS.minutes.join(', ')}])::smallint[]) and (cardinality(reminder_minutes) <= ${REMINDERS.max})`,
    },
    {
      // nobody can take the placeholder that another account has, or gets when it is erased
      name: 'app_user_placeholder_is_own',
      expression: `email_key !~ '[@.]${PLACEHOLDER_DOMAIN.replaceAll('.', '[.]')}$' or email_key = id::text || '@${PLACEHOLDER_DOMAIN}'`,
    },
    {
      // nobody could see such a role, or take it away
      name: 'app_user_leaving_without_roles',
      expression: `deletion_due_at is null and erased_at is null or roles = '{}'`,
    },
    {
      name: 'app_user_erased_is_nobody',
      expression: `erased_at is null or deletion_due_at is null and roles_before_deletion is null and approval is null and password_hash is null`,
    },
    { name: 'app_user_approval_known', expression: oneOf('approval', APPROVAL_STATES) },
    {
      name: 'app_user_approval_no_pilot',
      expression: `approval is null or approval_since is not null and not roles @> array['user'::text]`,
    },
  ],
});
export class User extends UserSchema.class {}
UserSchema.setClass(User);

export const SessionSchema = defineEntity({
  name: 'Session',
  properties: {
    /** SHA-256 of the token, hex: reading the table is not enough to sign in */
    id: p.text().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('session_user_idx'),
    /** the browser's User-Agent at sign-in, truncated: how people tell their sessions apart */
    userAgent: p.text().nullable(),
    createdAt: createdAt(),
    expiresAt: p.datetime().index('session_expires_at_idx'),
    /** of a browser that had never signed in to the account, and nobody has confirmed it since */
    isNew: p.boolean().default(false),
    /** of a sign-in in which a remembered device stood in for the second factor */
    isByDevice: p.boolean().default(false),
  },
  triggers: [
    {
      name: 'session_access',
      timing: 'after',
      events: ['delete', 'update'],
      // neither a renewal nor the removal of an expired session ends any access
      body: whenAccessEnds(
        `old.expires_at > now() and (tg_op = 'DELETE' or new.expires_at < old.expires_at or new.user_id <> old.user_id or new.id <> old.id)`,
      ),
    },
  ],
});
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);

/** A script's key to an account, sent as a bearer token. */
export const PersonalAccessTokenSchema = defineEntity({
  name: 'PersonalAccessToken',
  properties: {
    id: id(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('personal_access_token_user_idx'),
    name: p.text(),
    /** SHA-256 of the token, hex: reading the table is not enough to use it */
    tokenHash: p.text().unique(),
    scopes: p.array().columnType('text[]').$type<TokenScope[]>(),
    createdAt: createdAt(),
    expiresAt: p.datetime(),
    /** to within a few minutes, so that most requests write nothing */
    lastUsedAt: p.datetime().nullable(),
  },
  checks: [
    {
      name: 'personal_access_token_scopes_known',
      expression: `cardinality(scopes) > 0 and scopes <@ array[${TOKEN_SCOPES.map((scope) => `'${scope}'::text`).join(', ')}]`,
    },
  ],
  triggers: [
    {
      name: 'personal_access_token_access',
      timing: 'after',
      events: ['delete', 'update'],
      body: whenAccessEnds(
        `tg_op = 'DELETE' or (new.user_id, new.token_hash, new.scopes, new.expires_at) is distinct from (old.user_id, old.token_hash, old.scopes, old.expires_at)`,
      ),
    },
  ],
});
export class PersonalAccessToken extends PersonalAccessTokenSchema.class {}
PersonalAccessTokenSchema.setClass(PersonalAccessToken);

/** A one-time link that signs in to an account, or sets its password. */
export const SignInLinkSchema = defineEntity({
  name: 'SignInLink',
  properties: {
    /** SHA-256 of the token, hex */
    tokenHash: p.text().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('sign_in_link_user_idx'),
    purpose: p.text().$type<LinkPurpose>().default('sign_in'),
    createdAt: createdAt(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  },
  checks: [{ name: 'sign_in_link_purpose_known', expression: oneOf('purpose', LINK_PURPOSES) }],
});
export class SignInLink extends SignInLinkSchema.class {}
SignInLinkSchema.setClass(SignInLink);

/** When an account was last seen. A table of its own: it is written often, and while other rows of the account are locked. */
export const LastSeenSchema = defineEntity({
  name: 'LastSeen',
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    seenAt: p.datetime().index('last_seen_seen_at_idx'),
  },
});
export class LastSeen extends LastSeenSchema.class {}
LastSeenSchema.setClass(LastSeen);

export const PilotStatusSchema = defineEntity({
  name: 'PilotStatus',
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    state: p.text().$type<StatusState>(),
    minutes: p.smallint().nullable(),
    expiresAt: p.datetime().nullable(),
    updatedAt: updatedAt(),
  },
  checks: [
    { name: 'pilot_status_state_known', expression: oneOf('state', STATUS_STATES) },
    {
      name: 'pilot_status_now_ends',
      expression: `(state = 'now'::text) = (minutes is not null) and (state = 'now'::text) = (expires_at is not null)`,
    },
  ],
  triggers: rosterTriggers('pilot_status', "note_roster_change('user_id')"),
});
export class PilotStatus extends PilotStatusSchema.class {}
PilotStatusSchema.setClass(PilotStatus);

/** Somebody who may not have an account. Only keyed hashes are stored, so a ban outlives the account and names nobody. */
export const BanSchema = defineEntity({
  name: 'Ban',
  properties: {
    id: id(),
    /** of the email's key; null where the ban names no email */
    emailHash: p.text().nullable().unique(),
    discordHash: p.text().nullable().unique(),
    /** how admins recognize the entry */
    label: p.text(),
    reason: p.text(),
    /** the account that it has suspended */
    user: () => p.manyToOne(User).nullable().deleteRule('set null').index('ban_user_idx'),
    createdBy: () => p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: createdAt(),
  },
  checks: [{ name: 'ban_of_somebody', expression: '((email_hash is not null) or (discord_hash is not null))' }],
});
export class Ban extends BanSchema.class {}
BanSchema.setClass(Ban);
