/** Missions whose seats do not fit a pilot yet: what the list says would make them fit, and the one call that does it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { givenAdmin, givenAlwaysFree, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, inbox, respond, retirePilots } from '#tests/harness/orders.ts';
import { joinStandby, openingsOf, seatIn, take, vipers } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
const made: string[] = [];
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  for (const id of made.splice(0)) await admin.client.call('POST', `/admin/missions/${id}/cancel`);
});

/** A mission from `hours` hours from now, three hours long, in which nobody has a seat. */
async function givenOpen(name: string, hours: number, seats = 2): Promise<string> {
  const { mission } = await givenMissionIn(service, admin, hours, { name, aircraftSlots: vipers(seats) });
  made.push(mission.id);
  return mission.id;
}

const closedOf = async (pilot: Person, missionId: string) =>
  (await openingsOf(pilot)).closed.find((one: { missionId: string }) => one.missionId === missionId);
const overridesOf = async ({ client, id }: Person) =>
  (await client.call('GET', `/users/${id}/availability/overrides`)).body;
const listOf = async ({ client, id }: Person) =>
  (await client.call('GET', `/users/${id}/proficiencies`)).body.map(
    ({ aircraftName, level }: Record<string, string>) => `${aircraftName} ${level}`,
  );
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('without any times, one call adds them for this mission only and takes the seat; without being asked to, neither', async () => {
  const pilot = await givenPerson(service);
  const missionId = await givenOpen('Op Blank Week', 60);
  const closed = await closedOf(pilot, missionId);
  expect(closed.reason).toBe('NOT_AVAILABLE');
  expect(closed.flyAnyway).toMatchObject({ seats: [{ seatIndex: 0 }, { seatIndex: 1 }], standby: null });
  for (const { fixes, missing } of closed.flyAnyway.seats) {
    expect(fixes).toEqual(['addAvailability']);
    expect(missing).toEqual([{ startUtc: closed.startUtc, endUtc: closed.endUtc }]);
  }
  const seat = await seatIn(admin, missionId, 1);
  expect(await take(pilot, seat)).toMatchObject({ status: 409, body: { code: 'NOT_ELIGIBLE' } });
  expect(await overridesOf(pilot)).toEqual([]);
  expect(await take(pilot, { ...seat, addAvailability: true })).toMatchObject({
    status: 201,
    body: { rsvp: 'accepted' },
  });
  // one dated window, and the week stays empty
  const added = await overridesOf(pilot);
  expect(added).toHaveLength(1);
  expect(added[0]).toMatchObject({
    kind: 'available',
    startLocal: closed.startUtc.slice(11, 16),
    endLocal: closed.endUtc.slice(11, 16),
  });
  expect((await pilot.client.call('GET', `/users/${pilot.id}/availability/templates`)).body).toEqual([]);
});

test('a seat that is taken meanwhile adds nothing', async () => {
  const [first, slower] = [await givenPerson(service), await givenPerson(service)];
  const missionId = await givenOpen('Op Race', 60, 1);
  const seat = { ...(await seatIn(admin, missionId)), addAvailability: true, addAircraft: true };
  expect((await take(first, seat)).status).toBe(201);
  await slower.client.call('PUT', `/users/${slower.id}/proficiencies/1`, { level: 'basic' });
  expect(await take(slower, seat)).toMatchObject({ status: 409, body: { code: 'SEAT_TAKEN' } });
  expect(await overridesOf(slower)).toEqual([]);
  expect(await listOf(slower)).toEqual(['F/A-18C Hornet basic']);
});

