/**
 * Erasing an account: everything personal is deleted or replaced, and the row stays as the former pilot of its missions, so
 * that seats, orders and the fairness ledger keep their sums.
 */
import { LockMode, raw, type EntityClass } from '@mikro-orm/core';
import { Proficiency } from '#server/schema/aircraft.ts';
import { AvailabilityOverride, AvailabilityTemplate, Leave } from '#server/schema/availability.ts';
import { InviteUse, SlotRequest } from '#server/schema/community.ts';
import { CalendarFeed, PushSubscription } from '#server/schema/delivery.ts';
import { FragOrder } from '#server/schema/frag-order.ts';
import { DiscordAccount, GuildEvent, GuildMember, RegistrationSession } from '#server/schema/guild.ts';
import { MailMessage } from '#server/schema/mail.ts';
import { AuditEntry, IdempotencyKey, OutboxMessage } from '#server/schema/operations.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import {
  Authenticator,
  Passkey,
  PasskeyChallenge,
  PendingSignIn,
  RecoveryCode,
  RememberedDevice,
} from '#server/schema/second-factor.ts';
import { Ban, LastSeen, PersonalAccessToken, PilotStatus, Session, SignInLink, User } from '#server/schema/user.ts';
import { WebhookEventRow } from '#server/schema/webhook.ts';
import { tryEach } from '#server/platform/each.ts';
import { recordServerAudit } from '#server/signals/audit.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { FORMER_PILOT } from '#shared/labels.ts';
import { type AuditAction, SECOND_FACTOR_ACTIONS, SIGN_IN_ACTIONS } from '#shared/vocabulary.ts';
import { forgetBanned } from './ban-check.ts';
import { emailKey, placeholderEmail, shownEmail } from './email.ts';
import { redact, type Personal } from './rules/redact.ts';
import { recheckStreams } from './sessions.ts';

/** Rows that belong to one account and go with it. Templates take their slots along. */
const OWNED: readonly EntityClass<{ user: User }>[] = [
  Session,
  PersonalAccessToken,
  SignInLink,
  Authenticator,
  Passkey,
  PasskeyChallenge,
  PendingSignIn,
  RecoveryCode,
  RememberedDevice,
  LastSeen,
  PilotStatus,
  Proficiency,
  AvailabilityTemplate,
  AvailabilityOverride,
  Leave,
  CalendarFeed,
  PushSubscription,
  IdempotencyKey,
  DiscordAccount,
];

/** Audit entries of these kinds concern only the account itself: browsers, addresses, names of tokens. */
const PRIVATE_ACTIONS: readonly AuditAction[] = [
  ...SIGN_IN_ACTIONS,
  ...SECOND_FACTOR_ACTIONS,
  'token_created',
  'token_revoked',
];

/** Accounts erased in one run of the maintenance job. */
const ERASED_MAX = 20;

/** A LIKE pattern for a string inside a text. */
const inText = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;

/** A LIKE pattern for a string inside the text of a jsonb value. */
const inJson = (text: string): string => inText(JSON.stringify(text).slice(1, -1));

/** A condition on the text of a jsonb column: it contains one of the strings. */
const containsOne = (column: string, texts: readonly string[]) => ({
  $or: texts.map((text) => ({ [raw((alias) => `${alias}.${column}::text`)]: { $like: inJson(text) } })),
});

/** Replace what other rooms have stored about the person: audit entries, webhook events, changes of orders. */
async function redactStored(tx: Em, personal: Personal): Promise<void> {
  const texts = [...personal.names, ...personal.marks];
  if (texts.length === 0) return;
  const clean = <Value>(value: Value): Value => redact(value, personal, FORMER_PILOT) as Value;
  for (const entry of await tx.find(AuditEntry, containsOne('detail', texts))) entry.detail = clean(entry.detail);
  for (const event of await tx.find(WebhookEventRow, containsOne('data', texts))) event.data = clean(event.data);
  for (const order of await tx.find(FragOrder, containsOne('changes', texts))) order.changes = clean(order.changes);
  for (const ban of await tx.find(Ban, {
    $or: texts.flatMap((text) => [{ label: { $like: inText(text) } }, { reason: { $like: inText(text) } }]),
  })) {
    Object.assign(ban, clean({ label: ban.label, reason: ban.reason }));
  }
  await tx.flush();
  // answers that other accounts can have repeated for a day
  await db(tx)
    .deleteFrom('idempotency_key')
    .where(({ eb, or, cast, ref }) =>
      or(texts.map((text) => eb(cast<string>(ref('answer'), 'text'), 'like', inJson(text)))),
    )
    .execute();
}

