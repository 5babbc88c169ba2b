import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openApp } from '#server/http/app.ts';
import type { App } from '#server/http/context.ts';
import { User } from '#server/schema/user.ts';
import { viewerOf } from '#server/platform/viewer.ts';
import { readEnv } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { admitVerified } from '#server/accounts/accounts.ts';
import { syncAircraft } from '#server/accounts/pilots/aircraft.ts';
import { ensureFirstAdmin, type NewSignIn, type SignIn } from '#server/accounts/first-admin.ts';
import { listAccepted, listInbox } from '#server/orders/inbox.ts';
import { ensureSampleCommunity, type SampleSignIns } from '#server/cli/sample/sample-community.ts';
import { completeRegistration } from '#server/discord/registration/registration.ts';
import { issueSampleRegistration } from '#server/cli/sample/sample-guilds.ts';
import { verifySignIn } from '#server/accounts/sign-in.ts';
import { completeRegistrationInput } from '#shared/schemas/registration.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';
import { inDrill } from '#tests/harness/drills.ts';

const NOW = new Date('2026-06-10T12:00:00Z');
const MOMENTS = [
  ['Sunday morning in Europe', '2026-11-22T08:10:00Z'],
  ['Monday night in America', '2026-11-24T02:35:00Z'],
  ['Tuesday, when no part of the world has evening', '2026-09-15T15:20:00Z'],
  ['Wednesday, as the evening in Europe begins', '2026-12-02T19:29:00Z'],
  ['Thursday, as the evening in Tokyo begins', '2026-02-05T10:31:00Z'],
  ['Friday night in Europe', '2026-07-03T21:59:00Z'],
  ['Saturday noon', '2026-05-16T12:00:00Z'],
  ['the last hour of the year', '2026-12-31T23:30:00Z'],
  ['the night the clocks change in America', '2026-03-08T06:45:00Z'],
  ['the night the clocks change in Europe', '2026-10-25T00:50:00Z'],
  ['the night the clocks change in Sydney', '2026-04-04T15:40:00Z'],
] as const;

let database: TestDatabase;
let dataDir: string;
let app: App;
let sql: Client;

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'marshal-sample-'));
  app = await openAppHere();
  await syncAircraft(app.orm.em.fork());
  sql = new Client({ connectionString: database.url });
  await sql.connect();
});

afterEach(async () => {
  await sql.end();
  await app.orm.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

function openAppHere(env: Record<string, string> = {}): Promise<App> {
  const config = readEnv({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SAMPLE_COMMUNITY: 'on',
    LOG_LEVEL: 'fatal',
    ...env,
  });
  return openApp(config, createLog(config.LOG_LEVEL), database.url);
}

const makeAdmin = (configured: SignIn | null = null) => ensureFirstAdmin(app.orm.em.fork(), app.passwords, configured);

async function makeCommunity(now = NOW): Promise<SampleSignIns> {
  const signIns = await ensureSampleCommunity(app, await makeAdmin(), now);
  if (!signIns) throw new Error('no community was made');
  return signIns;
}

async function rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await sql.query<Row>(text, values)).rows;
}

async function one<Row extends object>(text: string, values: unknown[] = []): Promise<Row> {
  const [row] = await rows<Row>(text, values);
  if (!row) throw new Error(`no row: ${text}`);
  return row;
}

/** A fingerprint of everything that the community is made of. */
const fingerprint = () =>
  one<{ print: string }>(
    `select md5(string_agg(line, e'\\n' order by line)) as print from (
       select to_jsonb(t)::text as line from app_user t union all select to_jsonb(t)::text from mission t
       union all select to_jsonb(t)::text from frag_order t union all select to_jsonb(t)::text from seat t
       union all select to_jsonb(t)::text from availability_slot t union all select to_jsonb(t)::text from guild t
       union all select to_jsonb(t)::text from pilot_status t) all_rows`,
  );

/** The account that this email and password lead into. */
async function login({ email, password }: NewSignIn) {
  const em = app.orm.em.fork();
  const caller = { address: '127.0.0.1', userAgent: null, deviceCookie: null, now: NOW };
  return admitVerified(em, await verifySignIn(em, app, caller, { email, password: password ?? '' }));
}

