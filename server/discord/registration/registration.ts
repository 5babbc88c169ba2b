/**
 * Registration from Discord: the bot gives a pilot a personal link, and the page sends it back with call sign and time zone.
 * The link's row determines the Discord account; the page's own data about it must match.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { newId } from '#server/schema/base.ts';
import { db } from '#server/schema/database.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import { DiscordAccount, Guild, RegistrationSession } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { discordIcon } from '#server/discord/rules/guild-icon.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy, looksLikeSentence } from '#shared/copy.ts';
import { OWNED_MAX, REGISTRATION_LINK_MINUTES } from '#shared/limits.ts';
import { DISCORD_SIGN_IN_PATH } from '#shared/discord-sign-in.ts';
import type {
  CompletedRegistrationDto,
  completeRegistrationInput,
  RegistrationLinkDto,
  RegistrationStartDto,
  registrationLinkInput,
  startRegistrationInput,
} from '#shared/schemas/registration.ts';
import { emit } from '#server/signals/emit.ts';
import { lockDiscordUser } from '#server/discord/sign-in/link.ts';
import { offersDiscordSignIn } from '#server/discord/sign-in/oauth.ts';
import { findAdmission, recordAdmission, standingOf } from '#server/accounts/admission.ts';
import { readCommunity } from '#server/accounts/community.ts';
import { isBanned, refuseBanned } from '#server/accounts/ban-check.ts';
import { emailKey, placeholderEmail } from '#server/accounts/email.ts';
import { isAccepted, requireAccepted } from '#server/discord/guilds/acceptance.ts';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { findLookAlikes } from '#server/accounts/look-alikes.ts';
import { isSignInLinkLive, issueSignInLink, signInUrl } from '#server/accounts/sign-in-links.ts';
import { hashToken, randomToken } from '#server/platform/tokens.ts';
import { requirePilot, viewerOf } from '#server/platform/viewer.ts';

type CompleteInput = z.infer<typeof completeRegistrationInput>;

/** The sign-in with Discord that the page offers to people without a link, to identify them. */
function findAuthorizeUrl(guild: Guild, campaignId: string | null, env: Env): string | null {
  if (guild.status === 'disabled' || !offersDiscordSignIn(env)) return null;
  const search = new URLSearchParams({ purpose: 'register', guildId: guild.id });
  if (campaignId !== null) search.set('campaignId', campaignId);
  return `${env.PUBLIC_URL}${DISCORD_SIGN_IN_PATH}?${search.toString()}`;
}

/** Why nobody can register by a personal link; null if they can. */
async function findLinkProblem(
  em: Em,
  link: RegistrationSession | null,
  { guildId, discordUserId }: z.infer<typeof registrationLinkInput>,
  now: Date,
): Promise<string | null> {
  if (!link) return copy.registrationLinkOver;
  if (link.discordUserId !== discordUserId || link.guild.id !== guildId) return MISMATCH.message;
  if (link.expiresAt <= now) return EXPIRED.message;
  if (link.usedAt) return USED.message;
  if (!(await isAccepted(em, guildId))) return PENDING.message;
  return (await isBanned(em, { discordUserId })) ? copy.accountRefused : null;
}

/**
 * A personal link for its page, before the form is filled in: why nobody can register by it, or what the linked account
 * says, so that a registered pilot changes that instead of starting over.
 */
export async function readLink(
  em: Em,
  input: z.infer<typeof registrationLinkInput>,
  now: Date,
): Promise<RegistrationLinkDto> {
  const link = await em.findOne(RegistrationSession, { tokenHash: hashToken(input.session) });
  const problem = await findLinkProblem(em, link, input, now);
  if (problem !== null) return { problem, profile: null };
  const { discordUserId } = input;
  const linked = await em.findOne(DiscordAccount, { discordUserId }, { populate: ['user'] });
  if (linked) {
    const { displayName, timeZone, wantsGlobalEvents } = linked.user;
    return { problem: null, profile: { callSign: displayName ?? null, timeZone, wantsGlobalEvents } };
  }
  const isByInvite = (await readCommunity(em)).registration === 'invite';
  return { problem: isByInvite ? copy.inviteRequired : null, profile: null };
}

/** Data for the page before the form; 404 "Guild not found" for a server without the bot, 409 for one that waits for an admin. */
export async function startRegistration(
  em: Em,
  { guildId, campaignId }: z.infer<typeof startRegistrationInput>,
  env: Env,
): Promise<RegistrationStartDto> {
  const guild = await em.findOne(Guild, { id: guildId });
  if (!guild) throw new AppError('GUILD_NOT_FOUND');
  await requireAccepted(em, guildId);
  return {
    guild: { id: guild.id, name: guild.name, iconUrl: discordIcon(guild.iconUrl) },
    authorizeUrl: findAuthorizeUrl(guild, campaignId, env),
  };
}

