/** `npm run marshal` on a PostgreSQL that a Marshal uses at the same time: what each command does, refuses and prints. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '#server/cli/commands/all.ts';
import { query, sql } from '#server/schema/query.ts';
import { runMarshal, startMarshal } from '#tests/harness/command-line.ts';
import { createTestDatabase } from '#tests/harness/database.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  PASSWORD,
} from '#tests/harness/given.ts';
import { givenAuthenticator } from '#tests/harness/second-factor.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';
import { seenRows } from '#tests/harness/seen-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'marshal-cli-'));
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () => ({ DATABASE_URL: service.databaseUrl, DATA_DIR: folder, PORT: new URL(service.url).port });
const marshal = (args: readonly string[], input?: string) => runMarshal(args, settings(), input);
const rows = (text: RawBuilder<Record<string, unknown>>) => query(service.app.orm.em.fork(), text);

/** The newest audit entry of this kind about an account. */
async function lastEntryOf(subjectId: string, kind: string) {
  const admin = await givenAdmin(service);
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${subjectId}&action=${kind}`);
  const [{ action, actor, isByCommandLine, summary }] = body.entries;
  return { action, actor, isByCommandLine, summary };
}

const signIn = (email: string, password: string) =>
  createClient(service).call('POST', '/auth/login', { email, password });

describe('the help', () => {
  test.each(COMMANDS)('of $name has a description and examples, whose options it knows', async (command) => {
    const { code, stdout } = await marshal([command.name, '--help']);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(command.description);
    expect(command.description).toMatch(/^[A-Z].{20,}\.$/);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      expect(stdout).toContain(`npm run marshal -- ${example}`);
      expect(example.split(' ')[0]).toBe(command.name);
      for (const [flag] of example.matchAll(/--[a-z-]+/g)) expect(stdout).toMatch(new RegExp(`^ +${flag}\\b`, 'm'));
    }
  });

  test('of the whole lists every command', async () => {
    const { code, stdout } = await marshal(['--help']);
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  test('ends quietly when its reader, such as `head`, has seen enough', async () => {
    const child = startMarshal(['--help'], settings());
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    const [code] = await once(child, 'close');
    expect([code, errors]).toEqual([0, '']);
  });
});

describe('a wrong call', () => {
  test.each([
    ['no command', [], 'Usage: npm run marshal'],
    ['an unknown command', ['grant-admn', 'a@example.org'], '(Did you mean grant-admin?)'],
    ['an unknown option', ['token', 'a@example.org', '--scope', 'read'], '(Did you mean --scopes?)'],
    ['a missing argument', ['grant-admin'], "missing required argument 'email'"],
    ['a password as an argument', ['reset-password', 'a@example.org', 'secret word'], 'too many arguments'],
    ['an unknown scope', ['token', 'a@example.org', '--scopes', 'read,all'], '--scopes must be a comma-separated list'],
    ['too many days', ['token', 'a@example.org', '--days', '367'], '--days must be a whole number from 1 to 366.'],
    ['a date that does not exist', ['export', '--from', '2026-02-30'], '--from must be a date such as 2026-11-21.'],
    [
      'a span that ends before it begins',
      ['export', '--from', '2026-11-21', '--to', '2026-11-20'],
      '--from 2026-11-21 is after --to 2026-11-20.',
    ],
  ])('with %s ends with 2 and a sentence', async (_name, args, sentence) => {
    const { code, stdout, stderr } = await marshal(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });
});

describe('grant-admin', () => {
  test('makes a suspended pilot an active admin, says so in the audit log, and changes nothing the second time', async () => {
    const pilot = await givenPerson(service, { roles: [] });
    expect(await marshal(['grant-admin', pilot.email.toUpperCase(), '--json'])).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ email: pilot.email, roles: ['admin', 'user'], added: ['admin', 'user'] })}\n`,
      stderr: '',
    });
    expect((await pilot.client.call('GET', '/admin/users')).status).toBe(200);
    expect(await lastEntryOf(pilot.id, 'role_added')).toEqual({
      action: 'role_added',
      actor: null,
      isByCommandLine: true,
      summary: 'Added the role admin, by the command line',
    });
    const again = await marshal(['grant-admin', pilot.email]);
    expect(again).toEqual({ code: 0, stdout: `${pilot.email} is an admin already.\n`, stderr: '' });
  });

  test('refuses an unknown address, as a sentence or as JSON', async () => {
    const sentence = 'No account has the email nobody@example.org';
    expect(await marshal(['grant-admin', 'nobody@example.org'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${sentence}\n`,
    });
    const { code, stderr } = await marshal(['grant-admin', 'nobody@example.org', '--json']);
    expect([code, JSON.parse(stderr)]).toEqual([1, { error: { code: 'USER_NOT_FOUND', message: sentence } }]);
  });
});

describe('reset-second-factor', () => {
  test('lets an admin who has lost it sign in with the password alone, and is in the audit log', async () => {
    const admin = await givenAdmin(service);
    await givenAuthenticator(admin);
    expect((await signIn(admin.email, PASSWORD)).status).toBe(401);
    expect(await marshal(['reset-second-factor', admin.email.toUpperCase(), '--json'])).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ email: admin.email })}\n`,
      stderr: '',
    });
    expect((await signIn(admin.email, PASSWORD)).status).toBe(200);
    expect(await lastEntryOf(admin.id, 'second_factor_reset')).toEqual({
      action: 'second_factor_reset',
      actor: null,
      isByCommandLine: true,
      summary: 'Reset two-step sign-in, by the command line',
    });
    expect(await marshal(['reset-second-factor', admin.email])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This account has no second factor.\n',
    });
  });
});

