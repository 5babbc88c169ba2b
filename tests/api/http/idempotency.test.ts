/** Idempotency-Key on every call that creates, and on answers: a request sent twice runs once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { seatIn } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const count = async (from: ReturnType<typeof sql>): Promise<number> =>
  Number((await query<{ n: string }>(service.app.orm.em.fork(), sql`select count(*) as n from ${from}`))[0]?.n);

interface Create {
  person: Person;
  path: string;
  body: Record<string, unknown>;
  /** rows that exist afterwards */
  rows: () => Promise<number>;
}

const template = { name: 'Week', slots: [{ weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0 }] };

const CREATES: Record<string, () => Promise<Create>> = {
  'a template': async () => {
    const person = await givenPerson(service);
    const rows = () => count(sql`availability_template where user_id = ${person.id}`);
    return { person, path: `/users/${person.id}/availability/templates`, body: template, rows };
  },
  'a template of another pilot, by an admin': async () => {
    const { id } = await givenPerson(service);
    const rows = () => count(sql`availability_template where user_id = ${id}`);
    return { person: admin, path: `/users/${id}/availability/templates`, body: template, rows };
  },
  'an exception': async () => {
    const person = await givenPerson(service);
    const times = { startLocal: '18:00', endLocal: '20:00' };
    return {
      person,
      path: `/users/${person.id}/availability/overrides`,
      body: { dateLocal: '2099-01-01', kind: 'unavailable', ...times },
      rows: () => count(sql`availability_override where user_id = ${person.id}`),
    };
  },
  'a mission': async () => ({
    person: admin,
    path: '/admin/missions',
    body: {
      name: 'Op Once',
      theater: 'Kola',
      startLocal: hoursFromNow(700),
      endLocal: hoursFromNow(702),
      timeZone: 'UTC',
      aircraftSlots: [{ aircraftId: 9, slotCount: 1, side: 0, notes: 'CAP' }],
    },
    rows: () => count(sql`mission where name = 'Op Once'`),
  }),
  'a seat': async () => {
    const aircraftSlots = [{ aircraftId: 31, slotCount: 1, side: 0 as const, notes: 'CAP' as const }];
    const { mission } = await givenMissionIn(service, admin, 720, { aircraftSlots });
    const person = await givenPilot(service, 31);
    const body = await seatIn(admin, mission.id);
    const rows = () => count(sql`frag_order where pilot_id = ${person.id}`);
    return { person, path: '/pilot/seats', body, rows };
  },
  'an aircraft type': async () => {
    const name = `P-51D ${newKey()}`;
    const body = { code: name, name, seats: 1, roles: ['CAP'] };
    return { person: admin, path: '/admin/aircraft', body, rows: () => count(sql`aircraft where name = ${name}`) };
  },
  'a mission template': async () => {
    const { mission } = await givenMissionIn(service, admin, 760, {});
    const body = { name: `Once ${newKey()}`, missionId: mission.id };
    const rows = () => count(sql`mission_template where name = ${body.name}`);
    return { person: admin, path: '/admin/mission-templates', body, rows };
  },
  'a series': async () => {
    const firstDate = `${2040 + (keys += 1)}-01-01`;
    const rows = () => count(sql`mission_series where first_date = ${firstDate}`);
    return { person: admin, path: '/admin/series', body: { templateId: 'starter-training', firstDate }, rows };
  },
  'a webhook': async () => ({
    person: admin,
    path: '/admin/webhooks',
    body: { url: 'https://marshal.receiver.invalid/once', events: ['order.issued'] },
    rows: () => count(sql`webhook where url like '%/once'`),
  }),
  'a test of a webhook': async () => {
    const hook = { url: 'https://marshal.receiver.invalid/tested', events: ['order.issued'] };
    const { body } = await admin.client.call('POST', '/admin/webhooks', hook);
    const rows = () => count(sql`delivery where webhook_id = ${body.id}`);
    return { person: admin, path: `/admin/webhooks/${body.id}/test`, body: {}, rows };
  },
  'a swap': async () => {
    await retirePilots(service);
    const [person, other] = [await givenPilot(service), await givenPilot(service)];
    const aircraftSlots = [{ aircraftId: 2, slotCount: 2, side: 0 as const, notes: 'CAP' as const }];
    await givenMissionIn(service, admin, 740, { aircraftSlots });
    const orders = [await orderOf(person), await orderOf(other)] as const;
    await respond(person, orders[0], 'Accepted');
    await respond(other, orders[1], 'Accepted');
    return {
      person,
      path: `/pilot/inbox/${orders[0].id}/swaps`,
      body: { withOrderId: orders[1].id },
      rows: () => count(sql`seat_swap where order_id = ${orders[0].id}`),
    };
  },
};

