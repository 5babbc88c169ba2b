/** The bot's replies to commands, through the same rooms as the site. */
import type { z } from 'zod';
import { Guild } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { missionsMessage } from '#server/discord/rules/coming-text.ts';
import { signInMessage, statusMessage, unlinkedMessage, unlinkQuestion } from '#server/discord/rules/reply-text.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { countAttempt } from '#server/platform/attempts.ts';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { listAccepted } from '#server/orders/inbox.ts';
import { listOpenMissions } from '#server/orders/seating/open-missions.ts';
import { issueSignInLink, signInUrl } from '#server/accounts/sign-in-links.ts';
import { getStatus, setStatus } from '#server/availability/status.ts';
import { randomToken } from '#server/platform/tokens.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { SIGN_IN_LINK_MINUTES } from '#shared/limits.ts';
import type { Actor, commandFailedInput, DiscordMessage, setStatusInput, unlinkInput } from '#shared/schemas/bot.ts';
import { asNewcomer, asPilot } from './actor.ts';
import { checkHasPassword, unlinkAccount } from '#server/discord/sign-in/link.ts';

/** The installation's settings for replies. */
export interface ReplySettings {
  /** this site's origin */
  publicUrl: string;
  /** 0 turns the limit off */
  attemptsPerMinute: number;
}

/** Reply with a one-time sign-in link. 429 for too many requests. */
export async function giveSignInLink(
  em: Em,
  actor: Actor,
  { publicUrl, attemptsPerMinute }: ReplySettings,
  now: Date,
): Promise<DiscordMessage> {
  return asPilot(em, actor, async (viewer) => {
    await countAttempt(em, attemptBuckets.signInLink(viewer.id), attemptsPerMinute);
    const token = randomToken();
    await transact(em, (tx) => issueSignInLink(tx, viewer.id, token, now));
    return signInMessage(
      signInUrl(publicUrl, token),
      now.getTime() + SIGN_IN_LINK_MINUTES * MINUTE_MS,
      textsFor(actor.locale),
    );
  });
}

export async function showStatus(em: Em, actor: Actor, now: Date): Promise<DiscordMessage> {
  return asNewcomer(em, actor, async ({ id }) =>
    statusMessage(await getStatus(em, id, now), false, textsFor(actor.locale)),
  );
}

export async function setStatusFromDiscord(
  em: Em,
  { actor, state, minutes }: z.infer<typeof setStatusInput>,
  now: Date,
): Promise<DiscordMessage> {
  return asNewcomer(em, actor, async ({ id }) =>
    statusMessage(await setStatus(em, { id, state, minutes }, now), true, textsFor(actor.locale)),
  );
}

/** The pilot's seats and the upcoming missions, as on the home page: no drafts, no seats that do not fit. */
export async function showMissions(em: Em, actor: Actor, publicUrl: string, now: Date): Promise<DiscordMessage> {
  return asPilot(em, actor, async (viewer) => {
    const accepted = await listAccepted(em, viewer, now);
    return missionsMessage(accepted, await listOpenMissions(em, viewer, now), publicUrl, textsFor(actor.locale));
  });
}

/** Unlink the Discord account, after a confirmation. 409, before the question too, for a pilot who could no longer sign in. */
export async function unlinkFromDiscord(
  em: Em,
  { actor, isConfirmed }: z.infer<typeof unlinkInput>,
  now: Date,
): Promise<DiscordMessage> {
  return asPilot(em, actor, async ({ id, displayName }) => {
    if (!isConfirmed) {
      await checkHasPassword(em, id);
      return unlinkQuestion(displayName ?? actor.discordUsername, textsFor(actor.locale));
    }
    await unlinkAccount(em, id, now);
    return unlinkedMessage(textsFor(actor.locale));
  });
}

/** Record an unexpected failure of a command or button in the guild's events; ignored outside a known guild. */
export async function recordFailure(
  em: Em,
  { actor: { guildId }, command, reason }: z.infer<typeof commandFailedInput>,
  now: Date,
): Promise<void> {
  if (guildId === null) return;
  await transact(em, async (tx) => {
    if ((await tx.count(Guild, { id: guildId })) === 1) {
      await recordGuildEvent(tx, guildId, 'command_failed', command, reason, now);
    }
  });
}
