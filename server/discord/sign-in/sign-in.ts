/** Sign-in, linking and registration after Discord OAuth. Only the id decides; accounts are neither created nor merged. */
import { db } from '#server/schema/database.ts';
import { DiscordAccount } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { refuseBanned } from '#server/accounts/ban-check.ts';
import { presentUser } from '#server/accounts/present.ts';
import { issueRegistrationSession, registrationUrl } from '#server/discord/registration/registration.ts';
import { isPilot, isWaiting, viewerOf, type Viewer } from '#server/platform/viewer.ts';
import { DISCORD_OUTCOMES } from '#shared/discord-sign-in.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import { linkAccount, lockDiscordUser, type DiscordIdentity } from './link.ts';

/**
 * The linked account, locked in the caller's transaction, which starts the session, so that unlinking comes either before or
 * after it. 401 if none is linked. Updates the stored Discord name.
 */
export async function findLinkedUser(tx: Em, { discordUserId, username }: DiscordIdentity): Promise<UserDto> {
  await lockDiscordUser(tx, discordUserId);
  await refuseBanned(tx, { discordUserId });
  const account = await tx.findOne(DiscordAccount, { discordUserId }, { populate: ['user'] });
  if (!account) throw new AppError('DISCORD_ACCOUNT_UNKNOWN', DISCORD_OUTCOMES['not-linked']);
  account.username = username;
  return presentUser(viewerOf(account.user));
}

/**
 * Link the viewer's account.
 * @param startedBy id of the user who was signed in when the visit began
 * @throws AppError 403 for a different viewer and for a suspended account; 409 as for `linkAccount`
 */
export async function linkViewer(
  em: Em,
  viewer: Viewer | null,
  startedBy: string | null,
  identity: DiscordIdentity,
  now: Date,
): Promise<void> {
  if (!viewer || viewer.id !== startedBy) throw new AppError('VIEWER_CHANGED', DISCORD_OUTCOMES['other-viewer']);
  if (!isPilot(viewer) && !isWaiting(viewer)) throw new AppError('SUSPENDED', DISCORD_OUTCOMES.suspended);
  await transact(em, (tx) => linkAccount(tx, viewer.id, identity, now));
}

/**
 * A personal link to the registration page, as the bot would give it.
 * @throws AppError 404 for a guild without the bot, or one that no admin has accepted; 403 for somebody who is not a known member: only the bot, in that guild,
 * can then confirm the membership
 */
export async function startRegistrationFor(
  em: Em,
  identity: DiscordIdentity,
  { guildId, campaignId }: { guildId: string; campaignId: string | null },
  publicUrl: string,
  now: Date,
): Promise<string> {
  const guild = await db(em)
    .selectFrom('guild as g')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('guild_member as m')
          .whereRef('m.guild_id', '=', 'g.id')
          .where('m.left_at', 'is', null)
          .where('m.discord_user_id', '=', identity.discordUserId),
      ).as('isMember'),
    )
    .where('g.id', '=', guildId)
    .where('g.status', '<>', 'disabled')
    .where(isAcceptedGuild)
    .executeTakeFirst();
  if (!guild) throw new AppError('GUILD_NOT_FOUND', DISCORD_OUTCOMES['no-server']);
  if (!guild.isMember) throw new AppError('NOT_GUILD_MEMBER', DISCORD_OUTCOMES['not-member']);
  const { discordUserId, username: discordUsername } = identity;
  const request = { guildId, discordUserId, discordUsername, campaignId };
  const token = await issueRegistrationSession(em, request, now);
  return registrationUrl(publicUrl, request, token);
}
