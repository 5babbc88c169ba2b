/** Personal registration links for the Register button and command in Discord. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { registrationLinkMessage } from '#server/discord/rules/registration-text.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { issueRegistrationSession, registrationUrl } from './registration.ts';
import { copy } from '#shared/copy.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { REGISTRATION_LINK_MINUTES } from '#shared/limits.ts';
import type { DiscordMessage, registerInput } from '#shared/schemas/bot.ts';
import { findGuildsOf, findLinkedPilot } from '#server/discord/replies/actor.ts';

async function findOnlyGuild(em: Em, discordUserId: string): Promise<string | undefined> {
  const [guild, another] = await findGuildsOf(em, discordUserId);
  return another === undefined ? guild : undefined;
}

/**
 * A personal link, shown to nobody else. In a direct message the server is only clear if the person is in one known server.
 * @throws 400 if it is not clear, 404 for an unknown server
 */
export async function registerFromDiscord(
  em: Em,
  { actor, campaignId }: z.infer<typeof registerInput>,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  const guildId = actor.guildId ?? (await findOnlyGuild(em, actor.discordUserId));
  if (guildId === undefined) throw new AppError('GUILD_REQUIRED', copy.registerInServer);
  const { discordUserId, discordUsername, locale } = actor;
  const request = { guildId, discordUserId, discordUsername, locale, campaignId };
  const token = await issueRegistrationSession(em, request, now);
  const expiresMs = now.getTime() + REGISTRATION_LINK_MINUTES * MINUTE_MS;
  const linked = await findLinkedPilot(em, discordUserId);
  return registrationLinkMessage(
    registrationUrl(publicUrl, request, token),
    expiresMs,
    linked?.displayName ?? null,
    textsFor(actor.locale),
  );
}
