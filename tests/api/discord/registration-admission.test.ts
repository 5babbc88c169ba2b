/** Registration from Discord under the registration setting, and the check of a personal link before its form. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueRegistrationSession } from '#server/discord/registration/registration.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';

const GUILD = '100200300400500600';
const REQUIRED = 'Registration is by invite here. Please ask an admin for an invite link.';
const INVALID = 'Invalid registration link. Please start the registration process from Discord.';
const OVER = `${INVALID} Ask the bot for a new link.`;

let service: Service;
let admin: Person;
let visitor: Client;
let count = 0;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  visitor = createClient(service);
  await rows(sql`insert into guild (id, name, status, installed_at, accepted_at, last_seen_at)
                 values (${GUILD}, 'Lantern Wing', 'active', now(), now(), now())`);
});
afterAll(() => service.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const setRegistration = (registration: string) =>
  admin.client.call('PUT', '/admin/community', { name: null, registration });

async function givenLink(discordUserId = '') {
  count += 1;
  const id = discordUserId || `12345678901234567${String(count).padStart(2, '0')}`;
  const request = { guildId: GUILD, discordUserId: id, discordUsername: `glow.${count}`, campaignId: null };
  const session = await issueRegistrationSession(service.app.orm.em.fork(), request, new Date());
  return { discordUserId: id, guildId: GUILD, session, callSign: `Glow ${count}`, timeZone: 'UTC' };
}

const complete = (body: unknown) => visitor.call('POST', '/public/registration/complete', body);
const problemOf = async ({ discordUserId, guildId, session }: Record<string, string>) => {
  const search = new URLSearchParams({
    discordUserId: discordUserId ?? '',
    guildId: guildId ?? '',
    session: session ?? '',
  });
  const { status, body } = await visitor.call('GET', `/public/registration/link?${search.toString()}`);
  expect(status).toBe(200);
  return body.problem;
};

describe('a personal link', () => {
  test('is checked before the form, and is not used up by that', async () => {
    const link = await givenLink();
    expect([await problemOf(link), await problemOf(link)]).toEqual([null, null]);
    expect(await problemOf({ ...link, session: 'unknown' })).toBe(OVER);
    expect(await problemOf({ ...link, discordUserId: '1' })).toBe(INVALID);
    expect(await problemOf({ ...link, guildId: '1' })).toBe(INVALID);
    expect((await complete(link)).status).toBe(200);
    expect(await problemOf(link)).toBe(OVER);
    const late = await givenLink();
    await rows(sql`update registration_session set expires_at = now() where used_at is null`);
    expect(await problemOf(late)).toBe(OVER);
  });
});

describe('where registration is by invite', () => {
  test('nobody new comes in through Discord, and says so before the form; linked pilots still use their links', async () => {
    await setRegistration('open');
    const [pilot, stranger] = [await givenLink(), await givenLink()];
    await complete(pilot);
    await setRegistration('invite');
    expect(await problemOf(stranger)).toBe(REQUIRED);
    expect((await complete(stranger)).body).toMatchObject({ code: 'INVITE_REQUIRED', message: REQUIRED });
    await expect(givenLink()).rejects.toMatchObject({ code: 'INVITE_REQUIRED' });
    const again = await givenLink(pilot.discordUserId);
    expect(await problemOf(again)).toBeNull();
    expect((await complete({ ...again, callSign: 'Renamed' })).status).toBe(200);
    expect(await rows(sql`select from discord_account where discord_user_id = ${stranger.discordUserId}`)).toEqual([]);
  });
});

describe('where admins approve accounts', () => {
  test('an account from Discord waits, and can change its profile meanwhile', async () => {
    await setRegistration('approval');
    const link = await givenLink();
    const { body } = await complete(link);
    expect(body.message).toBe(
      `Registration complete. Welcome, ${link.callSign}! Your account is waiting for an admin to approve it.`,
    );
    const stored = () =>
      rows(sql`select roles, approval, display_name from app_user where id = ${body.fightClubUserId}`);
    expect(await stored()).toEqual([{ roles: [], approval: 'waiting', display_name: link.callSign }]);
    await complete({ ...(await givenLink(link.discordUserId)), callSign: 'Second Thought' });
    expect(await stored()).toEqual([{ roles: [], approval: 'waiting', display_name: 'Second Thought' }]);
    const ids = [body.fightClubUserId];
    await admin.client.call('POST', '/admin/waiting-accounts', { ids, decision: 'decline' });
    const refused = await complete(await givenLink(link.discordUserId));
    expect([refused.status, refused.body.code]).toEqual([403, 'NOT_APPROVED']);
  });
});
