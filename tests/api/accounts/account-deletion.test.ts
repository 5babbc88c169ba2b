/** Deletion of one's own account: what is downloaded before, what ends at once, two weeks to undo it, and what is left. */
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '#server/accounts/erase-account.ts';
import { loadDebts } from '#server/accounts/pilots/fairness.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { givenMissionIn, givenPilot, orderOf, respond } from '#tests/harness/orders.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

const DAY_MS = 86_400_000;
const GUILD = '700600500400300201';

let service: Service;
let admin: Person;
let log = '';
beforeAll(async () => {
  const lines = new PassThrough();
  lines.on('data', (line: Buffer) => {
    log += line.toString();
  });
  service = await startService({ withJobs: true, logTo: lines, env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  admin = await givenAdmin(service);
  const hook = { url: 'https://marshal.receiver.invalid/hook', events: ['order.issued', 'order.answered'] };
  expect((await admin.client.call('POST', '/admin/webhooks', hook)).status).toBe(201);
});
afterAll(() => service.stop());

const em = () => service.app.orm.em.fork();
const ask = (person: Person, body: object = { currentPassword: PASSWORD }) =>
  person.client.call('POST', '/auth/deletion', body);
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const rolesOf = async ({ id }: Person): Promise<string[]> =>
  (await admin.client.call('GET', `/admin/users/${id}/roles`)).body.roles;

/** A mission of one seat in an aircraft that only this pilot flies, accepted. @returns the mission's id */
async function givenSeat(pilot: Person, name: string, hours: number): Promise<string> {
  const { mission } = await givenMissionIn(service, admin, hours, {
    name,
    aircraftSlots: [{ aircraftId: 30, slotCount: 1, side: 0, notes: 'Training' }],
  });
  await respond(pilot, await orderOf(pilot), 'Accepted');
  return mission.id;
}

/** Where a text stands: tables of every schema with the number of rows, and the log. */
async function findText(text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    em(),
    sql`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await query<{ count: number }>(
      em(),
      sql`select count(*)::int as count from ${sql.raw(name)} as t where t::text ilike ${`%${text}%`}`,
    );
    if (row && row.count > 0) found.push(`${name}: ${row.count}`);
  }
  if (log.toLowerCase().includes(text.toLowerCase())) found.push('the log');
  return found;
}

describe('a pilot with a history', () => {
  const callSign = 'Quillon-Zephyrine';
  const username = 'quillon_on_discord';
  const discordId = '700600500400300299';
  const personal = [
    callSign,
    'Quillon',
    username,
    discordId,
    'weekday wine tasting',
    'sister visits',
    'Kitchen tablet',
    'Kestrel key',
    'Kestrel browser',
  ];
  let pilot: Person;
  let other: Person;
  let flown: string;

  beforeAll(async () => {
    pilot = await givenPerson(service, { displayName: callSign, timeZone: 'Pacific/Chatham' });
    personal.push(pilot.email, 'Pacific/Chatham');
    other = await givenPilot(service, 30);
    const everyDay = Array.from({ length: 7 }, (_, weekday) => ({
      weekday,
      startLocal: '00:00',
      endLocal: '24:00',
      aircraftCodeId: 30,
      notes: 'weekday wine tasting',
    }));
    const week = { name: 'Always', isActive: true, slots: everyDay };
    expect((await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, week)).status).toBe(201);
    const away = {
      dateLocal: '2098-01-01',
      kind: 'available',
      startLocal: '18:00',
      endLocal: '22:00',
      notes: 'sister visits',
    };
    expect((await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, away)).status).toBe(201);
    const token = { name: 'Kitchen tablet', scopes: ['read'], expiresAt: inDays(30).toISOString() };
    expect((await pilot.client.call('POST', `/users/${pilot.id}/tokens`, token)).status).toBe(201);
    // without the mark of the account, so that signing in below takes one step
    await query(
      em(),
      sql`with remembered as (insert into remembered_device (id, user_id, token_hash, user_agent, created_at, expires_at)
            values (gen_random_uuid(), ${pilot.id}, 'a-device', 'Kestrel browser', now(), now() + interval '1 day'))
          insert into passkey (id, user_id, name, credential_id, public_key, counter, transports, is_syncable, is_backed_up, created_at)
          values (gen_random_uuid(), ${pilot.id}, 'Kestrel key', 'secret-credential', 'secret-public-key', 0, '{}', false, false, now())`,
    );
    await pilot.client.call('POST', '/pilot/calendar');
    await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/30`, { level: 'expert' });
    await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/31`, { level: 'learning' });
    await createClient(service).call('POST', '/auth/login', { email: pilot.email, password: 'a wrong guess' });
    await givenGuild(service, GUILD, { name: 'Lantern Wing', events: [['member_joined', username, null]] });
    await query(
      em(),
      sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
          values (${discordId}, ${pilot.id}, ${username}, now())`,
    );
    await query(
      em(),
      sql`insert into guild_member (guild_id, discord_user_id, discord_username, joined_at, updated_at)
          values (${GUILD}, ${discordId}, ${username}, now(), now())`,
    );

    // email that waits, by account and by address
    await query(
      em(),
      sql`insert into delivery (id, channel, kind, user_id, address, next_attempt_at, deadline_at, created_at)
          values (gen_random_uuid(), 'mail', 'verification', ${pilot.id}, null, now(), now() + interval '1 day', now()),
                 (gen_random_uuid(), 'mail', 'password', null, ${pilot.email.toUpperCase()}, now(), now() + interval '1 day', now())`,
    );

    // what the pilot asked for as a visitor, and the invite that was made for that
    await query(
      em(),
      sql`insert into slot_request (id, handle, email, email_key, module, level, slot, notes, created_at)
          values (gen_random_uuid(), ${callSign}, ${pilot.email.toUpperCase()}, ${pilot.email}, 'Other', 'basic', 'Flexible',
                  'weekday wine tasting', now())`,
    );
    const invite = await admin.client.call('POST', '/admin/invites', { name: `For ${callSign}`, maxUses: 1 });
    await query(
      em(),
      sql`insert into invite_use (user_id, invite_id, joined_at) values (${pilot.id}, ${invite.body.id}, now())`,
    );

    // both could fly it, one does: each has an entry in the ledger
    await query(em(), sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
    flown = await givenSeat(pilot, 'Op First Light', 40);
    const { body: mission } = await admin.client.call('GET', `/admin/missions/${flown}`);
    const [{ id: flightId }] = mission.packages[0].flights;
    // the audit log names them
    const seat = `/admin/missions/${flown}/seats/${flightId}/0`;
    await admin.client.call('DELETE', seat);
    await admin.client.call('PUT', seat, { userId: pilot.id, replace: true });
    await respond(pilot, await orderOf(pilot), 'Accepted');
    await query(
      em(),
      sql`with past as (update mission set starts_at = now() - interval '5 hours', ends_at = now() - interval '2 hours'
            where id = ${flown})
          update seat set starts_at = now() - interval '5 hours', ends_at = now() - interval '2 hours'
          where mission_id = ${flown}`,
    );
    const { body: orders } = await admin.client.call('GET', `/admin/missions/${flown}/orders`);
    const accepted = orders.find(
      ({ rsvp, status }: { rsvp: string; status: string }) => rsvp === 'accepted' && status === 'issued',
    );
    const marked = await admin.client.call('PUT', `/admin/missions/${flown}/attendance`, {
      attendance: [{ orderId: accepted.id, attendance: 'attended' }],
    });
    expect(marked.status).toBe(200);
  });

  test('downloads everything, without a password, a key or another pilot', async () => {
    const { status, body, headers } = await pilot.client.call('GET', '/auth/data.json');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="marshal-data.json"');
    const text = JSON.stringify(body);
    for (const mine of personal) expect(text, mine).toContain(mine);
    expect(body.missions.orders.map(({ mission }: { mission: { name: string } }) => mission.name)).toContain(
      'Op First Light',
    );
    expect(body.flying.aircraft).toContainEqual({ aircraft: 'L-39ZA Albatros', level: 'expert', setByAdmin: false });
    expect(body.auditLog.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/argon2|mrsh_|[0-9a-f]{64}|secret-|a-device/);
    expect(text).not.toContain(other.email);
    expect((await createClient(service).call('GET', '/auth/data.json')).status).toBe(401);
  });

  test('is asked for the password, loses the seat ahead at once, and may keep the account', async () => {
    const ahead = await givenSeat(pilot, 'Op Second Light', 60);
    const wrong = await ask(pilot, { currentPassword: 'not the password' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'WRONG_PASSWORD']);
    const elsewhere = createClient(service);
    await elsewhere.call('POST', '/auth/login', { email: pilot.email, password: PASSWORD });

    const { status, body } = await ask(pilot);
    expect(status).toBe(200);
    expect(Math.round((Date.parse(body.dueAt) - Date.now()) / DAY_MS)).toBe(14);
    expect(await rolesOf(pilot)).toEqual([]);
    expect((await elsewhere.call('GET', '/auth/me')).status).toBe(401);
    const refused = await pilot.client.call('GET', '/pilot/inbox');
    expect([refused.status, refused.body.code]).toEqual([403, 'ACCOUNT_LEAVING']);
    await expect
      .poll(async () => query(em(), sql`select 1 from seat where mission_id = ${ahead} and pilot_id = ${pilot.id}`))
      .toEqual([]);
    const byAdmin = await admin.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'user' });
    expect([byAdmin.status, byAdmin.body.code]).toEqual([409, 'DELETION_REQUESTED']);

    // signs in again within the two weeks
    await pilot.client.call('POST', '/auth/login', { email: pilot.email, password: PASSWORD });
    await eraseDueAccounts(em(), inDays(13));
    expect((await pilot.client.call('GET', '/auth/deletion')).body.dueAt).toBe(body.dueAt);
    expect((await pilot.client.call('DELETE', '/auth/deletion')).body.dueAt).toBeNull();
    expect(await rolesOf(pilot)).toEqual(['user']);
    expect((await pilot.client.call('GET', '/pilot/inbox')).status).toBe(200);
  });

  /** ended by the request that was undone */
  const gone = new Set(['Kitchen tablet', 'Kestrel browser']);

  test('after two weeks no table and no log line holds a personal string, and the sums stay', async () => {
    for (const mine of personal.filter((text) => !gone.has(text))) expect(await findText(mine), mine).not.toEqual([]);
    const debts = await loadDebts(em(), new Date(), [pilot.id, other.id]);
    await ask(pilot);
    await eraseDueAccounts(em(), inDays(15));
    await eraseDueAccounts(em(), inDays(16));
    for (const mine of personal) expect(await findText(mine), mine).toEqual([]);

    expect(await loadDebts(em(), new Date(), [pilot.id, other.id])).toEqual(debts);
    const { body: mission } = await admin.client.call('GET', `/admin/missions/${flown}`);
    expect(mission.packages[0].flights[0].assignments[0].userDisplayName).toBe('former pilot');
    const { body: audit } = await admin.client.call('GET', `/admin/audit?subjectId=${flown}`);
    expect(audit.entries[0].summary).toBe('Attendance: former pilot attended');
    const { body: users } = await admin.client.call('GET', '/admin/users?pageSize=100');
    expect(users.users.map(({ id }: { id: string }) => id)).not.toContain(pilot.id);

    const again = createClient(service);
    expect((await again.call('POST', '/auth/login', { email: pilot.email, password: PASSWORD })).status).toBe(401);
    const fresh = { email: pilot.email, password: PASSWORD, confirmPassword: PASSWORD };
    expect((await again.call('POST', '/auth/register', fresh)).status).toBe(201);
  });
});

test('the last admin stays, and one of two may go', async () => {
  const refused = await ask(admin);
  expect([refused.status, refused.body.code]).toEqual([409, 'LAST_ADMIN']);
  const second = await givenAdmin(service);
  expect((await ask(second)).status).toBe(200);
  expect((await second.client.call('GET', '/admin/users')).status).toBe(403);
  await second.client.call('DELETE', '/auth/deletion');
  expect(await rolesOf(second)).toEqual(['admin', 'user']);
});

test('an account without a password is confirmed by its call sign', async () => {
  const pilot = await givenPerson(service, { displayName: 'Ember' });
  await query(em(), sql`update app_user set password_hash = null where id = ${pilot.id}`);
  expect((await pilot.client.call('GET', '/auth/deletion')).body).toEqual({ dueAt: null, hasPassword: false });
  const refused = await ask(pilot, { confirmation: 'ember' });
  expect(refused.body.message).toBe('Type your call sign exactly as it is shown');
  expect((await ask(pilot, { confirmation: 'Ember' })).status).toBe(200);
});
