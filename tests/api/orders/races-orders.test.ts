/** Two answers about one seat at the same moment, many times: both legal, no double, no lost seat, no stuck order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import {
  codeOf,
  emOf,
  findUnscheduled,
  givenCast,
  givenQueue,
  HOUR_MS,
  putStatus,
  readOrders,
  say,
  type OrderState,
} from '#tests/harness/cast.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const ROUNDS = inDrill(200, 24);
/** Of races that are much like one of those. */
const ROUNDS_OF_KIN = 48;
const TIMEOUT_MS = 180_000;
/** Missions whose races run in parallel, each with its own aircraft and pilots. */
const LANES = 8;

interface Lane {
  id: string;
  startMs: number;
  /** the pilot asked first, the one on standby, and the one left when both are out */
  first: Viewer;
  second: Viewer;
  third: Viewer;
}

let service: Service;
let admin: Person;
const lanes: Lane[] = [];
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(emOf(service), statement);

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  const aircraft = await rows<{ id: number }>(sql`select id from aircraft order by id limit ${LANES}`);
  for (const { id: aircraftId } of aircraft) {
    const startLocal = hoursFromNow(60);
    const { mission } = await givenMission(service, admin, {
      startLocal,
      endLocal: hoursFromNow(63),
      aircraftSlots: [{ aircraftId, slotCount: 1, side: 0, notes: 'CAP' }],
    });
    const [first, second, third] = await givenCast(service, 3, aircraftId);
    if (!first || !second || !third) throw new Error('three pilots were expected');
    lanes.push({ id: mission.id, startMs: Date.parse(`${startLocal}:00Z`), first, second, third });
  }
  expect(lanes).toHaveLength(LANES);
});
afterAll(() => service.stop());

const before = ({ startMs }: Lane, hours: number) => new Date(startMs - hours * HOUR_MS);
const stateOf = (orders: readonly OrderState[], { id }: Viewer) =>
  orders.findLast(({ pilotId }) => pilotId === id)?.state;

/** Resets the mission: no pilot has been asked, and only these pilots can fly. */
async function reset({ id, ...cast }: Lane, free: readonly Viewer[]): Promise<void> {
  const ids = [cast.first.id, cast.second.id, cast.third.id];
  await rows(sql`delete from frag_order where mission_id = ${id}`);
  await rows(sql`delete from willing_pilot where mission_id = ${id}`);
  await rows(sql`delete from pilot_status where user_id = any(${ids}::uuid[])`);
  await rows(sql`update mission set status = 'scheduled' where id = ${id}`);
  await rows(
    sql`update availability_template set is_active = user_id = any(${free.map((pilot) => pilot.id)}::uuid[])
        where user_id = any(${ids}::uuid[])`,
  );
}

/** The first pilot alone is asked, and has the order. */
async function askFirst(lane: Lane, hours: number): Promise<OrderState> {
  await reset(lane, [lane.first]);
  await backfillMission(emOf(service), lane.id, before(lane, hours));
  const [order] = await readOrders(service, lane.id);
  if (order?.pilotId !== lane.first.id || order.state !== 'ordered') throw new Error('the first pilot was not asked');
  return order;
}

const letFly = (pilots: readonly Viewer[]) =>
  rows(
    sql`update availability_template set is_active = true where user_id = any(${pilots.map(({ id }) => id)}::uuid[])`,
  );

/** Both at once; which of them is sent first changes from round to round. */
async function race<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  if (round % 2 === 0) return Promise.all([one(), other()]);
  const [b, a] = await Promise.all([other(), one()]);
  return [a, b];
}

/**
 * Race, several missions side by side, and look at the rows after each round.
 * @param raceOnce returns the outcome in words
 * @returns how often each outcome came
 */
async function raceMany(
  rounds: number,
  raceOnce: (lane: Lane, round: number) => Promise<string>,
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  for (let round = 0; round < rounds / LANES; round += 1) {
    const found = await Promise.all(lanes.map((lane, index) => raceOnce(lane, round + index)));
    for (const outcome of found) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    expect(await findBreaches(service)).toEqual([]);
    expect(await findUnscheduled(service)).toEqual([]);
  }
  expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(rounds);
  return outcomes;
}

/** An outcome that never comes was not raced for; each of these did, and no other. */
const expectOutcomes = (found: ReadonlyMap<string, number>, legal: readonly string[]) =>
  expect([...found.keys()].toSorted()).toEqual(legal.toSorted());

test(
  'expiry against accept: the pilot has the seat, or 410 and the next pilot has the order',
  async () => {
    const outcomes = await raceMany(ROUNDS, async (lane, round) => {
      const order = await askFirst(lane, 60);
      await letFly([lane.second]);
      const [said] = await race(
        round,
        () => codeOf(say(service, lane.first, order.id, 'accepted', new Date(order.expiresAt.getTime() - 1))),
        () => backfillMission(emOf(service), lane.id, order.expiresAt),
      );
      const orders = await readOrders(service, lane.id);
      return [said, stateOf(orders, lane.first), stateOf(orders, lane.second) ?? 'not asked'].join(' ');
    });
    expectOutcomes(outcomes, ['200 seated not asked', '410 expired ordered']);
  },
  TIMEOUT_MS,
);

