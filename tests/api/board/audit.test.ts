/** The audit log: actors, actions and subjects, newest first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import type { AuditEntryDto } from '#shared/schemas/audit.ts';
import { givenAdmin, givenMission, givenPerson, hoursFromNow, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenOrder, orderOf, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

/** Actions of admins; sign-ins are tested in tests/security/sign-in-attempts.test.ts. */
async function read(search: Record<string, string | number> = {}) {
  await query(service.app.orm.em.fork(), sql`delete from audit_entry where action = 'signed_in'`);
  const words = new URLSearchParams(Object.entries(search).map(([key, value]) => [key, String(value)]));
  const { status, body } = await admin.client.call('GET', `/admin/audit?${words}`);
  expect(status).toBe(200);
  return body as { entries: AuditEntryDto[]; total: number; page: number; pageSize: number };
}

/** A note as some release left it. */
async function note(action: string, subjectType: string, subjectId: string, detail: unknown, secondsAgo = 0) {
  await query(
    service.app.orm.em.fork(),
    sql`insert into audit_entry (id, actor_id, action, subject_type, subject_id, detail, occurred_at)
        values (gen_random_uuid(), ${admin.id}, ${action}, ${subjectType}, ${subjectId},
                ${JSON.stringify(detail)}::jsonb, now() - ${secondsAgo}::int * interval '1 second')`,
  );
}

/** `Nov 21 1900Z` */
function moment(iso: string): string {
  const [, month, day, time] = /^\d{4}-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  return `${months[Number(month) - 1]} ${Number(day)} ${time?.replace(':', '')}Z`;
}

describe('every action of an admin has a sentence with its actor and subject', () => {
  test('roles, levels and passwords of a user', async () => {
    const pilot = await givenPerson(service, { displayName: 'Maverick' });
    await admin.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'admin' });
    await admin.client.call('DELETE', `/admin/users/${pilot.id}/roles/admin`);
    await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
    await admin.client.call('DELETE', `/users/${pilot.id}/proficiencies/2`);
    await admin.client.call('POST', `/admin/users/${pilot.id}/reset-password`, { newPassword: PASSWORD });
    const { entries, ...page } = await read({ subjectId: pilot.id });
    expect(page).toEqual({ total: 5, page: 1, pageSize: 20 });
    expect(entries.map(({ action, summary }) => [action, summary])).toEqual([
      ['password_reset', 'Reset the password'],
      ['proficiency_removed', 'Removed F-16C Viper from the list of aircraft'],
      ['proficiency_set', 'Set F-16C Viper to expert'],
      ['role_removed', 'Removed the role admin'],
      ['role_added', 'Added the role admin'],
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        actor: { id: admin.id, displayName: 'Ops' },
        subjectType: 'user',
        subjectId: pilot.id,
        subjectName: 'Maverick',
        missionStartUtc: null,
      });
      expect(Date.now() - Date.parse(entry.occurredAt)).toBeLessThan(60_000);
    }
    const { entries: same } = await admin.client.trpc.admin.audit.query({ subjectId: pilot.id });
    expect(same).toEqual(entries);
  });

  test('work on a mission', async () => {
    const pilot = await givenOrder(service, admin, 'Op Paper Trail', {}, { displayName: 'Goose' });
    const { missionId, id } = { ...(await orderOf(pilot)) };
    await respond(pilot, { id }, 'Accepted');
    const board = await admin.client.call('GET', `/admin/missions/${missionId}`);
    const flight = board.body.packages[0].flights[0];
    await admin.client.call('DELETE', `/admin/missions/${missionId}/seats/${flight.id}/0`);
    await admin.client.call('PUT', `/admin/missions/${missionId}/seats/${flight.id}/0`, { userId: pilot.id });
    const edit = {
      startLocal: hoursFromNow(31),
      endLocal: hoursFromNow(34),
      timeZone: 'UTC',
      flights: [{ id: flight.id, role: 'Strike' }],
    };
    const edited = await admin.client.call('PUT', `/admin/missions/${missionId}`, edit);
    expect([edited.status, edited.body.message]).toEqual([200, undefined]);
    await admin.client.call('POST', `/admin/missions/${missionId}/cancel`);
    const { entries } = await read({ subjectId: missionId });
    const seat = new RegExp(`${flight.callsign},? seat 1`, 'i');
    expect(entries.map(({ action }) => action)).toEqual([
      'mission_cancelled',
      'mission_edited',
      'pilot_assigned',
      'pilot_removed',
      'mission_created',
    ]);
    expect(entries.map(({ summary }) => summary)).toEqual([
      'Cancelled the mission and 1 order',
      expect.stringContaining(`Start: ${moment(board.body.startUtc)} to ${moment(`${edit.startLocal}:00Z`)}; `),
      expect.stringMatching(/^Assigned Goose to /),
      expect.stringMatching(/^Removed Goose from /),
      'Created the mission',
    ]);
    expect(entries[1]?.summary).toMatch(/ role: CAP to Strike/);
    expect(entries[2]?.summary).toMatch(seat);
    expect(entries[3]?.summary).toMatch(seat);
    for (const entry of entries) {
      expect(entry).toMatchObject({ subjectName: 'Op Paper Trail', missionStartUtc: edited.body.mission.startUtc });
    }
  });
});

