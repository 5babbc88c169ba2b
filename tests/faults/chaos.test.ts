/**
 * Two servers and their PostgreSQL, broken in every way at random under answers: what was acknowledged is kept, and nothing is
 * doubled. `npm run chaos` answers 25,000 times through a hundred kills of either kind; `npm test` does a short form.
 */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Client } from 'pg';
import { ROOT } from '#server/cli/programs.js';
import { connect } from '#server/schema/orm.ts';
import { MIGRATION_LOCK } from '#server/schema/migrate.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { startOwnPostgres, type OwnPostgres } from '#tests/harness/own-postgres.ts';
import { createClient } from '#tests/harness/service.ts';
import { answerUntil, givenAnswering, listOrders, type Pilot } from './answering.ts';
import { between, freeze, makeClock, mountDisk, startLink, type Clock, type Disk, type Link } from './faults.ts';
import { findLost } from './history.ts';
import { ADMIN, createMarshal, type Marshal } from './process.ts';

const ANSWERS = inDrill(25_000, 300);
/** of each kind */
const KILLS = inDrill(100, 3);
const PILOTS = inDrill(24, 12);
const SEATS = inDrill(10, 5);
const DAYS = [2, 3, 4, 5];
const MIGRATION_KILLS = inDrill(20, 3);
const DISK_MB = 600;
/** A supervisor's pause before it starts again what has ended. */
const RESTART_MS = 200;
/** Less than an order's shortest time to be answered. */
const CLOCK_SECONDS = 600;
/** All of it; the whole drill takes a quarter of an hour on two cores. */
const LIMIT_MS = inDrill(3_600_000, 240_000);

const scratch = mkdtempSync(join(tmpdir(), 'marshal-chaos-'));
let disk: Disk | null;
let postgres: OwnPostgres;
const servers: { marshal: Marshal; clock: Clock | null; clients: Link; database: Link }[] = [];
let pilots: Pilot[] = [];
const ending = new AbortController();
const supervisors: Promise<void>[] = [];
const unexpected: string[] = [];
const done: Record<string, number> = {};

/** Keeps something running, as systemd or Docker would. */
function supervise(start: () => Promise<void>): void {
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await start().catch(() => undefined);
      await pass(RESTART_MS);
    }
  };
  supervisors.push(run());
}

beforeAll(async () => {
  disk = mountDisk(DISK_MB);
  postgres = await startOwnPostgres(disk === null ? {} : { within: disk.path });
  const { port, pathname } = new URL(postgres.url);
  for (const name of ['a', 'b']) {
    const database = await startLink(() => Number(port));
    const clients: Link = await startLink(() => Number(new URL(marshal.url).port));
    const clock = makeClock(scratch, name);
    const marshal: Marshal = await createMarshal({
      PUBLIC_URL: `http://localhost:${clients.port}`,
      DATABASE_URL: `postgresql://marshal@127.0.0.1:${database.port}${pathname}`,
      ...clock?.env,
    });
    await marshal.start();
    servers.push({ marshal, clock, clients, database });
  }
  const [first = '', second = ''] = servers.map(({ clients }) => `http://localhost:${clients.port}`);
  ({ pilots } = await givenAnswering({ url: first }, { count: PILOTS, seats: SEATS, days: DAYS }));
  for (const [index, pilot] of pilots.entries()) {
    if (index % 2 === 0) continue;
    pilot.client = createClient({ url: second });
    const signIn = { email: `pilot-${index}@example.org`, password: ADMIN.password };
    expect((await pilot.client.call('POST', '/auth/login', signIn)).status).toBe(200);
  }
  supervise(() => postgres.start());
  for (const { marshal } of servers) {
    supervise(async () => {
      if (marshal.serverPid() === 0) await marshal.start();
    });
  }
}, 180_000);

afterAll(async () => {
  ending.abort();
  await Promise.all(supervisors);
  for (const { marshal, clients, database } of servers) {
    await marshal.kill('server');
    clients.close();
    database.close();
    marshal.remove();
  }
  await postgres.remove();
  disk?.remove();
  rmSync(scratch, { recursive: true, force: true });
}, 60_000);

const pick = <T>(list: readonly T[]): T | undefined => list[between(0, list.length - 1)];
const countAnswers = (): number => pilots.reduce((sum, { history }) => sum + history.length, 0);
const countHeard = (): number =>
  pilots.reduce((sum, { history }) => sum + history.filter(({ outcome }) => outcome === 'ok').length, 0);

/** Each breaks something and leaves its repair to the supervisors, or repairs it itself. */
const FAULTS: Record<string, () => Promise<void> | void> = {
  'a server is killed': () => pick(servers)?.marshal.kill('server'),
  'the database is killed'() {
    const [main] = postgres.pids();
    if (main !== undefined) process.kill(main, 'SIGKILL');
  },
  'a server stands still': () => freeze([pick(servers)?.marshal.serverPid() ?? 0].filter(Boolean), between(300, 4_000)),
  'the database stands still': () => freeze(postgres.pids(), between(300, 6_000)),
  'a clock jumps': () => pick(servers)?.clock?.jump(between(-CLOCK_SECONDS, CLOCK_SECONDS)),
  async 'the disk is full'() {
    const free = disk?.fill();
    await pass(between(300, 2_500));
    free?.();
  },
  'connections are cut'() {
    for (const { clients, database } of servers) for (const link of [clients, database]) link.cut(0.5);
  },
};

