/** The main job, end to end, once by REST and once by tRPC: the same values and the same sentences. */
import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { givenAdmin, PASSWORD } from '#tests/harness/given.ts';
import { createClient, startService, type Client } from '#tests/harness/service.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { createMissionInput, CreatedMissionDto, missionsByDate } from '#shared/schemas/missions.ts';
import type { AcceptedMissionDto, FragOrderDto } from '#shared/schemas/pilot.ts';
import type { z } from 'zod';

type MissionPayload = z.input<typeof createMissionInput>;
type Slots = { weekday: number; startLocal: string; endLocal: string; aircraftCodeId: number; notes: null }[];

/** The calls of the path, over either transport. */
interface Caller {
  register(email: string): Promise<UserDto>;
  profile(id: string, displayName: string, timeZone: string): Promise<UserDto>;
  saveTemplate(id: string, slots: Slots): Promise<{ slots: unknown[] }>;
  createMission(mission: MissionPayload): Promise<CreatedMissionDto>;
  board(date: string): Promise<z.output<typeof missionsByDate>>;
  inbox(): Promise<FragOrderDto[]>;
  rsvp(id: string, response: 'accepted' | 'declined'): Promise<FragOrderDto>;
  accepted(): Promise<AcceptedMissionDto[]>;
}

const account = (email: string) => ({ email, password: PASSWORD, confirmPassword: PASSWORD });
const template = (slots: Slots) => ({ name: 'Default Weekly Availability', isActive: true, slots });

function byRest({ call }: Client): Caller {
  const send = async (method: string, path: string, status: number, body?: unknown) => {
    const answer = await call(method, path, body);
    expect([path, answer.status, answer.body?.message]).toEqual([path, status, undefined]);
    return answer.body;
  };
  return {
    register: (email) => send('POST', '/auth/register', 201, account(email)),
    profile: (id, displayName, timeZone) => send('PUT', `/users/${id}`, 200, { displayName, timeZone }),
    saveTemplate: (id, slots) => send('POST', `/users/${id}/availability/templates`, 201, template(slots)),
    createMission: (mission) => send('POST', '/admin/missions', 201, mission),
    board: (date) => send('GET', `/admin/missions/by-date?date=${date}&tz=UTC`, 200),
    inbox: () => send('GET', '/pilot/inbox', 200),
    rsvp: (id, response) => send('POST', `/pilot/inbox/${id}/rsvp`, 200, { response }),
    accepted: () => send('GET', '/pilot/inbox/accepted', 200),
  };
}

function byTrpc({ trpc }: Client): Caller {
  return {
    register: (email) => trpc.auth.register.mutate(account(email)),
    profile: (id, displayName, timeZone) => trpc.pilot.updateProfile.mutate({ id, displayName, timeZone }),
    saveTemplate: (id, slots) => trpc.availability.createTemplate.mutate({ id, ...template(slots) }),
    createMission: (mission) => trpc.admin.createMission.mutate(mission),
    board: (date) => trpc.admin.missionsByDate.query({ date, tz: 'UTC' }),
    inbox: () => trpc.pilot.inbox.query(),
    rsvp: (id, response) => trpc.pilot.rsvp.mutate({ id, response }),
    accepted: () => trpc.pilot.accepted.query(),
  };
}

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'] as const;
/** Around the clock on every day, so that an evening in UTC is covered in every zone. */
const ALWAYS: Slots = Array.from({ length: 7 }, (_, weekday) => [
  { weekday, startLocal: '00:00', endLocal: '12:00', aircraftCodeId: 0, notes: null },
  { weekday, startLocal: '12:00', endLocal: '00:00', aircraftCodeId: 0, notes: null },
]).flat();

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const mission: MissionPayload = {
  name: 'Op Iron Hound',
  theater: 'Syria',
  startLocal: `${tomorrow}T19:00`,
  endLocal: `${tomorrow}T22:00`,
  timeZone: 'UTC',
  aircraftSlots: [
    { aircraftId: 2, slotCount: 5, side: 0, notes: 'CAP' },
    { aircraftId: 3, slotCount: 2, side: 1, notes: 'CAS', additionalNotes: 'Bring smoke' },
  ],
};

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Runs the path in a separate Marshal. @returns the results that do not depend on ids and the clock */
async function walk(by: (client: Client) => Caller) {
  const service = await startService();
  try {
    const admin = by((await givenAdmin(service)).client);
    const pilots: Caller[] = [];
    for (const [index, zone] of [...ZONES, ...ZONES].entries()) {
      const pilot = by(createClient(service));
      const email = `path-${index}@example.org`;
      const registered = await pilot.register(email);
      expect(registered).toMatchObject({ email, displayName: null, timeZone: 'UTC', roles: ['user'] });
      const profile = await pilot.profile(registered.id, `Path ${index}`, zone);
      expect(profile).toEqual({ ...registered, displayName: `Path ${index}`, timeZone: zone, looksLike: [] });
      expect((await pilot.saveTemplate(registered.id, ALWAYS)).slots).toEqual(ALWAYS);
      pilots.push(pilot);
    }

    const created = await admin.createMission(mission);
    const flightsOf = async () => {
      const board = await admin.board(tomorrow);
      return board.missions.flatMap(({ packages }) => packages).flatMap(({ flights }) => flights);
    };
    const before = await flightsOf();

    const inboxes = await Promise.all(pilots.map((pilot) => pilot.inbox()));
    const invited = pilots.flatMap((pilot, index) => (inboxes[index] ?? []).map((order) => ({ pilot, order })));
    const waiting = pilots.filter((_, index) => inboxes[index]?.length === 0);
    expect([invited.length, waiting.length]).toEqual([7, 1]);

    const [decliner, ...accepters] = invited;
    for (const { pilot, order } of accepters) {
      expect(await pilot.rsvp(order.id, 'accepted')).toEqual({ ...order, rsvp: 'accepted' });
    }
    await decliner?.pilot.rsvp(decliner.order.id, 'declined');
    const next = await waiting[0]?.inbox();
    expect(next).toMatchObject([
      { flightCallsign: decliner?.order.flightCallsign, seatIndex: decliner?.order.seatIndex, rsvp: 'pending' },
    ]);

    for (const { pilot, order } of accepters) {
      const [shown, ...more] = await pilot.accepted();
      const flight = before.find(({ callsign }) => callsign === order.flightCallsign);
      expect(more).toEqual([]);
      expect(shown).toMatchObject({ id: order.id, radioFreq: flight?.radioFreq, launchUtc: flight?.launchUtc });
      expect(shown?.package.composition).toContainEqual(
        expect.objectContaining({
          callsign: flight?.callsign,
          aircraftName: flight?.aircraftName,
          seats: flight?.sizeCap,
          radioFreq: flight?.radioFreq,
        }),
      );
    }
    const after = await flightsOf();
    return {
      created: { ...created, mission: { ...created.mission, id: '' } },
      flights: before.map(({ callsign, aircraftName, role, side, radioFreq, sizeCap, launch, tot, notes }) => ({
        callsign,
        aircraftName,
        role,
        side,
        radioFreq,
        sizeCap,
        launch,
        tot,
        notes,
      })),
      pendingBefore: sum(before.map(({ pendingCount }) => pendingCount)),
      after: [
        sum(after.map(({ acceptedCount }) => acceptedCount)),
        sum(after.map(({ pendingCount }) => pendingCount)),
        sum(after.map(({ openSlots }) => openSlots)),
      ],
    };
  } finally {
    await service.stop();
  }
}

