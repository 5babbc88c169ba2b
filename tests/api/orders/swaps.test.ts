/** Seat swaps between two pilots of a mission: partners, proposals, answers, and their end. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { editMission, flightsOf, givenSeated, loadMission } from '#tests/harness/mission-edits.ts';
import { givenMissionIn, givenPilot, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { answerSwap, propose, refusal, swapsOf } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';

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

const NOT_POSSIBLE = [409, 'These two seats cannot be swapped.'];
const OVER = [409, 'This swap is no longer open.'];
const NOT_FOUND = [404, 'This swap was not found'];

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const partnersOf = ({ client }: Person, { id }: { id: string }) =>
  client.call('GET', `/pilot/inbox/${id}/swap-partners`);
const withdraw = ({ client }: Person, swapId: string) => client.call('DELETE', `/pilot/swaps/${swapId}`);

type Seated = Awaited<ReturnType<typeof givenSeated>>['seats'][number];

/** A mission with pilots who have all accepted. */
async function givenAccepted(count: number, hours = 60): Promise<{ id: string; seats: [Seated, Seated, ...Seated[]] }> {
  const { id, seats } = await givenSeated(service, admin, count, {}, hours);
  for (const { pilot, order } of seats) await respond(pilot, order, 'accepted');
  const [first, second, ...others] = seats;
  if (!first || !second) throw new Error('two pilots were expected');
  return { id, seats: [first, second, ...others] };
}

const ask = async (from: Seated, to: Seated): Promise<string> => {
  const { status, body } = await propose(from.pilot, from.order.id, to.order.id);
  expect(status).toBe(201);
  return body.id;
};
const seatOf = async ({ pilot, order }: Seated): Promise<number> => (await read(pilot, order)).seatIndex;

