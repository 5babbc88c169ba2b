/**
 * The lease that elects the active bot among the replicas. Bots never connect to the database, so the server keeps it: one
 * row, held by the bot that renews it in time by the database's clock. Admins see it as "online" or "offline since".
 */
import type { z } from 'zod';
import { db, fromNow } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { emit } from '#server/signals/emit.ts';
import { BOT_LEASE_SECONDS } from '#shared/limits.ts';
import type { beatInput } from '#shared/schemas/bot.ts';

const NAME = 'bot';

/**
 * Renew the lease, or take it if it is free.
 * @returns true if this process is active until the next beat; the state of a standby is ignored
 */
export async function beat(em: Em, { instanceId, state }: z.infer<typeof beatInput>): Promise<boolean> {
  return transact(em, async (tx) => {
    const isConnected = state?.isConnected ?? false;
    const held = await db(tx)
      .insertInto('bot_lease')
      .values(({ fn }) => ({
        name: NAME,
        holder: instanceId,
        beat_at: fn('now'),
        expires_at: fromNow(`${BOT_LEASE_SECONDS} seconds`),
        connected_at: isConnected ? fn('now') : null,
        disconnected_at: isConnected ? null : fn('now'),
        has_members_intent: state?.hasMembersIntent ?? null,
        bot_user_id: state?.botUserId ?? null,
        bot_name: state?.botName ?? null,
        problem: state?.problem ?? null,
      }))
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(({ ref, fn }) => ({
            holder: ref('excluded.holder'),
            beat_at: fn('now'),
            expires_at: ref('excluded.expires_at'),
            connected_at: isConnected ? fn.coalesce('bot_lease.connected_at', fn<Date>('now')) : null,
            disconnected_at: isConnected ? null : fn.coalesce('bot_lease.disconnected_at', 'bot_lease.beat_at'),
            has_members_intent: fn.coalesce('excluded.has_members_intent', 'bot_lease.has_members_intent'),
            bot_user_id: fn.coalesce('excluded.bot_user_id', 'bot_lease.bot_user_id'),
            bot_name: fn.coalesce('excluded.bot_name', 'bot_lease.bot_name'),
            problem: ref('excluded.problem'),
          }))
          .where(({ or, eb, ref, fn }) =>
            or([eb('bot_lease.holder', '=', ref('excluded.holder')), eb('bot_lease.expires_at', '<', fn<Date>('now'))]),
          ),
      )
      // a subselect still sees the row as it was
      .returning(({ eb, selectFrom }) => [
        selectFrom('bot_lease as old')
          .select((old) =>
            old
              .and([old('old.connected_at', 'is not', null), old('old.expires_at', '>', old.fn<Date>('now'))])
              .as('was'),
          )
          .whereRef('old.name', '=', 'bot_lease.name')
          .as('wasConnected'),
        eb('connected_at', 'is not', null).as('isConnected'),
        selectFrom('bot_lease as old')
          .select((old) =>
            old
              .and([
                old('old.problem', 'is not distinct from', old.ref('bot_lease.problem')),
                old('old.has_members_intent', 'is not distinct from', old.ref('bot_lease.has_members_intent')),
              ])
              .as('same'),
          )
          .whereRef('old.name', '=', 'bot_lease.name')
          .as('saysTheSame'),
      ])
      .executeTakeFirst();
    if (!held) return false;
    if (held.wasConnected !== held.isConnected || !held.saysTheSame) emit(tx, { type: 'bot.changed' });
    return true;
  });
}

/** Release the lease, so that another process can take over at once. Does nothing if another process holds it. */
export async function standDown(em: Em, instanceId: string): Promise<void> {
  await transact(em, async (tx) => {
    const ended = await db(tx)
      .updateTable('bot_lease')
      .set(({ fn }) => ({ expires_at: fn('now'), beat_at: fn('now'), disconnected_at: fn('now'), connected_at: null }))
      .where('name', '=', NAME)
      .where('holder', '=', instanceId)
      .where('expires_at', '>', ({ fn }) => fn<Date>('now'))
      .returning('name')
      .execute();
    if (ended.length > 0) emit(tx, { type: 'bot.changed' });
  });
}

/** 409 for a process that has lost the lease, whose bot then stands by. */
export async function requireActing(em: Em, instanceId: string): Promise<void> {
  const held = await db(em)
    .selectFrom('bot_lease')
    .select('name')
    .where('name', '=', NAME)
    .where('holder', '=', instanceId)
    .where('expires_at', '>', ({ fn }) => fn<Date>('now'))
    .executeTakeFirst();
  if (!held) throw new AppError('BOT_STANDS_BY');
}
