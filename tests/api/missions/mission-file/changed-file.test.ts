/** A changed mission file for a mission that has one: differences, the edit with its orders, versions, and units of seats. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { writeMission, type SampleGroup } from '#tests/harness/mission-file.ts';
import { requestOf, send, upload } from '#tests/harness/mission-files.ts';
import { callOffMissions, givenPilot, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
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
  await callOffMissions(service);
  expect(await findBreaches(service)).toEqual([]);
});

const VIPER: SampleGroup = { groupId: 1, name: 'Viper', callsign: 'Viper', units: [{}, {}] };
const HORNET: SampleGroup = { groupId: 2, name: 'Hornet', type: 'FA-18C_hornet', callsign: 'Colt', frequency: 264 };
const HAWG: SampleGroup = { groupId: 3, name: 'Hawg', type: 'A-10C_2', callsign: 'Hawg', frequency: 270, units: [{}] };

/** A mission of these groups whose pilots have accepted, in the order of its seats. */
async function givenFlown(...groups: SampleGroup[]) {
  const file = await upload(service, admin, writeMission({ groups }));
  const pilots = await Promise.all(file.groups.flatMap(({ units }) => units).map(() => givenPilot(service)));
  const { body } = await admin.client.call('POST', '/admin/missions', requestOf(file));
  expect(body.issued).toEqual({ orders: pilots.length, openSeats: 0 });
  const orders = await Promise.all(
    pilots.map(async (pilot) => {
      const { id } = await orderOf(pilot);
      await respond(pilot, { id }, 'accepted');
      return { pilot, ...(await read(pilot, { id })) };
    }),
  );
  return { id: String(body.mission.id), orders };
}

/** Send a changed file, look at the differences, and bring it in. */
async function bringIn(id: string, groups: readonly SampleGroup[]) {
  const file = await upload(service, admin, writeMission({ groups }));
  const preview = await admin.client.call('POST', `/admin/missions/${id}/file-changes`, { fileId: file.id });
  expect(preview.status).toBe(200);
  const { version } = preview.body;
  const applied = await admin.client.call('PUT', `/admin/missions/${id}/file`, { fileId: file.id, version });
  return { file, preview: preview.body, applied };
}

const flightsOf = (mission: { packages: { flights: object[] }[] }) =>
  mission.packages.flatMap(({ flights }) => flights);
const sentences = (preview: { changes: { sentence: string }[] }) => preview.changes.map(({ sentence }) => sentence);

test('a file that only differs elsewhere becomes the next version, and nothing else happens', async () => {
  const { id, orders } = await givenFlown(VIPER);
  const { preview, applied } = await bringIn(id, [
    { ...VIPER, units: [{ name: 'Other name' }, {}, { skill: 'High' }] },
  ]);
  expect(preview).toMatchObject({ changes: [], problems: [], misfits: [] });
  expect([applied.status, applied.body.askedAgain, applied.body.told]).toEqual([200, 0, 0]);
  for (const { pilot, id: order } of orders)
    expect(await read(pilot, { id: order })).toMatchObject({ rsvp: 'accepted' });
  const { body: versions } = await admin.client.call('GET', `/admin/missions/${id}/files`);
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
});

