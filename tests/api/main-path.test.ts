/** The main job, end to end, by REST and by tRPC: both transports give the same values and the same sentences. */
import { TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, startService, type Client, type Service } from '#tests/service.ts';
import { givenAdmin, PASSWORD, type Person } from '#tests/given.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

/** Eight pilots who can fly tomorrow evening in UTC, for a mission of five and two seats. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'] as const;

/** A slot a day either side, so that the evening in UTC is covered in every zone. */
const everyDay = Array.from({ length: 7 }, (_, weekday) => ({
  weekday,
  startLocal: '00:00',
  endLocal: '00:00',
  aircraftCodeId: 0,
  notes: null,
})).flatMap((slot) => [
  { ...slot, endLocal: '12:00' },
  { ...slot, startLocal: '12:00' },
]);

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

const mission = {
  name: 'Op Iron Hound',
  theater: 'Syria',
  startLocal: `${tomorrow}T19:00`,
  endLocal: `${tomorrow}T22:00`,
  timeZone: 'UTC',
  aircraftSlots: [
    { aircraftId: 2, slotCount: 5, side: 0, notes: 'CAP' },
    { aircraftId: 3, slotCount: 2, side: 1, notes: 'CAS', additionalNotes: 'Bring smoke' },
  ],
} as const;

test('pilots state availability, an admin creates a mission, pilots answer, and a declined seat finds the next pilot', async () => {
  const pilots: { id: string; client: Client }[] = [];
  for (const [index, zone] of [...ZONES, ...ZONES].entries()) {
    const client = createClient(service);
    const email = `path-${index}@example.org`;
    const registered = await client.call('POST', '/auth/register', {
      email,
      password: PASSWORD,
      confirmPassword: PASSWORD,
    });
    expect(registered).toMatchObject({
      status: 201,
      body: { email, displayName: null, timeZone: 'UTC', roles: ['user'] },
    });
    const { id } = registered.body;
    const profile = await client.call('PUT', `/users/${id}`, { displayName: `Path ${index}`, timeZone: zone });
    expect(profile).toMatchObject({ status: 200, body: { id, displayName: `Path ${index}`, timeZone: zone } });
    const saved = await client.call('POST', `/users/${id}/availability/templates`, {
      name: 'Default Weekly Availability',
      isActive: true,
      slots: everyDay,
    });
    expect(saved.status).toBe(201);
    expect(saved.body.slots).toHaveLength(14);
    pilots.push({ id, client });
  }

  const created = await admin.client.call('POST', '/admin/missions', mission);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    mission: { name: 'Op Iron Hound', theater: 'Syria', status: 'scheduled', startLocal: mission.startLocal },
    slotsSummary: [
      { aircraftName: 'F-16C Viper', aircraftCode: 'F-16C_50', totalSlots: 5, flightsCreated: 2, side: 0 },
      { aircraftName: 'A-10C II Warthog', aircraftCode: 'A-10C_2', totalSlots: 2, flightsCreated: 1, side: 1 },
    ],
    issued: { orders: 7, openSeats: 0 },
  });

  const board = () => admin.client.call('GET', `/admin/missions/by-date?date=${tomorrow}&tz=UTC`);
  const flightsOf = (answer: Awaited<ReturnType<typeof board>>) =>
    answer.body.missions[0].packages.flatMap((one: { flights: unknown[] }) => one.flights);
  const before = flightsOf(await board());
  expect(before.map((flight: { sizeCap: number }) => flight.sizeCap)).toEqual([3, 2, 2]);
  expect(before.map((flight: { callsign: string }) => flight.callsign)).toEqual(['Viper 1', 'Venom 1', 'Enfield 1']);
  expect(before.reduce((sum: number, flight: { pendingCount: number }) => sum + flight.pendingCount, 0)).toBe(7);
  for (const flight of before) expect(flight.radioFreq).toMatch(/^\d{3}\.\d{3} AM$/);

  const inboxes = await Promise.all(pilots.map(({ client }) => client.call('GET', '/pilot/inbox')));
  const invited = pilots.filter((_, index) => inboxes[index]?.body.length === 1);
  const waiting = pilots.filter((_, index) => inboxes[index]?.body.length === 0);
  expect([invited.length, waiting.length]).toEqual([7, 1]);
  const orderOf = async ({ client }: { client: Client }) => (await client.call('GET', '/pilot/inbox')).body[0];

  const [decliner, ...accepters] = invited;
  const [first] = accepters;
  const [reserve] = waiting;
  if (!decliner || !first || !reserve) throw new Error('nobody was invited');
  for (const pilot of accepters) {
    const order = await orderOf(pilot);
    expect(await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'Accepted' })).toMatchObject({
      status: 200,
      body: { id: order.id, rsvp: 'accepted', label: order.label },
    });
  }
  const declined = await orderOf(decliner);
  expect(
    (await decliner.client.call('POST', `/pilot/inbox/${declined.id}/rsvp`, { response: 'Declined' })).status,
  ).toBe(200);

  const next = await orderOf(reserve);
  expect(next).toMatchObject({
    flightCallsign: declined.flightCallsign,
    seatIndex: declined.seatIndex,
    rsvp: 'pending',
  });

  const accepted = await first.client.call('GET', '/pilot/inbox/accepted');
  expect(accepted.body).toHaveLength(1);
  const shown = accepted.body[0];
  const flight = before.find((one: { callsign: string }) => one.callsign === shown.flightCallsign);
  expect(shown.radioFreq).toBe(flight.radioFreq);
  expect(shown.package.composition.map((one: { callsign: string }) => one.callsign)).toContain(flight.callsign);
  expect(await first.client.trpc.pilot.accepted.query()).toEqual(accepted.body);

  const after = flightsOf(await board());
  const sum = (key: string) => after.reduce((total: number, one: Record<string, number>) => total + (one[key] ?? 0), 0);
  expect([sum('acceptedCount'), sum('pendingCount'), sum('openSlots')]).toEqual([6, 1, 0]);
  expect(await admin.client.trpc.admin.missionsByDate.query({ date: tomorrow, tz: 'UTC' })).toEqual(
    (await board()).body,
  );
});