describe('names', () => {
  test('are the current ones, else those in the entry, else none', async () => {
    const pilot = await givenPerson(service, { displayName: 'Before' });
    await admin.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'admin' });
    await admin.client.call('PUT', `/users/${pilot.id}`, { displayName: 'After', timeZone: 'UTC' });
    const gone = '0192c0de-0000-7000-8000-00000000000a';
    await note('mission_edited', 'mission', gone, { name: 'Op Forgotten', changes: [] });
    await note('pilot_assigned', 'mission', gone, {
      missionName: 'Op Forgotten',
      pilot: 'Goose',
      seat: 'VIPER 1 seat 1',
    });
    await note('registration_resent', 'guild', '123', { guildName: '104th', channel: 'ops' });
    await note('role_added', 'user', 'no-uuid', { role: 'admin' });
    expect((await read({ subjectId: pilot.id })).entries[0]?.subjectName).toBe('After');
    expect((await read({ subjectId: gone })).entries.map(({ subjectName }) => subjectName)).toEqual([
      'Op Forgotten',
      'Op Forgotten',
    ]);
    expect((await read({ subjectId: '123' })).entries[0]).toMatchObject({
      subjectName: '104th',
      summary: 'Resent the registration announcement to #ops',
    });
    expect((await read({ subjectId: 'no-uuid' })).entries[0]?.subjectName).toBe(null);
  });

  test('an account without a call sign is named by its email, never by a placeholder address', async () => {
    const [nameless, fromDiscord] = [await givenPerson(service), await givenPerson(service)];
    const em = service.app.orm.em.fork();
    await query(
      em,
      sql`update app_user set display_name = null where id = any(${[nameless.id, fromDiscord.id]}::uuid[])`,
    );
    await query(
      em,
      sql`update app_user set email = id || '@discord.invalid', email_key = id || '@discord.invalid' where id = ${fromDiscord.id}`,
    );
    for (const { id } of [nameless, fromDiscord]) {
      await admin.client.call('PUT', `/users/${id}/proficiencies/2`, { level: 'basic' });
    }
    await query(em, sql`update audit_entry set actor_id = ${fromDiscord.id} where subject_id = ${nameless.id}`);
    const [about] = (await read({ subjectId: nameless.id })).entries;
    expect([about?.subjectName, about?.actor?.displayName]).toEqual([nameless.email, 'Pilot']);
    expect(JSON.stringify(await read({ subjectId: fromDiscord.id }))).not.toContain('.invalid');
  });

  test('a deleted account leaves its entries', async () => {
    const other = await givenAdmin(service);
    const pilot = await givenPerson(service);
    await other.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
    await query(service.app.orm.em.fork(), sql`delete from app_user where id = ${other.id}`);
    expect((await read({ subjectId: pilot.id })).entries).toMatchObject([
      { actor: null, summary: 'Set F-16C Viper to expert' },
    ]);
  });
});

