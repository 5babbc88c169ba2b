/** Live updates: recipients of each topic, and the end of streams; two processes on one database. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publishLive, LIVE_CHANNEL } from '#server/signals/live-signals.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { LIVE_PATH, type LiveTopic } from '#shared/live.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { createClient, sessionOf, startService, type Service } from '#tests/harness/service.ts';
import { openStream, type Stream } from '#tests/harness/stream.ts';

let here: Service;
let there: Service;
let admin: Person;
const open: Stream[] = [];

beforeAll(async () => {
  here = await startService();
  there = await startService({ beside: here });
  admin = await givenAdmin(here);
});
afterAll(async () => {
  await there.stop();
  await here.stop();
});
afterEach(async () => {
  for (const stream of open.splice(0)) stream.close();
  await retirePilots(here);
});

/** Versions of marker events: once one arrives, all earlier events have arrived, because notifications keep their order. */
const marks = new Set<number>();

async function markFor(ids: string[]): Promise<number> {
  const version = await transact(here.app.orm.em, async (tx) => {
    await publishLive(tx, [['orders', ids]], []);
    const [row] = await query<{ version: number }>(tx, sql`select pg_current_xact_id()::text::float8 as version`);
    return row?.version ?? 0;
  });
  marks.add(version);
  return version;
}

/** A stream that receives all events from now on, and none from before. */
async function listen(service: Service, { id, client }: Pick<Person, 'id' | 'client'>): Promise<Stream> {
  const stream = await openStream(service, client.cookie());
  open.push(stream);
  await stream.next('all');
  // earlier events may still be on their way to this process
  await stream.before(await markFor([id]));
  return stream;
}

/**
 * The events of the streams, once all earlier signals have arrived. Leaves the counters out, which all streams receive and
 * may still come from an earlier test.
 */
async function heard(...streams: readonly (readonly [Stream, Pick<Person, 'id'>])[]): Promise<LiveTopic[][]> {
  const mark = await markFor(streams.map(([, { id }]) => id));
  const events = await Promise.all(streams.map(([stream]) => stream.before(mark)));
  return events.map((ofStream) =>
    ofStream.filter(({ topic, version }) => topic !== 'stats' && !marks.has(version)).map(({ topic }) => topic),
  );
}

const run = (statement: Parameters<typeof query>[1]) => query(here.app.orm.em.fork(), statement);