let keys = 0;
const newKey = () => `key-${(keys += 1)}`;
const send = ({ person, path, body }: Create, key: string) =>
  person.client.call('POST', path, body, { 'idempotency-key': key });

describe.each(Object.entries(CREATES))('%s', (_name, given) => {
  test('is made once by requests with one key, one after the other and at once', async () => {
    const create = await given();
    const key = newKey();
    const first = await send(create, key);
    expect([first.status, first.body.message]).toEqual([201, undefined]);
    const repeated = await Promise.all([1, 2, 3].map(() => send(create, key)));
    expect(repeated.map(({ status, body }) => [status, body])).toEqual(repeated.map(() => [201, first.body]));
    expect(await create.rows()).toBe(1);
  });

  test('a key is for one request', async () => {
    const create = await given();
    const key = newKey();
    const own = `/users/${create.person.id}/availability/overrides`;
    const other = { dateLocal: '2098-01-01', kind: 'available', startLocal: '10:00', endLocal: '11:00' };
    expect((await create.person.client.call('POST', own, other, { 'idempotency-key': key })).status).toBe(201);
    const { status, body } = await send(create, key);
    expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await send(create, newKey())).status).toBe(201);
  });
});

test('a refused request uses up no key', async () => {
  const create = await CREATES['a template']?.();
  if (!create) throw new Error('unknown');
  const key = newKey();
  expect((await send({ ...create, body: { ...template, slots: 'none' } }, key)).status).toBe(400);
  expect((await send(create, key)).status).toBe(201);
});

test('two people may use the same key', async () => {
  const key = newKey();
  for (let person = 0; person < 2; person += 1) {
    const create = await CREATES['a template']?.();
    if (!create) throw new Error('unknown');
    expect((await send(create, key)).status).toBe(201);
    expect(await create.rows()).toBe(1);
  }
});

test('an answer that is repeated under its key gets its first outcome, and undoes no later answer', async () => {
  await retirePilots(service);
  const person = await givenPilot(service);
  await givenMissionIn(service, admin, 780, {
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0 as const, notes: 'CAP' as const }],
  });
  const { id } = await orderOf(person);
  const answer = (response: string, key: string) =>
    person.client.call('POST', `/pilot/inbox/${id}/rsvp`, { response }, { 'idempotency-key': key });
  const [key, later] = [newKey(), newKey()];
  const first = await answer('accepted', key);
  expect([first.status, first.body.rsvp, first.body.confirmedAt]).toEqual([200, 'accepted', null]);
  // at once, as two tabs do
  const repeated = await Promise.all([1, 2, 3].map(() => answer('accepted', key)));
  expect(repeated.map(({ body }) => body)).toEqual(repeated.map(() => first.body));
  expect((await person.client.call('GET', `/pilot/inbox/${id}`)).body.confirmedAt).toBeNull();
  expect((await answer('declined', later)).status).toBe(200);
  expect((await answer('accepted', key)).body).toEqual(first.body);
  expect((await person.client.call('GET', `/pilot/inbox/${id}`)).body.rsvp).toBe('declined');
  expect((await answer('standby', key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('by tRPC a key counts for a single call, and a batch with one is refused', async () => {
  const { client, id } = await givenPerson(service);
  const post = async (procedures: string, inputs: unknown) => {
    const response = await fetch(`${service.url}/trpc/${procedures}?batch=1`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: service.url,
        cookie: client.cookie(),
        'idempotency-key': 'batched',
      },
      body: JSON.stringify(inputs),
    });
    return { status: response.status, body: await response.json() };
  };
  const create = { id, ...template, isActive: false };
  const call = 'availability.createTemplate';
  const refused = await post(`${call},${call}`, { 0: create, 1: create });
  expect([refused.status, Object(refused.body).error.message]).toEqual([
    400,
    'An Idempotency-Key is for one call; please send this call without a batch',
  ]);
  const [first, second] = [await post(call, { 0: create }), await post(call, { 0: create })];
  expect([first.status, second]).toEqual([200, first]);
  expect(await count(sql`availability_template where user_id = ${id}`)).toBe(1);
});