/** Delete what Discord has told about the person, and what waits to be sent there. */
async function eraseDiscord(
  tx: Em,
  userId: string,
  discordUserId: string,
  usernames: readonly string[],
): Promise<void> {
  await tx.nativeDelete(GuildMember, { discordUserId });
  await tx.nativeDelete(OutboxMessage, { discordUserId });
  await tx.nativeDelete(RegistrationSession, { $or: [{ discordUserId }, { user: userId }] });
  await tx.nativeUpdate(GuildEvent, { eventData: { $in: [...usernames] } }, { eventData: 'a former member' });
}

/** Delete the account's email, and what was sent to its address without naming it: requests for a password, invites. */
async function eraseMail(tx: Em, userId: string, key: string): Promise<void> {
  await tx.nativeDelete(MailMessage, { user: userId });
  const entered = await tx.find(MailMessage, { address: { $ne: null } }, { fields: ['address'] });
  const theirs = entered.filter(({ address }) => emailKey(address ?? '') === key);
  await tx.nativeDelete(MailMessage, { id: { $in: theirs.map(({ id }) => id) } });
}

/** Delete the person's request as a visitor, and take their name out of an invite that was for them alone. */
async function eraseInvite(tx: Em, userId: string, key: string): Promise<void> {
  await tx.nativeDelete(SlotRequest, { emailKey: key });
  const use = await tx.findOne(InviteUse, { user: userId }, { populate: ['invite'] });
  if (use?.invite.maxUses !== 1) return;
  use.invite.name = FORMER_PILOT;
  const entries = await tx.find(AuditEntry, { subjectType: 'invite', subjectId: use.invite.id });
  for (const entry of entries) entry.detail = { ...entry.detail, name: FORMER_PILOT };
  await tx.flush();
}

/** Erase one account. One that was kept or erased in the meantime stays as it is. */
async function eraseAccount(em: Em, userId: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const user = await tx.findOne(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user?.deletionDueAt || user.deletionDueAt > now || user.erasedAt) return;
    const discord = await tx.findOne(DiscordAccount, { user: userId });
    const members = discord ? await tx.find(GuildMember, { discordUserId: discord.discordUserId }) : [];
    const usernames = discord ? [discord.username, ...members.map(({ discordUsername }) => discordUsername)] : [];
    const { displayName, email, emailKey: key } = user;
    const personal: Personal = {
      names: new Set([...(displayName ? [displayName] : []), ...usernames]),
      marks: [
        ...(shownEmail(email) === '' ? [] : [...new Set([email, key])]),
        ...(discord ? [discord.discordUserId] : []),
      ],
    };
    for (const entity of OWNED) await tx.nativeDelete(entity, { user: userId });
    await tx.nativeDelete(RegistrationSession, { user: userId });
    await eraseMail(tx, userId, key);
    await eraseInvite(tx, userId, key);
    await forgetBanned(tx, [userId]);
    if (discord) await eraseDiscord(tx, userId, discord.discordUserId, usernames);
    await tx.nativeDelete(AuditEntry, {
      subjectType: 'user',
      subjectId: userId,
      action: { $in: [...PRIVATE_ACTIONS] },
    });
    await redactStored(tx, personal);

    const address = placeholderEmail(userId);
    Object.assign(user, {
      email: address,
      emailKey: address,
      displayName: FORMER_PILOT,
      timeZone: 'UTC',
      roles: [],
      approval: null,
      approvalSince: null,
      passwordHash: null,
      secondFactorAt: null,
      inboxReadAt: null,
      wantsGlobalEvents: false,
      emailVerifiedAt: null,
      deletionDueAt: null,
      rolesBeforeDeletion: null,
      erasedAt: now,
    } satisfies Partial<User>);
    recordServerAudit(tx, 'account_erased', { type: 'user', id: userId }, {});
    await tx.flush();
    await publishLive(tx, 'stats', 'missions');
    await recheckStreams(tx, userId);
  });
}

/**
 * Erase the accounts whose two weeks are over, as many as fit into one run. Safe to run at any time and on any replica.
 * @throws AggregateError after the others, for accounts that could not be erased
 */
export async function eraseDueAccounts(em: Em, now: Date): Promise<void> {
  const due = await em.find(
    User,
    { deletionDueAt: { $lte: now }, erasedAt: null },
    { fields: ['id'], orderBy: { deletionDueAt: 'asc' } },
  );
  let erased = 0;
  const erase = async ({ id }: { id: string }) => {
    // not a limit of the list: accounts that cannot be erased would keep the later ones out of it
    if (erased >= ERASED_MAX) return;
    await eraseAccount(em, id, now);
    erased += 1;
  };
  await tryEach(due, erase, 'Some accounts could not be erased');
}