describe('the answer', () => {
  test('is an event stream that nobody may store, compress or collect', async () => {
    const pilot = await givenPerson(here);
    const stream = await listen(here, pilot);
    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(stream.headers.get('content-encoding')).toBeNull();
    // two to five seconds, each page its own
    const retry = Number(/^retry: (\d+)\n\n/.exec(stream.text())?.[1]);
    expect(retry).toBeGreaterThanOrEqual(2_000);
    expect(retry).toBeLessThanOrEqual(5_000);
  });

  test.each([
    ['a visitor', () => Promise.resolve(''), 401, 'NOT_AUTHENTICATED', 'User not authenticated'],
    [
      'a session that is none',
      () => Promise.resolve(`session=${'a'.repeat(40)}`),
      401,
      'NOT_AUTHENTICATED',
      'User not authenticated',
    ],
    [
      'a suspended account',
      async () => (await givenPerson(here, { roles: [] })).client.cookie(),
      403,
      'SUSPENDED',
      'Your account is suspended. Please ask an admin.',
    ],
  ])('refuses %s', async (_who, cookieOf, status, code, message) => {
    const response = await fetch(`${here.url}${LIVE_PATH}`, { headers: { cookie: await cookieOf() } });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ code, message });
  });

  test('to HEAD has no body and ends', async () => {
    const { client } = await givenPerson(here);
    const response = await fetch(`${here.url}${LIVE_PATH}`, { method: 'HEAD', headers: { cookie: client.cookie() } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('carries topics and versions, and no content', async () => {
    const pilot = await givenPilot(here);
    const stream = await listen(here, pilot);
    await givenMission(here, admin, { name: 'Op Secret' });
    await stream.next('orders');
    const lines = stream
      .text()
      .split('\n')
      .filter((line) => line.startsWith('data: '));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^data: \{"topic":"[a-z]+","version":\d+\}$/);
  });
});

describe('between two processes', () => {
  test('a mission created in one reaches the seated pilot and the admins in the other, and nobody else', async () => {
    const pilot = await givenPilot(here);
    const bystander = await givenPerson(here);
    const streams = [
      [await listen(there, pilot), pilot],
      [await listen(there, bystander), bystander],
      [await listen(there, admin), admin],
      [await listen(here, pilot), pilot],
    ] as const;
    const { issued } = await givenMission(here, admin);
    expect(issued.orders).toBe(1);
    expect(await heard(...streams)).toEqual([['orders'], [], ['missions'], ['orders']]);
  });

  test('an answer reaches the other pages of the pilot, and a seat given back reaches the next pilot', async () => {
    const first = await givenPilot(here);
    await givenMissionIn(here, admin, 30);
    const order = await orderOf(first);
    const next = await givenPilot(here);
    const [mine, theirs] = [await listen(there, first), await listen(there, next)];
    expect((await respond(first, order, 'declined')).status).toBe(200);
    expect(await heard([mine, first], [theirs, next])).toEqual([['orders'], ['orders']]);
    expect(await orderOf(next)).toMatchObject({ missionId: order.missionId });
  });

  test('an expired order reaches its pilot, whatever detects the expiry', async () => {
    const pilot = await givenPilot(here);
    await givenMissionIn(here, admin, 30);
    const order = await orderOf(pilot);
    const stream = await listen(there, pilot);
    await run(sql`update frag_order set expires_at = now() - interval '1 minute' where id = ${order.id}`);
    expect((await respond(pilot, order, 'accepted')).status).toBe(410);
    expect(await heard([stream, pilot])).toEqual([['orders']]);
  });

  test('a taken shared offer reaches the pilots who were slower', async () => {
    const [quick, slow] = [await givenPilot(here), await givenPilot(here)];
    for (const { id, client } of [quick, slow]) {
      await client.call('PUT', `/users/${id}/status`, { state: 'now', minutes: 480 });
    }
    const holder = await givenPilot(here);
    await givenMissionIn(here, admin, 1);
    const offers = await Promise.all([quick, slow, holder].map(orderOf));
    const seated = [quick, slow, holder].find((_, index) => offers[index] !== undefined);
    if (!seated) throw new Error('nobody was seated');
    const others = [quick, slow].filter((pilot) => pilot !== seated);
    await respond(seated, await orderOf(seated), 'declined');
    const [winner, ...losers] = others;
    if (!winner) throw new Error('nobody is left');
    const pages = await Promise.all(losers.map(async (pilot) => [await listen(there, pilot), pilot] as const));
    expect((await respond(winner, await orderOf(winner), 'accepted')).status).toBe(200);
    expect(await heard(...pages)).toEqual(losers.map(() => ['orders']));
  });

  test('a move of the standby queue reaches everybody in it', async () => {
    const pilot = await givenPilot(here);
    await givenMissionIn(here, admin, 30);
    const waiting = await givenPilot(here);
    const order = await orderOf(pilot);
    // the freed seat is offered to the second pilot, who joins the queue as well
    await respond(pilot, order, 'standby');
    const stream = await listen(there, pilot);
    await respond(waiting, await orderOf(waiting), 'standby');
    expect((await heard([stream, pilot]))[0]).toContain('orders');
  });
});

/** Actions of a user, and the topics that their other pages receive. */
const CHANGES: readonly [what: string, act: (pilot: Person) => Promise<unknown>, topics: LiveTopic[]][] = [
  ['the stoplight', ({ id, client }) => client.call('PUT', `/users/${id}/status`, { state: 'dnd' }), ['status']],
  ['a template', ({ id }) => givenAlwaysFree(here, id), ['availability']],
  [
    'call sign or zone',
    ({ id, client }) => client.call('PUT', `/users/${id}`, { displayName: 'Viper', timeZone: 'Asia/Tokyo' }),
    ['profile', 'availability'],
  ],
  [
    'the level in an aircraft',
    ({ id, client }) => client.call('PUT', `/users/${id}/proficiencies/2`, { level: 'expert' }),
    ['profile'],
  ],
  ['a role', ({ id }) => admin.client.call('POST', `/admin/users/${id}/roles`, { role: 'admin' }), ['profile']],
];

test.each(CHANGES)('a change of %s reaches the pages of that user alone', async (_what, act, topics) => {
  const [pilot, other] = [await givenPerson(here), await givenPerson(here)];
  const [mine, theirs] = [await listen(there, pilot), await listen(there, other)];
  await act(pilot);
  expect(await heard([mine, pilot], [theirs, other])).toEqual([topics, []]);
});

test.each<[what: string, act: (pilot: Person) => Promise<unknown>]>([
  ['the stoplight', ({ id, client }) => client.call('PUT', `/users/${id}/status`, { state: 'dnd' })],
  ['a template', ({ id }) => givenAlwaysFree(here, id)],
  [
    'a dated exception',
    ({ id, client }) =>
      client.call('POST', `/users/${id}/availability/overrides`, {
        dateLocal: '2099-08-01',
        kind: 'unavailable',
        startLocal: '00:00',
        endLocal: '00:00',
      }),
  ],
  [
    'the zone',
    ({ id, client }) => client.call('PUT', `/users/${id}`, { displayName: 'Viper', timeZone: 'Asia/Tokyo' }),
  ],
])('the boards of the admins hear when pilots can fly: %s', async (_what, act) => {
  const [pilot, board] = [await givenPerson(here), await givenAdmin(here)];
  const stream = await listen(there, board);
  await act(pilot);
  expect(await heard([stream, board])).toEqual([['missions']]);
});

test('a new admin gets the topics of the boards from then on', async () => {
  const pilot = await givenPerson(here);
  const stream = await listen(there, pilot);
  await admin.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'admin' });
  await stream.next('profile');
  await there.app.live.check();
  await givenMission(here, admin, { publish: false });
  await stream.next('missions');
});

