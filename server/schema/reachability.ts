/** Reachability: Discord accounts to which the bot can send direct messages. */
import { expressionBuilder } from 'kysely';
import type { Database } from './database.ts';

const { or, not, exists, selectFrom } = expressionBuilder<Database & { d: Database['discord_account'] }, 'd'>();

/** True while the bot gets no lists of members and no events about them, so that the stored ones say nothing. */
export const isMembershipUnknown = not(exists(selectFrom('bot_lease').where('has_members_intent', '=', true)));

/**
 * True if a Discord account `d` may be a member of a server. Without lists of members only an attempt can tell.
 */
export const mayBeMember = (guildId: string) =>
  or([
    isMembershipUnknown,
    exists(
      selectFrom('guild_member as member')
        .whereRef('member.discord_user_id', '=', 'd.discord_user_id')
        .where('member.guild_id', '=', guildId)
        .where('member.left_at', 'is', null),
    ),
  ]);

/**
 * True if a Discord account `d` may share a server with the bot: Discord delivers direct messages to nobody else. False if
 * the member or the bot has left all servers in which the account was seen. If it was never seen in any, or while the bot
 * does not get member events, only an attempt can tell.
 */
export const isReachable = or([
  isMembershipUnknown,
  not(exists(selectFrom('guild_member as seen').whereRef('seen.discord_user_id', '=', 'd.discord_user_id'))),
  exists(
    selectFrom('guild_member as here')
      .innerJoin('guild as g', 'g.id', 'here.guild_id')
      .whereRef('here.discord_user_id', '=', 'd.discord_user_id')
      .where('here.left_at', 'is', null)
      .where('g.status', '<>', 'disabled'),
  ),
]);
