/** Backfill of free seats, by the clock: services are given the instants, nothing waits for them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { assignPilot } from '#server/missions/mission-seats.ts';
import { backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { takeOpenSeat } from '#server/orders/take-seat.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import {
  codeOf,
  emOf,
  findUnscheduled,
  givenCast,
  givenQueue,
  HOUR_MS,
  listJobs,
  putStatus,
  readCast,
  readOrders,
  say,
  setFree,
} from '#tests/harness/cast.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { callOffMissions, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  const found = [await findBreaches(service), await findUnscheduled(service)];
  await retirePilots(service);
  await callOffMissions(service);
  expect(found).toEqual([[], []]);
});

const LEAD_HOURS = 72;

/** A mission with this many F-16C seats, 72 h ahead, and the instants before its start. */
async function givenClockMission(seats = 1) {
  const startLocal = hoursFromNow(LEAD_HOURS);
  const startMs = Date.parse(`${startLocal}:00Z`);
  const { mission, issued } = await givenMission(service, admin, {
    startLocal,
    endLocal: hoursFromNow(LEAD_HOURS + 3),
    aircraftSlots: [{ aircraftId: 2, slotCount: seats, side: 0, notes: 'CAP' }],
  });
  return { id: mission.id, issued, startMs, before: (hours: number) => new Date(startMs - hours * HOUR_MS) };
}

type Role = 'holder' | 'first' | 'second' | 'quiet' | 'idle' | 'hunter' | 'dnd';

/**
 * One seat, whose holder gives it back at that time. `first` and `second` are on standby in this order, behind `quiet`,
 * who is on Do Not Disturb; `idle`, `hunter` (status now) and `dnd` were never asked.
 */
async function giveBack(hours: number, others: readonly Role[]) {
  const names: Role[] = ['holder', ...others];
  const pilots = await givenCast(service, names.length);
  const cast = Object.fromEntries(names.map((name, index) => [name, pilots[index]])) as Record<
    Role,
    (typeof pilots)[0]
  >;
  const rest = others.map((name) => cast[name]);
  await setFree(service, rest, false);
  const mission = await givenClockMission();
  const [order] = await readOrders(service, mission.id);
  if (order?.pilotId !== cast.holder.id) throw new Error('the holder has no order');
  const queue = (['quiet', 'first', 'second'] as const).filter((name) => names.includes(name));
  await givenQueue(
    service,
    mission.id,
    queue.map((name) => cast[name]),
    mission.before(71),
  );
  await say(service, cast.holder, order.id, 'accepted', mission.before(70));
  await setFree(service, rest, true);
  const at = mission.before(hours);
  const states = { quiet: 'dnd', dnd: 'dnd', hunter: 'now' } as const;
  for (const name of ['quiet', 'dnd', 'hunter'] as const) {
    if (names.includes(name)) await putStatus(service, cast[name], states[name], at);
  }
  await say(service, cast.holder, order.id, 'declined', at);
  return { mission, cast, at, found: await readCast(service, mission.id, cast) };
}

