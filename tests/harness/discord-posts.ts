/** Posts in Discord with the state of their latest delivery, and stored ones as the sender leaves them. */
import type { DeliveryState } from '#server/schema/delivery.ts';
import type { PostKind } from '#server/schema/discord-post.ts';
import { sql } from '#server/schema/query.ts';

/** Posts `o`, for the FROM of a statement: with `state`, `attempts` and `error_message` of the latest delivery. */
export const postsWithState = sql`(
  select p.*, d.id as delivery_id, d.state, coalesce(d.attempts, 0) as attempts, d.error_message
  from discord_post p left join lateral (
    select id, state, attempts, error_message from delivery where post_id = p.id order by seq desc limit 1
  ) d on true
) o`;

export interface GivenPost {
  kind: PostKind;
  dedupeKey: string;
  state: DeliveryState;
  guildId?: string;
  channelId?: string;
  discordUserId?: string;
  subjectId?: string;
  thread?: object;
  error?: string | null;
  attempts?: number;
  /** time since it got this state; it was created a moment earlier */
  minutesAgo?: number;
}

/** A statement that stores a post and its delivery. */
export function givenPostRow(given: GivenPost) {
  const { kind, dedupeKey, state, guildId = null, channelId = null, discordUserId = null, subjectId = null } = given;
  const { thread = null, error = null, attempts = 0, minutesAgo = 0 } = given;
  const key = state === 'queued' ? `discord:${dedupeKey}` : null;
  const isOver = state !== 'queued' && state !== 'sending';
  return sql`
    with o as (
      insert into discord_post (id, kind, dedupe_key, guild_id, channel_id, discord_user_id, subject_id, payload, thread, created_at, updated_at)
      values (uuidv7(), ${kind}, ${dedupeKey}, ${guildId}, ${channelId}, ${discordUserId}, ${subjectId}, '{}',
              ${thread === null ? null : JSON.stringify(thread)}::jsonb, now() - make_interval(mins => ${minutesAgo}::int, secs => 1),
              now() - make_interval(mins => ${minutesAgo}::int))
      returning *
    )
    insert into delivery (id, channel, kind, post_id, subject_id, dedupe_key, state, attempts, error_message, next_attempt_at, created_at)
    select uuidv7(), 'discord', kind, id, subject_id, ${key}, ${state}, ${attempts}, ${error},
           case when ${isOver} then null else updated_at end, created_at
    from o`;
}
