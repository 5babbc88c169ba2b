/** The admins' list of accounts: order, ties and search; refusals of a password reset. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenMission, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;

/** oldest first; Ops, the requesting admin, is older than all of them */
const ACCOUNTS = [
  { name: 'Zulu', email: 'b@squadron.example', roles: ['user'] },
  { name: null, email: 'Yankee@squadron.example', roles: ['user'] },
  { name: 'alpha', email: 'c@squadron.example', roles: ['admin'] },
  { name: 'Älv', email: 'd@squadron.example', roles: [] },
  { name: 'Bravo', email: 'e@squadron.example', roles: ['user'] },
  { name: 'Bravo', email: 'a@squadron.example', roles: ['admin', 'user'] },
  { name: '100%_sure', email: 'f@squadron.example', roles: ['user'] },
  { name: null, email: 'x@squadron.example', roles: ['user'] },
  // from Discord, without an address of their own
  { name: 'Delta', email: null, roles: ['user'] },
  { name: 'Charlie', email: null, roles: ['user'] },
] as const;

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  await rows(sql`update app_user set email = 'ops@squadron.example', created_at = '2026-01-01T00:00:00Z'`);
  for (const [index, { name, email: given, roles }] of ACCOUNTS.entries()) {
    const id = newId();
    const email = given ?? `${id}@discord.invalid`;
    await rows(
      sql`insert into app_user (id, email, email_key, display_name, time_zone, roles, created_at, updated_at)
          values (${id}, ${email}, ${email.toLowerCase()}, ${name}, 'UTC', ${`{${roles.join(',')}}`}::text[],
                  '2026-02-01T00:00:00Z'::timestamptz + ${index}::int * interval '1 day', now())`,
    );
  }
});
afterAll(() => service.stop());

interface Listed {
  displayName: string | null;
  email: string;
}
const list = async (search: string) => {
  const { body } = await admin.client.call('GET', `/admin/users?${search}`);
  return { total: body.total, names: body.users.map(({ displayName, email }: Listed) => displayName ?? email) };
};

const BY_NAME = ['100%_sure', 'alpha', 'Älv', 'Bravo', 'Bravo', 'Charlie', 'Delta', 'Ops', 'Zulu'];
const BY_NAME_DOWN = ['Zulu', 'Ops', 'Delta', 'Charlie', 'Bravo', 'Bravo', 'Älv', 'alpha', '100%_sure'];
const NAMELESS = ['Yankee@squadron.example', 'x@squadron.example'];
const BY_AGE = ['Ops', ...ACCOUNTS.map(({ name, email }) => name ?? email)];

test.each([
  ['by call sign as people sort, the nameless last', 'sort=displayName', [...BY_NAME, ...NAMELESS]],
  ['downwards too', 'sort=displayName&direction=desc', [...BY_NAME_DOWN, ...NAMELESS]],
  ['oldest first unless asked otherwise', '', BY_AGE],
  ['newest first', 'sort=createdAt&direction=desc', BY_AGE.toReversed()],
  [
    'by email whatever its case, those without one last, the older first',
    'sort=email',
    [
      'Bravo',
      'Zulu',
      'alpha',
      'Älv',
      'Bravo',
      '100%_sure',
      'Ops',
      'x@squadron.example',
      'Yankee@squadron.example',
    ].concat(['Delta', 'Charlie']),
  ],
])('%s', async (_rule, search, names) => {
  expect(await list(search)).toEqual({ total: 11, names });
});

test('pages of any size add up to the whole list, and accounts of one name keep their order in both directions', async () => {
  const emailsOf = async (search: string): Promise<string[]> => {
    const pages: Listed[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const { body } = await admin.client.call('GET', `/admin/users?pageSize=3&page=${page}&${search}`);
      pages.push(...body.users);
    }
    return pages.filter(({ displayName }) => displayName === 'Bravo').map(({ email }) => email);
  };
  const older = ['e@squadron.example', 'a@squadron.example'];
  expect(await emailsOf('sort=displayName')).toEqual(older);
  expect(await emailsOf('sort=displayName&direction=desc')).toEqual(older);
  expect(await list('page=5&pageSize=3')).toEqual({ total: 11, names: [] });
});

test.each([
  ['part of a call sign, in any case', 'query=BRAV', ['Bravo', 'Bravo']],
  ['part of an email', 'query=yankee%40', ['Yankee@squadron.example']],
  ['accents, in any case', 'query=%C3%A4L', ['Älv']],
  ['wildcards stand for themselves', 'query=%25_s', ['100%_sure']],
  ['not what stands in the place of an address', 'query=discord', []],
  ['a role', 'role=admin', ['Ops', 'alpha', 'Bravo']],
  ['any of several roles', 'role=admin&role=user&query=bravo', ['Bravo', 'Bravo']],
])('a search finds %s', async (_rule, search, names) => {
  expect(await list(search)).toEqual({ total: names.length, names });
});

