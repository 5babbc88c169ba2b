/** Reachability: Discord accounts to which the bot can send direct messages. */
import { expressionBuilder } from 'kysely';
import type { Database } from '#server/schema/database.ts';

const { or, not, exists, selectFrom } = expressionBuilder<Database & { d: Database['discord_account'] }, 'd'>();

/**
 * True if a Discord account `d` may share a server with the bot: Discord delivers direct messages to nobody else. False if
 * the member or the bot has left all servers in which the account was seen. If it was never seen in any, or while the bot
 * does not get member events, only an attempt can tell.
 */
export const isReachable = or([
  not(exists(selectFrom('bot_lease').where('has_members_intent', '=', true))),
  not(exists(selectFrom('guild_member as seen').whereRef('seen.discord_user_id', '=', 'd.discord_user_id'))),
  exists(
    selectFrom('guild_member as here')
      .innerJoin('guild as g', 'g.id', 'here.guild_id')
      .whereRef('here.discord_user_id', '=', 'd.discord_user_id')
      .where('here.left_at', 'is', null)
      .where('g.status', '<>', 'disabled'),
  ),
]);
