/** Accounts that the bot can send direct messages to. */
import { sql } from '#server/schema/query.ts';

/**
 * Whether a Discord account `d` may share a server with the bot; Discord delivers no direct message to anybody else. It does
 * not when all the servers in which it was seen are left, by the member or by the bot. Of somebody who was seen in none,
 * and of everybody while the bot is not told who comes and goes, Discord has to be asked.
 */
export const isReachable = sql`(not exists (select from bot_lease where has_members_intent)
  or not exists (select from guild_member seen where seen.discord_user_id = d.discord_user_id)
  or exists (select from guild_member here join guild g on g.id = here.guild_id
             where here.discord_user_id = d.discord_user_id and here.left_at is null and g.status <> 'disabled'))`;
