/** Notes, links and callsigns of a mission: their limits, edits, and who reads them. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { givenMissionIn, givenPilot, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const F16 = 2;
const CHART = { kind: 'chart', title: 'Akrotiri', url: 'https://charts.example/akrotiri.pdf' } as const;
const TRACK = { kind: 'tacview', title: 'Last week', url: 'https://tracks.example/42' } as const;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(() => retirePilots(service));

const oneSeat = (additionalNotes = 'Two HARMs each') => ({
  aircraftSlots: [{ aircraftId: F16, slotCount: 1, side: 0 as const, notes: 'SEAD' as const, additionalNotes }],
});

test('links are stored as given, reach the pilot with a seat, and an edit of them is a small change', async () => {
  const pilot = await givenPilot(service, F16);
  const { mission } = await givenMissionIn(service, admin, 30, { ...oneSeat(), links: [CHART, TRACK] });
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  expect((await read(pilot, order)).links).toEqual([CHART, TRACK]);
  const other = await givenPerson(service);
  const seen = async (who: Person) => (await who.client.call('GET', `/missions/${mission.id}`)).body.links;
  expect(await seen(pilot)).toEqual([CHART, TRACK]);
  expect(await seen(other)).toEqual([]);

  const untouched = await editMission(admin, mission.id, { notes: 'Push 1905Z' });
  expect(untouched.body.mission.links).toEqual([CHART, TRACK]);
  const edited = await editMission(admin, mission.id, { links: [TRACK] });
  expect(edited.body).toMatchObject({ askedAgain: 0, told: 1, mission: { links: [TRACK] } });
  const now = await read(pilot, order);
  expect(now).toMatchObject({ rsvp: 'accepted', links: [TRACK] });
  expect(now.changes).toContainEqual({
    field: 'links',
    from: 'Chart: Akrotiri (https://charts.example/akrotiri.pdf), TACVIEW: Last week (https://tracks.example/42)',
    to: 'TACVIEW: Last week (https://tracks.example/42)',
  });
  const { entries } = (await admin.client.call('GET', '/admin/audit')).body;
  expect(JSON.stringify(entries)).toContain('Last week');
  expect((await editMission(admin, mission.id, { links: [] })).body.mission.links).toEqual([]);
});

test('notes of a mission and of a flight have up to 4,000 characters, and a mission up to 8 links', async () => {
  const { mission } = await givenMissionIn(service, admin, 31, {
    ...oneSeat('f'.repeat(4000)),
    notes: 'm'.repeat(4000),
    links: Array.from({ length: 8 }, () => CHART),
  });
  const { body: made } = await editMission(admin, mission.id, {});
  const { notes, links, packages } = made.mission;
  const [flight] = packages[0].flights;
  expect([notes.length, flight.notes.length, links.length]).toEqual([4000, 4000, 8]);
  for (const [changes, path] of [
    [{ notes: 'm'.repeat(4001) }, 'notes'],
    [{ flights: [{ id: flight.id, notes: 'f'.repeat(4001) }] }, 'flights.0.notes'],
    [{ links: Array.from({ length: 9 }, () => CHART) }, 'links'],
  ] as const) {
    const { status, body } = await editMission(admin, mission.id, changes);
    expect([status, body.issues?.[0]?.path]).toEqual([400, path]);
  }
});

test.each([
  ['http', { url: 'http://charts.example' }, 'url'],
  ['javascript', { url: 'javascript:alert(1)' }, 'url'],
  ['a password', { url: 'https://me:secret@charts.example' }, 'url'],
  ['no address', { url: '' }, 'url'],
  ['501 characters', { url: `https://charts.example/${'a'.repeat(478)}` }, 'url'],
  ['no title', { title: ' ' }, 'title'],
  ['a long title', { title: 't'.repeat(81) }, 'title'],
  ['an unknown kind', { kind: 'video' }, 'kind'],
])('a link with %s is refused', async (_what, change, field) => {
  const { mission } = await givenMissionIn(service, admin, 32, oneSeat());
  const { status, body } = await editMission(admin, mission.id, { links: [CHART, { ...CHART, ...change }] });
  expect([status, body.issues?.[0]?.path]).toEqual([400, `links.1.${field}`]);
});

test('a callsign that an admin sets is a small change, unique among the missions at that time', async () => {
  const pilot = await givenPilot(service, F16);
  const { mission } = await givenMissionIn(service, admin, 33, oneSeat());
  const other = await givenMissionIn(service, admin, 33, { ...oneSeat(), name: 'Op Neighbour' });
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  const flightOf = async (id: string) => (await editMission(admin, id, {})).body.mission.packages[0].flights[0];
  const own = await flightOf(order.missionId);
  const others = await flightOf(order.missionId === mission.id ? other.mission.id : mission.id);

  const named = await editMission(admin, order.missionId, { flights: [{ id: own.id, callsign: 'Reaper 7' }] });
  expect(named.body).toMatchObject({ askedAgain: 0, told: 1 });
  const now = await read(pilot, order);
  expect(now).toMatchObject({ rsvp: 'accepted', flightCallsign: 'Reaper 7' });
  expect(now.changes).toEqual([{ field: 'callsign', from: own.callsign, to: 'Reaper 7' }]);

  const clash = await editMission(admin, order.missionId, {
    flights: [{ id: own.id, callsign: others.callsign.toUpperCase() }],
  });
  expect([clash.status, clash.body.code]).toEqual([409, 'CALLSIGN_IN_USE']);
  for (const callsign of [' ', 'R'.repeat(25)]) {
    const { status, body } = await editMission(admin, order.missionId, { flights: [{ id: own.id, callsign }] });
    expect([status, body.issues?.[0]?.path]).toEqual([400, 'flights.0.callsign']);
  }
});