describe('reset-password', () => {
  test('prints a random password once, and ends all access to the account', async () => {
    const pilot = await givenPerson(service);
    const made = await marshal(['token', pilot.email, '--json']);
    const { token } = JSON.parse(made.stdout) as { token: string };
    const { code, stdout } = await marshal(['reset-password', pilot.email]);
    expect(code).toBe(0);
    const [, email = '', password = ''] = /^ {2}(\S+) {3}(\S{16})$/m.exec(stdout) ?? [];
    expect(email).toBe(pilot.email);
    expect((await signIn(email, password)).status).toBe(200);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await pilot.client.call('GET', '/auth/me')).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await createClient(service).call('GET', '/pilot/inbox', undefined, headers)).status).toBe(401);
    expect(await lastEntryOf(pilot.id, 'password_reset')).toMatchObject({ actor: null, isByCommandLine: true });
  });

  test('takes a password from its input, and never prints it', async () => {
    const pilot = await givenPerson(service);
    const ran = await marshal(['reset-password', pilot.email, '--password-stdin'], 'tall grey heron\nmore\n');
    expect(ran).toMatchObject({ code: 0, stdout: expect.not.stringContaining('heron'), stderr: '' });
    expect((await signIn(pilot.email, 'tall grey heron')).status).toBe(200);
  });

  test.each([
    ['short', 2, 'Password must be at least 8 characters\n'],
    ['password1', 1, 'This password is too common. Please choose another one.\n'],
  ])('refuses the password %s', async (password, code, stderr) => {
    const pilot = await givenPerson(service);
    const ran = await marshal(['reset-password', pilot.email, '--password-stdin'], `${password}\n`);
    expect(ran).toEqual({ code, stdout: '', stderr });
    expect((await pilot.client.call('GET', '/auth/me')).status).toBe(200);
  });
});

