/** Two replicas of Marshal on one database, an admin, and pilots who are always, never or sometimes free, or on leave at times. */
import { setTimeout as pass } from 'node:timers/promises';
import { Pool } from 'pg';
import { vi } from 'vitest';
import { createTestDatabase } from '#tests/harness/database.ts';
import { createClient, type Client } from '#tests/harness/service.ts';
import type { Random } from '#tests/harness/seeded.ts';
import { installJournal } from './life-journal.ts';
import { ADMIN, createMarshal, type Marshal } from './process.ts';

export interface LifePilot {
  id: string;
  /** always free for this aircraft, 0: for any; null: never, or unknown */
  aircraftId: number | null;
  /** changes status and availability */
  isFickle: boolean;
  isSuspendable: boolean;
  /** goes on leave and comes back */
  takesLeave: boolean;
}

const USUAL = { isFickle: false, isSuspendable: false, takesLeave: false };
const POPULATION: readonly Omit<LifePilot, 'id'>[] = [
  ...[0, 0, 0, 2, 2, 3, 3, null].map((aircraftId) => ({ ...USUAL, aircraftId })),
  ...[0, 0].map((aircraftId) => ({ ...USUAL, aircraftId, isSuspendable: true })),
  ...[0, 0].map((aircraftId) => ({ ...USUAL, aircraftId, takesLeave: true })),
  ...[null, null, null].map((aircraftId) => ({ ...USUAL, aircraftId, isFickle: true })),
];

export interface Community {
  pool: Pool;
  /** how far the database's clock is ahead of ours, in milliseconds */
  aheadMs: number;
  pilots: LifePilot[];
  /** A session with a running replica; waits for one if necessary. @param pilotId null: the admin's */
  clientOf: (pilotId: string | null) => Promise<Client>;
  replicas: readonly Replica[];
  /** Stops both replicas gracefully; the database stays. */
  silence: () => Promise<void>;
  stop: () => Promise<void>;
}

interface Replica {
  kill: () => Promise<void>;
  start: () => Promise<void>;
}

async function measureAhead(pool: Pool): Promise<number> {
  const before = Date.now();
  const { rows } = await pool.query('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms');
  const after = Date.now();
  const ahead = rows[0].ms - (before + after) / 2;
  // on one machine it is the same clock
  return Math.abs(ahead) <= after - before + 1 ? 0 : ahead;
}

/** @param random chooses the replica */
export async function startCommunity(random: Random): Promise<Community> {
  const database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 12 });
  pool.on('error', () => undefined);
  const marshals: Marshal[] = [];
  const running = new Set<Marshal>();
  const start = async (marshal: Marshal) => {
    await marshal.start();
    running.add(marshal);
  };
  for (let index = 0; index < 2; index += 1) marshals.push(await createMarshal({ DATABASE_URL: database.url }));
  // one after the other, because the first one migrates and creates the admin
  for (const marshal of marshals) await start(marshal);

  const sessions = new Map<string | null, Map<Marshal, Client>>();
  const signIn = async (who: string | null, credentials: { email: string; password: string }) => {
    const clients = new Map(marshals.map((marshal) => [marshal, createClient(marshal)]));
    sessions.set(who, clients);
    for (const client of clients.values()) {
      const { status } = await client.call('POST', '/auth/login', credentials);
      if (status !== 200) throw new Error(`sign-in of ${credentials.email} answered ${status}`);
    }
  };
  await signIn(null, ADMIN);
  const pilots: LifePilot[] = [];
  for (const [index, one] of POPULATION.entries()) {
    const [marshal] = marshals;
    if (!marshal) break;
    const account = { email: `pilot-${index}@example.org`, password: ADMIN.password };
    const client = createClient(marshal);
    const { body } = await client.call('POST', '/auth/register', { ...account, confirmPassword: account.password });
    const { aircraftId } = one;
    const slots = [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => [
      { weekday, startLocal: '00:00', endLocal: '12:00', aircraftCodeId: aircraftId },
      { weekday, startLocal: '12:00', endLocal: '00:00', aircraftCodeId: aircraftId },
    ]);
    if (aircraftId !== null) await client.call('POST', `/users/${body.id}/availability/templates`, { slots });
    await signIn(body.id, account);
    pilots.push({ id: body.id, ...one });
  }
  await installJournal(pool);
  // earlier rows count as created now
  await pool.query('update app_user set roles = roles');

  return {
    pool,
    aheadMs: await measureAhead(pool),
    pilots,
    async clientOf(pilotId) {
      await vi.waitUntil(() => running.size > 0, { timeout: 60_000, interval: 20 });
      const marshal = [...running][random.between(0, running.size - 1)];
      const client = marshal && sessions.get(pilotId)?.get(marshal);
      if (!client) throw new Error('nobody to ask');
      return client;
    },
    replicas: marshals.map((marshal) => ({
      async kill() {
        // calls still arrive while it dies
        await marshal.kill('server');
        running.delete(marshal);
        await pass(random.between(0, 300));
      },
      start: () => start(marshal),
    })),
    async silence() {
      await Promise.all(marshals.map((marshal) => marshal.stop()));
    },
    async stop() {
      for (const marshal of marshals) {
        await marshal.kill('server');
        marshal.remove();
      }
      await pool.end();
      await database.drop();
    },
  };
}
