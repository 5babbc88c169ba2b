/** Accounts that the bot can send direct messages to. */
import { expressionBuilder } from 'kysely';
import type { Database } from '#server/schema/database.ts';

const { or, not, exists, selectFrom } = expressionBuilder<Database & { d: Database['discord_account'] }, 'd'>();

/**
 * Whether a Discord account `d` may share a server with the bot; Discord delivers no direct message to anybody else. It does
 * not when all the servers in which it was seen are left, by the member or by the bot. Of somebody who was seen in none,
 * and of everybody while the bot is not told who comes and goes, Discord has to be asked.
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
