/**
 * Reads from a replica of the database. A read goes there only if the replica has everything that was committed before the
 * read began, so its answer is never older than the primary's.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { db } from './database.ts';
import type { Em } from './orm.ts';
import { shareRead } from './shared-read.ts';

/** A standby in the same network is a few milliseconds behind; a read that waits longer is quicker on the primary. */
const WAIT_MS = 50;
const LOOK_MS = 5;
/** A replica that failed or fell behind is left alone for this long, so that reads do not wait for it one by one. */
const REST_MS = 2_000;

export interface Replica {
  /**
   * Run a read that sees everything committed by now, in one read-only transaction: the address may lead to several servers.
   * @param primary any entity manager of the primary
   * @returns what it returned; null without running it, when the replica does not have everything in time
   * @throws when the primary does not answer; otherwise the read's own error
   */
  read: <T>(primary: Em, read: (em: Em) => Promise<T>) => Promise<T | null>;
  /** Leave it alone for a while, after a read there has failed. */
  rest: () => void;
  /** Bytes of the write-ahead log that it has not replayed; null when it does not answer. */
  lag: (primary: Em) => Promise<number | null>;
  close: () => Promise<void>;
}

/** The position in the write-ahead log that holds all commits so far. One statement answers all who ask meanwhile. */
const readPosition = shareRead(async (em) => {
  const flushed = db(em).selectNoFrom(({ fn }) => fn<string>('pg_current_wal_flush_lsn').as('position'));
  return (await flushed.executeTakeFirstOrThrow()).position;
});

/** @param orm connected to the replica */
export function createReplica(orm: MikroORM): Replica {
  let restsUntilMs = -Infinity;
  const rest = (): void => void (restsUntilMs = performance.now() + REST_MS);

  /** False also for a server that replays nothing, such as a primary. */
  async function hasReplayed(em: Em, position: string): Promise<boolean> {
    const replayed = db(em).selectNoFrom(({ eb, fn, val }) =>
      eb(fn<string | null>('pg_last_wal_replay_lsn'), '>=', val(position)).as('isReached'),
    );
    return Boolean((await replayed.executeTakeFirst())?.isReached);
  }

  return {
    rest,
    close: () => orm.close(),
    async read<T>(primary: Em, read: (em: Em) => Promise<T>): Promise<T | null> {
      if (performance.now() < restsUntilMs) return null;
      const position = await readPosition(primary);
      const giveUpMs = performance.now() + WAIT_MS;
      const em = orm.em.fork();
      const isCurrent = async (): Promise<boolean> => {
        while (!(await hasReplayed(em, position))) {
          if (performance.now() >= giveUpMs) return false;
          await pause(LOOK_MS);
        }
        return true;
      };
      try {
        const mayRead = await em
          .begin({ readOnly: true })
          .then(isCurrent)
          .catch(() => false);
        if (mayRead) return await read(em);
        rest();
        return null;
      } finally {
        if (em.isInTransaction()) await em.rollback().catch(() => undefined);
      }
    },
    async lag(primary) {
      const position = await readPosition(primary);
      const behind = db(orm.em.fork()).selectNoFrom(({ fn, val }) =>
        fn<string | null>('pg_wal_lsn_diff', [val(position), fn('pg_last_wal_replay_lsn')]).as('bytes'),
      );
      const row = await behind.executeTakeFirst().catch(() => undefined);
      return row === undefined || row.bytes === null ? null : Math.max(0, Number(row.bytes));
    },
  };
}