test('added, removed and changed groups edit the mission; orders of untouched seats stay', async () => {
  const { id, orders } = await givenFlown(VIPER, HORNET, HAWG);
  const { preview, applied } = await bringIn(id, [
    VIPER,
    { ...HORNET, name: 'Hornets', task: 'SEAD', frequency: 265 },
    { groupId: 9, name: 'Eagle', type: 'F-15C', callsign: 'Ford', units: [{}] },
    { groupId: 10, name: 'Unknown', type: 'X-99', callsign: 'Ford', units: [{}] },
  ]);
  expect(sentences(preview)).toEqual([
    'Hornet is now called Hornets.',
    'Hornets: SEAD instead of CAP.',
    'Hornets: 265.000 AM instead of 264.000 AM.',
    'Hawg is removed, with one seat in A-10C_2.',
    'Eagle is added, with one seat in F-15C.',
    'Unknown is added, with one seat in X-99.',
  ]);
  expect(preview.problems).toEqual(['Unknown is left out: Marshal has no aircraft for X-99.']);
  expect([applied.status, applied.body.askedAgain, applied.body.freed]).toEqual([200, 2, 1]);
  const flights = flightsOf(applied.body.mission);
  expect(flights).toMatchObject([
    { callsign: 'Viper 1', acceptedCount: 2 },
    { aircraftName: 'F-15C Eagle', sizeCap: 1 },
    { callsign: 'Colt 2', role: 'SEAD', radioFreq: '265.000 AM', pendingCount: 2 },
  ]);
  const rsvps = await Promise.all(orders.map(({ pilot, id: order }) => read(pilot, { id: order })));
  expect(rsvps.map(({ rsvp, status }) => `${rsvp} ${status}`).toSorted()).toEqual([
    'accepted cancelled',
    'accepted issued',
    'accepted issued',
    'pending issued',
    'pending issued',
  ]);
});

test('groups are found by their name when they have other numbers', async () => {
  const { id } = await givenFlown(VIPER);
  const { preview } = await bringIn(id, [{ ...VIPER, groupId: 7, callsign: 'Viper' }]);
  expect(sentences(preview)).toEqual(['Viper: callsign Viper 7 instead of Viper 1.']);
});

test('seats keep their unit while it exists, and the export names them', { timeout: 120_000 }, async () => {
  const units = [11, 12, 13, 14].map((unitId) => ({ unitId }));
  const { id, orders } = await givenFlown({ ...VIPER, units });
  const { applied } = await bringIn(id, [{ ...VIPER, units: [11, 13, 14].map((unitId) => ({ unitId })) }]);
  expect([applied.status, applied.body.freed]).toEqual([200, 1]);
  const { status, content } = await send(service, admin, `/admin/missions/${id}/mission.miz`);
  expect(status).toBe(200);
  const again = await upload(service, admin, content);
  const bySeat = orders.toSorted((a, b) => a.seatIndex - b.seatIndex).map(({ pilot }) => pilot.displayName);
  expect(again.groups[0]?.units.map(({ unitId, name }) => [unitId, name])).toEqual([
    [11, bySeat[0]],
    [13, bySeat[2]],
    [14, bySeat[1]],
  ]);
});

test('a group can grow beyond its flight', async () => {
  const { id } = await givenFlown(VIPER);
  const { applied } = await bringIn(id, [{ ...VIPER, units: Array.from({ length: 6 }, () => ({})) }]);
  expect(flightsOf(applied.body.mission)).toMatchObject([{ sizeCap: 4 }, { sizeCap: 2 }]);
  const csv = await send(service, admin, `/admin/missions/${id}/line-up.csv`);
  const names = csv.content.toString().trimEnd().split('\r\n').slice(1);
  expect(names.map((line) => String(line.split(',').at(-1))).toSorted()).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => `Viper-${number}`),
  );
});

test('five versions are kept', async () => {
  const { id } = await givenFlown(VIPER);
  for (let number = 2; number <= 7; number += 1) {
    await bringIn(id, [{ ...VIPER, units: [{ name: `First ${number}` }, {}] }]);
  }
  const { body } = await admin.client.call('GET', `/admin/missions/${id}/files`);
  expect(body.map(({ version }: { version: number }) => version)).toEqual([7, 6, 5, 4, 3]);
});

test('an edit of the mission since the preview is refused', async () => {
  const { id } = await givenFlown(VIPER);
  const file = await upload(service, admin, writeMission({ groups: [VIPER, HAWG] }));
  const { body } = await admin.client.call('POST', `/admin/missions/${id}/file-changes`, { fileId: file.id });
  await admin.client.call('PUT', `/admin/missions/${id}`, { notes: 'Changed meanwhile' });
  const { version } = body;
  const late = await admin.client.call('PUT', `/admin/missions/${id}/file`, { fileId: file.id, version });
  expect([late.status, late.body.code]).toEqual([409, 'CHANGED']);
  expect((await admin.client.call('GET', `/admin/missions/${id}/files`)).body).toHaveLength(1);
});
