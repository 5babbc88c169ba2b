/** Concurrent requests: one winner, a sentence for the others, and consistent rows afterwards. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenCrowd, givenSharedOffers } from '#tests/harness/crowd.ts';
import { inDrill } from '#tests/harness/drills.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  PASSWORD,
  type Person,
} from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { createClient, startService, type Answer, type Service } from '#tests/harness/service.ts';
import { ask } from '#tests/harness/transports.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await findBreaches(service)).toEqual([]);
});

/** The number of replies by status. */
const tally = (replies: readonly { status: number }[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [status, all.length]));

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

describe('200 pilots accept the last seat at once', () => {
  test.each([1, 2, 3, 4, 5].slice(0, inDrill(5, 2)))(
    'round %i: one has it, 199 get the sentence that it is taken',
    async () => {
      const soon = { startLocal: hoursFromNow(1), endLocal: hoursFromNow(2) };
      const { mission } = await givenMission(service, admin, soon);
      const pilots = await givenCrowd(service, 200);
      const orders = await givenSharedOffers(service, mission.id, pilots);
      const began = performance.now();
      const replies = await Promise.all(
        pilots.map(({ cookie }, index) =>
          ask(service, 'rest', 'pilot.rsvp', { id: orders[index], response: 'accepted' }, cookie),
        ),
      );
      const took = performance.now() - began;
      expect(tally(replies)).toEqual({ 200: 1, 409: 199 });
      const winner = replies.findIndex(({ status }) => status === 200);
      const losers = new Set(replies.filter(({ status }) => status === 409).map(({ message }) => message));
      expect([...losers]).toEqual(['This seat has been taken by another pilot.']);
      const seats = await rows<{ pilot: string; rsvp: string; order: string }>(
        sql`select s.pilot_id as pilot, o.rsvp, s.order_id as order from seat s join frag_order o on o.id = s.order_id
          where s.mission_id = ${mission.id}`,
      );
      expect(seats).toEqual([{ pilot: pilots[winner]?.id, rsvp: 'accepted', order: orders[winner] }]);
      expect(took).toBeLessThan(10_000);
    },
  );
});

/** Pilots who can always fly, found by the seating. */
const givenPilots = async (count: number): Promise<Person[]> => {
  const pilots: Person[] = [];
  for (let index = 0; index < count; index += 1) {
    const pilot = await givenPerson(service);
    await givenAlwaysFree(service, pilot.id);
    pilots.push(pilot);
  }
  return pilots;
};
/** Nobody else's tests may seat them. */
const retire = (pilots: readonly Person[]) =>
  rows(sql`update app_user set roles = '{}' where id = any(${pilots.map(({ id }) => id)}::uuid[])`);

const ordersOf = async ({ client }: Person): Promise<{ id: string; missionId: string; rsvp: string }[]> =>
  (await client.call('GET', '/pilot/inbox?includeCompleted=true')).body;
const respond = ({ client }: Person, id: string | undefined, response: string): Promise<Answer> =>
  client.call('POST', `/pilot/inbox/${id}/rsvp`, { response });

test('one pilot sends the same answer 50 times at once: all succeed and one seat is held', async () => {
  const [pilot] = await givenPilots(1);
  if (!pilot) throw new Error('no pilot');
  const { mission } = await givenMission(service, admin);
  const [order] = await ordersOf(pilot);
  for (const response of ['accepted', 'declined', 'accepted']) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => respond(pilot, order?.id, response)));
    expect(tally(answers)).toEqual({ 200: 50 });
    const seats = await rows(sql`select 1 from seat where mission_id = ${mission.id}`);
    expect(seats).toHaveLength(response === 'declined' ? 0 : 1);
  }
  await retire([pilot]);
});