/** The properties of every sample community, at any time of creation. */
async function expectLivingCommunity(now: Date, { pilots }: SampleSignIns): Promise<void> {
  const statuses = await rows<{ status: string }>(
    `select distinct case when status <> 'scheduled' then status when starts_at > $1 then 'scheduled'
       when ends_at > $1 then 'launched' else 'completed' end as status from mission order by 1`,
    [now],
  );
  expect(statuses.map(({ status }) => status)).toEqual(['cancelled', 'completed', 'draft', 'launched', 'scheduled']);

  const states = await rows<{ state: string }>(
    `select distinct case when status = 'cancelled' then status_reason
       when rsvp = 'declined' and is_late then 'late' when rsvp = 'accepted' and confirmed_at is not null then 'confirmed'
       else rsvp end as state from frag_order order by 1`,
  );
  expect(states.map(({ state }) => state)).toEqual([
    'accepted',
    'confirmed',
    'declined',
    'expired',
    'late',
    'mission cancelled',
    'pending',
    'standby',
    'superseded',
  ]);

  expect(
    await rows(`select 1 from seat a join seat b on a.pilot_id = b.pilot_id and a.order_id < b.order_id
                where a.starts_at < b.ends_at and b.starts_at < a.ends_at`),
    'pilots in two overlapping missions',
  ).toEqual([]);
  expect(
    await rows(`select 1 from frag_order o full join seat s on s.order_id = o.id
                where (o.status = 'issued' and (o.rsvp = 'accepted' or o.rsvp = 'pending' and not o.is_shared_offer))
                      <> (s.order_id is not null)
                   or s.pilot_id <> o.pilot_id or s.mission_id <> o.mission_id`),
    'orders that hold no seat, seats that no order holds',
  ).toEqual([]);
  expect(
    await rows(
      `select 1 from frag_order o join mission m on m.id = o.mission_id
       where o.issued_at > $1 or o.answered_at > $1 or o.confirmed_at > $1 or o.answered_at < o.issued_at
          or o.expires_at > m.starts_at or o.status = 'issued' and o.rsvp = 'pending' and o.expires_at <= $1`,
      [now],
    ),
    'orders from the future or that should have expired',
  ).toEqual([]);

  const marks = await rows(`select distinct attendance from frag_order where attendance is not null order by 1`);
  expect(marks).toEqual([{ attendance: 'attended' }, { attendance: 'excused' }, { attendance: 'no_show' }]);

  const launched = await one<{ accepted: number }>(
    `select count(s.order_id)::int as accepted from mission m join seat s on s.mission_id = m.id
     where m.status = 'scheduled' and m.starts_at <= $1 and m.ends_at > $1`,
    [now],
  );
  expect(launched.accepted).toBeGreaterThanOrEqual(4);

  for (const signIn of pilots) {
    const em = app.orm.em.fork();
    const user = await em.findOneOrFail(User, { email: signIn.email });
    const viewer = viewerOf(user);
    const accepted = await listAccepted(em, viewer, now);
    expect(
      accepted.filter(({ startUtc }) => Date.parse(startUtc) > now.getTime()),
      `${signIn.email} flies soon`,
    ).not.toEqual([]);
    const inbox = await listInbox(em, viewer, { includeCompleted: false, marksRead: false }, now);
    expect(inbox.length, `${signIn.email} has orders waiting`).toBeGreaterThanOrEqual(signIn === pilots[0] ? 2 : 1);
  }
}

test('a new database gets forty pilots in six zones, missions, orders and three guilds', async () => {
  await makeCommunity();
  const pilots = await one(
    `select count(*)::int as count, count(distinct time_zone)::int as zones, count(distinct display_name)::int as names
     from app_user where roles = '{user}'`,
  );
  expect(pilots).toEqual({ count: 40, zones: 6, names: 40 });
  expect(await one(`select display_name as name, time_zone as zone from app_user where 'admin' = any(roles)`)).toEqual({
    name: 'Air Boss',
    zone: 'Europe/Berlin',
  });
  expect(await rows(`select distinct level from proficiency order by 1`)).toEqual([
    { level: 'basic' },
    { level: 'expert' },
    { level: 'learning' },
    { level: 'proficient' },
  ]);
  expect(await rows(`select distinct state from pilot_status order by 1`)).toEqual([
    { state: 'available' },
    { state: 'dnd' },
    { state: 'now' },
  ]);
  expect(
    await one(`select count(*) filter (where start_local > end_local and end_local <> '00:00') > 0 as overnight,
                      count(*) filter (where aircraft_id is not null) > 0 as specific from availability_slot`),
  ).toEqual({ overnight: true, specific: true });
  expect(await rows(`select status from guild order by 1`)).toEqual([
    { status: 'active' },
    { status: 'disabled' },
    { status: 'unavailable' },
  ]);
  expect(
    await one(`select (select count(*)::int from guild_event) >= 12 as events,
                      (select count(distinct type)::int from guild_channel) as channel_types,
                      (select count(*)::int from discord_account) > 0 as linked,
                      (select count(*)::int from guild_member) > (select count(*)::int from discord_account) as others`),
  ).toEqual({ events: true, channel_types: 5, linked: true, others: true });
});