export interface RegistrationRequest {
  guildId: string;
  discordUserId: string;
  discordUsername: string;
  /** of the person's Discord client; left out where it is unknown */
  locale?: string;
  /** the campaign that the pilot came from, shown to admins; has no other effect */
  campaignId: string | null;
}

/**
 * Issue a personal link for a Discord member, valid for 20 minutes and one registration. The member's earlier links end, and
 * beyond a limit the oldest links are deleted.
 * @throws 404 for an unknown server, 409 for one that waits for an admin
 * @returns the token, which is not stored; `registrationUrl` turns it into the link
 */
export async function issueRegistrationSession(em: Em, request: RegistrationRequest, now: Date): Promise<string> {
  const { guildId, discordUserId, discordUsername, locale, campaignId } = request;
  const token = randomToken();
  await transact(em, async (tx) => {
    await lockDiscordUser(tx, discordUserId);
    const guild = await tx.findOne(Guild, { id: guildId });
    if (!guild) throw new AppError('GUILD_NOT_FOUND');
    await requireAccepted(tx, guildId);
    await refuseBanned(tx, { discordUserId });
    // where registration is by invite, only somebody who has an account can use the link
    if ((await tx.count(DiscordAccount, { discordUserId })) === 0) await findAdmission(tx, null, now);
    await tx.nativeUpdate(
      RegistrationSession,
      { discordUserId, usedAt: null, expiresAt: { $gt: now } },
      { expiresAt: now },
    );
    tx.create(RegistrationSession, {
      tokenHash: hashToken(token),
      guild,
      discordUserId,
      discordUsername,
      locale,
      campaignId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + REGISTRATION_LINK_MINUTES * MINUTE_MS),
    });
    const oldest = await db(tx)
      .selectFrom('registration_session')
      .select('token_hash as tokenHash')
      .where('discord_user_id', '=', discordUserId)
      .orderBy('expires_at', 'desc')
      .orderBy('created_at', 'desc')
      .offset(OWNED_MAX.registrationLinks)
      .execute();
    if (oldest.length > 0)
      await tx.nativeDelete(RegistrationSession, { tokenHash: { $in: oldest.map(({ tokenHash }) => tokenHash) } });
    await recordGuildEvent(tx, guildId, 'registration_link_issued', discordUsername, null, now);
  });
  return token;
}

/** Discord's limit for the address of a link button. */
const LINK_MAX_LENGTH = 512;

export function registrationUrl(
  publicUrl: string,
  { guildId, discordUserId, discordUsername }: Omit<RegistrationRequest, 'campaignId'>,
  token: string,
): string {
  const search = new URLSearchParams({
    discord_id: discordUserId,
    discord_username: discordUsername,
    guild_id: guildId,
    session: token,
  });
  const url = (): string => `${publicUrl}/discord/registration?${search.toString()}`;
  // the name is only for display: drop it if its encoded form makes the link too long
  if (url().length > LINK_MAX_LENGTH) search.delete('discord_username');
  return url();
}

/** A refusal: the sentence for the pilot, the reason for the admins. */
interface Refusal {
  message: string;
  reason: string;
}

const MISMATCH: Refusal = {
  message: copy.registrationLinkInvalid,
  reason: 'The link belongs to another Discord account or server',
};
const EXPIRED: Refusal = {
  message: copy.registrationLinkOver,
  reason: 'The link had expired or was replaced by a newer one',
};
const PENDING: Refusal = { message: copy.guildPending, reason: 'The server waits until an admin accepts it' };
const USED: Refusal = { message: copy.registrationLinkOver, reason: 'The link had been used' };

const saysTheSame = (user: User, { callSign, timeZone, wantsGlobalEvents }: CompleteInput): boolean =>
  user.displayName === callSign && user.timeZone === timeZone && user.wantsGlobalEvents === wantsGlobalEvents;

/**
 * @param user the account that the link has registered; null before that, and once its Discord account is unlinked
 * @returns the refusal of this request; null if it may go on or repeats a completed one
 */
function findRefusal(link: RegistrationSession, user: User | null, input: CompleteInput, now: Date): Refusal | null {
  if (link.discordUserId !== input.discordUserId || link.guild.id !== input.guildId) return MISMATCH;
  if (link.expiresAt <= now) return EXPIRED;
  if (link.usedAt && !(user && saysTheSame(user, input))) return USED;
  return null;
}

/** The sign-in token, derived so that a repeated request gets the same link although only its hash is stored. */
function signInToken(session: string): string {
  return createHash('sha256').update(`sign-in:${session}`).digest('base64url');
}

