/** The time when an account was last seen: by a page, a script or a command in Discord. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { MINUTE_MS } from '#server/time/time.ts';

/** To within this, so that most requests write nothing. */
const PRECISION_MS = 5 * MINUTE_MS;
/** Accounts remembered by this process; beyond it, some are written more often than needed. */
const REMEMBERED_MAX = 20_000;

/** When this process last wrote the time of an account, epoch ms. */
const written = new Map<string, number>();

/**
 * Record that an account is here. A failure is ignored, and tried again later: no request depends on it.
 * @param em only its connection is used, so any will do
 */
export async function noteSeen(em: Em, userId: string, now: Date): Promise<void> {
  if (now.getTime() - (written.get(userId) ?? 0) < PRECISION_MS) return;
  if (written.size >= REMEMBERED_MAX) written.clear();
  written.set(userId, now.getTime());
  await db(em)
    .insertInto('last_seen')
    .values({ user_id: userId, seen_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ seen_at: now }))
    .execute()
    // a database that takes no writes ends the connection, which the reads of the next request would miss
    .catch(() => undefined);
}