test('changes of the public counters reach everybody, bundled when they follow closely', async () => {
  const pilot = await givenPerson(here);
  // a separate process, because the others may still be delaying signals after an earlier test
  const third = await startService({ beside: here });
  const stream = await listen(third, pilot);
  const password = 'correct horse battery';
  const account = { email: 'newcomer@example.org', password, confirmPassword: password };
  expect((await createClient(here).call('POST', '/auth/register', account)).status).toBe(201);
  for (let again = 0; again < 3; again += 1) {
    await transact(here.app.orm.em, (tx) => publishLive(tx, ['stats'], []));
  }
  await heard([stream, pilot]);
  const countersHeard = () => stream.events.filter(({ topic }) => topic === 'stats').length;
  expect(countersHeard()).toBe(1);
  await stream.next('stats');
  await stream.next('stats');
  expect(countersHeard()).toBe(2);
  await third.stop();
});

test('a transaction that is rolled back sends no event', async () => {
  const pilot = await givenPerson(here);
  const stream = await listen(there, pilot);
  const failed = transact(here.app.orm.em, async (tx) => {
    await publishLive(tx, [['orders', [pilot.id]]], []);
    throw new Error('on purpose');
  });
  await expect(failed).rejects.toThrow('on purpose');
  expect(await heard([stream, pilot])).toEqual([[]]);
});

