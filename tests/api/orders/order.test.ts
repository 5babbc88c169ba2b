/** One frag order by the API: everything needed to fly it, in every state, for its own pilot only. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadKneeboard } from '#server/missions/briefing/kneeboard.ts';
import { loadOrderCard } from '#server/discord/posts/order-messages.ts';
import { query, sql } from '#server/schema/query.ts';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { CHANGES, eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, inbox, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const F16 = 2;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(() => retirePilots(service));

const set = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);

interface Flight {
  callsign: string;
  aircraftName: string;
  sizeCap: number;
  radioFreq: string | null;
}

/** The first pending order of a pilot, with where it seats the pilot. */
async function placeOf(pilot: Person): Promise<{ id: string; flightCallsign: string; seatIndex: number; side: 0 | 1 }> {
  const [order] = await inbox(pilot);
  return order;
}

/** The missions as an admin sees them on their date: written by other code than the one under test. */
async function boardOf(missionId: string, hours: number) {
  const date = hoursFromNow(hours).slice(0, 10);
  const { body } = await admin.client.call('GET', `/admin/missions/by-date?date=${date}&tz=UTC`);
  return body.missions.find(({ id }: { id: string }) => id === missionId);
}

test('a pending order already shows radio, time on target, package, level and notes', async () => {
  const pilot = await givenPilot(service, F16);
  await set(
    sql`insert into proficiency (user_id, aircraft_id, level, updated_at) values (${pilot.id}, ${F16}, 'expert', now())`,
  );
  const { mission } = await givenMissionIn(service, admin, 30, {
    aircraftSlots: [
      { aircraftId: F16, slotCount: 2, side: 0, notes: 'SEAD', additionalNotes: 'Two HARMs each' },
      { aircraftId: 3, slotCount: 1, side: 0, notes: 'Strike' },
    ],
  });
  const order = await orderOf(pilot);
  const { packages } = await boardOf(mission.id, 30);
  const [strike] = packages;
  const own = strike.flights.find(({ aircraftId }: { aircraftId: number }) => aircraftId === F16);

  expect(await read(pilot, order)).toMatchObject({
    id: order.id,
    rsvp: 'pending',
    launchUtc: own.launchUtc,
    totUtc: own.totUtc,
    radioFreq: own.radioFreq,
    level: 'expert',
    notes: 'Two HARMs each',
    package: {
      callsign: strike.callsign,
      objective: strike.objective,
      composition: strike.flights.map((flight: Flight) => ({
        callsign: flight.callsign,
        aircraftName: flight.aircraftName,
        seats: flight.sizeCap,
        radioFreq: flight.radioFreq,
        pilots: Array.from({ length: flight.sizeCap }, () => null),
      })),
    },
  });
});

const textsOf = (words: string) => eachField(MISSION_TEXT_KEYS, (key) => `${key} ${words}`);

test('every text of a mission reaches its pilots on every surface, and those of them that orders mention are told of an edit', async () => {
  const pilot = await givenPilot(service, F16);
  const { mission } = await givenMissionIn(service, admin, 30, {
    ...textsOf('before'),
    aircraftSlots: [{ aircraftId: F16, slotCount: 1, side: 0, notes: 'SEAD', additionalNotes: 'Two HARMs each' }],
  });
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  const em = service.app.orm.em.fork();
  const surfaces = async () => {
    const file = await fetch(`${service.url}/api/v1/pilot/inbox/${order.id}/calendar.ics`, {
      headers: { cookie: pilot.client.cookie() },
    });
    return {
      page: JSON.stringify(await read(pilot, order)),
      tile: JSON.stringify((await pilot.client.call('GET', '/pilot/inbox/accepted')).body),
      kneeboard: (await loadKneeboard(em, pilot, order.id, service.url, new Date())).notes.join('\n'),
      dm: JSON.stringify(await loadOrderCard(em, order.id, service.url, new Date(), englishTexts)),
      // a calendar file breaks its lines
      calendar: (await file.text()).replaceAll(/\r\n /g, ''),
    };
  };
  const expectTexts = async (words: string) => {
    for (const [surface, shown] of Object.entries(await surfaces())) {
      for (const text of ['Two HARMs each', ...Object.values(textsOf(words))]) expect(shown, surface).toContain(text);
    }
  };
  await expectTexts('before');
  expect((await admin.client.call('PUT', `/admin/missions/${mission.id}`, textsOf('after'))).status).toBe(200);
  await expectTexts('after');
  const { missionTexts, changes } = await read(pilot, order);
  expect(missionTexts).toEqual(textsOf('after'));
  expect(changes).toEqual(
    MISSION_TEXT_KEYS.filter((key) => CHANGES[key].orders !== null).map((key) => ({
      field: key,
      from: `${key} before`,
      to: `${key} after`,
    })),
  );
});

