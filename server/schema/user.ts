/** Accounts, their sessions, access tokens and live status. */
import { defineEntity } from '@mikro-orm/core';
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
import { FORMER_PILOT } from '#shared/labels.ts';
import { REMINDERS, type ReminderMinutes } from '#shared/reminders.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { freeText, p, smallints, text, texts } from './columns.ts';
import { none, own, owner, personal, PLACEHOLDER, quotes, shown } from './personal.ts';
import { rosterTriggers } from './roster-triggers.ts';

/** Its copies in audit entries, seats and missions, each with the id of its pilot. */
const CALL_SIGN_COPIES = {
  userDisplayName: 'userId',
  pilot: 'userId',
  replaced: 'replacedId',
  createdByName: 'createdById',
};

/** The channel on which the database says that what somebody may do has changed, whoever has changed it. */
export const ACCESS_CHANNEL = 'marshal_access';

/** The body of a trigger. The notification is empty, so that a transaction sends it once for all of its rows. */
const whenAccessEnds = (condition: string): string =>
  `if ${condition} then perform pg_notify('${ACCESS_CHANNEL}', ''); end if; return null`;

/** Sort expressions of the list of accounts, also used in its indexes. The placeholder of an account without an email counts as none. */
export const LISTED_BY = {
  displayName: 'display_name collate "und-x-icu"',
  email: `(case when email not like '%@${PLACEHOLDER_DOMAIN}' then email_key end)`,
};

/** Nulls are last in both directions, so each needs an index of its own. Ties are by age. */
const listIndex = (name: string, order: string) => ({
  name,
  expression: `create index "${name}" on "app_user" (${order}, "created_at", "id") where erased_at is null`,
});