test(
  'decline against promotion: a standby pilot who declines is skipped or passes the seat on, and the next pilot is asked',
  async () => {
    const outcomes = await raceMany(ROUNDS, async (lane, round) => {
      const order = await askFirst(lane, 60);
      await givenQueue(service, lane.id, [lane.second], before(lane, 59));
      await say(service, lane.first, order.id, 'accepted', before(lane, 58));
      await letFly([lane.second, lane.third]);
      const queued = (await readOrders(service, lane.id)).find(({ pilotId }) => pilotId === lane.second.id);
      const at = before(lane, 50);
      const answers = await race(
        round,
        () => codeOf(say(service, lane.first, order.id, 'declined', at)),
        () => codeOf(say(service, lane.second, queued?.id ?? '', 'declined', at)),
      );
      const orders = await readOrders(service, lane.id);
      const states = [lane.first, lane.second, lane.third].map((pilot) => stateOf(orders, pilot));
      const [row] = await rows<{ was_seated: boolean }>(
        sql`select accepted_at is not null as was_seated from frag_order where id = ${queued?.id ?? null}`,
      );
      return [...answers, ...states, row?.was_seated ? 'promoted' : 'passed over'].join(' ');
    });
    expectOutcomes(outcomes, [
      '200 200 declined declined ordered promoted',
      '200 200 declined declined ordered passed over',
    ]);
  },
  TIMEOUT_MS,
);

test(
  'decline against a standby pilot who takes the seat: the standby pilot has it either way',
  async () => {
    const outcomes = await raceMany(ROUNDS_OF_KIN, async (lane, round) => {
      const order = await askFirst(lane, 60);
      await givenQueue(service, lane.id, [lane.second], before(lane, 59));
      await say(service, lane.first, order.id, 'accepted', before(lane, 58));
      await letFly([lane.second, lane.third]);
      const queued = (await readOrders(service, lane.id)).find(({ pilotId }) => pilotId === lane.second.id);
      const at = before(lane, 50);
      const answers = await race(
        round,
        () => codeOf(say(service, lane.first, order.id, 'declined', at)),
        () => codeOf(say(service, lane.second, queued?.id ?? '', 'accepted', at)),
      );
      const orders = await readOrders(service, lane.id);
      return [
        ...answers,
        ...[lane.first, lane.second, lane.third].map((pilot) => stateOf(orders, pilot) ?? 'not asked'),
      ].join(' ');
    });
    expectOutcomes(outcomes, ['200 200 declined seated not asked', '200 409 declined seated not asked']);
  },
  TIMEOUT_MS,
);

test(
  'cancel against accept by one pilot: when the cancel comes last, the next pilot is asked',
  async () => {
    const outcomes = await raceMany(ROUNDS, async (lane, round) => {
      const order = await askFirst(lane, 60);
      await say(service, lane.first, order.id, 'accepted', before(lane, 59));
      await letFly([lane.second]);
      const at = before(lane, 50);
      const answers = await race(
        round,
        () => codeOf(say(service, lane.first, order.id, 'declined', at)),
        () => codeOf(say(service, lane.first, order.id, 'accepted', at)),
      );
      const orders = await readOrders(service, lane.id);
      return [...answers, ...[lane.first, lane.second].map((pilot) => stateOf(orders, pilot) ?? 'not asked')].join(' ');
    });
    expectOutcomes(outcomes, ['200 200 declined ordered', '200 409 declined ordered']);
  },
  TIMEOUT_MS,
);

test(
  'mission cancellation against accept: nothing is left, whether the pilot had the seat for a moment or gets 410',
  async () => {
    const outcomes = await raceMany(ROUNDS_OF_KIN, async (lane, round) => {
      const order = await askFirst(lane, 60);
      await letFly([lane.second]);
      const at = before(lane, 59);
      const [, said] = await race(
        round,
        () => cancelMission(emOf(service), admin, lane.id, at),
        () => codeOf(say(service, lane.first, order.id, 'accepted', at)),
      );
      const orders = await readOrders(service, lane.id);
      return [said, ...orders.map(({ state }) => state)].join(' ');
    });
    expectOutcomes(outcomes, ['200 mission cancelled', '410 mission cancelled']);
  },
  TIMEOUT_MS,
);

test(
  'in the last hour, cancel against two shared offers at once: one has the seat, and the slower waits or gets 409',
  async () => {
    const outcomes = await raceMany(ROUNDS_OF_KIN, async (lane, round) => {
      const order = await askFirst(lane, 60);
      await say(service, lane.first, order.id, 'accepted', before(lane, 59));
      await letFly([lane.second, lane.third]);
      const at = before(lane, 1);
      // until the start only: looking for a flight for longer would make them candidates of the other lanes' missions
      for (const pilot of [lane.second, lane.third]) await putStatus(service, pilot, 'now', at, 60);
      await say(service, lane.first, order.id, 'declined', at);
      const offers = (await readOrders(service, lane.id)).filter(({ state }) => state === 'offered');
      const offerOf = ({ id }: Viewer) => offers.find(({ pilotId }) => pilotId === id)?.id ?? '';
      const answers = await race(
        round,
        () => codeOf(say(service, lane.second, offerOf(lane.second), 'accepted', at)),
        () => codeOf(say(service, lane.third, offerOf(lane.third), 'accepted', at)),
      );
      const orders = await readOrders(service, lane.id);
      return [...answers, ...[lane.second, lane.third].map((pilot) => stateOf(orders, pilot))].join(' ');
    });
    expectOutcomes(outcomes, ['200 409 seated superseded', '409 200 superseded seated']);
  },
  TIMEOUT_MS,
);

test('a planted order without a job is found', async () => {
  const [lane] = lanes;
  if (!lane) throw new Error('no lane');
  const order = await askFirst(lane, 60);
  expect(await findUnscheduled(service)).toEqual([]);
  await rows(sql`delete from graphile_worker._private_jobs where key = ${`backfill_mission_at:${lane.id}`}`);
  expect(await findUnscheduled(service)).toEqual([order.id]);
});
