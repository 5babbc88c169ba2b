/** The time when an account was last seen: by a page, a script or a command in Discord. */
import { isOneOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { MINUTE_MS } from '#server/time/time.ts';

/** To within this, so that most requests write nothing. */
const PRECISION_MS = 5 * MINUTE_MS;
/** Accounts remembered by this process; beyond it, some are written more often than needed. */
const REMEMBERED_MAX = 20_000;

/** When this process last wrote the time of an account, epoch ms. */
const written = new Map<string, number>();

interface Writer {
  /** accounts of the next statement */
  waiting: Set<string>;
  next: Promise<void> | null;
  running: Promise<void>;
}
/** By the database's connections. */
const writers = new WeakMap<object, Writer>();

const writeSeen = named('note_seen', (source, { userIds, now }: { userIds: readonly string[]; now: Date }) =>
  source
    .insertInto('last_seen')
    .columns(['user_id', 'seen_at'])
    // in the order of the ids, so that two processes cannot wait for each other
    .expression(({ selectFrom, val, cast }) =>
      selectFrom('app_user')
        .select(['id', cast<Date>(val(now), 'timestamptz').as('seen_at')])
        .where(isOneOf('id', userIds))
        .orderBy('id'),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ seen_at: now })),
);

async function write(em: Em, userIds: readonly string[], now: Date): Promise<void> {
  // a database that takes no writes ends the connection, which the reads of the next request would miss
  await writeSeen(em, { userIds, now }).catch(() => []);
}

/**
 * Record that an account is here. A failure is ignored, and tried again later: no request depends on it. Accounts that come
 * while a statement runs share the next one, because hundreds arrive at once when orders go out.
 * @param em only its connection is used, so any will do
 */
export async function noteSeen(em: Em, userId: string, now: Date): Promise<void> {
  if (now.getTime() - (written.get(userId) ?? 0) < PRECISION_MS) return;
  if (written.size >= REMEMBERED_MAX) written.clear();
  written.set(userId, now.getTime());
  const key = em.getConnection();
  const writer = writers.get(key) ?? { waiting: new Set(), next: null, running: Promise.resolve() };
  writers.set(key, writer);
  writer.waiting.add(userId);
  writer.next ??= writer.running.then(() => {
    const userIds = [...writer.waiting];
    writer.waiting.clear();
    writer.next = null;
    return write(em, userIds, now);
  });
  writer.running = writer.next;
  await writer.next;
}