describe('a seat that is given back', () => {
  const ALL: Role[] = ['quiet', 'first', 'second', 'idle', 'hunter', 'dnd'];
  const WAITING = { quiet: 'standby', first: 'standby', second: 'standby' };

  test.each<[hours: number, who: string, others: Role[], found: Record<string, string>]>([
    [
      25,
      'the first standby is seated at once',
      ['first', 'second', 'idle', 'hunter'],
      { first: 'seated', second: 'standby' },
    ],
    [25, 'Do Not Disturb does not count yet', ALL, { ...WAITING, quiet: 'seated' }],
    [25, 'without standbys a candidate gets an order', ['idle'], { idle: 'ordered' }],
    [25, 'one on Do Not Disturb too', ['dnd'], { dnd: 'ordered' }],
    [23, 'the first standby who may be disturbed is asked', ALL, { ...WAITING, first: 'ordered' }],
    [23, 'without standbys a candidate gets an order', ['idle', 'dnd'], { idle: 'ordered' }],
    [23, 'one who looks for a flight is a candidate', ['hunter'], { hunter: 'ordered' }],
    [23, 'nobody on Do Not Disturb', ['quiet', 'dnd'], { quiet: 'standby' }],
    [3, 'the first standby who may be disturbed is asked', ALL, { ...WAITING, first: 'ordered' }],
    [3, 'without standbys a candidate gets an order', ['idle', 'dnd'], { idle: 'ordered' }],
    [3, 'nobody on Do Not Disturb', ['quiet', 'dnd'], { quiet: 'standby' }],
    [
      1,
      'standbys and who looks for a flight are offered it, nobody else',
      ALL,
      { quiet: 'standby', first: 'offered', second: 'offered', hunter: 'offered' },
    ],
    [1, 'who looks for a flight alone', ['idle', 'hunter', 'dnd'], { hunter: 'offered' }],
    [1, 'nobody who only could', ['idle', 'dnd', 'quiet'], { quiet: 'standby' }],
  ])('%d h before start: %s', async (_hours, _who, others, expected) => {
    const { found } = await giveBack(_hours, others);
    expect(found).toEqual({ holder: 'declined', ...expected });
  });

  test('at 25 h one of two candidates is asked, and the other when that one declines', async () => {
    const { mission, cast, at, found } = await giveBack(25, ['idle', 'dnd']);
    expect(Object.values(found).toSorted()).toEqual(['declined', 'ordered']);
    const order = (await readOrders(service, mission.id)).find(({ state }) => state === 'ordered');
    const asked = order?.pilotId === cast.idle.id ? 'idle' : 'dnd';
    await say(service, cast[asked], order?.id ?? '', 'declined', at);
    const other = asked === 'idle' ? 'dnd' : 'idle';
    expect(await readCast(service, mission.id, cast)).toEqual({
      holder: 'declined',
      [asked]: 'declined',
      [other]: 'ordered',
    });
  });

  test('at 1 h the first to accept has it, the others get 409, and standby pilots keep waiting', async () => {
    const { mission, cast, at } = await giveBack(1, ['first', 'second', 'hunter']);
    const offers = new Map(
      (await readOrders(service, mission.id)).map(({ id, pilotId, state }) => [pilotId, { id, state }]),
    );
    const accept = (name: Role) =>
      codeOf(say(service, cast[name], offers.get(cast[name].id)?.id ?? '', 'accepted', at));
    expect([await accept('second'), await accept('first'), await accept('hunter')]).toEqual([200, 409, 409]);
    const live = (await readOrders(service, mission.id)).filter(
      ({ state }) => state === 'seated' || state === 'standby',
    );
    expect(live.map(({ pilotId, state }) => [pilotId, state])).toEqual([
      [cast.first.id, 'standby'],
      [cast.second.id, 'seated'],
    ]);
  });
});

test('ten candidates who do not answer: each is asked in turn as the clock runs, and the eleventh has the seat', async () => {
  const pilots = await givenCast(service, 11);
  const mission = await givenClockMission();
  const asked: string[] = [];
  let issuedMs = 0;
  for (let turn = 0; turn < 11; turn += 1) {
    const orders = await readOrders(service, mission.id);
    expect(orders.map(({ state }) => state)).toEqual([...Array.from({ length: turn }, () => 'expired'), 'ordered']);
    const order = orders.at(-1);
    if (!order) throw new Error('nobody was asked');
    // a quarter of the time left
    if (issuedMs > 0) {
      expect(order.expiresAt.getTime()).toBe(issuedMs + Math.floor((mission.startMs - issuedMs) / 4));
    }
    expect(await findUnscheduled(service)).toEqual([]);
    asked.push(order.pilotId);
    if (turn === 10) {
      const eleventh = pilots.find(({ id }) => id === order.pilotId);
      if (!eleventh) throw new Error('somebody else was asked');
      const atLast = new Date(order.expiresAt.getTime() - 1);
      const first = pilots.find(({ id }) => id === orders[0]?.pilotId);
      if (!first) throw new Error('the first who was asked is not of the cast');
      expect(await codeOf(say(service, first, orders[0]?.id ?? '', 'accepted', atLast))).toBe(410);
      await say(service, eleventh, order.id, 'accepted', atLast);
      break;
    }
    // a moment before, nothing happens
    await backfillMission(emOf(service), mission.id, new Date(order.expiresAt.getTime() - 1));
    expect(await readOrders(service, mission.id)).toHaveLength(turn + 1);
    issuedMs = order.expiresAt.getTime();
    await backfillMission(emOf(service), mission.id, order.expiresAt);
  }
  expect(new Set(asked).size).toBe(11);
  expect((await readOrders(service, mission.id)).at(-1)?.state).toBe('seated');
});

