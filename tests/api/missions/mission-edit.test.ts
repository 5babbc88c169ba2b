/** An admin's edit of a mission: pilots asked again, pilots informed, lost seats, and the resulting rows. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, hoursFromNow, type MissionRequest, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { editMission, flightsOf, givenSeated } from '#tests/harness/mission-edits.ts';
import { givenMissionIn, givenPilot, inbox, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
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

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

const edit = (id: string, changes: object) => editMission(admin, id, changes);
const givenPilots = (...request: [count: number, request?: MissionRequest, hours?: number]) =>
  givenSeated(service, admin, ...request);
const zulu = (local: string) => {
  const [date = '', time = ''] = local.split('T');
  const day = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
  return `${day.format(new Date(`${date}T00:00Z`))} ${time.replace(':', '')}Z`;
};

async function sound() {
  expect(await findBreaches(service)).toEqual([]);
}

describe('a material change', () => {
  test('of the times asks the accepted pilots again, with the old and the new values and a new time limit', async () => {
    const { id, seats, mission } = await givenPilots(2);
    const [accepted, pending] = seats;
    if (!accepted || !pending) throw new Error('two pilots were expected');
    await respond(accepted.pilot, accepted.order, 'accepted');
    await respond(accepted.pilot, accepted.order, 'accepted');
    await read(accepted.pilot, accepted.order);
    const was = await read(pending.pilot, pending.order);
    const at = { startLocal: hoursFromNow(80), endLocal: hoursFromNow(84) };
    const { status, body } = await edit(id, { version: mission.version, ...at });
    expect(status).toBe(200);
    expect(body).toMatchObject({ askedAgain: 2, told: 0, freed: 0, mission: { id, ...at, ownTimeZone: 'UTC' } });
    expect(body.mission.version).not.toBe(mission.version);

    const again = await read(accepted.pilot, accepted.order);
    expect(again).toMatchObject({
      status: 'issued',
      rsvp: 'pending',
      confirmedAt: null,
      startUtc: `${at.startLocal}:00.000Z`,
    });
    expect(again.changes).toEqual([
      { field: 'start', from: zulu(mission.startLocal), to: zulu(at.startLocal) },
      { field: 'end', from: zulu(mission.endLocal), to: zulu(at.endLocal) },
    ]);
    const expiry = Date.parse(again.expiresAt);
    // a quarter of the 80 hours that are left
    expect(Math.abs(expiry - Date.now() - 20 * 3_600_000)).toBeLessThan(60_000);
    const now = await read(pending.pilot, pending.order);
    expect([now.rsvp, now.changes.length, Date.parse(now.expiresAt) > Date.parse(was.expiresAt)]).toEqual([
      'pending',
      2,
      true,
    ]);
    await sound();
    expect((await accepted.pilot.client.call('GET', '/pilot/inbox/status')).body.pendingCount).toBe(1);
    expect((await respond(accepted.pilot, accepted.order, 'accepted')).body).toMatchObject({
      rsvp: 'accepted',
      changes: [],
    });
  });

  test.each([
    ['aircraft', { aircraftId: 3 }, 'aircraft', 'F-16C Viper'],
    ['role', { role: 'Strike' }, 'role', 'CAP'],
    ['side', { side: 1 }, 'side', 'Blue'],
  ])('of the %s asks only the flight it concerns', async (_rule, change, field, from) => {
    const { id, seats, mission } = await givenPilots(6);
    for (const { pilot, order } of seats) await respond(pilot, order, 'accepted');
    const [first, second] = flightsOf(mission);
    const { body } = await edit(id, { flights: [{ id: second.id, ...change }] });
    expect([body.askedAgain, body.told, body.freed]).toEqual([second.sizeCap, 0, 0]);
    const all = await Promise.all(seats.map(({ pilot, order }) => read(pilot, order)));
    const asked = all.filter(({ rsvp }) => rsvp === 'pending');
    expect(asked).toHaveLength(second.sizeCap);
    for (const order of asked) {
      expect(order.changes.find((one: { field: string }) => one.field === field)).toMatchObject({ from });
    }
    const after = flightsOf(body.mission);
    expect(after.find(({ id: flight }) => flight === first.id)).toMatchObject({ acceptedCount: first.sizeCap });
    expect(after.find(({ id: flight }) => flight === second.id)).toMatchObject({ pendingCount: second.sizeCap });
    await sound();
  });

  test('that is reverted before the answer leaves no change to read, and still needs the answer', async () => {
    const { id, seats, mission } = await givenPilots(1);
    const [one] = seats;
    if (!one) throw new Error('a pilot was expected');
    await respond(one.pilot, one.order, 'accepted');
    const { startLocal, endLocal } = mission;
    await edit(id, { startLocal: hoursFromNow(61), endLocal });
    await edit(id, { startLocal, endLocal });
    expect(await read(one.pilot, one.order)).toMatchObject({ rsvp: 'pending', changes: [] });
  });
});

test('a small change is shown without asking again; a second one keeps the oldest value, and an answer clears it', async () => {
  const { id, seats, mission } = await givenPilots(1);
  const [one] = seats;
  if (!one) throw new Error('a pilot was expected');
  await respond(one.pilot, one.order, 'accepted');
  const [flight] = flightsOf(mission);
  const tune = (radioFreq: string) => edit(id, { flights: [{ id: flight.id, radioFreq, notes: 'Low' }] });
  expect((await tune('251.000')).body).toMatchObject({ askedAgain: 0, told: 1, freed: 0 });
  await tune('252.500');
  expect(await read(one.pilot, one.order)).toMatchObject({
    rsvp: 'accepted',
    radioFreq: '252.500 AM',
    changes: [
      { field: 'radio', from: flight.radioFreq, to: '252.500 AM' },
      { field: 'notes', from: null, to: 'Low' },
    ],
  });
  expect((await tune('252.500')).body).toMatchObject({ askedAgain: 0, told: 0 });
  expect((await respond(one.pilot, one.order, 'accepted')).body.changes).toEqual([]);
});

describe('seats', () => {
  test('that a flight loses are freed from the last, and those it gains are filled immediately', async () => {
    const { id, seats, mission } = await givenPilots(3);
    for (const { pilot, order } of seats) await respond(pilot, order, 'accepted');
    const [flight] = flightsOf(mission);
    const { body } = await edit(id, { flights: [{ id: flight.id, sizeCap: 1 }] });
    expect(body).toMatchObject({ askedAgain: 0, told: 0, freed: 2, mission: { aircraftSlots: [{ slotCount: 1 }] } });
    const all = await Promise.all(seats.map(({ pilot, order }) => read(pilot, order)));
    const lost = all.filter(({ status }) => status === 'cancelled');
    expect(lost.map(({ statusReason }) => statusReason)).toEqual(['superseded', 'superseded']);
    const places = lost.flatMap((order) => order.changes);
    expect(places.toSorted((a, b) => a.from.localeCompare(b.from))).toEqual(
      [2, 3].map((seat) => ({ field: 'seat', from: `${flight.callsign}, seat ${seat}`, to: null })),
    );
    await sound();
    const spare = await givenPilot(service);
    await edit(id, { flights: [{ id: flight.id, sizeCap: 2 }] });
    expect(await orderOf(spare)).toMatchObject({ missionId: id, seatIndex: 1 });
    await sound();
  });

  test('of a removed flight are freed, and its pilots can still read what happened to the order', async () => {
    const { id, seats, mission } = await givenPilots(2, {
      aircraftSlots: [
        { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' },
        { aircraftId: 3, slotCount: 1, side: 0, notes: 'Strike' },
      ],
    });
    const [cap, strike] = flightsOf(mission);
    const { body } = await edit(id, { removeFlightIds: [strike.id] });
    expect(body).toMatchObject({ freed: 1 });
    expect(body.mission.packages).toHaveLength(1);
    expect(body.mission.aircraftSlots).toEqual([
      { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP', additionalNotes: null },
    ]);
    const all = await Promise.all(seats.map(({ pilot, order }) => read(pilot, order)));
    expect(all.find(({ status }) => status === 'cancelled')).toMatchObject({
      statusReason: 'superseded',
      changes: [{ field: 'seat', from: `${strike.callsign}, seat 1`, to: null }],
    });
    expect(await edit(id, { removeFlightIds: [cap.id] })).toMatchObject({
      status: 400,
      body: { message: 'A mission needs at least one seat. Cancel it instead.' },
    });
    await sound();
  });

  test('of a replacement flight go to standby pilots who stood down from the replaced one', async () => {
    const { id, seats, mission } = await givenPilots(1);
    const [waiting] = seats;
    const [cap] = flightsOf(mission);
    if (!waiting) throw new Error('one pilot was expected');
    await respond(waiting.pilot, waiting.order, 'standby');
    expect((await read(waiting.pilot, waiting.order)).rsvp).toBe('standby');
    const strike = { aircraftId: 2, slotCount: 1, side: 0, notes: 'Strike' };
    expect((await edit(id, { removeFlightIds: [cap.id], addAircraftSlots: [strike] })).status).toBe(200);
    expect(await read(waiting.pilot, waiting.order)).toMatchObject({ rsvp: 'accepted', role: 'Strike' });
  });

  test('of pilots who fly elsewhere at the new time are released, and offered to the next', async () => {
    const pilot = await givenPilot(service);
    const { mission: late } = await givenMissionIn(service, admin, 70, { name: 'Op Late' });
    const ofLate = await orderOf(pilot);
    await givenMissionIn(service, admin, 60, { name: 'Op Early' });
    const ofEarly = (await inbox(pilot)).find(({ missionName }: { missionName: string }) => missionName === 'Op Early');
    await respond(pilot, ofEarly, 'accepted');
    const next = await givenPilot(service);
    const at = { startLocal: hoursFromNow(61), endLocal: hoursFromNow(64) };
    expect((await edit(late.id, at)).body).toMatchObject({ freed: 1, askedAgain: 0 });
    expect(await read(pilot, ofLate)).toMatchObject({ status: 'cancelled', statusReason: 'superseded' });
    expect((await read(pilot, ofLate)).changes.map(({ field }: { field: string }) => field)).toEqual([
      'start',
      'end',
      'seat',
    ]);
    expect(await orderOf(next)).toMatchObject({ missionId: late.id });
    expect(await read(pilot, ofEarly)).toMatchObject({ rsvp: 'accepted' });
    await sound();
  });
});

test('moving a mission out of its last hours ends shared offers: their seat is a single order again', async () => {
  const { id, seats } = await givenPilots(1, {}, 1.5);
  const [one] = seats;
  if (!one) throw new Error('a pilot was expected');
  const hunters = [await givenPilot(service), await givenPilot(service)];
  for (const { client, id: own } of hunters) {
    expect((await client.call('PUT', `/users/${own}/status`, { state: 'now', minutes: 480 })).status).toBe(200);
  }
  await respond(one.pilot, one.order, 'declined');
  const offers = await Promise.all(hunters.map(orderOf));
  expect(offers.map((offer) => offer?.missionId)).toEqual([id, id]);
  expect((await edit(id, { startLocal: hoursFromNow(60), endLocal: hoursFromNow(63) })).status).toBe(200);
  const inboxes = await Promise.all(hunters.map((hunter) => inbox(hunter)));
  expect(inboxes.flat()).toMatchObject([{ missionId: id, rsvp: 'pending' }]);
  expect(await rows(sql`select 1 from seat where mission_id = ${id}`)).toHaveLength(1);
  await sound();
});

test('a draft is edited freely, without orders, and issued as it is then', async () => {
  const pilot = await givenPilot(service);
  const { mission: made } = await givenMissionIn(service, admin, 60, { publish: false });
  const { body } = await edit(made.id, { addAircraftSlots: [{ aircraftId: 3, slotCount: 1, side: 0, notes: 'CAS' }] });
  expect(body).toMatchObject({ askedAgain: 0, told: 0, freed: 0, mission: { status: 'draft' } });
  expect(await inbox(pilot)).toEqual([]);
  const publish = () => admin.client.call('POST', `/admin/missions/${made.id}/publish`);
  expect((await publish()).body).toEqual({ issued: { orders: 1, openSeats: 1 } });
  expect(await orderOf(pilot)).toMatchObject({ missionId: made.id, rsvp: 'pending' });
  expect(await publish()).toMatchObject({ status: 409, body: { message: 'This mission has already been published.' } });

  const { mission: stale } = await givenMissionIn(service, admin, 60, { publish: false });
  await rows(
    sql`update mission set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour' where id = ${stale.id}`,
  );
  expect(await admin.client.call('POST', `/admin/missions/${stale.id}/publish`)).toMatchObject({
    status: 400,
    body: { message: 'The mission cannot start in the past' },
  });
});

test('cancelling frees every seat and ends every order; twice is a conflict', async () => {
  const { id, seats } = await givenPilots(3);
  const [accepted, standby, declined] = seats;
  if (!accepted || !standby || !declined) throw new Error('three pilots were expected');
  await respond(accepted.pilot, accepted.order, 'accepted');
  await respond(standby.pilot, standby.order, 'standby');
  await respond(declined.pilot, declined.order, 'declined');
  const cancel = () => admin.client.call('POST', `/admin/missions/${id}/cancel`);
  expect((await cancel()).body).toEqual({ success: true, ordersCancelled: 2 });
  for (const { pilot, order } of seats) {
    expect(await read(pilot, order)).toMatchObject({ status: 'cancelled', statusReason: 'mission cancelled' });
    expect(await respond(pilot, order, 'accepted')).toMatchObject({ status: 410 });
  }
  expect(await rows(sql`select 1 from seat where mission_id = ${id}`)).toEqual([]);
  expect(await cancel()).toMatchObject({
    status: 409,
    body: { message: 'This mission is over or cancelled and can no longer be changed.' },
  });
  await sound();
});

test('the audit notes every change with its old and its new value', async () => {
  const { id, mission } = await givenPilots(1);
  const [flight] = flightsOf(mission);
  await edit(id, { name: 'Op New', flights: [{ id: flight.id, role: 'Strike', sizeCap: 2, notes: 'x'.repeat(200) }] });
  const [entry] = await rows<{ detail: { name: string; changes: unknown } }>(
    sql`select detail from audit_entry where action = 'mission_edited' and subject_id = ${id}`,
  );
  expect(entry?.detail).toEqual({
    name: 'Op New',
    changes: [
      { field: 'name', from: 'Op Iron Hound', to: 'Op New' },
      { flight: flight.callsign, field: 'role', from: 'CAP', to: 'Strike' },
      { flight: flight.callsign, field: 'notes', from: null, to: `${'x'.repeat(79)}…` },
      { flight: flight.callsign, field: 'seats', from: '1', to: '2' },
    ],
  });
});

test('only admins edit', async () => {
  const { mission } = await givenMissionIn(service, admin, 60);
  const { client } = await givenPerson(service);
  expect((await client.call('PUT', `/admin/missions/${mission.id}`, { name: 'Mine' })).status).toBe(403);
});

describe('launch, TOT and the package', () => {
  test('a launch that moves far asks again, and every place names the new times', async () => {
    const { id, seats, mission } = await givenPilots(2);
    const [seat] = seats;
    if (!seat) throw new Error('a pilot was expected');
    await respond(seat.pilot, seat.order, 'accepted');
    const [flight] = flightsOf(mission);
    const near = await edit(id, { flights: [{ id: flight.id, launchMinutes: 40, totMinutes: 70 }] });
    expect(near.body).toMatchObject({ askedAgain: 0, told: 2 });
    // ten minutes more are twenty since the pilots were asked
    const further = await edit(id, { flights: [{ id: flight.id, launchMinutes: 50 }] });
    expect(further.body).toMatchObject({ askedAgain: 2, told: 0 });
    await respond(seat.pilot, seat.order, 'accepted');
    expect(await read(seat.pilot, seat.order)).toMatchObject({ rsvp: 'accepted', changes: [] });
    const far = await edit(id, { flights: [{ id: flight.id, launchMinutes: 65 }] });
    expect(far.body).toMatchObject({ askedAgain: 2, told: 0 });
    const at = (minutes: number) => new Date(Date.parse(mission.startUtc) + minutes * 60_000).toISOString();
    expect(flightsOf(far.body.mission)[0]).toMatchObject({ launchUtc: at(65), launchMinutes: 65, totUtc: at(70) });

    const order = await read(seat.pilot, seat.order);
    const zuluOf = (minutes: number) => `${at(minutes).slice(11, 16).replace(':', '')}Z`;
    expect(order).toMatchObject({ rsvp: 'pending', launchUtc: at(65), totUtc: at(70) });
    expect(order.changes).toEqual([{ field: 'launch', from: zuluOf(50), to: zuluOf(65) }]);
    const page = (await seat.pilot.client.call('GET', `/missions/${id}`)).body;
    expect(flightsOf(page)[0]).toMatchObject({ launchUtc: at(65), totUtc: at(70) });

    const day = { startLocal: hoursFromNow(90), endLocal: hoursFromNow(93) };
    const moved = await edit(id, day);
    expect(flightsOf(moved.body.mission)[0].launchUtc).toBe(
      new Date(Date.parse(`${day.startLocal}Z`) + 65 * 60_000).toISOString(),
    );
  });

  test('a package is renamed and given an objective, which informs its pilots', async () => {
    const { id, seats, mission } = await givenPilots(1);
    const [one] = mission.packages;
    const named = { id: one.id, callsign: 'HAMMER', objective: 'Bridge at DT 45 12' };
    const { body } = await edit(id, { packages: [named] });
    expect(body).toMatchObject({ askedAgain: 0, told: 1 });
    expect(body.mission.packages[0]).toMatchObject({ ...named, ownObjective: named.objective });
    const [seat] = seats;
    if (!seat) throw new Error('a pilot was expected');
    const order = await read(seat.pilot, seat.order);
    expect(order.changes).toEqual([
      { field: 'package', from: 'ALPHA', to: 'HAMMER' },
      { field: 'objective', from: one.objective, to: named.objective },
    ]);
    const cleared = await edit(id, { packages: [{ id: one.id, objective: '' }] });
    expect(cleared.body.mission.packages[0]).toMatchObject({
      callsign: 'HAMMER',
      objective: one.objective,
      ownObjective: null,
    });
  });

  test('bad values get a sentence at their field, and nothing changes', async () => {
    const { id, mission } = await givenPilots(2, {
      aircraftSlots: [
        { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' },
        { aircraftId: 2, slotCount: 1, side: 0, notes: 'Strike' },
      ],
    });
    const [flight] = flightsOf(mission);
    const [first, second] = mission.packages;
    const refused = async (changes: object) => {
      const { status, body } = await edit(id, changes);
      return [status, body.issues?.[0]?.path, body.message];
    };
    const lengthMinutes = (Date.parse(mission.endUtc) - Date.parse(mission.startUtc)) / 60_000;
    expect(await refused({ flights: [{ id: flight.id, launchMinutes: lengthMinutes + 1 }] })).toEqual([
      400,
      'flights.0.launchMinutes',
      `${flight.callsign} can only launch between the start and the end of the mission.`,
    ]);
    expect(await refused({ flights: [{ id: flight.id, totMinutes: 1 }] })).toEqual([
      400,
      'flights.0.totMinutes',
      `${flight.callsign} can only be on target between its launch and the end of the mission.`,
    ]);
    expect(await refused({ flights: [{ id: flight.id, launchMinutes: 1.5 }] })).toEqual([
      400,
      'flights.0.launchMinutes',
      'Please enter whole minutes after the start, 0 to 1440',
    ]);
    expect(await refused({ packages: [{ id: first.id, callsign: second.callsign.toLowerCase() }] })).toEqual([
      409,
      'packages.0.callsign',
      `${second.callsign.toLowerCase()} is another package of this mission.`,
    ]);
    expect((await refused({ packages: [{ id: flight.id, callsign: 'HAMMER' }] }))[0]).toBe(404);
    const { body } = await admin.client.call('GET', `/admin/missions/${id}`);
    expect([body.version, body.packages]).toEqual([mission.version, mission.packages]);
  });
});