test('filters narrow the list and combine', async () => {
  const other = await givenAdmin(service);
  const pilot = await givenPerson(service);
  await other.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
  await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'basic' });
  await other.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'admin' });
  const of = async (search: Record<string, string>) => (await read(search)).entries.map(({ summary }) => summary);
  expect(await of({ actorId: other.id })).toEqual(['Added the role admin', 'Set F-16C Viper to expert']);
  expect(await of({ actorId: other.id, action: 'role_added' })).toEqual(['Added the role admin']);
  expect(await of({ subjectId: pilot.id, action: 'proficiency_set' })).toEqual([
    'Set F-16C Viper to basic',
    'Set F-16C Viper to expert',
  ]);
  expect(await of({ subjectId: pilot.id, actorId: pilot.id })).toEqual([]);
});

test('pages follow without a gap, newest first, also among entries of the same moment', async () => {
  const subject = '200300400500600700';
  for (let second = 0; second < 5; second += 1) {
    await note('registration_resent', 'guild', subject, { channel: `c${second}` }, second);
    await note('registration_resent', 'guild', subject, { channel: `c${second}` }, second);
  }
  const pages = [];
  for (let page = 1; page <= 4; page += 1) pages.push(await read({ subjectId: subject, page, pageSize: 3 }));
  expect(pages.map(({ total, entries }) => [total, entries.length])).toEqual([
    [10, 3],
    [10, 3],
    [10, 3],
    [10, 1],
  ]);
  const all = pages.flatMap(({ entries }) => entries);
  expect(new Set(all.map(({ id }) => id)).size).toBe(10);
  const times = all.map(({ occurredAt }) => occurredAt);
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await read({ subjectId: subject, page: 1_000_000, pageSize: 100 })).entries).toEqual([]);
});

test('entries of another release are read as far as they are known', async () => {
  const subject = '300400500600700800';
  for (const detail of [null, 'text', [1], { changes: { no: 'list' } }, { changes: [null, 3, { field: 7 }] }]) {
    await note('mission_edited', 'guild', subject, detail);
  }
  await note('mission_teleported', 'guild', subject, {});
  await note('mission_edited', 'airport', subject, {});
  const { total, entries } = await read({ subjectId: subject });
  expect([total, entries.map(({ summary }) => summary)]).toEqual([5, Array(5).fill('Edited the mission')]);
});

test.each([
  ['action=mission_teleported', 'Please choose an action from the list'],
  ['actorId=1', 'This id is not valid'],
  ['page=0', 'The page must be a whole number from 1'],
  ['pageSize=101', 'The page size must be a whole number from 1 to 100'],
])('%s is refused', async (search, sentence) => {
  const { status, body } = await admin.client.call('GET', `/admin/audit?${search}`);
  expect([status, body.message]).toEqual([400, sentence]);
});

test('creating a mission by the form adds an entry that names it', async () => {
  const { mission } = await givenMission(service, admin, {
    name: 'Op Ledger',
    startLocal: hoursFromNow(200),
    endLocal: hoursFromNow(203),
  });
  expect((await read({ action: 'mission_created' })).entries[0]).toMatchObject({
    subjectType: 'mission',
    subjectId: mission.id,
    subjectName: 'Op Ledger',
    missionStartUtc: `${mission.startLocal}:00.000Z`,
  });
});