/** What tRPC says when it refuses: the status and the sentence that REST gives. */
async function refusal(promise: Promise<unknown>): Promise<{ status: unknown; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof TRPCClientError) return { status: error.data?.httpStatus, message: error.message };
    throw error;
  }
  throw new Error('was not refused');
}

describe('REST and tRPC refuse with the same status and sentence', () => {
  const STRANGER = '0192c0de-0000-7000-8000-000000000000';
  test.each([
    [
      'a wrong password',
      (c: Client) => c.call('POST', '/auth/login', { email: 'a@b.co', password: 'x' }),
      (c: Client) => c.trpc.auth.login.mutate({ email: 'a@b.co', password: 'x' }),
      401,
      'Invalid email or password',
    ],
    [
      'an address that is none',
      (c: Client) => c.call('POST', '/auth/login', { email: 'a', password: 'x' }),
      (c: Client) => c.trpc.auth.login.mutate({ email: 'a', password: 'x' }),
      400,
      'Invalid email address',
    ],
    [
      'a visitor',
      (c: Client) => c.call('GET', '/pilot/inbox'),
      (c: Client) => c.trpc.pilot.inbox.query(),
      401,
      'User not authenticated',
    ],
  ] as const)('%s', async (_title, rest, trpc, status, message) => {
    const client = createClient(service);
    expect(await rest(client)).toMatchObject({ status, body: { message } });
    expect(await refusal(trpc(client))).toEqual({ status, message });
  });

  test("another pilot's order is not found", async () => {
    expect(await admin.client.call('GET', `/pilot/inbox/${STRANGER}`)).toMatchObject({
      status: 404,
      body: { message: 'Frag order not found' },
    });
    expect(await refusal(admin.client.trpc.pilot.order.query({ id: STRANGER }))).toEqual({
      status: 404,
      message: 'Frag order not found',
    });
  });
});
