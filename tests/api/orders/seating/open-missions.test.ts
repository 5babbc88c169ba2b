/** Upcoming missions for a pilot: seats that fit, and the reasons for none. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenMission, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { loadMission } from '#tests/harness/mission-edits.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
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
  await rows(sql`delete from mission`);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const openingsOf = async ({ client }: Person) => (await client.call('GET', '/pilot/openings')).body;

/** One window on the day of the mission, in UTC. */
const giveWindow = (pilot: Person, dateLocal: string, startLocal: string, endLocal: string, aircraftCodeId = 0) =>
  pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, {
    dateLocal,
    kind: 'available',
    startLocal,
    endLocal,
    aircraftCodeId,
    notes: null,
  });

/** A date this many days ahead, in UTC. */
const dateIn = (days: number) => hoursFromNow(24 * days).slice(0, 10);
const F16 = { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' } as const;
const nameOf = async (aircraftId: number) =>
  (await rows<{ name: string }>(sql`select name from aircraft where id = ${aircraftId}`))[0]?.name;

describe('open', () => {
  test('lists the free seats that fit, in board order, the next mission first', async () => {
    await givenMissionIn(service, admin, 60, { name: 'Later', aircraftSlots: [F16] });
    const { mission } = await givenMissionIn(service, admin, 30, {
      name: 'Sooner',
      aircraftSlots: [
        { aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP' },
        { aircraftId: 3, slotCount: 1, side: 1, notes: 'CAP' },
      ],
    });
    const pilot = await givenPilot(service, 2);
    const { open, closed } = await openingsOf(pilot);
    expect(closed).toEqual([]);
    expect(open.map(({ missionName }: { missionName: string }) => missionName)).toEqual(['Sooner', 'Later']);
    const { startUtc, endUtc } = await loadMission(admin, mission.id);
    expect(open[0]).toMatchObject({ missionId: mission.id, theater: 'Syria', startUtc, endUtc });
    const seats = open[0].seats as { seatIndex: number; isLead: boolean; side: number; launchUtc: string }[];
    expect(seats.map(({ seatIndex, isLead, side }) => [seatIndex, isLead, side])).toEqual([
      [0, true, 0],
      [1, false, 0],
      [2, true, 0],
    ]);
    expect(Date.parse(seats[0]?.launchUtc ?? '')).toBeGreaterThan(Date.parse(startUtc));
  });

  test('leaves out taken seats, and counts one whose order expired as free', async () => {
    const holder = await givenPilot(service);
    await givenMissionIn(service, admin, 30, { aircraftSlots: [F16] });
    const order = await orderOf(holder);
    const pilot = await givenPilot(service);
    expect((await openingsOf(pilot)).open).toEqual([]);
    await rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${order.id}`);
    expect((await openingsOf(pilot)).open).toMatchObject([{ seats: [{ seatIndex: 0, isLead: true }] }]);
    // the pilot whose order expired can take it again, too
    expect((await openingsOf(holder)).open).toHaveLength(1);
  });

  test('leaves out drafts, cancelled and begun missions, and those beyond the horizon', async () => {
    await givenMissionIn(service, admin, 30, { name: 'Draft', publish: false });
    const { mission: cancelled } = await givenMissionIn(service, admin, 40, { name: 'Cancelled' });
    await admin.client.call('POST', `/admin/missions/${cancelled.id}/cancel`);
    const { mission: begun } = await givenMissionIn(service, admin, 50, { name: 'Begun' });
    await rows(
      sql`update mission set starts_at = now() - interval '1 minute', ends_at = now() + interval '2 hours' where id = ${begun.id}`,
    );
    await givenMissionIn(service, admin, 31 * 24 + 1, { name: 'Far' });
    await givenMissionIn(service, admin, 31 * 24 - 1, { name: 'Near' });
    const pilot = await givenPilot(service);
    const { open, closed } = await openingsOf(pilot);
    expect(closed).toEqual([]);
    expect(open).toMatchObject([{ missionName: 'Near' }]);
  });
});

test('a mission in which the pilot holds a seat is in neither list, and comes back when the seat is given up', async () => {
  const pilot = await givenPilot(service);
  await givenMissionIn(service, admin, 30, { aircraftSlots: [F16] });
  expect(await openingsOf(pilot)).toEqual({ open: [], closed: [] });
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  expect(await openingsOf(pilot)).toEqual({ open: [], closed: [] });
  await respond(pilot, order, 'declined');
  expect((await openingsOf(pilot)).open).toHaveLength(1);
});

describe('closed says', () => {
  test('the time during which the pilot is not available', async () => {
    const pilot = await givenPerson(service);
    const date = dateIn(3);
    const at = (startLocal: string, endLocal: string) =>
      givenMission(service, admin, { startLocal: `${date}T${startLocal}`, endLocal: `${date}T${endLocal}` });
    await at('19:00', '22:00');
    expect((await openingsOf(pilot)).closed).toMatchObject([
      { reason: 'NOT_AVAILABLE', sentence: 'You are not available from 1900Z to 2200Z.' },
    ]);
    await giveWindow(pilot, date, '18:00', '20:00');
    await giveWindow(pilot, date, '20:30', '21:45');
    expect((await openingsOf(pilot)).closed).toMatchObject([
      {
        reason: 'NOT_AVAILABLE',
        sentence: 'You are not available from 2000Z to 2030Z and from 2145Z to 2200Z.',
      },
    ]);
  });

  test('the aircraft for which there is no window', async () => {
    const pilot = await givenPilot(service, 2);
    await givenMissionIn(service, admin, 30, {
      aircraftSlots: [
        { aircraftId: 3, slotCount: 1, side: 0, notes: 'CAP' },
        { aircraftId: 4, slotCount: 1, side: 0, notes: 'CAP' },
      ],
    });
    expect((await openingsOf(pilot)).closed).toMatchObject([
      {
        reason: 'AIRCRAFT',
        sentence: `You are not available in the ${await nameOf(3)} or the ${await nameOf(4)} for the whole mission.`,
      },
    ]);
  });

  test('which mission the pilot flies at that time', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30, { name: 'Op North', aircraftSlots: [F16] });
    await respond(pilot, await orderOf(pilot), 'accepted');
    await givenMissionIn(service, admin, 32, { name: 'Op South', aircraftSlots: [F16] });
    await givenMissionIn(service, admin, 33, { name: 'Op West', aircraftSlots: [F16] });
    await rows(sql`update frag_order set rsvp = 'declined' where pilot_id = ${pilot.id} and rsvp = 'pending'`);
    await rows(sql`delete from seat s using frag_order o where o.id = s.order_id and o.rsvp = 'declined'`);
    const { open, closed } = await openingsOf(pilot);
    expect(closed).toMatchObject([
      { missionName: 'Op South', reason: 'COMMITTED', sentence: 'You are on “Op North” at that time.' },
    ]);
    // back to back is no overlap
    expect(open).toMatchObject([{ missionName: 'Op West' }]);
  });

  test('that the pilot is on Do Not Disturb, for missions within a day', async () => {
    const pilot = await givenPilot(service);
    await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
    await givenMissionIn(service, admin, 12, { name: 'Soon', aircraftSlots: [F16] });
    const waiting = await givenMissionIn(service, admin, 40, { name: 'Later', aircraftSlots: [F16] });
    expect(waiting.issued.orders).toBe(1);
    await respond(pilot, await orderOf(pilot), 'declined');
    const { open, closed } = await openingsOf(pilot);
    expect(closed).toMatchObject([
      { missionName: 'Soon', reason: 'DO_NOT_DISTURB', sentence: 'You are on Do Not Disturb.' },
    ]);
    expect(open).toMatchObject([{ missionName: 'Later' }]);
  });

  test('that every seat that fits is taken and how many others wait, also to pilots on standby', async () => {
    const [first, second] = [await givenPilot(service, 2), await givenPilot(service, 2)];
    await givenMissionIn(service, admin, 30, {
      aircraftSlots: [
        { aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' },
        { aircraftId: 3, slotCount: 2, side: 0, notes: 'CAP' },
      ],
    });
    const order = await orderOf(first);
    const late = [await givenPilot(service, 2), await givenPilot(service, 2)] as const;
    const closedTo = async (pilot: Person) => (await openingsOf(pilot)).closed;
    const taken = 'Both seats that fit you are taken';
    expect(await closedTo(late[0])).toMatchObject([{ reason: 'OUTRANKED', sentence: `${taken}.` }]);
    // the seat goes to one of the late pilots, and the other gets none
    await respond(first, order, 'standby');
    expect(await closedTo(first)).toMatchObject([{ reason: 'OUTRANKED', sentence: `${taken}.` }]);
    const sentences = (await Promise.all(late.map(closedTo))).flat().map(({ sentence }) => sentence);
    expect(sentences).toEqual([`${taken}; 1 pilot is waiting.`]);
    expect(await openingsOf(second)).toEqual({ open: [], closed: [] });
  });
});

test('a suspended pilot is refused', async () => {
  const pilot = await givenPerson(service, { roles: [] });
  const { status, body } = await pilot.client.call('GET', '/pilot/openings');
  expect([status, body.message]).toEqual([403, 'Your account is suspended. Please ask an admin.']);
});

test('a near miss lists the seats it could have, and one call adds the missing time and takes one, or does neither', async () => {
  const date = dateIn(5);
  const { mission } = await givenMission(service, admin, {
    name: 'Nearly',
    startLocal: `${date}T19:00`,
    endLocal: `${date}T21:00`,
    timeZone: 'UTC',
    aircraftSlots: [F16],
  });
  const pilots = [await givenPerson(service, { timeZone: 'Asia/Tokyo' }), await givenPerson(service)];
  const [pilot, slower] = pilots;
  if (!pilot || !slower) throw new Error('two pilots were expected');
  // in Tokyo the mission is from 0400 to 0600 on the next day
  const nextDay = dateIn(6);
  await giveWindow(pilot, nextDay, '04:00', '05:30');
  await giveWindow(slower, date, '19:00', '20:30');
  const [closed] = (await openingsOf(pilot)).closed;
  expect(closed).toMatchObject({ missionId: mission.id, reason: 'NOT_AVAILABLE' });
  expect(closed.nearMiss.missing).toEqual([{ startUtc: `${date}T20:30:00.000Z`, endUtc: `${date}T21:00:00.000Z` }]);
  const [{ flightId, seatIndex }] = closed.nearMiss.seats;
  const take = ({ client }: Person, more: object) =>
    client.call('POST', '/pilot/seats', { missionId: mission.id, flightId, seatIndex, ...more });
  const overridesOf = async ({ client, id }: Person) =>
    (await client.call('GET', `/users/${id}/availability/overrides`)).body.map(
      ({ dateLocal, startLocal, endLocal }: Record<string, string>) => [dateLocal, startLocal, endLocal],
    );
  // without being asked to, nothing is added
  expect(await take(pilot, {})).toMatchObject({ status: 409, body: { code: 'NOT_ELIGIBLE' } });
  expect(await overridesOf(pilot)).toHaveLength(1);
  expect(await take(pilot, { addAvailability: true })).toMatchObject({ status: 201, body: { rsvp: 'accepted' } });
  expect(await overridesOf(pilot)).toEqual([
    [nextDay, '04:00', '05:30'],
    [nextDay, '05:30', '06:00'],
  ]);
  // the seat is gone, so the time is not added either
  expect(await take(slower, { addAvailability: true })).toMatchObject({ status: 409, body: { code: 'SEAT_TAKEN' } });
  expect(await overridesOf(slower)).toHaveLength(1);
});
