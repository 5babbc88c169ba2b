/** Room at an ownership cap: the oldest links give way, and rows that are past, removed or cancelled do not count. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueSignInLink } from '#server/accounts/sign-in-links.ts';
import { issueRegistrationSession } from '#server/discord/registration/registration.ts';
import { sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { givenAdmin, givenMission, givenPerson } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask } from '#tests/harness/transports.ts';
import { countIn, dayOf, givenOwner, missionInput, rowsIn, subscriptionInput } from './owned.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('links that the bot gives out', () => {
  const GUILD = '100200300400500777';
  const now = new Date();

  test('at most 20 sign-in links of an account are kept', async () => {
    const { id } = await givenPerson(service);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        transact(service.app.orm.em.fork(), (tx) => issueSignInLink(tx, id, `many-${index}`, now)),
      ),
    );
    expect(await countIn(service, sql`sign_in_link where user_id = ${id}`)()).toBe(20);
  });

  test('at most 20 registration links of a Discord account are kept, and the last one works', async () => {
    await givenGuild(service, GUILD, { name: 'Many links' });
    const request = { guildId: GUILD, discordUserId: '700800900100200777', discordUsername: 'many', campaignId: null };
    const issue = () => issueRegistrationSession(service.app.orm.em.fork(), request, now);
    for (let batch = 0; batch < 4; batch += 1) await Promise.all(Array.from({ length: 8 }, issue));
    const token = await issue();
    expect(await countIn(service, sql`registration_session where discord_user_id = ${request.discordUserId}`)()).toBe(
      20,
    );
    const input = { ...request, session: token, callSign: 'Many', timeZone: 'UTC', wantsGlobalEvents: false };
    const reply = await ask(service, 'rest', 'discord.completeRegistration', { ...input, availabilityWindows: [] });
    expect([reply.status, reply.message]).toEqual([200, null]);
  });
});

describe('at a cap', () => {
  test('past exceptions make room, and no future one is lost', async () => {
    const { id, client } = await givenPerson(service);
    const path = `/users/${id}/availability/overrides`;
    await rowsIn(
      service,
      sql`insert into availability_override (id, user_id, date_local, kind, start_local, end_local, created_at)
          select gen_random_uuid(), ${id}, current_date + n, 'unavailable', '00:00', '00:00', now()
          from generate_series(-300, 98) as n where n not in (-1, 0)`,
    );
    const away = { kind: 'unavailable', startLocal: '00:00', endLocal: '00:00' };
    const { status } = await client.call('POST', path, { ...away, dateLocal: dayOf(0), untilLocal: dayOf(9) });
    expect(status).toBe(201);
    expect(await countIn(service, sql`availability_override where user_id = ${id}`)()).toBe(400);
    expect(
      await countIn(service, sql`availability_override where user_id = ${id} and date_local > current_date`)(),
    ).toBe(108);
  });

  test('a known device can subscribe again, and removing one makes room', async () => {
    const { client } = await givenPerson(service);
    const devices = Array.from({ length: 21 }, (_, index) => subscriptionInput(1_000 + index));
    const subscribe = async (device: unknown) =>
      (await client.call('POST', '/pilot/push/subscriptions', device)).status;
    const statuses: number[] = [];
    for (const device of devices) statuses.push(await subscribe(device));
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 409]);
    expect(await subscribe(devices[3])).toBe(201);
    await client.call('DELETE', `/pilot/push/subscriptions?endpoint=${encodeURIComponent(devices[3]?.endpoint ?? '')}`);
    expect(await subscribe(devices[20])).toBe(201);
  });

  test('missions that are over or cancelled no longer count', async () => {
    const admin = await givenOwner(service, 200, 'draft');
    const create = () => ask(service, 'rest', 'admin.createMission', missionInput(1, false), admin.client.cookie());
    expect((await create()).status).toBe(409);
    await rowsIn(
      service,
      sql`update mission set starts_at = now() - interval '3 hours', ends_at = now() - interval '2 hours'
          where id = (select id from mission where created_by_id = ${admin.id} limit 1)`,
    );
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
    const [draft] = await rowsIn<{ id: string }>(
      service,
      sql`select id from mission where created_by_id = ${admin.id} and ends_at > now() limit 1`,
    );
    await admin.client.call('POST', `/admin/missions/${draft?.id}/cancel`);
    expect((await create()).status).toBe(201);
    await givenMission(service, await givenAdmin(service), { publish: false });
  });
});
