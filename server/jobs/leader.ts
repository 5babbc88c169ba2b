/**
 * Leader election among replicas for work that only one process may do: a PostgreSQL advisory lock of a session. It is
 * released when its process or its connection dies.
 */
import { setTimeout as pass } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '#server/platform/log.ts';

/** How often others ask for the lock, and the leader checks that it still has it. */
const BEAT_MS = 1_000;
/** Time limit of a statement, after which the connection counts as dead. */
const STATEMENT_MS = 5_000;
/** The lock of the process that sends to Discord; the numbers of others are in `transaction.queries.ts`. */
export const DISCORD_SENDER_LOCK = 7_311_920;

interface Election {
  databaseUrl: string;
  lock: number;
  log: Log;
  /** Starts the work. @returns a function that stops it */
  begin: () => Promise<() => Promise<void>>;
}

/** Connects, and works from the moment at which the lock is free until the connection dies or the signal comes. */
async function lead({ databaseUrl, lock, begin }: Election, stopping: AbortSignal): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 3_000,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
  });
  const lost = new AbortController();
  client.on('error', () => undefined).once('end', () => lost.abort());
  const signal = AbortSignal.any([stopping, lost.signal]);
  const beat = () => pass(BEAT_MS, undefined, { signal }).catch(() => undefined);
  let stop: (() => Promise<void>) | null = null;
  try {
    await client.connect();
    while (!signal.aborted) {
      // a waiting statement would keep PostgreSQL from removing old rows, so this asks again and again
      if (stop === null) {
        const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [lock]);
        if (rows[0]?.ours === true) stop = await begin();
      } else {
        const { rows } = await client.query<{ over: boolean }>('select pg_is_in_recovery() as over');
        if (rows[0]?.over === true) return;
      }
      await beat();
    }
  } finally {
    await stop?.();
    await client.end().catch(() => undefined);
  }
}

/**
 * Do some work in one process of the installation at a time, until stopped. If the leader dies, another process takes over
 * about a second later.
 * @returns a function that stops the work, waits for its end, and lets another process take over
 */
export function startElection(election: Election): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await lead(election, signal).catch((error: unknown) =>
        election.log.warn({ err: error instanceof Error ? error.message : error }, 'leader connection lost'),
      );
      await pass(BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