describe('token', () => {
  test('makes a token with its scopes and days, which works and is in the list of its account', async () => {
    const pilot = await givenPerson(service);
    const args = ['token', pilot.email, '--scopes', 'read,pilot', '--days', '30', '--name', 'Roster', '--json'];
    const { code, stdout } = await marshal(args);
    expect(code).toBe(0);
    const made = JSON.parse(stdout) as { token: string; expiresAt: string };
    expect(made).toMatchObject({ name: 'Roster', scopes: ['read', 'pilot'], token: expect.stringMatching(/^mrsh_/) });
    const days = (Date.parse(made.expiresAt) - Date.now()) / 86_400_000;
    expect([days > 29.9, days <= 30]).toEqual([true, true]);
    const headers = { authorization: `Bearer ${made.token}` };
    expect((await createClient(service).call('GET', '/pilot/inbox', undefined, headers)).status).toBe(200);
    const { body } = await pilot.client.call('GET', `/users/${pilot.id}/tokens`);
    expect(body).toMatchObject([{ name: 'Roster', scopes: ['read', 'pilot'] }]);
    expect(await lastEntryOf(pilot.id, 'token_created')).toMatchObject({ actor: null, isByCommandLine: true });
  });

  test('refuses the scope admin for a pilot', async () => {
    const pilot = await givenPerson(service);
    expect(await marshal(['token', pilot.email, '--scopes', 'admin'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Only admins can make a token with the scope admin or server\n',
    });
  });
});

describe('export', () => {
  interface Exported {
    marshal: { from: string | null };
    users: { id: string; email: string }[];
    missions: { name: string; packages: { flights: object[] }[] }[];
    orders: { userId: string; attendance: string | null; rsvp: string }[];
    templates: { userId: string; slots: object[] }[];
    aircraft: object[];
  }

  /** Columns under names that are not the schema's. */
  const EXPORTED_AS: Record<string, string> = {
    'availability_slot.aircraft_id': 'aircraftCodeId',
    'availability_override.aircraft_id': 'aircraftCodeId',
    'mission.starts_at': 'startUtc',
    'mission.ends_at': 'endUtc',
    'package.launch_at': 'launchUtc',
    'package.tot_at': 'totUtc',
    'flight.launch_at': 'launchUtc',
    'flight.tot_at': 'totUtc',
    'flight.size_cap': 'seats',
    'frag_order.pilot_id': 'userId',
    'presence.pilot_id': 'userId',
    'attendance_proposal.pilot_id': 'userId',
    'mission_comment.author_id': 'userId',
  };
  const NOT_EXPORTED = new Set([
    // secrets
    'app_user.password_hash',
    'busy_calendar.sealed_url',
    // computed from other columns
    'app_user.email_key',
    'app_user.look',
    'game_identity.name_key',
    // only for the next request to the calendar's server
    'busy_calendar.etag',
    'busy_calendar.last_modified',
    'busy_calendar.content_hash',
    // said by the place of the row
    'availability_slot.template_id',
    'aircraft_slot.mission_id',
    'package.mission_id',
    'flight.mission_id',
    'flight.package_id',
  ]);

  test('has everybody and everything, without secrets', async () => {
    const [admin, pilot] = [await givenAdmin(service), await givenPerson(service)];
    await givenAlwaysFree(service, pilot.id);
    await givenMission(service, admin, { name: 'Op Ledger' });
    await marshal(['token', pilot.email]);
    const { code, stdout } = await marshal(['export']);
    expect(code).toBe(0);
    const all = JSON.parse(stdout) as Exported;
    const [{ accounts } = { accounts: 0 }] = await rows(
      sql<Record<string, unknown>>`select count(*)::int as accounts from app_user`,
    );
    expect(all.users).toHaveLength(Number(accounts));
    expect(all.users).toContainEqual(expect.objectContaining({ id: pilot.id, email: pilot.email, roles: ['user'] }));
    expect(all.missions.find(({ name }) => name === 'Op Ledger')?.packages[0]?.flights).toHaveLength(1);
    expect(all.orders).toContainEqual(
      expect.objectContaining({ userId: pilot.id, rsvp: 'pending', status: 'issued', attendance: null }),
    );
    expect(all.templates.find(({ userId }) => userId === pilot.id)?.slots).toHaveLength(14);
    expect(all.aircraft.length).toBeGreaterThan(10);
    const secrets = await rows(sql<Record<string, unknown>>`
      select password_hash as secret from app_user where password_hash is not null
      union select token_hash from personal_access_token union select id from session`);
    expect(secrets.length).toBeGreaterThan(2);
    for (const { secret } of secrets) expect(stdout).not.toContain(String(secret));
  });

  test('has every column of the tables that it names, but for secrets and what is computed', async () => {
    const [admin, pilot] = [await givenAdmin(service), await givenPerson(service)];
    await givenAlwaysFree(service, pilot.id);
    const { mission } = await givenMission(service, admin);
    const day = hoursFromNow(24).slice(0, 10);
    const changes = [
      await pilot.client.call('PUT', `/users/${pilot.id}/leave`, { firstDate: day, lastDate: day, reason: 'Moving' }),
      await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' }),
      await pilot.client.call('POST', `/missions/${mission.id}/thread`, { text: 'Ready' }),
      await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' }),
    ];
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 201, 200]);
    await rows(sql<Record<string, unknown>>`
      insert into availability_override (id, user_id, date_local, kind, start_local, end_local, created_at)
      values (gen_random_uuid(), ${pilot.id}, '2026-11-21', 'available', '18:00', '20:00', now())`);
    await rows(sql<Record<string, unknown>>`
      insert into busy_calendar (id, user_id, sealed_url, shown_url, counts_whole_days, time_zone, due_at, created_at)
      values (gen_random_uuid(), ${pilot.id}, 'sealed', 'calendar.example.org', true, 'UTC', now(), now())`);
    for (const statement of seenRows(pilot.id)) await rows(statement);
    const all = JSON.parse((await marshal(['export'])).stdout) as Record<string, Record<string, unknown>[]>;
    const inside = (list: readonly Record<string, unknown>[] | undefined, name: string) =>
      (list ?? []).flatMap((row) => row[name] as Record<string, unknown>[]);
    const packages = inside(all['missions'], 'packages');
    const listOf: Record<string, readonly Record<string, unknown>[] | undefined> = {
      aircraft: all['aircraft'],
      app_user: all['users'],
      proficiency: all['proficiencies'],
      pilot_status: all['statuses'],
      leave: all['leaves'],
      availability_template: all['templates'],
      availability_slot: inside(all['templates'], 'slots'),
      availability_override: all['overrides'],
      busy_calendar: all['busyCalendars'],
      mission: all['missions'],
      aircraft_slot: inside(all['missions'], 'aircraftSlots'),
      package: packages,
      flight: inside(packages, 'flights'),
      frag_order: all['orders'],
      game_identity: all['gameNames'],
      presence: all['presences'],
      attendance_proposal: all['attendanceProposals'],
      mission_comment: all['comments'],
    };
    const columns = await rows(sql<Record<string, unknown>>`
      select table_name as "table", column_name as "column" from information_schema.columns
       where table_schema = 'public' and table_name in (${sql.join(Object.keys(listOf))})`);
    const nameOf = (column: string) => column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const missing = columns.flatMap(({ table, column }) => {
      const name = `${String(table)}.${String(column)}`;
      const key = EXPORTED_AS[name] ?? nameOf(String(column));
      const isThere = listOf[String(table)]?.some((row) => key in row) ?? false;
      return isThere === NOT_EXPORTED.has(name) ? [name] : [];
    });
    expect(missing).toEqual([]);
  });

  test('of a span has its missions and their orders only', async () => {
    const [admin, pilot] = [await givenAdmin(service), await givenPerson(service)];
    await givenAlwaysFree(service, pilot.id);
    const times = (days: number) => ({ startLocal: hoursFromNow(days * 24), endLocal: hoursFromNow(days * 24 + 2) });
    for (const days of [40, 42, 44]) await givenMission(service, admin, { name: `Op Day ${days}`, ...times(days) });
    const day = hoursFromNow(42 * 24).slice(0, 10);
    const { stdout } = await marshal(['export', '--from', day, '--to', day]);
    const { marshal: about, missions, orders } = JSON.parse(stdout) as Exported;
    expect(about).toMatchObject({ from: day, to: day });
    expect(missions.map(({ name }) => name)).toEqual(['Op Day 42']);
    expect(orders).toHaveLength(1);
  });

  test('writes a file that only its owner can read, with more rows than a page', async () => {
    await rows(sql<Record<string, unknown>>`
      insert into app_user (id, email, email_key, roles, created_at, updated_at)
      select gen_random_uuid(), 'crowd-' || n || '@example.org', 'crowd-' || n || '@example.org', '{}', now(), now()
        from generate_series(1, 1200) as n`);
    const file = join(folder, 'community.json');
    const { code, stdout } = await marshal(['export', '--output', file, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { file, bytes: statSync(file).size }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { users } = JSON.parse(readFileSync(file, 'utf8')) as Exported;
    const crowd = users.filter(({ email }) => email.startsWith('crowd-'));
    expect([crowd.length, new Set(crowd.map(({ id }) => id)).size]).toEqual([1200, 1200]);
    await rows(sql<Record<string, unknown>>`delete from app_user where email like 'crowd-%'`);
  });
});

describe('seed', () => {
  test('fills a new database once, and prints sign-ins that work', { timeout: 120_000 }, async () => {
    const database = await createTestDatabase();
    const other = await startService({ beside: { databaseUrl: database.url } });
    try {
      const env = { DATABASE_URL: database.url, DATA_DIR: folder };
      const { code, stdout } = await runMarshal(['seed', '--json'], env);
      expect(code).toBe(0);
      const { admin, pilots } = JSON.parse(stdout) as Record<'admin', object> & { pilots: object[] };
      expect(pilots).toHaveLength(3);
      for (const each of [admin, ...pilots]) {
        expect((await createClient(other).call('POST', '/auth/login', each)).status).toBe(200);
      }
      expect(await runMarshal(['seed'], env)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'This database has people, missions or Discord servers: the sample community is for a new database only.\n',
      });
    } finally {
      await other.stop();
      await database.drop();
    }
  });
});
