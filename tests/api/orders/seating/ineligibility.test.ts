/** Pilots without a seat, for the mission's admin: the reasons of this moment, and the last order. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, inbox, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import type { IneligiblePilotDto } from '#shared/schemas/mission-plan.ts';

const [HORNET, VIPER] = [1, 2];

let service: Service;
let admin: Person;

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  // the planning admin does not fly here
  await rows(sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
});
afterAll(() => service.stop());
afterEach(() => retirePilots(service));

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

async function givenPilot(displayName: string, aircraftId: number | null = 0): Promise<Person> {
  const pilot = await givenPerson(service, { displayName });
  if (aircraftId !== null) await givenAlwaysFree(service, pilot.id, aircraftId);
  return pilot;
}

const ineligible = async (missionId: string): Promise<IneligiblePilotDto[]> => {
  const { status, body } = await admin.client.call('GET', `/admin/missions/${missionId}/unseated`);
  expect(status).toBe(200);
  return body;
};
const told = (pilots: IneligiblePilotDto[]) =>
  pilots.map(({ reason, lastOrder, sentence }) => [reason, lastOrder, sentence]);
const ordersIn = async (pilot: Person, missionId: string) =>
  (await inbox(pilot, true)).filter((order: { missionId: string }) => order.missionId === missionId);
/** The four-digit Zulu time of an instant. */
const zulu = (iso: string) => `${iso.slice(11, 16).replace(':', '')}Z`;

test('each reason has its sentence; pilots are sorted by reason and name, without those who have a seat', async () => {
  const busy = await givenPilot('Busy', VIPER);
  const other = await givenMissionIn(service, admin, 11, { name: 'Op Other' });
  expect(other.issued.orders).toBe(1);
  await givenPilot('Quiet', VIPER).then((quiet) =>
    quiet.client.call('PUT', `/users/${quiet.id}/status`, { state: 'dnd' }),
  );
  await givenPilot('Wrong aircraft', HORNET);
  await givenPilot('Zulu never free', null);
  await givenPilot('Also never free', null);
  const holder = await givenPilot('Holder', VIPER);
  const { mission } = await givenMissionIn(service, admin, 12);
  await givenPilot('Latecomer', VIPER);
  const suspended = await givenPilot('Suspended', VIPER);
  await rows(sql`update app_user set roles = '{}' where id = ${suspended.id}`);

  const detail = (await admin.client.call('GET', `/admin/missions/${mission.id}`)).body;
  const span = `from ${zulu(detail.startUtc)} to ${zulu(detail.endUtc)}`;
  const list = await ineligible(mission.id);
  expect(told(list)).toEqual([
    ['NOT_AVAILABLE', null, `Also never free is not available ${span}.`],
    ['NOT_AVAILABLE', null, `Zulu never free is not available ${span}.`],
    ['AIRCRAFT', null, 'Wrong aircraft is not available in the F-16C Viper for the whole mission.'],
    ['COMMITTED', null, 'Busy is on “Op Other” at that time.'],
    ['DO_NOT_DISTURB', null, 'Quiet is on Do Not Disturb.'],
    ['OUTRANKED', null, 'The only seat that fits Latecomer is taken.'],
  ]);
  expect(list.find(({ userId }) => userId === busy.id)).toMatchObject({ userDisplayName: 'Busy' });
  expect(list.map(({ userId }) => userId)).not.toContain(holder.id);

  // the reasons are of this moment
  const [order] = await inbox(busy);
  expect((await respond(busy, order, 'declined')).status).toBe(200);
  const again = (await ineligible(mission.id)).find(({ userId }) => userId === busy.id);
  expect(again).toMatchObject({ reason: 'OUTRANKED', sentence: 'The only seat that fits Busy is taken.' });
});

test('the last order shows how it was answered or ended, and an open seat that no other pilot competes for it', async () => {
  const [first, second] = [await givenPilot('First', VIPER), await givenPilot('Second', VIPER)];
  const { mission } = await givenMissionIn(service, admin, 60, {
    aircraftSlots: [{ aircraftId: VIPER, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  const answer = async (pilot: Person, response: string) => {
    const [order] = await ordersIn(pilot, mission.id);
    expect((await respond(pilot, order, response)).status).toBe(200);
  };
  expect(await ineligible(mission.id)).toEqual([]);
  await answer(first, 'declined');
  expect(told(await ineligible(mission.id))).toEqual([
    ['OUTRANKED', 'declined', 'First declined; a suitable seat is open.'],
  ]);

  // an overdue order counts as expired before the job has run
  await rows(
    sql`update frag_order set expires_at = now() - interval '1 second' where mission_id = ${mission.id} and pilot_id = ${second.id}`,
  );
  expect(told(await ineligible(mission.id))).toEqual([
    ['OUTRANKED', 'declined', 'First declined; a suitable seat is open.'],
    ['OUTRANKED', 'expired', 'Second did not answer in time; a suitable seat is open.'],
  ]);
});

test('a pilot on standby is counted for the others, not for themselves', async () => {
  const pilots = [
    await givenPilot('First', VIPER),
    await givenPilot('Second', VIPER),
    await givenPilot('Third', VIPER),
  ];
  const { mission } = await givenMission(service, admin);
  const findHolder = async () => {
    const [seat] = await rows<{ id: string }>(sql`select pilot_id as id from seat where mission_id = ${mission.id}`);
    return pilots.find(({ id }) => id === seat?.id);
  };
  const waiting = await findHolder();
  if (!waiting) throw new Error('nobody was asked');
  const [order] = await ordersIn(waiting, mission.id);
  expect((await respond(waiting, order, 'standby')).status).toBe(200);
  const holder = await findHolder();
  const unasked = pilots.find((pilot) => pilot !== waiting && pilot !== holder);
  const expected = [
    ['OUTRANKED', 'standby', `The only seat that fits ${waiting.displayName} is taken.`],
    ['OUTRANKED', null, `The only seat that fits ${unasked?.displayName} is taken; 1 pilot is waiting.`],
  ];
  expect(new Set(told(await ineligible(mission.id)))).toEqual(new Set(expected));
});
