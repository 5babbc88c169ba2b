/** The linked Discord account and its settings, for a pilot's profile. */
import type { z } from 'zod';
import { DiscordAccount } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { emit } from '#server/signals/emit.ts';
import { findUser } from '#server/accounts/users.ts';
import type { DiscordLinkDto, setDiscordInput } from '#shared/schemas/discord-link.ts';
import { unlinkAccount } from './link.ts';
import { offersDiscordSignIn } from './oauth.ts';

const NOT_LINKED = 'No Discord account is linked';

/** Unknown id: 404. */
export async function getDiscordLink(em: Em, env: Env, userId: string): Promise<DiscordLinkDto> {
  const user = await findUser(em, userId);
  const account = await em.findOne(DiscordAccount, { user: userId });
  return {
    canLink: offersDiscordSignIn(env),
    hasBot: env.DISCORD_TOKEN !== undefined,
    account: account && {
      username: account.username,
      linkedAt: account.linkedAt.toISOString(),
      wantsOrders: account.wantsOrders,
      refusedAt: account.dmClosedAt?.toISOString() ?? null,
      canUnlink: (user.passwordHash ?? null) !== null,
    },
  };
}

/** Turn direct messages about frag orders on or off. 404 if no account is linked. */
export async function setDiscordChoices(
  em: Em,
  env: Env,
  { id, wantsOrders }: z.infer<typeof setDiscordInput>,
): Promise<DiscordLinkDto> {
  return transact(em, async (tx) => {
    const changed = await tx.nativeUpdate(DiscordAccount, { user: id }, { wantsOrders });
    if (changed === 0) throw new AppError('DISCORD_NOT_LINKED', NOT_LINKED);
    emit(tx, { type: 'discord.choices_changed', userId: id });
    return getDiscordLink(tx, env, id);
  });
}

/** Unlink the account, if one is linked; 409 as for `unlinkAccount`. */
export async function removeDiscordLink(em: Em, env: Env, userId: string, now: Date): Promise<DiscordLinkDto> {
  await unlinkAccount(em, userId, now);
  return getDiscordLink(em, env, userId);
}
