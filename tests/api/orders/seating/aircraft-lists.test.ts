/** Aircraft lists in the matching: "Any Aircraft" means any on the pilot's list, and everywhere it is said. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { copy } from '#shared/copy.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const [VIPER, HAWG] = [2, 3];
const F16 = { aircraftId: VIPER, slotCount: 1, side: 0, notes: 'CAP' } as const;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  // the admin does not fly here
  await rows(sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  expect(await findBreaches(service)).toEqual([]);
  await rows(sql`delete from mission`);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const list = async ({ id, client }: Person, aircraftId: number) =>
  expect((await client.call('PUT', `/users/${id}/proficiencies/${aircraftId}`, { level: 'basic' })).status).toBe(200);
/** A pilot who is always free for any aircraft and lists these. */
const givenLister = async (...aircraftIds: number[]): Promise<Person> => {
  const pilot = await givenPilot(service);
  for (const aircraftId of aircraftIds) await list(pilot, aircraftId);
  return pilot;
};
const inboxOf = async ({ client }: Person) => (await client.call('GET', '/pilot/inbox')).body;
const openingsOf = async ({ client }: Person) => (await client.call('GET', '/pilot/openings')).body;
const ineligibleOf = async (missionId: string) =>
  (await admin.client.call('GET', `/admin/missions/${missionId}/unseated`)).body;
const dryRun = async (slotCount: number) =>
  (
    await admin.client.call('POST', '/admin/missions/dry-run', {
      startLocal: hoursFromNow(60),
      endLocal: hoursFromNow(62),
      timeZone: 'UTC',
      aircraftSlots: [{ ...F16, slotCount }],
    })
  ).body;

test('a pilot is never ordered into an aircraft that is not on their list, and is told why', async () => {
  const hawg = await givenLister(HAWG);
  const { mission } = await givenMissionIn(service, admin, 60, { aircraftSlots: [F16] });
  expect(await inboxOf(hawg)).toEqual([]);
  const { open, closed } = await openingsOf(hawg);
  expect(open).toEqual([]);
  expect(closed).toMatchObject([{ reason: 'AIRCRAFT', sentence: "You haven't listed the F-16C Viper." }]);
  const seat = await rows<{ id: string }>(sql`select id from flight where mission_id = ${mission.id}`);
  const taken = await hawg.client.call('POST', '/pilot/seats', {
    missionId: mission.id,
    flightId: seat[0]?.id,
    seatIndex: 0,
  });
  expect([taken.status, taken.body.message]).toEqual([409, "You haven't listed the F-16C Viper."]);
  expect(await ineligibleOf(mission.id)).toMatchObject([{ userId: hawg.id, reason: 'AIRCRAFT' }]);
  expect((await ineligibleOf(mission.id))[0].sentence).toContain("hasn't listed the F-16C Viper.");

  // a time for exactly this aircraft needs no list
  const date = hoursFromNow(60).slice(0, 10);
  for (const [startLocal, endLocal] of [
    ['00:00', '12:00'],
    ['12:00', '00:00'],
  ])
    for (const day of [date, hoursFromNow(84).slice(0, 10)])
      await hawg.client.call('POST', `/users/${hawg.id}/availability/overrides`, {
        dateLocal: day,
        kind: 'available',
        startLocal,
        endLocal,
        aircraftCodeId: VIPER,
        notes: null,
      });
  expect((await openingsOf(hawg)).open[0]?.seats).toMatchObject([{ aircraftName: 'F-16C Viper', isListed: false }]);
});

test('a pilot who lists none comes after those who list the aircraft, and the order says what to do', async () => {
  const none = await givenLister();
  const listed = await givenLister(VIPER, HAWG);
  const run = await dryRun(2);
  expect(run).toMatchObject({ filled: 2, slots: [{ filled: 2, unlisted: 1 }] });
  expect(run.slots[0].pilots.map(({ userId }: { userId: string }) => userId)).toEqual([listed.id, none.id]);
  expect(run.slots[0].pilots[1].reasons).toContain(copy.aircraftUnlisted);
  expect(run.slots[0].pilots[0].reasons).not.toContain(copy.aircraftUnlisted);
  expect(await dryRun(1)).toMatchObject({ slots: [{ filled: 1, unlisted: 0, pilots: [{ userId: listed.id }] }] });

  await givenMissionIn(service, admin, 60, { aircraftSlots: [{ ...F16, slotCount: 2 }] });
  const [first, second] = [await orderOf(listed), await orderOf(none)];
  expect([first, second]).toMatchObject([{ seatIndex: 0 }, { seatIndex: 1 }]);
  const { body } = await none.client.call('GET', `/pilot/inbox/${second.id}`);
  expect(body.reasons).toContain(
    "You haven't listed this aircraft. Decline if you don't own it, or add it to your list.",
  );
});

test('backfill follows the list, so that listing an aircraft can bring an order for it', async () => {
  const holder = await givenLister(VIPER);
  const { mission } = await givenMissionIn(service, admin, 60, { aircraftSlots: [F16] });
  const hawg = await givenLister(HAWG);
  await respond(holder, await orderOf(holder), 'declined');
  await backfillForPilot(service.app.orm.em.fork(), hawg.id, new Date());
  expect(await inboxOf(hawg)).toEqual([]);
  await list(hawg, VIPER);
  await backfillForPilot(service.app.orm.em.fork(), hawg.id, new Date());
  expect(await inboxOf(hawg)).toMatchObject([{ missionId: mission.id, aircraftName: 'F-16C Viper' }]);
});

test('open seats, heat and the aircraft list count by the lists', async () => {
  const none = await givenLister();
  const hawg = await givenLister(HAWG);
  const holder = await givenPilot(service, VIPER);
  await givenMissionIn(service, admin, 60, { aircraftSlots: [F16] });
  await respond(holder, await orderOf(holder), 'declined');
  await rows(sql`delete from frag_order where pilot_id = ${none.id}`);
  expect((await openingsOf(none)).open[0]?.seats).toMatchObject([{ isListed: false }]);

  const peak = async (aircraftId: number) => {
    const { body } = await admin.client.call(
      'GET',
      `/admin/dashboard/heat?aircraftId=${aircraftId}&startDate=${hoursFromNow(120).slice(0, 10)}`,
    );
    return Math.max(
      ...body.days.flatMap(({ hours }: { hours: { pilots: number }[] }) => hours.map(({ pilots }) => pilots)),
    );
  };
  // the pilot without a list may fly anything, the other the A-10C only, the third has times for the Viper
  expect([await peak(0), await peak(VIPER), await peak(HAWG)]).toEqual([3, 2, 2]);

  const aircraft = (await hawg.client.call('GET', '/aircraft')).body as { id: number; pilots: number }[];
  expect(aircraft.filter(({ pilots }) => pilots > 0).map(({ id, pilots }) => [id, pilots])).toEqual([[HAWG, 1]]);
  const lists = async ({ client }: Person) => (await client.call('GET', '/auth/viewer')).body.listsAircraft;
  expect([await lists(none), await lists(hawg)]).toEqual([false, true]);
});
