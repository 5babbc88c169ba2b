/** Resolves a Discord user to the linked pilot: Discord vouches for the user, the link names the pilot. */
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { notLinkedMessage } from '#server/discord/rules/reply-text.ts';
import { AppError } from '#server/platform/errors.ts';
import { isPilot, toViewer, type Viewer, type ViewerRow } from '#server/platform/viewer.ts';
import { copy } from '#shared/copy.ts';
import type { Actor, DiscordMessage } from '#shared/schemas/bot.ts';

/** The account linked to a Discord user, suspended or not; null when there is none. */
export async function findLinkedPilot(em: Em, discordUserId: string): Promise<Viewer | null> {
  const [row] = await query<ViewerRow>(
    em,
    sql`select u.id, u.email, u.display_name, u.time_zone, u.roles, ${msOf('u.created_at')} as created_ms
        from discord_account d join app_user u on u.id = d.user_id where d.discord_user_id = ${discordUserId}`,
  );
  return row ? toViewer(row) : null;
}

/**
 * Do for a pilot what was asked in Discord.
 * @returns how to register, for people who are not linked; 403 for a suspended account
 */
export async function asPilot(
  em: Em,
  actor: Actor,
  work: (viewer: Viewer) => Promise<DiscordMessage>,
): Promise<DiscordMessage> {
  const viewer = await findLinkedPilot(em, actor.discordUserId);
  if (!viewer) return notLinkedMessage(actor.guildId !== null);
  if (!isPilot(viewer)) throw new AppError('SUSPENDED', copy.suspended);
  return work(viewer);
}

/** Guilds with the bot in which this person is a member as far as is known, the oldest membership first. */
export async function findGuildsOf(em: Em, discordUserId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    sql`select g.id from guild_member m join guild g on g.id = m.guild_id
        where m.discord_user_id = ${discordUserId} and m.left_at is null and g.status <> 'disabled'
        order by m.joined_at nulls last, g.id`,
  );
  return rows.map(({ id }) => id);
}
