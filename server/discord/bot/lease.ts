/**
 * Lease that elects the active bot among the replicas. They never open the database, so the server keeps it: one row,
 * held by whoever renews it in time by the database's clock, and read by admins as "online" or "offline since".
 */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { copy } from '#shared/copy.ts';
import { BOT_LEASE_SECONDS } from '#shared/limits.ts';
import type { beatInput } from '#shared/schemas/bot.ts';

const NAME = 'bot';

type Held = { was_connected: boolean; is_connected: boolean; says_the_same: boolean };

/**
 * Renew the lease, or take it when it is free.
 * @returns whether this process acts until the next beat; a standby that has a state to tell is not heard
 */
export async function beat(em: Em, { instanceId, state }: z.infer<typeof beatInput>): Promise<boolean> {
  return transact(em, async (tx) => {
    const isConnected = state?.isConnected ?? false;
    const [held] = await query<Held>(
      tx,
      sql`insert into bot_lease as l (name, holder, beat_at, expires_at, connected_at, disconnected_at,
                                      has_members_intent, bot_user_id, bot_name, problem)
          values (${NAME}, ${instanceId}, now(), now() + make_interval(secs => ${sql.lit(BOT_LEASE_SECONDS)}),
                  case when ${isConnected} then now() end, case when not ${isConnected} then now() end,
                  ${state?.hasMembersIntent ?? null}, ${state?.botUserId ?? null}, ${state?.botName ?? null},
                  ${state?.problem ?? null})
          on conflict (name) do update set
            holder = excluded.holder, beat_at = now(), expires_at = excluded.expires_at,
            connected_at = case when ${isConnected} then coalesce(l.connected_at, now()) end,
            disconnected_at = case when not ${isConnected} then coalesce(l.disconnected_at, l.beat_at) end,
            has_members_intent = coalesce(excluded.has_members_intent, l.has_members_intent),
            bot_user_id = coalesce(excluded.bot_user_id, l.bot_user_id),
            bot_name = coalesce(excluded.bot_name, l.bot_name), problem = excluded.problem
          where l.holder = excluded.holder or l.expires_at < now()
          returning (select o.connected_at is not null and o.expires_at > now() from bot_lease o where o.name = l.name) as was_connected,
                    connected_at is not null as is_connected,
                    (select o.problem is not distinct from l.problem
                       and o.has_members_intent is not distinct from l.has_members_intent
                     from bot_lease o where o.name = l.name) as says_the_same`,
    );
    if (!held) return false;
    if (held.was_connected !== held.is_connected || !held.says_the_same) await publishLive(tx, 'guilds');
    return true;
  });
}

/** Let another process act at once. Nothing happens when somebody else holds the lease. */
export async function standDown(em: Em, instanceId: string): Promise<void> {
  await transact(em, async (tx) => {
    const ended = await query<{ name: string }>(
      tx,
      sql`update bot_lease set expires_at = now(), beat_at = now(), disconnected_at = now(), connected_at = null
          where name = ${NAME} and holder = ${instanceId} and expires_at > now() returning name`,
    );
    if (ended.length > 0) await publishLive(tx, 'guilds');
  });
}

/** A process that has lost the lease must not go on acting: 409, and the bot stands by. */
export async function requireActing(em: Em, instanceId: string): Promise<void> {
  const [held] = await query(
    em,
    sql`select 1 as one from bot_lease where name = ${NAME} and holder = ${instanceId} and expires_at > now()`,
  );
  if (!held) throw new AppError('BOT_STANDS_BY', copy.botStandsBy);
}