test('every start has a registration link for a member without an account, until all have registered', async () => {
  await makeCommunity();
  const em = () => app.orm.em.fork();
  const issue = (now: Date) => issueSampleRegistration(em(), 'https://marshal.example', now);
  const names: string[] = [];
  for (let minute = 0; ; minute += 1) {
    const now = new Date(NOW.getTime() + minute * 60_000);
    const link = await issue(now);
    if (link === null) break;
    const { pathname, searchParams } = new URL(link);
    expect(pathname).toBe('/discord/registration');
    const input = {
      discordUserId: searchParams.get('discord_id'),
      guildId: searchParams.get('guild_id'),
      session: searchParams.get('session'),
      callSign: `Newcomer ${minute}`,
      timeZone: 'UTC',
    };
    await completeRegistration(em(), completeRegistrationInput.parse(input), 'https://marshal.example', now);
    names.push(input.callSign);
  }
  // eight and four members of the two servers have no account, and one of them has left
  expect(names).toHaveLength(11);
  const made = await one(`select count(*)::int as count from app_user where display_name like 'Newcomer %'`);
  expect(made).toEqual({ count: 11 });
});

describe("whatever the weekday and the hour, every mission status and order state occurs, and the admin's home is not empty", () => {
  test.each(MOMENTS.filter((_moment, index) => index % inDrill(1, 3) === 0))('%s', async (_moment, instant) => {
    const now = new Date(instant);
    await expectLivingCommunity(now, await makeCommunity(now));
  });
});

test('the printed sign-ins work, and are stored nowhere on disk', async () => {
  const { admin, pilots } = await makeCommunity();
  expect(await login(admin)).toMatchObject({ email: 'admin@marshal.local', roles: ['user', 'admin'].toSorted() });
  const zones = [];
  for (const pilot of pilots) zones.push((await login(pilot)).timeZone);
  expect(new Set(zones).size).toBe(3);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a second start changes nothing, and gets no sign-ins', async () => {
  await makeCommunity();
  const before = await fingerprint();
  expect(await makeAdmin()).toBeNull();
  expect(await ensureSampleCommunity(app, null, new Date(NOW.getTime() + 86_400_000))).toBeNull();
  expect(await fingerprint()).toEqual(before);
});

test('two processes that start together create one community, and one of them gets the sign-ins', async () => {
  const admin = await makeAdmin();
  const other = await openAppHere();
  try {
    const told = await Promise.all([ensureSampleCommunity(app, admin, NOW), ensureSampleCommunity(other, null, NOW)]);
    const [signIns, ...more] = told.filter((answer) => answer !== null);
    if (!signIns) throw new Error('nobody was told');
    expect(more).toEqual([]);
    for (const each of [signIns.admin, ...signIns.pilots])
      expect(await login(each)).toMatchObject({ email: each.email });
  } finally {
    await other.orm.close();
  }
  expect(await one(`select count(*)::int as users from app_user`)).toEqual({ users: 41 });
});

test('an aborted start leaves nothing behind, and the next one starts over', async () => {
  const admin = await makeAdmin();
  const before = await fingerprint();
  // the last rows that are written are statuses
  await sql.query(`create function die() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`);
  await sql.query('create trigger die before insert on pilot_status for each row execute function die()');
  await expect(ensureSampleCommunity(app, admin, NOW)).rejects.toThrow('the disk is full');
  expect(await fingerprint()).toEqual(before);

  await sql.query('drop trigger die on pilot_status');
  const signIns = await makeCommunity();
  await expectLivingCommunity(NOW, signIns);
  for (const each of [signIns.admin, ...signIns.pilots]) expect(await login(each)).toMatchObject({ email: each.email });
});

test('a built-in admin whose password was lost with the first start gets a new one', async () => {
  await makeAdmin();
  expect(await login((await makeCommunity()).admin)).toMatchObject({ email: 'admin@marshal.local' });
});

test('an admin with a configured password keeps it, and it is not printed', async () => {
  const signIn = { email: 'chief@example.org', password: 'only the chief knows' };
  expect(await makeAdmin(signIn)).toEqual({ email: signIn.email, password: null });
  await app.orm.close();
  app = await openAppHere({ ADMIN_EMAIL: signIn.email, ADMIN_PASSWORD: signIn.password });
  expect((await makeCommunity()).admin).toEqual({ email: signIn.email, password: null });
  expect(await login(signIn)).toMatchObject({ email: signIn.email });
});

test.each([
  [
    'an admin whose password only a person knows',
    async () => void (await makeAdmin({ email: 'chief@example.org', password: 'only the chief knows' })),
  ],
  [
    'an account beside the admin',
    async () => {
      await makeAdmin();
      await sql.query(`insert into app_user (id, email, email_key, roles, created_at, updated_at)
        values (gen_random_uuid(), 'a@example.org', 'a@example.org', '{user}', now(), now())`);
    },
  ],
  [
    'a guild',
    async () => {
      await makeAdmin();
      await sql.query(
        `insert into guild (id, name, status, installed_at, last_seen_at) values ('1', 'G', 'active', now(), now())`,
      );
    },
  ],
])('a database with %s is not new and stays as it is', async (_what, given) => {
  await given();
  const before = await fingerprint();
  expect(await ensureSampleCommunity(app, null, NOW)).toBeNull();
  expect(await fingerprint()).toEqual(before);
});