test('pilots state availability, an admin creates a mission, pilots answer, a declined seat finds the next pilot', async () => {
  const rest = await walk(byRest);
  expect(rest.created).toMatchObject({
    mission: { name: 'Op Iron Hound', theater: 'Syria', status: 'scheduled', startLocal: mission.startLocal },
    slotsSummary: [
      { aircraftName: 'F-16C Viper', aircraftCode: 'F-16C_50', totalSlots: 5, flightsCreated: 2, side: 0 },
      { aircraftName: 'A-10C II Warthog', aircraftCode: 'A-10C_2', totalSlots: 2, flightsCreated: 1, side: 1 },
    ],
    issued: { orders: 7, openSeats: 0 },
  });
  const at = (time: string) => `${tomorrow}T${time}:00.000Z`;
  expect(rest.flights).toMatchObject([
    { callsign: 'Viper 1', role: 'CAP', side: 0, sizeCap: 3, launch: at('19:30'), notes: null },
    { callsign: 'Venom 1', role: 'CAP', side: 0, sizeCap: 2, launch: at('19:30'), notes: null },
    { callsign: 'Enfield 1', role: 'CAS', side: 1, sizeCap: 2, launch: at('19:35'), notes: 'Bring smoke' },
  ]);
  for (const { radioFreq } of rest.flights) expect(radioFreq).toMatch(/^\d{3}\.\d{3} AM$/);
  expect(rest).toMatchObject({ pendingBefore: 7, after: [6, 1, 0] });

  expect(await walk(byTrpc)).toEqual(rest);
});

/** The status and sentence of a tRPC refusal, which are the same as with REST. */
async function refusal(promise: Promise<unknown>): Promise<{ status: unknown; code: unknown; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof TRPCClientError) {
      return { status: error.data?.httpStatus, code: error.data?.code, message: error.message };
    }
    throw error;
  }
  throw new Error('was not refused');
}

test('both transports refuse with the same status and sentence', async () => {
  const service = await startService();
  try {
    const visitor = createClient(service);
    const { client: pilot } = await givenAdmin(service);
    const wrong = { email: 'a@example.org', password: 'x' };
    const unreadable = { ...wrong, email: 'a' };
    const id = '0192c0de-0000-7000-8000-000000000000';

    const answers = [
      await visitor.call('POST', '/auth/login', wrong),
      await visitor.call('POST', '/auth/login', unreadable),
      await visitor.call('GET', '/pilot/inbox'),
      await pilot.call('GET', `/pilot/inbox/${id}`),
    ].map(({ status, body }) => [status, body.message]);
    expect(answers).toEqual([
      [401, 'Invalid email or password'],
      [400, 'Invalid email address'],
      [401, 'User not authenticated'],
      [404, 'Frag order not found'],
    ]);
    const refusals = [
      await refusal(visitor.trpc.auth.login.mutate(wrong)),
      await refusal(visitor.trpc.auth.login.mutate(unreadable)),
      await refusal(visitor.trpc.pilot.inbox.query()),
      await refusal(pilot.trpc.pilot.order.query({ id })),
    ];
    expect(refusals.map(({ status, message }) => [status, message])).toEqual(answers);
    expect(refusals.map(({ code }) => code)).toEqual(['UNAUTHORIZED', 'BAD_REQUEST', 'UNAUTHORIZED', 'NOT_FOUND']);
  } finally {
    await service.stop();
  }
});