test('a search does not match the id in a placeholder address', async () => {
  const [row] = await rows<{ email: string }>(sql`select email from app_user where display_name = 'Delta'`);
  expect(await list(`query=${row?.email.slice(0, 13)}`)).toEqual({ total: 0, names: [] });
});

test('each account has its aircraft with levels, its reliability and its last use', async () => {
  const pilot = await givenPerson(service, { displayName: 'Figures' });
  const listed = async (search: string) => (await admin.client.call('GET', `/admin/users?query=figures${search}`)).body;
  expect((await listed('')).users).toMatchObject([{ aircraft: [], reliability: null, lastSeenAt: null }]);
  expect((await listed('&noAircraft=true')).total).toBe(1);
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/3`, { level: 'learning' });
  const [user] = (await listed('')).users;
  expect(user.aircraft).toEqual([
    { name: 'A-10C II Warthog', level: 'learning' },
    { name: 'F-16C Viper', level: 'expert' },
  ]);
  expect(Math.abs(Date.now() - Date.parse(user.lastSeenAt))).toBeLessThan(60_000);
  expect((await listed('&noAircraft=true')).total).toBe(0);
  await rows(sql`delete from app_user where id = ${pilot.id}`);
});

test('the filter for pilots without aircraft leaves out admins who do not fly and suspended accounts', async () => {
  const { names } = await list('noAircraft=true&sort=displayName');
  expect(names).toEqual(['100%_sure', 'Bravo', 'Bravo', 'Charlie', 'Delta', 'Ops', 'Zulu', ...NAMELESS]);
});

test('by last use and by reliability: accounts without a figure are last in both directions', async () => {
  const idOf = async (name: string) =>
    (await rows<{ id: string }>(sql`select id from app_user where display_name = ${name} limit 1`))[0]?.id ?? '';
  const [zulu, alv, charlie] = [await idOf('Zulu'), await idOf('Älv'), await idOf('Charlie')];
  await rows(sql`delete from last_seen`);
  await rows(
    sql`insert into last_seen (user_id, seen_at)
        values (${zulu}, now() - interval '2 days'), (${alv}, now() - interval '1 hour')`,
  );
  expect((await list('sort=lastSeenAt&direction=desc')).names.slice(0, 2)).toEqual(['Älv', 'Zulu']);
  expect((await list('sort=lastSeenAt')).names.slice(0, 2)).toEqual(['Zulu', 'Älv']);

  for (const [pilotId, attendance] of [
    [zulu, 'attended'],
    [charlie, 'no_show'],
  ]) {
    const { mission } = await givenMission(service, admin);
    await rows(
      sql`insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, rsvp, is_shared_offer, reasons,
                                  issued_at, expires_at, created_at, attendance)
          select gen_random_uuid(), ${mission.id}, f.id, 0, ${pilotId}, 'issued', 'accepted', false, '{}', now(), now(),
                 now(), ${attendance}
          from flight f where f.mission_id = ${mission.id} limit 1`,
    );
  }
  expect((await list('sort=reliability&direction=desc')).names.slice(0, 2)).toEqual(['Zulu', 'Charlie']);
  expect((await list('sort=reliability')).names.slice(0, 2)).toEqual(['Charlie', 'Zulu']);
  expect(await list('sort=reliability&pageSize=1&page=2')).toMatchObject({ names: ['Zulu'] });
  const { body } = await admin.client.call('GET', '/admin/users?query=zulu');
  // two assumed missions at 80 %, and one flown: (1.6 + 1) / 3
  expect(body.users[0].reliability).toBeCloseTo(2.6 / 3, 2);
});

test('a reset is refused for an account without an email, which can still set its first password', async () => {
  const [row] = await rows<{ id: string }>(sql`select id from app_user where display_name = 'Delta'`);
  const refused = await admin.client.call('POST', `/admin/users/${row?.id}/reset-password`, { newPassword: PASSWORD });
  expect(refused).toMatchObject({
    status: 409,
    body: {
      message:
        'This account has no email to sign in with. Its pilot can sign in with a link from Discord and set a password there.',
    },
  });
  expect(await rows(sql`select 1 from app_user where id = ${row?.id} and password_hash is null`)).toHaveLength(1);
});

test('a reset ends every session of that user, and only the new password signs in', async () => {
  const pilot = await givenPerson(service);
  const newPassword = 'three blind mice 7';
  const reset = await admin.client.call('POST', `/admin/users/${pilot.id}/reset-password`, { newPassword });
  expect(reset).toMatchObject({ status: 200, body: { success: true } });
  expect((await pilot.client.call('GET', '/auth/me')).status).toBe(401);
  const signIn = (password: string) => pilot.client.call('POST', '/auth/login', { email: pilot.email, password });
  expect((await signIn(PASSWORD)).status).toBe(401);
  expect((await signIn(newPassword)).status).toBe(200);
});
