/** Whom the bot can write to at all. */
import { sql } from '#server/db/query.ts';

/**
 * Whether a Discord account `d` shares a server with the bot; Discord delivers no direct message to anybody else. Without
 * the members intent nobody knows who is where, and Discord has to be asked.
 */
export const isReachable = sql`(not exists (select from bot_lease where has_members_intent)
  or exists (select from guild_member here join guild g on g.id = here.guild_id
             where here.discord_user_id = d.discord_user_id and here.left_at is null and g.status <> 'disabled'))`;
