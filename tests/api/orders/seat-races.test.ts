/** Races of taking and swapping seats with other changes: consistent rows afterwards. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { givenCrowd, type CrowdPilot } from '#tests/harness/crowd.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { givenSeated } from '#tests/harness/mission-edits.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { answerSwap, propose, seatIn, take, vipers } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask } from '#tests/harness/transports.ts';

const ROUNDS = inDrill(6, 2);

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  expect(await findBreaches(service)).toEqual([]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const tally = (replies: readonly { status: number }[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [status, all.length]));
const seatsOf = (missionId: string) =>
  rows<{ pilot: string; seat: number; rsvp: string }>(
    sql`select s.pilot_id as pilot, s.seat_index as seat, o.rsvp from seat s join frag_order o on o.id = s.order_id
        where s.mission_id = ${missionId} order by s.seat_index`,
  );

/** Pilots on Find Flight for the next eight hours. */
async function givenReadyCrowd(size: number): Promise<CrowdPilot[]> {
  const pilots = await givenCrowd(service, size);
  await rows(
    sql`insert into pilot_status (user_id, state, minutes, expires_at, updated_at)
        select id, 'now', 480, now() + interval '8 hours', now() from unnest(${pilots.map(({ id }) => id)}::uuid[]) as id`,
  );
  return pilots;
}

const takeAs = ({ cookie }: CrowdPilot, seat: object) => ask(service, 'rest', 'pilot.seats.take', seat, cookie);

describe('30 pilots take the last seat at once', () => {
  test.each([1, 2, 3])('round %i: one has it, 29 get the sentence that it is taken', async () => {
    const { mission } = await givenMissionIn(service, admin, 1, { aircraftSlots: vipers(1) });
    const seat = await seatIn(admin, mission.id);
    const pilots = await givenReadyCrowd(30);
    const replies = await Promise.all(pilots.map((pilot) => takeAs(pilot, seat)));
    expect(tally(replies)).toEqual({ 201: 1, 409: 29 });
    const sentences = replies.flatMap(({ status, message }) => (status === 409 ? [message] : []));
    expect([...new Set(sentences)]).toEqual(['This seat has been taken by another pilot.']);
    const winner = pilots[replies.findIndex(({ status }) => status === 201)];
    expect(await seatsOf(mission.id)).toEqual([{ pilot: winner?.id, seat: 0, rsvp: 'accepted' }]);
  });
});

test('one pilot takes four seats of two overlapping missions at once: one seat', async () => {
  for (let round = 0; round < 3; round += 1) {
    const missions = await Promise.all(
      [0, 1].map(() => givenMissionIn(service, admin, 1, { aircraftSlots: vipers(2) })),
    );
    const places = await Promise.all(
      missions.flatMap(({ mission }) => [0, 1].map((index) => seatIn(admin, mission.id, index))),
    );
    const [pilot] = await givenReadyCrowd(1);
    if (!pilot) throw new Error('no pilot');
    const replies = await Promise.all(places.map((place) => takeAs(pilot, place)));
    expect(tally(replies)).toEqual({ 201: 1, 409: 3 });
    expect(await rows(sql`select 1 from seat where pilot_id = ${pilot.id}`)).toHaveLength(1);
  }
});

