/**
 * A whole installation from docker/compose.scale.yaml: started from nothing, its failover under answers, containers that are made
 * again, and its backups. `npm run drill:failover` runs all rounds, `npm test` the first.
 */
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect } from '#server/schema/orm.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import type { Client } from '#tests/harness/service.ts';
import { openStream, type Stream } from '#tests/harness/stream.ts';
import { answerUntil, givenAnswering, insist, listOrders, type Pilot } from './answering.ts';
import { findLost } from './history.ts';
import { type Cluster, startCluster } from './cluster/cluster.ts';
import { whyNoCluster } from './cluster/needs.js';
import { startSquadron, type Squadron } from './cluster/squadron.ts';
import { ADMIN } from './process.ts';

const ROUNDS = ['postgres', 'machine', 'network', 'switchover', 'server'] as const;
type Round = (typeof ROUNDS)[number];
const PILOTS = inDrill(50, 12);
const SEATS = inDrill(20, 5);
const DAYS = [2, 3, 4];
/** How long answers run before and after a failure. */
const LOAD_MS = inDrill(8_000, 3_000);
/** The longest time without an acknowledged write. */
const PAUSE_MS = 15_000;
const STREAMS = 5;

const WAIT = { timeout: 120_000, interval: 100 } as const;

const obstacle = whyNoCluster();

let cluster: Cluster;
let squadron: Squadron;
let admin: Client;
let pilots: Pilot[] = [];
const unexpected: string[] = [];
/** of the first pilots; replaced when they end, as a page does */
const streams = new Map<Pilot, Stream>();
const stopping = new AbortController();

const heardOk = () => pilots.flatMap(({ history }) => history.filter(({ outcome }) => outcome === 'ok'));

/** The longest time between two acknowledged writes from the last one before a failure on, ms. */
function findPause(failedMs: number, heardMs: readonly number[]): number {
  const times = heardMs.toSorted((a, b) => a - b);
  const before = times.findLastIndex((time) => time < failedMs);
  return Math.max(...times.slice(before + 1).map((time, index) => time - (times[before + index] ?? failedMs)));
}

async function keepStream(pilot: Pilot): Promise<void> {
  while (!stopping.signal.aborted) {
    const stream = await openStream(cluster, pilot.client.cookie()).catch(() => null);
    if (stream?.status !== 200) {
      await pass(200);
      continue;
    }
    streams.set(pilot, stream);
    await stream.ended;
  }
}