/** Pilots who fly the F-16C (2) only, the aircraft 3 only, and either, each in a seat of one mission. */
async function givenMixed(sideOfOther: 0 | 1 = 0) {
  const viper = await givenPilot(service, 2);
  const other = await givenPilot(service, 3);
  const { mission } = await givenMissionIn(service, admin, 60, {
    aircraftSlots: [
      { aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' },
      { aircraftId: 3, slotCount: 2, side: sideOfOther, notes: 'CAP' },
    ],
  });
  const either = [await givenPilot(service), await givenPilot(service)] as const;
  const [ofViper, ofOther] = [await orderOf(viper), await orderOf(other)];
  const flights = flightsOf(await loadMission(admin, mission.id));
  const place = async (person: Person, flight: number, seatIndex: number) => {
    const path = `/admin/missions/${mission.id}/seats/${flights[flight].id}/${seatIndex}`;
    const { body } = await admin.client.call('PUT', path, { userId: person.id });
    return { pilot: person, order: { id: body.orderId as string } };
  };
  const taken = await Promise.all([read(viper, ofViper), read(other, ofOther)]);
  const seats = [
    { pilot: viper, order: ofViper },
    await place(either[0], 0, 1 - taken[0].seatIndex),
    { pilot: other, order: ofOther },
    await place(either[1], 1, 1 - taken[1].seatIndex),
  ] as const;
  for (const { pilot, order } of seats) expect((await respond(pilot, order, 'accepted')).status).toBe(200);
  return { id: mission.id, seats };
}

describe('partners', () => {
  test('are the accepted pilots who fly each other’s aircraft, in board order', async () => {
    const { seats } = await givenMixed();
    const [viper, eitherInViper, other, eitherInOther] = seats;
    const names = async ({ pilot, order }: Seated) =>
      (await partnersOf(pilot, order)).body.map(({ pilotName }: { pilotName: string }) => pilotName);
    expect(await names(viper)).toEqual([eitherInViper.pilot.displayName]);
    expect(await names(other)).toEqual([eitherInOther.pilot.displayName]);
    expect(await names(eitherInOther)).toEqual([eitherInViper.pilot.displayName, other.pilot.displayName]);
    const [partner] = (await partnersOf(viper.pilot, viper.order)).body;
    const full = await read(eitherInViper.pilot, eitherInViper.order);
    expect(partner).toEqual({
      orderId: full.id,
      pilotName: eitherInViper.pilot.displayName,
      flightId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      flightCallsign: full.flightCallsign,
      seatIndex: full.seatIndex,
      aircraftName: full.aircraftName,
      role: 'CAP',
      side: 0,
      isListed: false,
    });
    expect(refusal(await propose(viper.pilot, viper.order.id, eitherInOther.order.id))).toEqual(NOT_POSSIBLE);
    expect(refusal(await propose(eitherInOther.pilot, eitherInOther.order.id, viper.order.id))).toEqual(NOT_POSSIBLE);
    expect((await propose(eitherInOther.pilot, eitherInOther.order.id, eitherInViper.order.id)).status).toBe(201);
  });

  test('know each pilot’s list, and are none in an aircraft that a pilot with a list has not listed', async () => {
    const { seats } = await givenMixed();
    const [, a, , b] = seats;
    const list = ({ pilot }: Seated, aircraftId: number) =>
      pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/${aircraftId}`, { level: 'basic' });
    await list(a, 2);
    expect((await partnersOf(a.pilot, a.order)).body).not.toContainEqual(
      expect.objectContaining({ orderId: b.order.id }),
    );
    expect(refusal(await propose(b.pilot, b.order.id, a.order.id))).toEqual(NOT_POSSIBLE);
    await list(a, 3);
    expect((await partnersOf(a.pilot, a.order)).body).toContainEqual(
      expect.objectContaining({ orderId: b.order.id, side: 0, isListed: true }),
    );
    const { body } = await propose(a.pilot, a.order.id, b.order.id);
    expect(body).toMatchObject({ to: { side: 0 }, isListed: true });
    expect(await swapsOf(b.pilot)).toMatchObject([{ id: body.id, to: { side: 0 }, isListed: false }]);
  });

  test('fly for one side: nobody reads the crew of the other', async () => {
    const { seats } = await givenMixed(1);
    const [, a, other, b] = seats;
    const names = async ({ pilot, order }: Seated) =>
      (await partnersOf(pilot, order)).body.map(({ pilotName }: { pilotName: string }) => pilotName);
    expect(await names(b)).toEqual([other.pilot.displayName]);
    expect(refusal(await propose(b.pilot, b.order.id, a.order.id))).toEqual(NOT_POSSIBLE);
  });

  test('are accepted pilots only, offered to accepted pilots only, until the mission begins', async () => {
    const { id, seats } = await givenSeated(service, admin, 3);
    const [a, b, c] = seats as [Seated, Seated, Seated];
    await respond(b.pilot, b.order, 'accepted');
    await respond(c.pilot, c.order, 'accepted');
    expect((await partnersOf(a.pilot, a.order)).body).toEqual([]);
    expect((await partnersOf(b.pilot, b.order)).body).toMatchObject([{ orderId: c.order.id }]);
    expect(refusal(await propose(a.pilot, a.order.id, b.order.id))).toEqual(NOT_POSSIBLE);
    expect(refusal(await propose(b.pilot, b.order.id, a.order.id))).toEqual(NOT_POSSIBLE);
    const [startsAt, endsAt] = [new Date(Date.now() - 1000), new Date(Date.now() + 3_600_000)];
    const begin = sql`set starts_at = ${startsAt}, ends_at = ${endsAt}`;
    await rows(sql`update mission ${begin} where id = ${id}`);
    await rows(sql`update seat ${begin} where mission_id = ${id}`);
    expect((await partnersOf(b.pilot, b.order)).body).toEqual([]);
    expect(refusal(await propose(b.pilot, b.order.id, c.order.id))).toEqual(NOT_POSSIBLE);
  });
});

describe('proposing', () => {
  test('shows the same swap to both, each from their own seat', async () => {
    const { id, seats } = await givenAccepted(2);
    const [a, b] = seats;
    const { status, body } = await propose(a.pilot, a.order.id, b.order.id);
    expect(status).toBe(201);
    const [ofA, ofB] = [await read(a.pilot, a.order), await read(b.pilot, b.order)];
    const left = Date.parse(ofA.startUtc) - Date.parse(body.expiresAt);
    expect(left).toBeGreaterThan(0);
    expect(body).toMatchObject({
      missionId: id,
      startUtc: ofA.startUtc,
      state: 'proposed',
      pilotName: b.pilot.displayName,
      orderId: a.order.id,
      isMine: true,
      from: { flightCallsign: ofA.flightCallsign, seatIndex: ofA.seatIndex },
      to: { flightCallsign: ofB.flightCallsign, seatIndex: ofB.seatIndex },
    });
    expect(await swapsOf(a.pilot)).toEqual([body]);
    expect(await swapsOf(b.pilot)).toEqual([
      { ...body, pilotName: a.pilot.displayName, orderId: b.order.id, isMine: false, from: body.to, to: body.from },
    ]);
    expect(await swapsOf(await givenPerson(service))).toEqual([]);
  });

  test('is possible once per order at a time, while any number of pilots can ask the same one', async () => {
    const { seats } = await givenAccepted(3);
    const [a, b, c] = seats as [Seated, Seated, Seated];
    const first = await ask(a, b);
    const again = [409, 'You have already asked somebody to swap this seat.'];
    expect(refusal(await propose(a.pilot, a.order.id, b.order.id))).toEqual(again);
    expect(refusal(await propose(a.pilot, a.order.id, c.order.id))).toEqual(again);
    await ask(c, b);
    await ask(b, a);
    expect(await swapsOf(b.pilot)).toHaveLength(3);
    await withdraw(a.pilot, first);
    await ask(a, c);
    // time goes by, and nothing has to be written for it
    await rows(sql`update seat_swap set expires_at = now() where order_id = ${a.order.id} and state = 'proposed'`);
    await ask(a, b);
    expect((await swapsOf(a.pilot)).map(({ isMine }: { isMine: boolean }) => isMine)).toEqual([true, false]);
  });

  test.each([1.5, 0.2])('works %f h before the start', async (hours) => {
    const { seats } = await givenAccepted(2, hours);
    const [a, b] = seats;
    const before = [await seatOf(a), await seatOf(b)];
    expect((await answerSwap(b.pilot, await ask(a, b), 'agreed')).status).toBe(200);
    expect([await seatOf(b), await seatOf(a)]).toEqual(before);
  });

  test('for another pilot’s order, with oneself, across missions or with nobody is refused', async () => {
    const { seats } = await givenAccepted(2);
    const [a, b] = seats;
    await retirePilots(service);
    const far = await givenAccepted(2, 90);
    await rows(sql`update app_user set roles = '{user}' where id in (${a.pilot.id}, ${b.pilot.id})`);
    expect(refusal(await propose(a.pilot, b.order.id, a.order.id))).toEqual([404, 'Frag order not found']);
    expect(refusal(await partnersOf(a.pilot, b.order))).toEqual([404, 'Frag order not found']);
    for (const other of [a.order.id, far.seats[0].order.id, a.pilot.id]) {
      expect(refusal(await propose(a.pilot, a.order.id, other))).toEqual(NOT_POSSIBLE);
    }
    expect(await swapsOf(a.pilot)).toEqual([]);
  });
});

describe('agreed', () => {
  test('gives both the other’s seat, accepted, with a reason, and clears what concerned the old one', async () => {
    const { id, seats } = await givenAccepted(2);
    const [a, b] = seats;
    // both confirm; then an admin changes the radio, a small change
    for (const { pilot, order } of seats) await respond(pilot, order, 'accepted');
    const [flight] = flightsOf(await loadMission(admin, id));
    await editMission(admin, id, { flights: [{ id: flight.id, radioFreq: '251.125' }] });
    const [ofA, ofB] = [await read(a.pilot, a.order), await read(b.pilot, b.order)];
    expect([ofA.changes, ofB.changes]).toEqual([[expect.anything()], [expect.anything()]]);
    const { status, body } = await answerSwap(b.pilot, await ask(a, b), 'agreed');
    expect([status, body.state]).toEqual([200, 'agreed']);
    const now = await Promise.all([read(a.pilot, a.order), read(b.pilot, b.order)]);
    const after = (name: string | null, seatIndex: number) => ({
      status: 'issued',
      rsvp: 'accepted',
      seatIndex,
      title: `CAP, F-16C Viper, seat ${seatIndex + 1}`,
      reasons: [`You swapped seats with ${name}.`],
      changes: [],
      confirmedAt: null,
    });
    expect(now).toMatchObject([after(b.pilot.displayName, ofB.seatIndex), after(a.pilot.displayName, ofA.seatIndex)]);
    for (const [index, one] of [ofA, ofB].entries()) {
      expect(Date.parse(now[index].changedAt)).toBeGreaterThan(Date.parse(one.changedAt));
    }
    const board = flightsOf(await loadMission(admin, id))[0].assignments;
    expect(board.map(({ userId }: { userId: string }) => userId)).toEqual(
      [a, b]
        .toSorted((one, other) => (one === a ? ofB : ofA).seatIndex - (other === a ? ofB : ofA).seatIndex)
        .map(({ pilot }) => pilot.id),
    );
    expect([await swapsOf(a.pilot), await swapsOf(b.pilot)]).toEqual([[], []]);
  });

  test('ends every other swap of the two seats', async () => {
    const { seats } = await givenAccepted(4);
    const [a, b, c, d] = seats as unknown as [Seated, Seated, Seated, Seated];
    const ab = await ask(a, b);
    const [ca, bd] = [await ask(c, a), await ask(b, d)];
    const dc = await ask(d, c);
    await answerSwap(b.pilot, ab, 'agreed');
    expect(refusal(await answerSwap(a.pilot, ca, 'agreed'))).toEqual(OVER);
    expect(refusal(await answerSwap(d.pilot, bd, 'agreed'))).toEqual(OVER);
    // and it stays so when the two change back
    expect((await answerSwap(b.pilot, await ask(a, b), 'agreed')).status).toBe(200);
    expect(refusal(await answerSwap(a.pilot, ca, 'agreed'))).toEqual(OVER);
    expect((await answerSwap(c.pilot, dc, 'agreed')).status).toBe(200);
  });

  test('is refused once a pilot’s windows have changed; declining still works', async () => {
    const { seats } = await givenMixed();
    const [, eitherInViper, , eitherInOther] = seats;
    const swap = await ask(eitherInOther, eitherInViper);
    await rows(
      sql`update availability_slot set aircraft_id = 3 where template_id in
            (select id from availability_template where user_id = ${eitherInOther.pilot.id})`,
    );
    expect(refusal(await answerSwap(eitherInViper.pilot, swap, 'agreed'))).toEqual(NOT_POSSIBLE);
    expect(await swapsOf(eitherInViper.pilot)).toMatchObject([{ id: swap, state: 'proposed' }]);
    expect((await answerSwap(eitherInViper.pilot, swap, 'declined')).body.state).toBe('declined');
  });
});

describe('over', () => {
  test.each(['agreed', 'declined', 'withdrawn'])(
    'is a swap that was %s, and later answers do not change it',
    async (end) => {
      const { seats } = await givenAccepted(2);
      const [a, b] = seats;
      const swap = await ask(a, b);
      const done = end === 'withdrawn' ? await withdraw(a.pilot, swap) : await answerSwap(b.pilot, swap, end);
      expect(done.status).toBe(200);
      if (end === 'withdrawn') expect(done.body).toEqual({ success: true });
      const places = [await seatOf(a), await seatOf(b)];
      expect(refusal(await answerSwap(b.pilot, swap, 'agreed'))).toEqual(OVER);
      expect(refusal(await answerSwap(b.pilot, swap, 'declined'))).toEqual(OVER);
      expect(refusal(await withdraw(a.pilot, swap))).toEqual(OVER);
      expect([await seatOf(a), await seatOf(b)]).toEqual(places);
      expect(await swapsOf(a.pilot)).toEqual([]);
    },
  );

  const LAPSES: Record<string, (id: string, a: Seated, b: Seated) => Promise<unknown>> = {
    'nobody answers in time': (id) => rows(sql`update seat_swap set expires_at = now() where mission_id = ${id}`),
    'who asks gives the seat back': (_id, a) => respond(a.pilot, a.order, 'declined'),
    'who is asked gives the seat back, though they take it again': async (_id, _a, b) => {
      await respond(b.pilot, b.order, 'declined');
      return respond(b.pilot, b.order, 'accepted');
    },
    'an admin takes a pilot off': async (id, a) => {
      const [flight] = flightsOf(await loadMission(admin, id));
      return admin.client.call('DELETE', `/admin/missions/${id}/seats/${flight.id}/${await seatOf(a)}`);
    },
    'an admin moves a pilot to another seat': async (id, a) => {
      const [flight] = flightsOf(await loadMission(admin, id));
      const path = `/admin/missions/${id}/seats/${flight.id}/2`;
      return admin.client.call('PUT', path, { userId: a.pilot.id, replace: true });
    },
    'the aircraft changes, though both accept it': async (id, a, b) => {
      const [flight] = flightsOf(await loadMission(admin, id));
      const edited = await editMission(admin, id, { flights: [{ id: flight.id, aircraftId: 3 }] });
      for (const { pilot, order } of [a, b]) await respond(pilot, order, 'accepted');
      return edited;
    },
    'the mission is cancelled': (id) => admin.client.call('POST', `/admin/missions/${id}/cancel`),
  };
  test.each(Object.keys(LAPSES))('is a swap once %s', async (event) => {
    const { id, seats } = await givenSeated(service, admin, 3);
    const [a, b, c] = seats as [Seated, Seated, Seated];
    const places = new Map(await Promise.all(seats.map(async (one) => [await seatOf(one), one] as const)));
    // the holder of the third seat is not involved
    const last = places.get(2) ?? c;
    const [asks, asked] = [a, b, c].filter((one) => one !== last) as [Seated, Seated];
    for (const { pilot, order } of [asks, asked]) await respond(pilot, order, 'accepted');
    await respond(last.pilot, last.order, 'declined');
    const swap = await ask(asks, asked);
    const done = await LAPSES[event]?.(id, asks, asked);
    if (typeof done === 'object' && done !== null && 'status' in done) expect(done.status).toBe(200);
    expect(await swapsOf(asks.pilot)).toEqual([]);
    expect(await swapsOf(asked.pilot)).toEqual([]);
    expect(refusal(await answerSwap(asked.pilot, swap, 'agreed'))).toEqual(OVER);
    expect(refusal(await answerSwap(asked.pilot, swap, 'declined'))).toEqual(OVER);
    expect(refusal(await withdraw(asks.pilot, swap))).toEqual(OVER);
  });
});

test('the proposer cannot answer, the partner cannot withdraw, and nobody else finds it', async () => {
  const { seats } = await givenAccepted(3);
  const [a, b, c] = seats as [Seated, Seated, Seated];
  const swap = await ask(a, b);
  expect(refusal(await answerSwap(a.pilot, swap, 'agreed'))).toEqual(NOT_FOUND);
  expect(refusal(await withdraw(b.pilot, swap))).toEqual(NOT_FOUND);
  for (const stranger of [c.pilot, admin]) {
    expect(refusal(await answerSwap(stranger, swap, 'agreed'))).toEqual(NOT_FOUND);
    expect(refusal(await withdraw(stranger, swap))).toEqual(NOT_FOUND);
  }
  expect(refusal(await answerSwap(b.pilot, swap, 'maybe'))).toEqual([400, 'Response must be agreed or declined']);
  expect(await swapsOf(b.pilot)).toHaveLength(1);
});