/** Save the profile on the account of the link's Discord user: the linked one, or a new one without a password. */
async function applyProfile(tx: Em, link: RegistrationSession, input: CompleteInput, now: Date): Promise<User> {
  const profile = {
    displayName: input.callSign,
    timeZone: input.timeZone,
    wantsGlobalEvents: input.wantsGlobalEvents,
  };
  await refuseBanned(tx, { discordUserId: link.discordUserId });
  const linked = await tx.findOne(DiscordAccount, { discordUserId: link.discordUserId }, { populate: ['user'] });
  if (linked) {
    // a suspended pilot must not change the call sign this way either
    if (linked.user.approval !== 'waiting') requirePilot(viewerOf(linked.user));
    linked.username = link.discordUsername;
    linked.locale = link.locale ?? linked.locale;
    emit(tx, { type: 'profile.saved', userId: linked.user.id });
    return Object.assign(linked.user, profile);
  }
  const id = newId();
  const email = placeholderEmail(id);
  const admission = await findAdmission(tx, null, now);
  const user = tx.create(User, { id, email, emailKey: emailKey(email), ...profile, ...standingOf(admission, now) });
  tx.create(DiscordAccount, {
    discordUserId: link.discordUserId,
    user,
    username: link.discordUsername,
    locale: link.locale,
    linkedAt: now,
  });
  await recordAdmission(tx, user, admission, now);
  return user;
}

async function answer(
  tx: Em,
  link: RegistrationSession,
  user: User,
  token: string,
  publicUrl: string,
  now: Date,
): Promise<CompletedRegistrationDto> {
  const account = await tx.findOneOrFail(DiscordAccount, { discordUserId: link.discordUserId });
  const isNew = account.linkedAt.getTime() === link.usedAt?.getTime();
  const canSignIn = (user.passwordHash ?? null) === null && (await isSignInLinkLive(tx, token, now));
  const looksLike =
    (await findLookAlikes(tx, [{ id: user.id, displayName: user.displayName ?? null }])).get(user.id) ?? [];
  const done = isNew
    ? `Registration complete. Welcome, ${user.displayName ?? ''}!${user.approval === 'waiting' ? ` ${copy.awaitingApproval}` : ''}`
    : 'Your Discord account was registered already. Your profile has been updated.';
  return {
    success: true,
    message: looksLike.length === 0 ? done : `${done} ${looksLikeSentence(looksLike)}`,
    fightClubUserId: user.id,
    signInUrl: canSignIn ? signInUrl(publicUrl, token) : null,
  };
}

/** Use up the link and create or update the account, or return the refusal; all in the caller's transaction. */
async function settle(
  tx: Em,
  tokenHash: string,
  input: CompleteInput,
  publicUrl: string,
  now: Date,
): Promise<CompletedRegistrationDto | Refusal> {
  const link = await tx.findOneOrFail(RegistrationSession, { tokenHash }, { populate: ['user'] });
  const account = await tx.findOne(DiscordAccount, { discordUserId: link.discordUserId });
  const registered = link.user && account?.user.id === link.user.id ? link.user : null;
  const isPending = !(await isAccepted(tx, link.guild.id));
  const refusal = findRefusal(link, registered, input, now) ?? (isPending ? PENDING : null);
  if (refusal) {
    await recordGuildEvent(tx, link.guild.id, 'registration_rejected', link.discordUsername, refusal.reason, now);
    return refusal;
  }
  const token = signInToken(input.session);
  if (registered) return answer(tx, link, registered, token, publicUrl, now);
  const user = await applyProfile(tx, link, input, now);
  link.usedAt = now;
  link.user = user;
  if ((user.passwordHash ?? null) === null) await issueSignInLink(tx, user.id, token, now);
  await recordGuildEvent(tx, link.guild.id, 'registration_completed', link.discordUsername, null, now);
  return answer(tx, link, user, token, publicUrl, now);
}

/** True if this Discord account was linked in another way at the same time: a retry will find it. */
const isLinkedMeanwhile = (error: unknown): boolean =>
  violatedConstraint(error)?.startsWith('discord_account') ?? false;

/**
 * Register the Discord account of a link. A repeated request, even a concurrent one, registers once and gets the same answer;
 * an account that is already linked keeps its id. The signed-in user does not matter.
 * @param publicUrl origin for the sign-in link
 * @returns 400 with one of the specified sentences for a link that is unknown, used, expired or somebody else's
 */
export async function completeRegistration(
  em: Em,
  input: CompleteInput,
  publicUrl: string,
  now: Date,
): Promise<CompletedRegistrationDto> {
  const tokenHash = hashToken(input.session);
  const link = await em.findOne(RegistrationSession, { tokenHash }, { fields: ['discordUserId'] });
  if (!link) throw new AppError('LINK_INVALID', copy.registrationLinkOver);
  const outcome = await transact(
    em,
    async (tx) => {
      await lockDiscordUser(tx, link.discordUserId);
      return settle(tx, tokenHash, input, publicUrl, now);
    },
    isLinkedMeanwhile,
  );
  if ('reason' in outcome) throw new AppError('LINK_INVALID', outcome.message);
  return outcome;
}