describe.skipIf(obstacle !== null)(`several machines${obstacle === null ? '' : ` (not here: ${obstacle})`}`, () => {
  beforeAll(async () => {
    cluster = await startCluster({
      prepare: async () => {
        squadron = await startSquadron();
        return { ...squadron.env, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
      },
    });
    console.log(JSON.stringify(cluster.wellAfterMs));
    ({ admin, pilots } = await givenAnswering(cluster, { count: PILOTS, seats: SEATS, days: DAYS }));
    await squadron.setUp(admin);
    for (const pilot of pilots.slice(0, STREAMS)) void keepStream(pilot);
  }, 240_000);

  afterAll(async () => {
    stopping.abort();
    for (const stream of streams.values()) stream.close();
    await squadron?.stop();
    cluster?.stop();
  });

  /** Breaks something. @returns a function that brings back what was taken away */
  async function fail(round: Round): Promise<() => void> {
    const leader = await cluster.findLeader();
    switch (round) {
      case 'postgres':
        cluster.killPostgres(leader);
        return () => undefined;
      case 'machine':
        leader.kill();
        return () => cluster.start(leader);
      case 'network':
        leader.setLink('down');
        return () => leader.setLink('up');
      case 'switchover':
        await cluster.switchOver(leader);
        return () => undefined;
      case 'server': {
        const server = await squadron.findBot(cluster);
        server.kill();
        return () => cluster.start(server);
      }
    }
  }

  test.each(ROUNDS.slice(0, inDrill(ROUNDS.length, 1)))(
    '%s: acknowledged answers are kept, writes go on soon, streams come back, and Discord hears of everything once',
    async (round) => {
      let isOver = false;
      const load = pilots.map((pilot) => answerUntil(pilot, () => isOver, unexpected));
      const published = squadron.publishUntil(admin, () => isOver);
      await pass(LOAD_MS);
      const failedMs = performance.now();
      const repair = await fail(round);
      await vi.waitUntil(() => heardOk().some(({ sentMs }) => sentMs > failedMs), { timeout: 60_000, interval: 50 });
      repair();
      await pass(LOAD_MS);
      isOver = true;
      await Promise.all(load);
      expect(await published).toBeGreaterThan(0);
      const pauseMs = findPause(
        failedMs,
        heardOk().map(({ heardMs }) => heardMs),
      );
      console.log(`${round}: no write was acknowledged for ${Math.round(pauseMs)} ms`);
      await cluster.healed();

      const shown = new Map((await Promise.all(pilots.map(listOrders))).flat().map(({ id, rsvp }) => [id, rsvp]));
      const history = pilots.flatMap((pilot) => pilot.history);
      expect(findLost(history, shown)).toEqual([]);
      expect(unexpected).toEqual([]);
      expect(pauseMs).toBeLessThan(PAUSE_MS);

      // a page that lost its stream has a new one, which hears of what happens now
      for (const pilot of pilots.slice(0, STREAMS)) {
        await vi.waitFor(
          async () => {
            const before = streams.get(pilot)?.events.length ?? 0;
            const state = before % 2 === 0 ? 'dnd' : 'available';
            const saved = await insist(() => pilot.client.call('PUT', `/users/${pilot.id}/status`, { state }));
            expect(saved.status).toBe(200);
            await vi.waitUntil(() => (streams.get(pilot)?.events.length ?? 0) > before, {
              timeout: 3_000,
              interval: 50,
            });
          },
          { timeout: 30_000, interval: 100 },
        );
      }
      await squadron.expectOnce(cluster);
    },
    300_000,
  );

  test('a server and a standby that come back with another address are found again', async () => {
    const leader = await cluster.findLeader();
    const standby = cluster.nodes.find((node) => node !== leader);
    const server = cluster.servers.at(-1);
    if (!standby || !server) throw new Error('there is none');
    const places = [
      ['marshal', server],
      ['replicas', standby],
    ] as const;
    for (const [, machine] of places) await cluster.recreate(machine);
    const isIn = async (state: RegExp) => {
      const states = await Promise.all(places.map(([backend, { name }]) => cluster.stateOf(backend, name)));
      return states.every((one) => state.test(one));
    };
    await vi.waitUntil(() => isIn(/^(?:DOWN|MAINT)$/), WAIT);
    for (const [, machine] of places) cluster.start(machine);
    await vi.waitUntil(() => isIn(/^UP$/), WAIT);
    await cluster.healed();
  }, 300_000);

  test('the rows agree', async () => {
    const orm = await connect(cluster.databaseUrl);
    try {
      expect(await findBreaches({ app: { orm } })).toEqual([]);
    } finally {
      await orm.close();
    }
    const outcomes = new Set(pilots.flatMap(({ history }) => history.map(({ outcome }) => outcome)));
    expect([...outcomes]).toEqual(expect.arrayContaining(['ok', 'unknown']));
  }, 60_000);
});

describe.runIf(obstacle === null && inDrill(1, 0) === 1)('the compose file from nothing', () => {
  test.each([
    { title: 'in its order', options: {} },
    { title: 'in the opposite order', options: { isReversed: true } },
    { title: 'where DNS does not answer for names that are not there', options: { isSilent: true } },
  ])(
    'it starts $title',
    async ({ options }) => {
      const started = await startCluster(options);
      console.log(JSON.stringify(started.wellAfterMs));
      started.stop();
    },
    300_000,
  );

  test('a backup is missed, made, and restored, as docker/README.md says', async () => {
    const own = await startCluster({
      prepare: () => Promise.resolve({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }),
    });
    const marshal = (...args: string[]) => own.exec('marshal-1', ['node', 'server/cli/marshal.ts', ...args]);
    const signIn = async () => {
      const headers = { 'content-type': 'application/json', origin: own.url };
      return (await fetch(`${own.url}/api/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(ADMIN) }))
        .status;
    };
    const made = await marshal('backup');
    expect(made, made.output).toMatchObject({ code: 0 });
    expect((await marshal('doctor')).output).toMatch(/Backups?\b.*newest/i);
    const refused = await marshal('restore', 'latest', '--replace', '--yes');
    expect(refused.code, refused.output).toBe(1);
    for (const server of own.servers) server.kill();
    const restored = await marshal('restore', 'latest', '--replace', '--yes');
    expect(restored, restored.output).toMatchObject({ code: 0 });
    for (const server of own.servers) own.start(server);
    await vi.waitUntil(async () => (await fetch(`${own.url}/readyz`).catch(() => null))?.status === 200, WAIT);
    expect(await signIn()).toBe(200);
    own.stop();
  }, 400_000);
});

test('a pause is counted from the last write before the failure, wherever it lies', () => {
  expect(findPause(100, [10, 90, 95, 400, 410])).toBe(305);
  expect(findPause(100, [90, 110, 120, 900])).toBe(780);
});
