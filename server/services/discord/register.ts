/** The way from a button in Discord to the registration page. */
import type { z } from 'zod';
import type { Em } from '#server/db/orm.ts';
import { registrationLinkMessage } from '#server/domain/discord/registration-words.ts';
import { MINUTE_MS } from '#server/domain/time.ts';
import { AppError } from '#server/errors.ts';
import { issueRegistrationSession, registrationUrl } from '#server/services/registration.ts';
import { copy } from '#shared/copy.ts';
import { REGISTRATION_LINK_MINUTES } from '#shared/limits.ts';
import type { DiscordMessage, registerInput } from '#shared/schemas/bot.ts';

/** A personal link, for nobody else to see. 400 outside a server, 404 for one that is not known. */
export async function registerFromDiscord(
  em: Em,
  { actor, campaignId }: z.infer<typeof registerInput>,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  if (actor.guildId === null) throw new AppError(400, copy.registerInServer);
  const request = { guildId: actor.guildId, discordUserId: actor.discordUserId };
  const token = await issueRegistrationSession(
    em,
    { ...request, discordUsername: actor.discordUsername, campaignId },
    now,
  );
  const expiresMs = now.getTime() + REGISTRATION_LINK_MINUTES * MINUTE_MS;
  return registrationLinkMessage(registrationUrl(publicUrl, request, token), expiresMs);
}