describe('a seat is taken', () => {
  test.each([40, 12, 1.5])('%f h ahead while its holder gives it back and it is offered to others', async (hours) => {
    const holder = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, hours, { aircraftSlots: vipers(1) });
    const order = await orderOf(holder);
    await respond(holder, order, 'accepted');
    const hunters = [await givenPilot(service), await givenPilot(service), await givenPilot(service)];
    for (const { client, id } of hunters)
      await client.call('PUT', `/users/${id}/status`, { state: 'now', minutes: 480 });
    const seat = await seatIn(admin, mission.id);
    const [given, ...taken] = await Promise.all([
      respond(holder, order, 'declined'),
      ...hunters.map((pilot) => take(pilot, seat)),
      ...hunters.map((pilot) => take(pilot, seat)),
    ]);
    expect(given?.status).toBe(200);
    const won = taken.filter(({ status }) => status === 201);
    expect(won.length).toBeLessThanOrEqual(1);
    expect(taken.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const held = await seatsOf(mission.id);
    // further ahead another pilot is asked at once; close to the start it stays open to all
    if (hours > 2 || won.length === 1) expect(held).toHaveLength(1);
    if (won.length === 1) expect(held).toMatchObject([{ rsvp: 'accepted' }]);
  });

  test('while its order expires, the job runs, and its pilot accepts after all', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const holder = await givenPilot(service);
      const { mission } = await givenMissionIn(service, admin, 40 + 5 * round, { aircraftSlots: vipers(1) });
      const order = await orderOf(holder);
      const pilot = await givenPilot(service);
      const seat = await seatIn(admin, mission.id);
      await rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${order.id}`);
      const [late, took] = await Promise.all([
        respond(holder, order, 'accepted'),
        take(pilot, seat),
        backfillMission(service.app.orm.em.fork(), mission.id, new Date()),
      ]);
      expect(late.status).toBe(410);
      const [held] = await seatsOf(mission.id);
      // either it was taken, or it was offered to the same pilot first and is already theirs
      if (took.status === 201) expect(held?.rsvp).toBe('accepted');
      else {
        expect(took).toMatchObject({ status: 409, body: { message: 'You already hold a seat in this mission.' } });
        expect(held?.rsvp).toBe('pending');
      }
      expect(held?.pilot).toBe(pilot.id);
      await retirePilots(service);
    }
  });

  test('by a pilot who accepts after all at the same moment: one order, one seat', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const pilot = await givenPilot(service);
      const { mission } = await givenMissionIn(service, admin, 40 + 5 * round, { aircraftSlots: vipers(2) });
      const order = await orderOf(pilot);
      await respond(pilot, order, 'declined');
      const seat = await seatIn(admin, mission.id, 1);
      const [accepted, took] = await Promise.all([respond(pilot, order, 'accepted'), take(pilot, seat)]);
      expect(accepted.status).toBe(200);
      expect([201, 409]).toContain(took.status);
      expect(await seatsOf(mission.id)).toMatchObject([{ pilot: pilot.id, rsvp: 'accepted' }]);
      await retirePilots(service);
    }
  });
});

/** A mission of three pilots who have all accepted. */
async function givenThree() {
  const { id, seats } = await givenSeated(service, admin, 3);
  for (const { pilot, order } of seats) await respond(pilot, order, 'accepted');
  const [a, b, c] = seats;
  if (!a || !b || !c) throw new Error('three pilots were expected');
  const before = await seatsOf(id);
  const seatOf = (held: typeof before, { pilot }: typeof a) => held.find((seat) => seat.pilot === pilot.id)?.seat;
  const places = (held: typeof before) => [a, b, c].map((one) => seatOf(held, one));
  const [first = -1, second = -1, third = -1] = places(before);
  return { id, a, b, c, first, second, third, places: async () => places(await seatsOf(id)) };
}
type Seated = Awaited<ReturnType<typeof givenThree>>['a'];

const asks = async (from: Seated, to: Seated): Promise<string> => {
  const { status, body } = await propose(from.pilot, from.order.id, to.order.id);
  expect(status).toBe(201);
  return body.id;
};

describe('two at once', () => {
  test('crossing swaps, A with B and B with C: one happens, the other ends', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { a, b, c, first, second, third, places } = await givenThree();
      const [ab, bc] = [await asks(a, b), await asks(b, c)];
      const answers = await Promise.all([answerSwap(b.pilot, ab, 'agreed'), answerSwap(c.pilot, bc, 'agreed')]);
      expect(tally(answers)).toEqual({ 200: 1, 409: 1 });
      expect(answers.find(({ status }) => status === 409)?.body.message).toBe('This swap is no longer open.');
      expect(await places()).toEqual(answers[0].status === 200 ? [second, first, third] : [first, third, second]);
      expect(await findBreaches(service)).toEqual([]);
      await retirePilots(service);
    }
  });

  test('both pilots ask each other and agree: the seats change once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { a, b, first, second, third, places } = await givenThree();
      const [ab, ba] = [await asks(a, b), await asks(b, a)];
      const answers = await Promise.all([answerSwap(b.pilot, ab, 'agreed'), answerSwap(a.pilot, ba, 'agreed')]);
      expect(tally(answers)).toEqual({ 200: 1, 409: 1 });
      expect(await places()).toEqual([second, first, third]);
      await retirePilots(service);
    }
  });

  test('one pilot agrees ten times at once: the seats change once', async () => {
    const { a, b, first, second, third, places } = await givenThree();
    const ab = await asks(a, b);
    const answers = await Promise.all(Array.from({ length: 10 }, () => answerSwap(b.pilot, ab, 'agreed')));
    expect(tally(answers)).toEqual({ 200: 1, 409: 9 });
    expect(await places()).toEqual([second, first, third]);
  });

  test('of five proposals at once one is open; agreeing and withdrawing at once: one of them wins', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { a, b, c, first, second, third, places } = await givenThree();
      const asked = await Promise.all([b, c, b, c, b].map(({ order }) => propose(a.pilot, a.order.id, order.id)));
      expect(tally(asked)).toEqual({ 201: 1, 409: 4 });
      const index = asked.findIndex(({ status }) => status === 201);
      const swap = asked[index]?.body.id;
      const other = index % 2 === 0 ? b : c;
      const [agreed, withdrawn] = await Promise.all([
        answerSwap(other.pilot, swap, 'agreed'),
        a.pilot.client.call('DELETE', `/pilot/swaps/${swap}`),
      ]);
      expect(tally([agreed, withdrawn])).toEqual({ 200: 1, 409: 1 });
      const swapped = other === b ? [second, first, third] : [third, second, first];
      expect(await places()).toEqual(agreed.status === 200 ? swapped : [first, second, third]);
      await retirePilots(service);
    }
  });
});

test('agreeing to a swap while one of the two gives the seat back: the second gets a refusal', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { a, b, places } = await givenThree();
    const ab = await asks(a, b);
    const [quitter, at] = round % 2 === 0 ? [a, 0] : [b, 1];
    const [agreed, declined] = await Promise.all([
      answerSwap(b.pilot, ab, 'agreed'),
      respond(quitter.pilot, quitter.order, 'declined'),
    ]);
    expect(declined.status).toBe(200);
    expect([200, 409]).toContain(agreed.status);
    if (agreed.status === 409) expect(agreed.body.message).toBe('This swap is no longer open.');
    expect((await places())[at]).toBeUndefined();
    expect(await findBreaches(service)).toEqual([]);
    await retirePilots(service);
  }
});

test('agreeing to a swap while the mission is cancelled or a pilot is removed frees exactly their seats', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, a, b, first, places } = await givenThree();
    const ab = await asks(a, b);
    const isCancel = round % 2 === 0;
    const seat = await seatIn(admin, id, first);
    const work = () =>
      isCancel
        ? admin.client.call('POST', `/admin/missions/${id}/cancel`)
        : admin.client.call('DELETE', `/admin/missions/${id}/seats/${seat.flightId}/${first}`);
    const [agreed, done] = await Promise.all([answerSwap(b.pilot, ab, 'agreed'), work()]);
    expect(done.status).toBe(200);
    expect([200, 409]).toContain(agreed.status);
    expect((await places()).filter((place) => place === undefined)).toHaveLength(isCancel ? 3 : 1);
    expect(await findBreaches(service)).toEqual([]);
    await retirePilots(service);
  }
});