test('a change is one event for any number of pilots and statements', async () => {
  const crowd = await givenCrowd(here, 400);
  const last = crowd.at(-1);
  if (!last) throw new Error('nobody');
  const stream = await openStream(there, last.cookie);
  open.push(stream);
  await stream.next('all');
  const ids = crowd.map(({ id }) => id);
  // 400 ids are three times the size of one notification
  await transact(here.app.orm.em, async (tx) => {
    for (let times = 0; times < 3; times += 1) await publishLive(tx, [['orders', ids]], []);
    await publishLive(tx, [['status', [last.id]]], []);
  });
  await stream.next('status');
  expect(stream.events.map(({ topic }) => topic)).toEqual(['all', 'orders', 'status']);
});

describe('a lost connection to the database', () => {
  const listeners = () =>
    run(
      sql`select pid from pg_stat_activity where application_name = ${LIVE_CHANNEL} and datname = current_database()`,
    );

  test('is restored by itself, and every page is told that it may have missed something', async () => {
    const pilot = await givenPerson(here);
    const streams = [await listen(here, pilot), await listen(there, pilot)];
    expect(await listeners()).toHaveLength(2);
    await run(sql`select pg_terminate_backend(pid) from pg_stat_activity
                  where application_name = ${LIVE_CHANNEL} and datname = current_database()`);
    await Promise.all(streams.map((stream) => stream.next('all')));
    await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
    await Promise.all(streams.map((stream) => stream.next('status')));
    expect(await listeners()).toHaveLength(2);
  });
});

describe('a stream ends', () => {
  const signIn = async ({ id, email }: Person, service = here) => {
    const client = createClient(service);
    await client.call('POST', '/auth/login', { email, password: 'correct horse battery' });
    return { id, client };
  };

  test('at a sign-out in another process, and the other sessions of the person go on', async () => {
    const pilot = await givenPerson(here);
    const other = await signIn(pilot);
    const [mine, others] = [await listen(there, pilot), await listen(there, other)];
    await pilot.client.call('POST', '/auth/logout');
    await mine.ended;
    // the page finds out at once, not after seconds
    expect(mine.text()).toMatch(/retry: 100\n\n$/);
    expect(await heard([others, pilot])).toEqual([[]]);
  });

  test.each([
    [
      'when an admin resets the password',
      ({ id }: Person) =>
        admin.client.call('POST', `/admin/users/${id}/reset-password`, { newPassword: 'battery staple 42' }),
    ],
    ['when the account is suspended', ({ id }: Person) => admin.client.call('DELETE', `/admin/users/${id}/roles/user`)],
  ])('%s', async (_when, act) => {
    const pilot = await givenPerson(here);
    const stream = await listen(there, pilot);
    expect((await act(pilot)).status).toBe(200);
    await stream.ended;
  });

  test('at the next heartbeat when the session is gone', async () => {
    const [pilot, other] = [await givenPerson(here), await givenPerson(here)];
    const [mine, theirs] = [await listen(there, pilot), await listen(there, other)];
    const token = sessionOf(pilot.client);
    await run(sql`delete from session where id = ${hashToken(token)}`);
    await there.app.live.check();
    await mine.ended;
    expect(await heard([theirs, other])).toEqual([[]]);
    expect(theirs.text()).toContain(':\n\n');
  });

  test('for the oldest of more than twelve, which then retries after an hour', async () => {
    const pilot = await givenPerson(here);
    const streams: Stream[] = [];
    for (let count = 0; count < 13; count += 1) streams.push(await listen(there, pilot));
    const [oldest, ...younger] = streams;
    await oldest?.ended;
    expect(oldest?.text()).toMatch(/retry: 3600000\n\n$/);
    expect(await heard(...younger.map((stream) => [stream, pilot] as const))).toEqual(younger.map(() => []));
  });

  test('when the service stops, which does not wait for it', async () => {
    const third = await startService({ beside: here });
    const pilot = await givenPerson(here);
    const streams = [await listen(third, pilot), await listen(third, pilot)];
    const before = performance.now();
    await third.stop();
    await Promise.all(streams.map(({ ended }) => ended));
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