test('pilots accept, decline and stand by in any order while seats are passed on: nobody is seated twice', async () => {
  const pilots = await givenPilots(10);
  await rows(
    sql`insert into pilot_status (user_id, state, minutes, expires_at, updated_at)
        select id, 'now', 480, now() + interval '8 hours', now() from unnest(${pilots.map(({ id }) => id)}::uuid[]) as id`,
  );
  // a day and more ahead standbys are seated at once, closer they are asked, in the last hours all are
  for (const hours of [30, 12, 1]) {
    await givenMission(service, admin, {
      startLocal: hoursFromNow(hours),
      endLocal: hoursFromNow(hours + 1),
      aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'CAP' }],
    });
  }
  const ANSWERS = ['accepted', 'declined', 'standby'] as const;
  const statuses = new Set<number>();
  for (let round = 0; round < inDrill(8, 4); round += 1) {
    const answers = await Promise.all(
      pilots.map(async (pilot, index) => {
        const orders = await ordersOf(pilot);
        return Promise.all(
          orders.map(({ id }, which) =>
            respond(pilot, id, ANSWERS[(round * 7 + index * 5 + which * 3) % 3] ?? 'accepted'),
          ),
        );
      }),
    );
    for (const { status } of answers.flat()) statuses.add(status);
    expect(await findBreaches(service)).toEqual([]);
  }
  expect([...statuses].filter((status) => ![200, 409, 410].includes(status))).toEqual([]);
  expect(statuses).toContain(200);
  expect(statuses).toContain(409);
  await retire(pilots);
}, 60_000);

test('two admins plan overlapping missions with the same pilots at once: nobody is in both', async () => {
  const other = await givenAdmin(service);
  await rows(sql`update app_user set roles = '{admin}' where id in (${admin.id}, ${other.id})`);
  const pilots = await givenPilots(6);
  for (let round = 0; round < 3; round += 1) {
    const body = (name: string, shift: number) => ({
      name,
      theater: 'Syria',
      startLocal: hoursFromNow(40 + round * 10 + shift),
      endLocal: hoursFromNow(43 + round * 10 + shift),
      timeZone: 'UTC',
      aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'CAP' }],
    });
    const answers = await Promise.all([
      admin.client.call('POST', '/admin/missions', body('North', 0)),
      other.client.call('POST', '/admin/missions', body('South', 1)),
      admin.client.call('POST', '/admin/missions', body('East', 2)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(answers.reduce((sum, { body: { issued } }) => sum + issued.orders, 0)).toBe(6);
    expect(answers.reduce((sum, { body: { issued } }) => sum + issued.openSeats, 0)).toBe(6);
    const callsigns = await rows<{ callsign: string }>(
      sql`select callsign from flight where mission_id = any(${answers.map((answer) => answer.body.mission.id)}::uuid[])`,
    );
    expect(new Set(callsigns.map(({ callsign }) => callsign)).size).toBe(callsigns.length);
    expect(await findBreaches(service)).toEqual([]);
  }
  await retire(pilots);
});

test('a pilot accepts in two overlapping missions at once: one seat, and the other answer names the first mission', async () => {
  const pilots = await givenPilots(1);
  const [pilot] = pilots;
  if (!pilot) throw new Error('no pilot');
  const [crowdPilot] = await givenCrowd(service, 1);
  if (!crowdPilot) throw new Error('no pilot');
  await retire(pilots);
  for (let round = 0; round < inDrill(10, 4); round += 1) {
    const at = { startLocal: hoursFromNow(1 + 3 * round), endLocal: hoursFromNow(3 + 3 * round) };
    const names = [`North ${round}`, `South ${round}`];
    const orders: string[] = [];
    for (const name of names) {
      const { mission } = await givenMission(service, admin, { ...at, name });
      orders.push(...(await givenSharedOffers(service, mission.id, [crowdPilot])));
    }
    const replies = await Promise.all(
      orders.map((id) => ask(service, 'rest', 'pilot.rsvp', { id, response: 'accepted' }, crowdPilot.cookie)),
    );
    expect(tally(replies)).toEqual({ 200: 1, 409: 1 });
    const winner = names[replies.findIndex(({ status }) => status === 200)];
    expect(replies.find(({ status }) => status === 409)?.message).toBe(
      `You already hold a seat in "${winner}" at that time.`,
    );
  }
});

test('two admins remove the role from each other, many rounds: there is always an admin', async () => {
  const rivals = await Promise.all([givenPerson(service), givenPerson(service)]);
  const ids = rivals.map(({ id }) => id);
  await rows(sql`update app_user set roles = '{user}' where 'admin' = any(roles)`);
  for (let round = 0; round < inDrill(50, 15); round += 1) {
    await rows(sql`update app_user set roles = '{admin,user}' where id = any(${ids}::uuid[])`);
    const answers = await Promise.all(
      rivals.map(({ client }, index) => client.call('DELETE', `/admin/users/${ids[1 - index]}/roles/admin`)),
    );
    expect(tally(answers)).toEqual({ 200: 1, 403: 1 });
    const [count] = await rows<{ admins: number }>(
      sql`select count(*)::int as admins from app_user where 'admin' = any(roles)`,
    );
    expect(count?.admins).toBe(1);
  }
  await rows(sql`update app_user set roles = '{admin,user}' where id = ${admin.id}`);
});

test('100 registrations of one address, in any case, at once: one account', async () => {
  const visitors = Array.from({ length: 100 }, (_, index) => ({
    client: createClient(service),
    email: index % 2 === 0 ? 'Bandit@Example.org' : 'bandit@example.ORG',
  }));
  const register = ({ client, email }: (typeof visitors)[number]) =>
    client.call('POST', '/auth/register', { email, password: PASSWORD, confirmPassword: PASSWORD });
  const done: Answer[] = [];
  let waiting = visitors;
  // the password hasher refuses requests beyond its queue; a retry gets an answer
  while (waiting.length > 0) {
    const answers = await Promise.all(waiting.map(register));
    done.push(...answers.filter(({ status }) => status !== 429));
    waiting = waiting.filter((_, index) => answers[index]?.status === 429);
  }
  expect(tally(done)).toEqual({ 201: 1, 409: 99 });
  const taken = new Set(done.filter(({ status }) => status === 409).map(({ body }) => body.message));
  expect([...taken]).toEqual(['An account with this email already exists']);
  expect(await rows(sql`select 1 from app_user where email_key = 'bandit@example.org'`)).toHaveLength(1);
});

test('20 active templates saved at once: all are kept and one is active', async () => {
  const pilot = await givenPerson(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, { name: `T ${index}`, slots: [] }),
    ),
  );
  expect(tally(answers)).toEqual({ 201: 20 });
  const { body } = await pilot.client.call('GET', `/users/${pilot.id}/availability/templates`);
  expect(body).toHaveLength(20);
  expect(body.filter(({ isActive }: { isActive: boolean }) => isActive)).toHaveLength(1);
});