test('an aircraft that is not listed is added to the list, with the times where they lack as well', async () => {
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/1`, { level: 'expert' });
  const missionId = await givenOpen('Op Wrong Jet', 60);
  const closed = await closedOf(pilot, missionId);
  expect(closed.reason).toBe('AIRCRAFT');
  expect(closed.flyAnyway.seats[0]).toMatchObject({ fixes: ['addAircraft'], missing: [] });
  const seat = await seatIn(admin, missionId);
  expect(await take(pilot, { ...seat, addAvailability: true })).toMatchObject({ status: 409 });
  expect((await take(pilot, { ...seat, addAircraft: true })).status).toBe(201);
  expect(await listOf(pilot)).toEqual(['F-16C Viper basic', 'F/A-18C Hornet expert']);

  const newcomer = await givenPerson(service);
  await newcomer.client.call('PUT', `/users/${newcomer.id}/proficiencies/1`, { level: 'expert' });
  expect((await closedOf(newcomer, missionId)).flyAnyway.seats[0].fixes).toEqual(['addAvailability', 'addAircraft']);
});

test('a leave is ended, and Do Not Disturb too, only when the call says so', async () => {
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  await pilot.client.call('PUT', `/users/${pilot.id}/leave`, { firstDate: day(-1), lastDate: day(9), reason: null });
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
  const missionId = await givenOpen('Op Holiday', 10);
  const closed = await closedOf(pilot, missionId);
  expect(closed.reason).toBe('ON_LEAVE');
  expect(closed.flyAnyway.seats[0].fixes).toEqual(['endLeave', 'endDoNotDisturb']);
  const seat = await seatIn(admin, missionId);
  expect((await take(pilot, { ...seat, endLeave: true })).status).toBe(409);
  expect((await pilot.client.call('GET', `/users/${pilot.id}/leave`)).body).not.toBeNull();
  expect((await take(pilot, { ...seat, endLeave: true, endDoNotDisturb: true })).status).toBe(201);
  expect((await pilot.client.call('GET', `/users/${pilot.id}/status`)).body.state).toBe('available');
});

test('an offer elsewhere at that time is no commitment: it is withdrawn and goes to the next pilot', async () => {
  const [pilot, next] = [await givenPerson(service), await givenPerson(service)];
  const wanted = await givenOpen('Op Wanted', 60);
  await givenAlwaysFree(service, pilot.id);
  const offered = await givenOpen('Op Offered', 61, 1);
  const [order] = await inbox(pilot);
  expect(order).toMatchObject({ missionId: offered, rsvp: 'pending' });
  const open = (await openingsOf(pilot)).open.find((one: { missionId: string }) => one.missionId === wanted);
  expect(open.withdraws).toEqual(['Op Offered']);
  await givenAlwaysFree(service, next.id);
  expect((await take(pilot, await seatIn(admin, wanted))).status).toBe(201);
  expect(await inbox(pilot)).toEqual([]);
  const [passedOn] = await inbox(next);
  expect(passedOn).toMatchObject({ missionId: offered, rsvp: 'pending' });
});

test('a seat accepted elsewhere stays a commitment, which the list names', async () => {
  const pilot = await givenPerson(service);
  const wanted = await givenOpen('Op Other', 60);
  await givenAlwaysFree(service, pilot.id);
  const held = await givenOpen('Op Held', 61, 1);
  const [order] = await inbox(pilot);
  await respond(pilot, order, 'accepted');
  expect(await closedOf(pilot, wanted)).toMatchObject({
    reason: 'COMMITTED',
    flyAnyway: null,
    committedTo: { missionId: held, missionName: 'Op Held' },
  });
  const seat = { ...(await seatIn(admin, wanted)), addAvailability: true, addAircraft: true, endLeave: true };
  expect(await take(pilot, seat)).toMatchObject({ status: 409, body: { code: 'OVERLAP' } });
});

test('where every seat is taken, the same call stands by', async () => {
  const [first, pilot] = [await givenPerson(service), await givenPerson(service)];
  const missionId = await givenOpen('Op Full', 60, 1);
  expect((await take(first, { ...(await seatIn(admin, missionId)), addAvailability: true })).status).toBe(201);
  expect((await closedOf(pilot, missionId)).flyAnyway).toMatchObject({
    seats: [],
    standby: { fixes: ['addAvailability'] },
  });
  expect((await joinStandby(pilot, missionId)).status).toBe(409);
  const { status, body } = await pilot.client.call('PUT', `/pilot/missions/${missionId}/standby`, {
    addAvailability: true,
  });
  expect([status, body.rsvp]).toEqual([200, 'standby']);
  expect(await overridesOf(pilot)).toHaveLength(1);
});