test('the package names the accepted pilot of each seat by call sign, and shows no other package', async () => {
  const crew = [];
  for (const displayName of ['Maverick', 'Goose', 'Iceman', 'Jester', 'Merlin']) {
    const pilot = await givenPerson(service, { displayName });
    await givenAlwaysFree(service, pilot.id);
    crew.push(pilot);
  }
  const { mission } = await givenMissionIn(service, admin, 30, {
    aircraftSlots: [
      { aircraftId: F16, slotCount: 2, side: 0, notes: 'SEAD' },
      { aircraftId: 3, slotCount: 2, side: 0, notes: 'Strike' },
      { aircraftId: F16, slotCount: 1, side: 1, notes: 'CAP' },
    ],
  });
  const held = await Promise.all(crew.map(async (pilot) => ({ pilot, order: await placeOf(pilot) })));
  const [reader, nameless, undecided, gone] = held.filter(({ order }) => order.side === 0);
  const enemy = held.find(({ order }) => order.side === 1);
  if (!reader || !nameless || !undecided || !gone || !enemy) throw new Error('four seats against one');
  await set(sql`update app_user set display_name = null where id = ${nameless.pilot.id}`);
  for (const { pilot, order } of [reader, nameless, enemy]) await respond(pilot, order, 'accepted');
  await respond(gone.pilot, gone.order, 'declined');

  const { packages } = await boardOf(mission.id, 30);
  const own = packages.find(({ flights }: { flights: Flight[] }) =>
    flights.some(({ callsign }) => callsign === reader.order.flightCallsign),
  );
  const seated = [
    { ...reader.order, name: reader.pilot.displayName },
    { ...nameless.order, name: 'Pilot' },
  ];
  const shown = await read(reader.pilot, reader.order);
  expect(shown.package.composition).toEqual(
    own.flights.map(({ callsign, aircraftName, sizeCap, radioFreq }: Flight) => ({
      callsign,
      aircraftName,
      seats: sizeCap,
      radioFreq,
      pilots: Array.from(
        { length: sizeCap },
        (_, seat) =>
          seated.find(({ flightCallsign, seatIndex }) => flightCallsign === callsign && seatIndex === seat)?.name ??
          null,
      ),
    })),
  );
  const words = JSON.stringify(shown);
  for (const hidden of [
    '@',
    enemy.order.flightCallsign,
    ...[undecided, gone, enemy].map(({ pilot }) => pilot.displayName),
  ]) {
    expect(words).not.toContain(hidden);
  }
  expect((await reader.pilot.client.call('GET', '/pilot/inbox/accepted')).body).toEqual([shown]);
});

test('an accepted order is the same by itself and among the accepted missions', async () => {
  const pilot = await givenPilot(service, F16);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  const accepted = await pilot.client.call('GET', '/pilot/inbox/accepted');
  expect(accepted.body).toEqual([await read(pilot, order)]);
});

test.each([
  [
    'declined',
    'issued',
    null,
    (_id: string, pilot: Person, order: { id: string }) => respond(pilot, order, 'declined'),
  ],
  [
    'pending',
    'cancelled',
    'expired',
    (id: string) => set(sql`update frag_order set expires_at = now() - interval '1 minute' where id = ${id}`),
  ],
  [
    'pending',
    'cancelled',
    'mission cancelled',
    (id: string) =>
      set(sql`update frag_order set status = 'cancelled', status_reason = 'mission cancelled' where id = ${id}`),
  ],
] as const)('%s, %s because of %s, can still be read', async (rsvp, status, statusReason, bring) => {
  const pilot = await givenPilot(service, F16);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  await bring(order.id, pilot, order);
  expect(await read(pilot, order)).toMatchObject({ rsvp, status, statusReason, package: { callsign: 'ALPHA' } });
});

test('the order of another pilot is not found, not even by an admin', async () => {
  const pilot = await givenPilot(service, F16);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  const stranger = await givenPilot(service);
  for (const { client } of [stranger, admin]) {
    expect(await client.call('GET', `/pilot/inbox/${order.id}`)).toMatchObject({
      status: 404,
      body: { message: 'Frag order not found' },
    });
  }
});

test('the OpenAPI document describes one order as it describes an accepted mission', async () => {
  const { body } = await admin.client.call('GET', '/openapi.json');
  const answerOf = (path: string) => body.paths[path].get.responses[200].content['application/json'].schema;
  expect(answerOf('/pilot/inbox/{id}')).toEqual(answerOf('/pilot/inbox/accepted').items);
  expect(answerOf('/pilot/inbox/{id}')).toEqual({ $ref: '#/components/schemas/AcceptedMission' });
  expect(body.components.schemas.AcceptedMission.required).toContain('package');
});

test('the OpenAPI document describes the files as they are served', async () => {
  const pilot = await givenPilot(service, F16);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  const { body: feed } = await pilot.client.call('POST', '/pilot/calendar');
  const token = new URL(feed.url).pathname.replace(/^.*\/(.+)\.ics$/, '$1');
  const { paths } = (await admin.client.call('GET', '/openapi.json')).body;
  for (const [path, type, names] of [
    ['/pilot/inbox/{id}/kneeboard.png', 'image/png', ['id', 'scheme']],
    ['/pilot/inbox/{id}/calendar.ics', 'text/calendar', ['id']],
    ['/calendar/{token}.ics', 'text/calendar', ['token']],
  ] as const) {
    const { parameters, responses } = paths[path].get;
    expect(Object.keys(responses[200].content)).toEqual([type]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '304', '404', '500']));
    const own = parameters.filter((parameter: { $ref?: string }) => parameter.$ref === undefined);
    expect(own.map(({ name }: { name: string }) => name)).toEqual(names);
    for (const parameter of own) {
      expect(parameter).toMatchObject(
        path.includes(`{${parameter.name}}`) ? { in: 'path', required: true } : { in: 'query', required: false },
      );
    }
    const filled = path.replace('{id}', order.id).replace('{token}', token);
    const answer = await fetch(`${service.url}/api/v1${filled}`, { headers: { cookie: pilot.client.cookie() } });
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
  }
});