describe('an Idempotency-Key', () => {
  const body = {
    name: 'Once',
    theater: 'Kola',
    timeZone: 'UTC',
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
  };
  const times = { startLocal: hoursFromNow(300), endLocal: hoursFromNow(302) };
  const create = (key: string, change: object = {}, person = admin) =>
    person.client.call('POST', '/admin/missions', { ...body, ...times, ...change }, { 'idempotency-key': key });
  const countMissions = async (name: string) => (await rows(sql`select 1 from mission where name = ${name}`)).length;

  test('creates one mission for ten simultaneous requests, with the same answer ten times', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('key-1')));
    expect(tally(answers)).toEqual({ 201: 10 });
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await countMissions('Once')).toBe(1);
    expect((await create('key-1')).body).toEqual(answers[0]?.body);
  });

  test('of a different request is refused, and nothing is created', async () => {
    expect(await create('key-1', { name: 'Twice' })).toMatchObject({
      status: 422,
      body: { message: 'This Idempotency-Key was used with another request' },
    });
    expect(await countMissions('Twice')).toBe(0);
  });

  test('is per admin, and the key of a refused request stays free', async () => {
    const other = await givenAdmin(service);
    expect((await create('key-1', { name: 'Theirs' }, other)).status).toBe(201);
    expect((await create('key-2', { endLocal: times.startLocal })).status).toBe(400);
    expect((await create('key-2', { name: 'Corrected' })).status).toBe(201);
  });

  test('that cannot be stored is refused', async () => {
    for (const key of ['x'.repeat(256), 'with blank']) {
      expect(await create(key)).toMatchObject({
        status: 400,
        body: { message: 'The Idempotency-Key must be 1 to 255 printable characters' },
      });
    }
  });
});
