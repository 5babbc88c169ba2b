/** Changes of a series: this mission, this and the following ones, all of them; orders are kept as by every edit. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenMission, type Person } from '#tests/harness/given.ts';
import { editMission, flightsOf, loadMission } from '#tests/harness/mission-edits.ts';
import { givenPilot, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { EVERY_DAY, inDays, missionsOf, occurrenceOn, readSeries, runSeries } from '#tests/harness/series.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await query(service.app.orm.em.fork(), sql`update mission_series set ended_at = now() where ended_at is null`);
  await query(service.app.orm.em.fork(), sql`update mission set status = 'cancelled'`);
  await query(service.app.orm.em.fork(), sql`delete from seat`);
  await retirePilots(service);
});

/** A series of every day at noon from in three days on, with five missions; the first one is published to its pilots. */
async function givenSeries(pilots = 0, slotCount = 2) {
  const crew: Person[] = [];
  for (let index = 0; index < pilots; index += 1) crew.push(await givenPilot(service));
  const { mission } = await givenMission(service, admin, {
    name: 'Op Daily',
    startLocal: `${inDays(3)}T12:00`,
    endLocal: `${inDays(3)}T14:00`,
    publish: pilots > 0,
    aircraftSlots: [{ aircraftId: 2, slotCount, side: 0, notes: 'CAP' }],
  });
  const input = { missionId: mission.id, weekdays: EVERY_DAY, horizonWeeks: 1 };
  const { body } = await admin.client.call('POST', '/admin/series', input);
  await runSeries(service);
  return { id: body.id as string, missions: await missionsOf(service, body.id), crew };
}
const idOn = (missions: Awaited<ReturnType<typeof missionsOf>>, days: number): string =>
  missions.find(({ date }) => date === inDays(days))?.id ?? '';
const adopt = (missionId: string, scope: string) =>
  admin.client.call('POST', `/admin/missions/${missionId}/adopt`, { scope });
const namesOf = async (id: string) => (await missionsOf(service, id)).map(({ name }) => name);

test('this one: an edit of a mission leaves the others, and later changes of the series leave it', async () => {
  const { id, missions } = await givenSeries();
  expect((await editMission(admin, idOn(missions, 4), { name: 'Op Special' })).status).toBe(200);
  expect(await namesOf(id)).toEqual(['Op Daily', 'Op Special', 'Op Daily', 'Op Daily', 'Op Daily']);
  expect(await occurrenceOn(admin, id, inDays(4))).toMatchObject({ isOwn: true });
  const { status } = await admin.client.call('PUT', `/admin/series/${id}`, { startLocal: '18:30' });
  expect(status).toBe(200);
  expect((await missionsOf(service, id)).map(({ start }) => start)).toEqual([
    '18:30',
    '12:00',
    '18:30',
    '18:30',
    '18:30',
  ]);
});

test('all: the series takes the mission over, and pilots are asked again as by every edit', async () => {
  const { id, missions, crew } = await givenSeries(1);
  const [pilot] = crew;
  if (!pilot) throw new Error('nobody');
  const order = await orderOf(pilot);
  expect((await respond(pilot, order, 'Accepted')).status).toBe(200);
  const third = idOn(missions, 5);
  // the same evening, entered by an admin in another zone

  const edit = {
    name: 'Op Nightly',
    startLocal: `${inDays(6)}T01:45`,
    endLocal: `${inDays(6)}T04:15`,
    timeZone: 'Asia/Kathmandu',
  };
  expect((await editMission(admin, third, edit)).status).toBe(200);
  const answer = await adopt(third, 'all');
  expect([answer.status, answer.body]).toEqual([200, { id }]);
  expect((await missionsOf(service, id)).map(({ name, start }) => [name, start])).toEqual(
    Array.from({ length: 5 }, () => ['Op Nightly', '20:00']),
  );
  // the order is the same one, with the change, and needs an answer again
  const after = await read(pilot, order);
  expect(after).toMatchObject({ id: order.id, rsvp: 'pending', startUtc: `${inDays(3)}T20:00:00.000Z` });
  expect(after.changes.map(({ field }: { field: string }) => field)).toContain('start');
  expect(await occurrenceOn(admin, id, inDays(5))).toMatchObject({ isOwn: false });
  expect(await readSeries(admin, id)).toMatchObject({
    name: 'Op Nightly',
    startLocal: '20:00',
    minutes: 150,
    timeZone: 'UTC',
  });
});