/** The faults of a run in random order, the two kills most often. */
function planFaults(): string[] {
  const names = Object.keys(FAULTS).flatMap((name) => {
    const times = name.endsWith('killed') ? KILLS : Math.ceil(KILLS / 4);
    return Array.from({ length: times }, () => name);
  });
  return names
    .map((name) => [Math.random(), name] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, name]) => name);
}

test('the faults are real: a clock is wrong, a disk has no room, a connection is reset', async () => {
  const [server] = servers;
  if (!server) throw new Error('there is no server');
  if (server.clock !== null) {
    server.clock.jump(CLOCK_SECONDS);
    const aheadSeconds = async () => {
      const { headers } = await fetch(server.marshal.url);
      return (Date.parse(headers.get('date') ?? '') - Date.now()) / 1_000;
    };
    await vi.waitUntil(async () => Math.abs((await aheadSeconds()) - CLOCK_SECONDS) < 5, { timeout: 5_000 });
    server.clock.jump(0);
  }
  if (disk !== null) {
    const free = disk.fill();
    expect(() => writeFileSync(join(disk?.path ?? '', 'more'), 'x'.repeat(8_192))).toThrow('ENOSPC');
    free();
    writeFileSync(join(disk.path, 'more'), 'x'.repeat(8_192));
  }
  const socket = connectTo(server.clients.port, 'localhost');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await vi.waitUntil(
    () => {
      server.clients.cut(1);
      return socket.destroyed;
    },
    { timeout: 5_000 },
  );
});

test('a server that is killed while it migrates leaves a database that the next start completes', async () => {
  const all = readdirSync(join(ROOT, 'migrations')).filter((file) => file.endsWith('.ts')).length;
  const makeEmpty = async (): Promise<void> => {
    const admin = new Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query('drop database if exists half with (force)');
    await admin.query('create database half');
    await admin.end();
  };
  await makeEmpty();
  const url = new URL('/half', postgres.url).href;
  const countApplied = async (): Promise<number> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<{ count: number }>('select count(*)::int as count from mikro_orm_migrations');
      return rows[0]?.count ?? 0;
    } catch {
      // the table is not there
      return 0;
    } finally {
      await client.end();
    }
  };
  const marshal = await createMarshal({ DATABASE_URL: url });
  for (let kills = 0; kills < MIGRATION_KILLS;) {
    const starting = marshal.start().catch(() => undefined);
    // the session of the migration waits for its lock, or holds it
    await vi.waitUntil(async () => (await countMigrating()) > 0, { timeout: 30_000, interval: 5 });
    await pass(between(0, 400));
    await marshal.kill('server');
    await starting;
    const applied = await countApplied();
    expect([0, all]).toContain(applied);
    if (applied === 0) kills += 1;
    // too late: it had just committed
    else await makeEmpty();
  }
  await marshal.start();
  expect(await countApplied()).toBe(all);
  expect(await marshal.stop()).toBe(0);
  marshal.remove();

  /** Sessions that migrate the database. */
  async function countMigrating(): Promise<number> {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_locks join pg_database d on d.oid = database
       where locktype = 'advisory' and objid = $1 and datname = 'half'`,
      [MIGRATION_LOCK],
    );
    await client.end();
    return rows[0]?.count ?? 0;
  }
}, 120_000);

test(
  'acknowledged answers are kept and nothing is doubled, whatever fails',
  async () => {
    let isOver = false;
    const load = pilots.map((pilot) => answerUntil(pilot, () => isOver, unexpected));
    const plan = planFaults();
    for (const name of plan) {
      const heard = countHeard();
      // writes go on after every fault
      await vi.waitUntil(() => countHeard() >= heard + PILOTS, { timeout: 60_000, interval: 20 });
      await FAULTS[name]?.();
      done[name] = (done[name] ?? 0) + 1;
    }
    await vi.waitUntil(() => countAnswers() >= ANSWERS, { timeout: LIMIT_MS, interval: 100 });
    isOver = true;
    await Promise.all(load);
    for (const { clock } of servers) clock?.jump(0);
    // its supervisor may still have to restart a server that the last fault has killed
    const isReady = ({ marshal }: (typeof servers)[number]) =>
      marshal.ready().then(
        () => true,
        () => false,
      );
    for (const server of servers) await vi.waitUntil(() => isReady(server), { timeout: 60_000, interval: 50 });

    const history = pilots.flatMap((pilot) => pilot.history);
    const outcomes = Map.groupBy(history, ({ outcome }) => outcome);
    const counts = [...outcomes].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
    console.log(
      `${counts}; ${Object.entries(done)
        .map(([name, times]) => `${name}: ${times}`)
        .join(', ')}`,
    );
    const shown = new Map((await Promise.all(pilots.map(listOrders))).flat().map(({ id, rsvp }) => [id, rsvp]));
    expect(findLost(history, shown)).toEqual([]);
    expect(unexpected).toEqual([]);
    // the check itself finds an answer that is not there
    const kept = history.findLast(({ outcome, response }) => outcome === 'ok' && response !== 'declined');
    if (!kept) throw new Error('no answer was kept');
    expect(findLost([{ ...kept, response: 'declined' }], new Map([[kept.orderId, 'pending']]))).toHaveLength(1);
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['ok', 'unknown']));

    const orm = await connect(postgres.url);
    try {
      expect(await findBreaches({ app: { orm } })).toEqual([]);
    } finally {
      await orm.close();
    }
  },
  LIMIT_MS,
);