describe('the rule changes by the clock', () => {
  test('the job runs just after 24 h and 2 h before start, moves with the mission, and does nothing once it is cancelled', async () => {
    const mission = await givenClockMission();
    const due = async () =>
      (await listJobs(service, `backfill_mission_at:${mission.id}`)).map(({ runAt }) => runAt.getTime());
    expect(await due()).toEqual([mission.before(24).getTime() + 1]);
    const [pilot] = await givenCast(service, 1);
    if (!pilot) throw new Error('no pilot');
    const moveTo = async (hours: number): Promise<number> => {
      const startLocal = hoursFromNow(hours);
      const times = { startLocal, endLocal: hoursFromNow(hours + 3) };
      expect((await admin.client.call('PUT', `/admin/missions/${mission.id}`, times)).status).toBe(200);
      return Date.parse(`${startLocal}:00Z`);
    };
    await setFree(service, [pilot], false);
    expect([(await moveTo(100)) - 24 * HOUR_MS + 1]).toEqual(await due());
    expect([(await moveTo(20)) - 2 * HOUR_MS + 1]).toEqual(await due());
    expect((await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`)).status).toBe(200);
    await setFree(service, [pilot], true);
    await backfillMission(emOf(service), mission.id, new Date());
    expect(await readOrders(service, mission.id)).toEqual([]);
  });

  test('a pilot who stood down while nobody else could fly is asked at 24 h and offered the seat at 2 h, and not in between', async () => {
    const [pilot] = await givenCast(service, 1);
    if (!pilot) throw new Error('no pilot');
    const mission = await givenClockMission();
    const [order] = await readOrders(service, mission.id);
    await say(service, pilot, order?.id ?? '', 'standby', mission.before(70));
    const states = async () => (await readOrders(service, mission.id)).map(({ state }) => state);
    const tick = (hours: number) => backfillMission(emOf(service), mission.id, mission.before(hours));
    await tick(60);
    await backfillForPilot(emOf(service), pilot.id, mission.before(50));
    expect(await states()).toEqual(['standby']);
    await tick(24);
    expect(await states()).toEqual(['superseded', 'ordered']);
    const asked = (await readOrders(service, mission.id)).at(-1);
    await say(service, pilot, asked?.id ?? '', 'standby', mission.before(20));
    await tick(10);
    expect(await states()).toEqual(['superseded', 'standby']);
    await tick(1.999);
    expect(await states()).toEqual(['superseded', 'superseded', 'offered']);
    const offer = (await readOrders(service, mission.id)).at(-1);
    await say(service, pilot, offer?.id ?? '', 'accepted', mission.before(1.9));
    expect((await states()).at(-1)).toBe('seated');
  });

  /** One of two pilots stands down from a seat that no other pilot could take. */
  async function givenStoodDown() {
    const pilots = await givenCast(service, 3);
    await setFree(service, pilots.slice(2), false);
    const mission = await givenClockMission(2);
    const seats = await query<{ orderId: string; pilotId: string; flightId: string; seatIndex: number }>(
      emOf(service),
      sql`select order_id as "orderId", pilot_id as "pilotId", flight_id as "flightId", seat_index as "seatIndex"
          from seat where mission_id = ${mission.id} order by seat_index`,
    );
    const [given, other] = seats;
    const former = pilots.find(({ id }) => id === given?.pilotId);
    const fellow = pilots.find(({ id }) => id === other?.pilotId);
    const guest = pilots[2];
    if (!given || !other || !former || !fellow || !guest) throw new Error('two seats and three pilots were expected');
    await say(service, fellow, other.orderId, 'accepted', mission.before(71));
    await say(service, former, given.orderId, 'standby', mission.before(70));
    return { mission, given, other, cast: { former, fellow, guest } };
  }

  test('a pilot who stood down is offered the seat again once another pilot has held it and was moved', async () => {
    const { mission, given, other, cast } = await givenStoodDown();
    const { id } = mission;
    const guestTo = ({ flightId, seatIndex }: typeof given) => ({ id, flightId, seatIndex, userId: cast.guest.id });
    await assignPilot(emOf(service), admin, guestTo(given), mission.before(60));
    expect(await readCast(service, id, cast)).toEqual({ former: 'standby', fellow: 'seated', guest: 'ordered' });
    const instead = { ...guestTo(other), replace: true, holderId: cast.fellow.id };
    await assignPilot(emOf(service), admin, instead, mission.before(59));
    expect(await readCast(service, id, cast)).toMatchObject({ former: 'seated', guest: 'ordered' });
  });

  test('in the last two hours a free seat is offered to a pilot who switches to Find Flight', async () => {
    const mission = await givenClockMission();
    const [early, late] = await givenCast(service, 2);
    if (!early || !late) throw new Error('two pilots were expected');
    const cast = { early, late };
    await putStatus(service, early, 'now', mission.before(2.5));
    await setFree(service, [late], true);
    await backfillMission(emOf(service), mission.id, mission.before(1.999));
    expect(await readCast(service, mission.id, cast)).toEqual({ early: 'offered' });
    await backfillForPilot(emOf(service), late.id, mission.before(1.9));
    expect(await readCast(service, mission.id, cast)).toEqual({ early: 'offered' });
    await putStatus(service, late, 'now', mission.before(1.7));
    await backfillForPilot(emOf(service), late.id, mission.before(1.7));
    expect(await readCast(service, mission.id, cast)).toEqual({ early: 'offered', late: 'offered' });
    // offers that ran out are not made again
    await backfillMission(emOf(service), mission.id, mission.before(0.5));
    await backfillForPilot(emOf(service), early.id, mission.before(0.4));
    const states = (await readOrders(service, mission.id)).map(({ state }) => state);
    expect(states).toEqual(['expired', 'expired']);
  });

  test('a pilot whose order expired is offered the seat on Find Flight; one who declined is not', async () => {
    const [silent, waiter, decliner] = await givenCast(service, 3);
    if (!silent || !waiter || !decliner) throw new Error('three pilots were expected');
    const cast = { silent, waiter, decliner };
    await setFree(service, [waiter, decliner], false);
    const mission = await givenClockMission();
    const orders = async () => readOrders(service, mission.id);
    const first = (await orders())[0];
    await givenQueue(service, mission.id, [waiter], mission.before(70));
    await setFree(service, [waiter, decliner], true);
    await putStatus(service, waiter, 'dnd', mission.before(50));
    await setFree(service, [waiter], false);
    await backfillMission(emOf(service), mission.id, first?.expiresAt ?? mission.before(50));
    const second = (await orders()).at(-1);
    expect(second?.pilotId).toBe(decliner.id);
    await say(service, decliner, second?.id ?? '', 'declined', mission.before(45));
    await setFree(service, [waiter], true);
    await putStatus(service, waiter, 'available', mission.before(20));
    await backfillForPilot(emOf(service), waiter.id, mission.before(20));
    expect(await readCast(service, mission.id, cast)).toEqual({
      silent: 'expired',
      decliner: 'declined',
      waiter: 'ordered',
    });
    const consent = (await orders()).at(-1);
    await backfillMission(emOf(service), mission.id, consent?.expiresAt ?? mission.before(15));
    // out of the queue, and not asked again
    await backfillForPilot(emOf(service), waiter.id, mission.before(3));
    await backfillForPilot(emOf(service), silent.id, mission.before(3));
    expect(await readCast(service, mission.id, cast)).toEqual({
      silent: 'expired',
      decliner: 'declined',
      waiter: 'expired',
    });
    for (const pilot of Object.values(cast)) await putStatus(service, pilot, 'now', mission.before(2.1));
    await backfillMission(emOf(service), mission.id, mission.before(1.999));
    expect(await readCast(service, mission.id, cast)).toEqual({
      silent: 'offered',
      decliner: 'declined',
      waiter: 'offered',
    });
  });

  describe('a pilot who was slower to one seat is offered the other that is still free, when the first', () => {
    type Seat = { id: string; flightId: string; seatIndex: number };
    type Round = { pilot: Viewer; orderId: string; seat: Seat; at: Date };

    test.each<[string, (round: Round) => Promise<unknown>]>([
      ['is accepted', ({ pilot, orderId, at }) => say(service, pilot, orderId, 'accepted', at)],
      [
        'is taken',
        ({ pilot, seat: { id, ...place }, at }) => takeOpenSeat(emOf(service), pilot, { missionId: id, ...place }, at),
      ],
      ['is assigned', ({ pilot, seat, at }) => assignPilot(emOf(service), admin, { ...seat, userId: pilot.id }, at)],
    ])('%s', async (_how, takeFirst) => {
      const pilots = await givenCast(service, 3);
      await setFree(service, pilots, false);
      const mission = await givenClockMission(2);
      await setFree(service, pilots, true);
      for (const pilot of pilots) await putStatus(service, pilot, 'now', mission.before(2.5));
      const at = mission.before(1.5);
      await backfillMission(emOf(service), mission.id, at);
      const orders = await query<Seat & { orderId: string; pilotId: string }>(
        emOf(service),
        sql`select mission_id as id, id as "orderId", pilot_id as "pilotId", flight_id as "flightId",
                   seat_index as "seatIndex"
            from frag_order where mission_id = ${mission.id} and is_shared_offer order by seat_index, seq`,
      );
      expect(orders).toHaveLength(3);
      // the seat that two pilots are offered, and one of the two
      const one = orders.find(({ seatIndex }) => orders.filter((o) => o.seatIndex === seatIndex).length === 2);
      const pilot = pilots.find(({ id }) => id === one?.pilotId);
      if (!one || !pilot) throw new Error('no seat is on offer to two');
      const { orderId, pilotId: _pilotId, ...seat } = one;
      await takeFirst({ pilot, orderId, seat, at });
      // an answer leaves it to a job, so that a burst of them does not offer all free seats again and again
      for (const { runAt } of await listJobs(service, `backfill_mission:${mission.id}`)) {
        expect(runAt.getTime() - Date.now()).toBeLessThanOrEqual(5_000);
        await backfillMission(emOf(service), mission.id, at);
      }
      const states = (await readOrders(service, mission.id)).map(({ state }) => state);
      expect(states.filter((state) => state === 'offered')).toHaveLength(2);
    });
  });
});