test('this and the following: the series is split, and the earlier missions stay', async () => {
  const { id, missions } = await givenSeries();
  await editMission(admin, idOn(missions, 5), { name: 'Op Later' });
  const answer = await adopt(idOn(missions, 5), 'following');
  expect(answer.status).toBe(200);
  const later = answer.body.id;
  expect(later).not.toBe(id);
  expect(await readSeries(admin, id)).toMatchObject({ lastDate: inDays(4) });
  expect(await readSeries(admin, later)).toMatchObject({ firstDate: inDays(5), lastDate: null });
  expect(await namesOf(id)).toEqual(['Op Daily', 'Op Daily']);
  expect(await namesOf(later)).toEqual(['Op Later', 'Op Later', 'Op Later']);
  await runSeries(service);
  expect(await missionsOf(service, id)).toHaveLength(2);
});

test('the rule changes from a date on: drafts on other days go, published missions there stay on their own', async () => {
  const { id, missions } = await givenSeries();
  const [first] = missions;
  await admin.client.call('POST', `/admin/missions/${idOn(missions, 6)}/publish`);
  const weekday = new Date(`${inDays(5)}T00:00Z`).getUTCDay();
  const { body } = await admin.client.call('PUT', `/admin/series/${id}`, { from: inDays(5), weekdays: [weekday] });
  expect((await missionsOf(service, body.id)).map(({ date }) => date)).toEqual([inDays(5)]);
  expect((await missionsOf(service, id)).map(({ date }) => date)).toEqual([first?.date, inDays(4)]);
  expect((await loadMission(admin, idOn(missions, 6))).status).toBe('scheduled');
  expect((await loadMission(admin, idOn(missions, 7))).status).toBe('cancelled');
  const wrong = await admin.client.call('PUT', `/admin/series/${body.id}`, { from: inDays(6), everyWeeks: 2 });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'SERIES_DATE']);
});

test('more and fewer seats: flights that are alike stay with their pilots', async () => {
  const { id, missions, crew } = await givenSeries(2);
  const orders = await Promise.all(crew.map(orderOf));
  for (const [index, pilot] of crew.entries()) await respond(pilot, orders[index] ?? { id: '' }, 'Accepted');
  const second = idOn(missions, 4);
  const [flight] = flightsOf(await loadMission(admin, second));
  const edit = {
    flights: [{ id: flight.id, notes: null }],
    addAircraftSlots: [{ aircraftId: 4, slotCount: 2, side: 0, notes: 'CAP' }],
  };
  expect((await editMission(admin, second, edit)).status).toBe(200);
  expect((await adopt(second, 'all')).status).toBe(200);
  const after = await loadMission(admin, idOn(missions, 3));
  expect(flightsOf(after).map((one) => [one.aircraftId, one.sizeCap, one.acceptedCount])).toEqual([
    [2, 2, 2],
    [4, 2, 0],
  ]);
  // and back again: the flight that was added goes
  const [, added] = flightsOf(await loadMission(admin, second));
  await editMission(admin, second, { removeFlightIds: [added.id] });
  expect((await adopt(second, 'all')).status).toBe(200);
  expect(flightsOf(await loadMission(admin, idOn(missions, 3))).map((one) => one.acceptedCount)).toEqual([2]);
  expect((await readSeries(admin, id)).seats).toBe(2);
});
