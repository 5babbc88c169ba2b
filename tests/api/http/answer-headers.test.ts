/** Headers of REST answers: where a created object is, other pages of a list, and the methods of an address. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { givenAdmin, givenPerson, hoursFromNow, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot } from '#tests/harness/orders.ts';
import { seatIn } from '#tests/harness/seats.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

describe('Location is where the created object can be read', () => {
  const follow = async (client: Person['client'], path: string, body: unknown) => {
    const made = await client.call('POST', path, body);
    const location = made.headers.get('location') ?? '';
    expect([made.status, location]).toEqual([201, expect.stringMatching(/^\/api\/v1\//)]);
    const read = await client.call('GET', location.replace('/api/v1', ''));
    return [read.status, read.body.id, made.body] as const;
  };

  test('a mission', async () => {
    const [status, id, made] = await follow(admin.client, '/admin/missions', {
      name: 'Op Here',
      theater: 'Kola',
      startLocal: hoursFromNow(90),
      endLocal: hoursFromNow(92),
      timeZone: 'UTC',
      aircraftSlots: [{ aircraftId: 9, slotCount: 1, side: 0, notes: 'CAP' }],
    });
    expect([status, id]).toEqual([200, made.mission.id]);
  });

  test('an account', async () => {
    const account = { email: 'located@example.org', password: PASSWORD, confirmPassword: PASSWORD };
    const [status, id, made] = await follow(createClient(service), '/auth/register', account);
    expect([status, id]).toEqual([200, made.id]);
  });

  test('the order of a seat', async () => {
    const aircraftSlots = [{ aircraftId: 31, slotCount: 1, side: 0 as const, notes: 'CAP' as const }];
    const { mission } = await givenMissionIn(service, admin, 300, { aircraftSlots });
    const pilot = await givenPilot(service, 31);
    const [status, id, made] = await follow(pilot.client, '/pilot/seats', await seatIn(admin, mission.id));
    expect([status, id]).toEqual([200, made.id]);
  });
});

describe('Link', () => {
  /** Addresses by relation. */
  const linksOf = (headers: Headers) =>
    Object.fromEntries(
      [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, address, relation]) => [
        relation,
        address,
      ]),
    );

  test('leads through all pages of users, with the other parameters', async () => {
    for (let pilots = 0; pilots < 4; pilots += 1) await givenPerson(service, { displayName: `Paged ${pilots}` });
    const seen: string[] = [];
    let next: string | undefined = '/api/v1/admin/users?pageSize=2&query=Paged&role=user&role=admin';
    while (next !== undefined) {
      const { body, headers } = await admin.client.call('GET', next.replace('/api/v1', ''));
      seen.push(...body.users.map(({ displayName }: { displayName: string }) => displayName));
      next = linksOf(headers).next;
    }
    expect(seen.toSorted()).toEqual(['Paged 0', 'Paged 1', 'Paged 2', 'Paged 3']);
  });

  test('names the neighbours, the first and the last page', async () => {
    const read = async (path: string) => linksOf((await admin.client.call('GET', path)).headers);
    const page = (number: number) => `/api/v1/admin/users?pageSize=2&query=Paged&page=${number}`;
    expect(await read('/admin/users?pageSize=2&query=Paged')).toEqual({ first: page(1), next: page(2), last: page(2) });
    expect(await read('/admin/users?pageSize=2&query=Paged&page=2')).toEqual({
      first: page(1),
      prev: page(1),
      last: page(2),
    });
    expect(await read('/admin/users?pageSize=2&query=Paged&page=9')).toEqual({
      first: page(1),
      prev: page(2),
      last: page(2),
    });
    expect(Object.keys(await read('/admin/audit?pageSize=1'))).toEqual(expect.arrayContaining(['first', 'last']));
    expect(await read('/admin/missions')).toEqual({});
  });
});

describe('methods', () => {
  const send = (method: string, path: string) =>
    fetch(`${service.url}/api/v1${path}`, { method, headers: { origin: service.url } });
  const ID = '0192c0de-0000-7000-8000-000000000000';

  test('every address of the table names its methods, and refuses the others', async () => {
    const paths = Map.groupBy(REST_TABLE, ([, path]) => path);
    for (const [path, rows] of paths) {
      const address = path.replace(/:\w+/g, ID);
      const allowed = (await send('OPTIONS', address)).headers.get('allow')?.split(', ') ?? [];
      expect(allowed).toEqual(expect.arrayContaining([...rows.map(([method]) => method.toUpperCase()), 'OPTIONS']));
      const refused = await send('PATCH', address);
      expect([path, refused.status, refused.headers.get('allow'), await refused.json()]).toEqual([
        path,
        405,
        allowed.join(', '),
        { code: 'METHOD_NOT_ALLOWED', message: 'This method is not available here' },
      ]);
    }
  });

  test.each([
    ['DELETE', '/pilot/inbox', 'GET, HEAD, OPTIONS'],
    ['PUT', '/admin/missions', 'GET, HEAD, POST, OPTIONS'],
    ['POST', `/pilot/inbox/${ID}/kneeboard.png`, 'GET, HEAD, OPTIONS'],
    ['POST', '/pilot/events', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('%s %s is refused with Allow: %s', async (method, path, allow) => {
    const { status, headers } = await send(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  test('OPTIONS is answered without content; an unknown address stays unknown', async () => {
    const known = await send('OPTIONS', '/stats');
    expect([known.status, known.headers.get('allow'), await known.text()]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
    for (const method of ['OPTIONS', 'PATCH', 'GET']) expect((await send(method, '/nothing')).status).toBe(404);
  });

  test('HEAD is GET without the body', async () => {
    const [head, get] = [await send('HEAD', '/stats'), await send('GET', '/stats')];
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      get.headers.get('content-length'),
      '',
    ]);
    expect((await send('HEAD', '/pilot/inbox')).status).toBe(401);
  });
});

test('every 401 says how to sign in, and no other answer does', async () => {
  const visitor = createClient(service);
  const ways = async (answers: Promise<{ status: number; headers: Headers }>[]) =>
    (await Promise.all(answers)).map(({ status, headers }) => [status, headers.get('www-authenticate')]);
  expect(
    await ways([
      visitor.call('GET', '/pilot/inbox'),
      visitor.call('GET', '/auth/me', undefined, { authorization: 'Bearer mrsh_wrong' }),
      visitor.call('POST', '/auth/login', { email: 'nobody@example.org', password: PASSWORD }),
    ]),
  ).toEqual(Array.from({ length: 3 }, () => [401, 'Bearer realm="Marshal"']));
  expect(await ways([visitor.call('GET', '/auth/viewer'), visitor.call('GET', '/nowhere')])).toEqual([
    [200, null],
    [404, null],
  ]);
});
