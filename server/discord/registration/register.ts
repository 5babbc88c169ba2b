/** The way from a button in Discord to the registration page. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { registrationLinkMessage } from '#server/discord/rules/registration-text.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { issueRegistrationSession, registrationUrl } from './registration.ts';
import { copy } from '#shared/copy.ts';
import { REGISTRATION_LINK_MINUTES } from '#shared/limits.ts';
import type { DiscordMessage, registerInput } from '#shared/schemas/bot.ts';
import { findGuildsOf } from '#server/discord/replies/actor.ts';

async function findOnlyGuild(em: Em, discordUserId: string): Promise<string | undefined> {
  const [guild, another] = await findGuildsOf(em, discordUserId);
  return another === undefined ? guild : undefined;
}

/**
 * A personal link, for nobody else to see. In direct messages the server is clear where the bot knows of one only.
 * @throws 400 when it is not, 404 for a server that is not known
 */
export async function registerFromDiscord(
  em: Em,
  { actor, campaignId }: z.infer<typeof registerInput>,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  const guildId = actor.guildId ?? (await findOnlyGuild(em, actor.discordUserId));
  if (guildId === undefined) throw new AppError('GUILD_REQUIRED', copy.registerInServer);
  const { discordUserId, discordUsername } = actor;
  const request = { guildId, discordUserId, discordUsername, campaignId };
  const token = await issueRegistrationSession(em, request, now);
  const expiresMs = now.getTime() + REGISTRATION_LINK_MINUTES * MINUTE_MS;
  return registrationLinkMessage(registrationUrl(publicUrl, request, token), expiresMs);
}