describe('search', () => {
  const found = async (search: Record<string, string | number>) =>
    (await read(search)).entries.map(({ summary }) => summary);

  test('finds words of the details, the action, the actor and the subject; every word counts', async () => {
    const pilot = await givenPerson(service, { displayName: 'Nightjar' });
    await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/4`, { level: 'expert' });
    await admin.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'admin' });
    await admin.client.call('POST', `/admin/users/${pilot.id}/reset-password`, { newPassword: PASSWORD });
    const all = ['Reset the password', 'Added the role admin', 'Set F-14B Tomcat to expert'];
    expect(await found({ query: 'nightjar' }), 'the subject').toEqual(all);
    expect(await found({ query: 'NIGHT expert' }), 'a word of the details').toEqual(['Set F-14B Tomcat to expert']);
    expect(await found({ query: 'nightjar password' }), 'the action').toEqual(['Reset the password']);
    expect(await found({ query: 'nightjar ops' }), 'the actor').toEqual(all);
    expect(await found({ query: 'nightjar basic' })).toEqual([]);
    expect((await read({ query: 'nightjar', pageSize: 2, page: 2 })).entries).toHaveLength(1);
    expect((await read({ query: 'nightjar', pageSize: 2, page: 2 })).total).toBe(3);
  });

  test("a mission's name counts as it is and as it was, by the beginning of a word", async () => {
    const { mission } = await givenMission(service, admin, { name: 'Op Quiet Lantern' });
    expect(await found({ query: 'quiet lant' })).toEqual(['Created the mission']);
    await query(service.app.orm.em.fork(), sql`delete from mission where id = ${mission.id}`);
    expect(await found({ query: 'quiet lant' }), 'its former name').toEqual(['Created the mission']);
  });

  // no time of day, as in an edit's entry, begins with 900
  test.each(["o'brien", '900%', "'", "|x'", '\\', ':*', '!&|()', '<->', '""'])(
    '%j is text, and no pattern or operator',
    async (words) => expect(await found({ query: words })).toEqual([]),
  );

  test("dates are whole days of the reader's zone, the first and the last included", async () => {
    const at = (iso: string, changes: string) =>
      query(
        service.app.orm.em.fork(),
        sql`insert into audit_entry (id, actor_id, action, subject_type, subject_id, detail, occurred_at)
            values (gen_random_uuid(), ${admin.id}, 'webhook_changed', 'webhook', 'w',
                    ${JSON.stringify({ changes })}::jsonb, ${iso}::timestamptz)`,
      );
    await at('2024-03-30T22:59:59Z', 'before');
    await at('2024-03-30T23:00:00Z', 'first moment');
    await at('2024-03-31T21:59:59Z', 'last moment');
    await at('2024-03-31T22:00:00Z', 'after');
    const dates = { from: '2024-03-31', to: '2024-03-31' };
    // in Berlin this Sunday has 23 hours
    expect(await found({ ...dates, tz: 'Europe/Berlin' })).toEqual(['last moment', 'first moment']);
    expect(await found({ ...dates })).toEqual(['after', 'last moment']);
    expect(await found({ to: '2024-03-30', tz: 'Europe/Berlin' })).toEqual(['before']);
    expect(await found({ from: '2024-04-02', to: '2024-04-30', tz: 'Europe/Berlin' })).toEqual([]);
  });

  test('the words of the details are looked up in their index', async () => {
    const em = service.app.orm.em.fork();
    await query(
      em,
      sql`insert into audit_entry (id, actor_id, action, subject_type, subject_id, detail, occurred_at)
          select gen_random_uuid(), null, 'webhook_changed', 'webhook', 'w' || n,
                 jsonb_build_object('changes', 'entry ' || n), now() - n * interval '1 second'
          from generate_series(1, 20000) as n`,
    );
    await query(em, sql`analyze audit_entry`);
    const plan = await query(
      em,
      sql`explain select id from audit_entry
          where jsonb_to_tsvector('simple', detail, '["string"]') @@ to_tsquery('simple', ${"'19999':*"})
             or actor_id = any('{}'::uuid[]) or subject_id = any('{}'::text[]) or action = any('{}'::text[])`,
    );
    expect(JSON.stringify(plan)).toContain('audit_entry_words_idx');
    expect(await found({ query: '19999' })).toEqual(['entry 19999']);
  });
});