export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'app_user', // "user" is a reserved word
  properties: {
    id: personal(id(), shown('id')),
    email: text(own('email', { erased: PLACEHOLDER, isMark: true })),
    /** NFC, lower case, IDNA domain: computed only in server/accounts/email.ts, never in SQL */
    emailKey: text(own(null, { erased: PLACEHOLDER, isMark: true })).unique(),
    /** when the owner opened a link sent to the address; null again after the address changes */
    emailVerifiedAt: personal(p.datetime().nullable(), own('emailVerifiedAt', { erased: null })),
    displayName: freeText(200, own('callSign', { erased: FORMER_PILOT, copies: CALL_SIGN_COPIES })).nullable(),
    /** the call sign's skeleton, by which look-alikes are found; null until server/accounts/look-alikes.ts has computed it */
    look: freeText(200, own(null, { erased: null })).nullable(),
    timeZone: text(own('timeZone', { erased: 'UTC' })).default('UTC'),
    roles: texts(own('roles', { erased: [] }))
      .$type<Role[]>()
      .defaultRaw(`'{user}'`),
    /** of an account that is not a pilot yet, and lacks the role `user`; null for all others */
    approval: text(own(null)).$type<ApprovalState>().nullable(),
    /** when it began to wait, or was declined */
    approvalSince: personal(p.datetime().nullable(), own(null)),
    /** null: the account signs in through Discord only */
    passwordHash: text(own(null)).nullable(),
    /** since when the account has a second factor, an authenticator app or a passkey; null without one */
    secondFactorAt: personal(p.datetime().nullable(), own(null, { erased: null })),
    wantsGlobalEvents: personal(p.boolean().default(false), own('notifications.wantsGlobalEvents', { erased: false })),
    /** push notifications for new frag orders, and for changed seats and missions */
    notifyOrders: personal(p.boolean().default(true), shown('notifications.notifyOrders')),
    notifyChanges: personal(p.boolean().default(true), shown('notifications.notifyChanges')),
    /** email about new frag orders, and about changed seats and missions */
    emailOrders: personal(p.boolean().default(true), shown('notifications.emailOrders')),
    emailChanges: personal(p.boolean().default(true), shown('notifications.emailChanges')),
    /** email to admins about visitors' requests */
    emailRequests: personal(p.boolean().default(true), shown('notifications.emailRequests')),
    /** the weekly digest by email */
    emailDigest: personal(p.boolean().default(false), shown('notifications.emailDigest')),
    /** the Sunday for which the digest was last queued, or found empty: there is one for each week */
    digestedOn: p.date().$type<string>().nullable(),
    /** minutes before the start of a mission at which its pilot is reminded, and by which channels */
    reminderMinutes: personal(
      smallints()
        .$type<ReminderMinutes[]>()
        .defaultRaw(`'{${REMINDERS.initial.join(',')}}'`),
      shown('notifications.reminderMinutes'),
    ),
    /** when they were last chosen: a lead time that was over by then is skipped */
    remindersSetAt: p.datetime().nullable(),
    remindByDiscord: personal(p.boolean().default(true), shown('notifications.remindByDiscord')),
    remindByPush: personal(p.boolean().default(true), shown('notifications.remindByPush')),
    remindByEmail: personal(p.boolean().default(true), shown('notifications.remindByEmail')),
    /** the last time this pilot read the inbox; orders since then are "new" */
    inboxReadAt: personal(p.datetime().nullable(), own(null, { erased: null })),
    /** when the account will be erased, because its owner has asked for it; its roles are kept for a change of mind */
    deletionDueAt: personal(p.datetime().nullable(), own('deletionDueAt', { erased: null })),
    rolesBeforeDeletion: texts(own(null)).$type<Role[]>().nullable(),
    /** when the account was erased: the row stays, as the former pilot of its missions */
    erasedAt: p.datetime().nullable(),
    createdAt: personal(createdAt(), shown('createdAt')),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'app_user_created_at_idx', properties: ['createdAt', 'id'] },
    {
      name: 'app_user_look_idx',
      expression: `create index "app_user_look_idx" on "app_user" ("look", "created_at") where display_name is not null and erased_at is null`,
    },
    listIndex('app_user_name_idx', LISTED_BY.displayName),
    listIndex('app_user_name_desc_idx', `${LISTED_BY.displayName} desc nulls last`),
    listIndex('app_user_email_idx', LISTED_BY.email),
    listIndex('app_user_email_desc_idx', `${LISTED_BY.email} desc nulls last`),
    {
      name: 'app_user_deletion_due_idx',
      expression: `create index "app_user_deletion_due_idx" on "app_user" ("deletion_due_at") where deletion_due_at is not null and erased_at is null`,
    },
    {
      // small, because hardly any account waits for approval: all accounts are counted by it
      name: 'app_user_approval_idx',
      expression: `create index "app_user_approval_idx" on "app_user" ("approval") where erased_at is null`,
    },
    {
      name: 'app_user_no_pilot_idx',
      expression: `create index "app_user_no_pilot_idx" on "app_user" ("id") where not ('user' = any (roles))`,
    },
  ],
  triggers: [
    ...rosterTriggers('app_user', "note_roster_change('id')"),
    {
      // so that no writer of call signs needs to know of looks
      name: 'app_user_look',
      timing: 'before',
      events: ['update'],
      body: `if new.display_name is distinct from old.display_name then new.look := null; end if; return new`,
    },
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
    id: text(none).primary(),
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('session_user_idx'), owner('account')),
    /** the browser's User-Agent at sign-in, truncated: how people tell their sessions apart */
    userAgent: freeText(500, own('browser')).nullable(),
    createdAt: personal(createdAt(), shown('createdAt')),
    expiresAt: personal(p.datetime().index('session_expires_at_idx'), shown('expiresAt')),
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
    user: () =>
      personal(p.manyToOne(User).deleteRule('cascade').index('personal_access_token_user_idx'), owner('account')),
    name: freeText(100, own('name')),
    /** SHA-256 of the token, hex: reading the table is not enough to use it */
    tokenHash: text(none).unique(),
    scopes: texts(own('scopes')).$type<TokenScope[]>(),
    createdAt: personal(createdAt(), shown('createdAt')),
    expiresAt: personal(p.datetime(), shown('expiresAt')),
    /** to within a few minutes, so that most requests write nothing */
    lastUsedAt: personal(p.datetime().nullable(), shown('lastUsedAt')),
  },
  checks: [
    {
      name: 'personal_access_token_scopes_known',
      expression: `cardinality(scopes) > 0 and scopes <@ array[${TOKEN_SCOPES.map((scope) => `'${scope}'::text`).join(', ')}]`,
    },
    {
      // it reads slots and nothing else
      name: 'personal_access_token_server_alone',
      expression: `cardinality(scopes) = 1 or not ('server'::text = any (scopes))`,
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
    tokenHash: text(none).primary(),
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('sign_in_link_user_idx'), owner('account')),
    purpose: text(none).$type<LinkPurpose>().default('sign_in'),
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
    user: () => personal(p.oneToOne(User).owner().primary().deleteRule('cascade'), owner('account')),
    seenAt: p.datetime().index('last_seen_seen_at_idx'),
  },
});
export class LastSeen extends LastSeenSchema.class {}
LastSeenSchema.setClass(LastSeen);

export const PilotStatusSchema = defineEntity({
  name: 'PilotStatus',
  properties: {
    user: () => personal(p.oneToOne(User).owner().primary().deleteRule('cascade'), owner('account')),
    state: text(own('state')).$type<StatusState>(),
    minutes: personal(p.smallint().nullable(), shown('minutes')),
    expiresAt: personal(p.datetime().nullable(), shown('expiresAt')),
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

const UNTIL_LIFTED = 'until the ban is lifted';

/** Somebody who may not have an account. Only keyed hashes are stored, so a ban outlives the account and names nobody. */
export const BanSchema = defineEntity({
  name: 'Ban',
  properties: {
    id: id(),
    /** of the email's key; null where the ban names no email */
    emailHash: text(none).nullable().unique(),
    discordHash: text(none).nullable().unique(),
    /** how admins recognize the entry */
    label: freeText(80, quotes('holder', UNTIL_LIFTED, { about: 'user', to: FORMER_PILOT })),
    reason: freeText(200, quotes('holder', UNTIL_LIFTED, { about: 'user', to: 'No longer known' })),
    /** the account that it has suspended */
    user: () => p.manyToOne(User).nullable().deleteRule('set null').index('ban_user_idx'),
    createdBy: () => p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: createdAt(),
  },
  checks: [{ name: 'ban_of_somebody', expression: '((email_hash is not null) or (discord_hash is not null))' }],
});
export class Ban extends BanSchema.class {}
BanSchema.setClass(Ban);
