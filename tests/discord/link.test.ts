/** A pilot's Discord account: linking by OAuth2, registering with it, unlinking, and one account per pilot. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import type { AppError } from '#server/platform/errors.ts';
import { linkAccount } from '#server/discord/sign-in/link.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, sessionOf } from '#tests/harness/service.ts';
import { openStream } from '#tests/harness/stream.ts';
import type { Snowflake } from './emulator/types.ts';
import { agree, givenStoredGuild, givenStoredMember, openBrowser, startVisits, type VisitWorld } from './visits.ts';

const LINK = { purpose: 'link' };
const LINKED = '/profile/me?discord=linked#discord';
const ELSEWHERE = 'This Discord account is linked to another pilot. Sign in as that pilot to unlink it.';
const OTHER = 'Another Discord account is linked to this pilot. Please unlink it first.';
const KICKED_GUILD = '889900112233445501';

let world: VisitWorld;

beforeAll(async () => {
  world = await startVisits();
  await givenStoredGuild(world, world.guildId);
  await givenStoredGuild(world, KICKED_GUILD, 'disabled');
});
afterAll(async () => {
  await world.service.stop();
  expect(world.emulator.violations).toEqual([]);
  await world.emulator.stop();
});

let count = 0;

/** A pilot without, and a Discord member with the name of neither. */
async function givenPair(): Promise<{ pilot: Person; discord: Snowflake; name: string }> {
  count += 1;
  const name = `flyer.${count}`;
  const discord = world.givenDiscordUser(name);
  return { pilot: await givenPerson(world.service), discord, name };
}

async function givenLinked() {
  const pair = await givenPair();
  expect(await openBrowser(world.service, pair.pilot).visit(LINK, pair.discord)).toBe(LINKED);
  return pair;
}

const linksOf = (pilot: Person) =>
  world.rows<{ id: string }>(sql`select discord_user_id as id from discord_account where user_id = ${pilot.id}`);
const link = (userId: string, discordUserId: Snowflake) =>
  transact(world.service.app.orm.em.fork(), (tx) =>
    linkAccount(tx, userId, { discordUserId, username: 'whoever' }, new Date()),
  );

/** One row once each: those that were refused say why. */
async function sentencesOf(tries: readonly Promise<void>[]): Promise<string[]> {
  const settled = await Promise.allSettled(tries);
  return settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as AppError).message] : []));
}

describe('link', () => {
  test("links the account to the pilot, updates open pages, and records it in the user's guilds", async () => {
    const { pilot, discord, name } = await givenPair();
    await givenStoredMember(world, world.guildId, discord);
    await givenStoredMember(world, KICKED_GUILD, discord);
    const page = await openStream(world.service, pilot.client.cookie());
    await page.next('all');
    expect(await openBrowser(world.service, pilot).visit(LINK, discord)).toBe(LINKED);
    await page.next('profile');
    page.close();
    const { body } = await pilot.client.call('GET', `/users/${pilot.id}/discord`);
    expect(body).toEqual({
      canLink: true,
      hasBot: false,
      account: {
        username: name,
        linkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        wantsOrders: true,
        refusedAt: null,
        canUnlink: true,
      },
    });
    const noted = sql`select guild_id, event_type, error_message from guild_event where event_data = ${name}`;
    const once = [{ guild_id: world.guildId, event_type: 'account_linked', error_message: null }];
    expect(await world.rows(noted)).toEqual(once);
    // the same once more is no news
    expect(await openBrowser(world.service, pilot).visit(LINK, discord)).toBe(LINKED);
    expect(await world.rows(noted)).toEqual(once);
    expect(await linksOf(pilot)).toEqual([{ id: discord }]);
  });

  test('is refused for an account of another pilot, and for a second account', async () => {
    const first = await givenLinked();
    const second = await givenPair();
    const before = await takeDigest(world.service);
    const browser = openBrowser(world.service, second.pilot);
    expect(await browser.visit(LINK, first.discord)).toBe('/profile/me?discord=linked-elsewhere#discord');
    expect(await openBrowser(world.service, first.pilot).visit(LINK, second.discord)).toBe(
      '/profile/me?discord=linked-other#discord',
    );
    expect(await takeDigest(world.service)).toEqual(before);
    expect(await browser.visit(LINK, second.discord)).toBe(LINKED);
  });

  test('is refused to an access token, even beside the cookie of its owner', async () => {
    const { pilot } = await givenPair();
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = await pilot.client.call('POST', `/users/${pilot.id}/tokens`, {
      name: 'Linker',
      scopes: ['read', 'pilot'],
      expiresAt,
    });
    const { url } = world.service;
    const start = (headers: Record<string, string>) =>
      fetch(`${url}/api/v1/auth/discord?purpose=link`, { headers, redirect: 'manual' }).then(
        ({ headers: answered }) => [
          new URL(answered.get('location') ?? '', url).origin === url,
          answered.get('set-cookie') === null,
        ],
      );
    const cookie = pilot.client.cookie();
    expect(await start({ cookie })).toEqual([false, false]);
    expect(await start({ cookie, authorization: `Bearer ${made.body.token}` })).toEqual([true, true]);
  });

  test('is refused to anybody except its initiator, to visitors, and from other sites', async () => {
    const { pilot, discord } = await givenPair();
    const other = await givenPair();
    const before = await takeDigest(world.service);
    const browser = openBrowser(world.service, pilot);
    const callback = await agree(await browser.leave(LINK), discord);
    browser.cookies.set('session', sessionOf(other.pilot.client));
    expect((await browser.open(callback)).location).toBe('/profile/me?discord=other-viewer#discord');
    expect(await openBrowser(world.service).visit(LINK, discord)).toBe('/profile/me?discord=other-viewer#discord');
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const { location, setCookies } = await openBrowser(world.service, pilot).open(
      '/auth/discord?purpose=link',
      foreign,
    );
    expect([location, setCookies]).toEqual(['/profile/me?discord=failed#discord', []]);
    expect(await takeDigest(world.service)).toEqual(before);
  });

  test('is refused for a suspended account', async () => {
    const { pilot, discord } = await givenPair();
    await world.rows(sql`update app_user set roles = '{}' where id = ${pilot.id}`);
    expect(await openBrowser(world.service, pilot).visit(LINK, discord)).toBe('/profile/me?discord=suspended#discord');
    expect(await linksOf(pilot)).toEqual([]);
  });

  test('of one account to ten pilots at once, and of ten accounts to one pilot, is done once', async () => {
    const pairs = await Promise.all(Array.from({ length: 10 }, givenPair));
    const [{ pilot, discord }] = pairs as [(typeof pairs)[number]];
    const contested = world.givenDiscordUser('contested');
    expect(await sentencesOf(pairs.map((pair) => link(pair.pilot.id, contested)))).toEqual(Array(9).fill(ELSEWHERE));
    await world.rows(sql`delete from discord_account where discord_user_id = ${contested}`);
    expect(await sentencesOf(pairs.map((pair) => link(pilot.id, pair.discord)))).toEqual(Array(9).fill(OTHER));
    expect(await linksOf(pilot)).toHaveLength(1);
    await world.rows(sql`delete from discord_account where user_id = ${pilot.id}`);
    expect(await sentencesOf(pairs.map(() => link(pilot.id, discord)))).toEqual([]);
    expect(await linksOf(pilot)).toEqual([{ id: discord }]);
  });
});

describe('register', () => {
  const visitFor = (guildId: Snowflake, who: Snowflake) =>
    openBrowser(world.service).visit({ purpose: 'register', guildId, campaignId: 'autumn' }, who);

  test('gives a member the same link as the bot, which registers once', async () => {
    const discord = world.givenDiscordUser('newcomer');
    await givenStoredMember(world, world.guildId, discord);
    const address = new URL(await visitFor(world.guildId, discord));
    const { discord_id: discordUserId, guild_id: guildId, session } = Object.fromEntries(address.searchParams);
    expect([address.origin + address.pathname, discordUserId, guildId]).toEqual([
      `${world.service.url}/discord/registration`,
      discord,
      world.guildId,
    ]);
    const form = { callSign: 'Newcomer', timeZone: 'UTC', discordUserId, guildId, session };
    const visitor = createClient(world.service);
    const { status, body } = await visitor.call('POST', '/public/registration/complete', form);
    expect([status, body.message]).toEqual([200, 'Registration complete. Welcome, Newcomer!']);
    const made = sql`select d.username, r.campaign_id as campaign from discord_account d
                     join registration_session r on r.discord_user_id = d.discord_user_id
                     where d.user_id = ${body.fightClubUserId}`;
    expect(await world.rows(made)).toEqual([{ username: 'newcomer', campaign: 'autumn' }]);
  });

  test('is refused to former members and non-members, and for a guild without the bot', async () => {
    const gone = world.givenDiscordUser('gone');
    await givenStoredMember(world, world.guildId, gone, true);
    await givenStoredMember(world, KICKED_GUILD, gone);
    const stranger = world.givenDiscordUser('passer-by');
    const before = await takeDigest(world.service);
    const page = (outcome: string, guildId: Snowflake) =>
      `/discord/registration?discord=${outcome}&guild_id=${guildId}`;
    expect(await visitFor(world.guildId, gone)).toBe(page('not-member', world.guildId));
    expect(await visitFor(world.guildId, stranger)).toBe(page('not-member', world.guildId));
    expect(await visitFor(KICKED_GUILD, gone)).toBe(page('no-server', KICKED_GUILD));
    expect(await visitFor('123456789012345678', gone)).toBe(page('no-server', '123456789012345678'));
    expect(await takeDigest(world.service)).toEqual(before);
  });

  test.each([
    ['leads there from the page of the link', 'active', true],
    ['leads nowhere for a guild that removed the bot', 'disabled', false],
  ])('%s', async (_rule, status, isOffered) => {
    const guildId = `8899001122334455${isOffered ? '11' : '12'}`;
    await givenStoredGuild(world, guildId, status);
    const start = `/public/registration/start?guildId=${guildId}&campaignId=a%26b`;
    const { body } = await createClient(world.service).call('POST', start);
    expect(body.authorizeUrl).toBe(
      isOffered
        ? `${world.service.url}/api/v1/auth/discord?purpose=register&guildId=${guildId}&campaignId=a%26b`
        : null,
    );
    if (isOffered) expect((await openBrowser(world.service).open(new URL(body.authorizeUrl))).status).toBe(303);
  });
});

describe('unlink', () => {
  test('unlinks the account, repeatably, voids links from Discord, and frees it for other pilots', async () => {
    const { pilot, discord } = await givenLinked();
    await world.rows(sql`insert into sign_in_link (token_hash, user_id, created_at, expires_at)
                         values (encode(sha256(${`${pilot.id}-link`}::text::bytea), 'hex'), ${pilot.id}, now(),
                                 now() + interval '5 minutes')`);
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await pilot.client.call('DELETE', `/users/${pilot.id}/discord`);
      expect([status, body.account]).toEqual([200, null]);
    }
    const noted = await world.rows(
      sql`select action from audit_entry where actor_id = ${pilot.id} and action like 'discord%' order by occurred_at, id`,
    );
    expect(noted).toEqual([{ action: 'discord_linked' }, { action: 'discord_unlinked' }]);
    expect(await openBrowser(world.service).visit({ purpose: 'sign-in' }, discord)).toBe(
      '/login?discord=not-linked&from=%2Fhome',
    );
    const late = await createClient(world.service).call('POST', '/auth/sign-in-link', { token: `${pilot.id}-link` });
    expect(late.status).toBe(400);
    const heir = await givenPerson(world.service);
    expect(await openBrowser(world.service, heir).visit(LINK, discord)).toBe(LINKED);
  });

  test('voids a registration in progress too', async () => {
    const { pilot, discord } = await givenLinked();
    await givenStoredMember(world, world.guildId, discord);
    const visit = { purpose: 'register', guildId: world.guildId };
    const { searchParams } = new URL(await openBrowser(world.service).visit(visit, discord));
    const form = {
      callSign: 'Leaver',
      timeZone: 'UTC',
      discordUserId: discord,
      guildId: world.guildId,
      session: searchParams.get('session'),
    };
    const visitor = createClient(world.service);
    expect((await visitor.call('POST', '/public/registration/complete', form)).status).toBe(200);
    expect((await pilot.client.call('DELETE', `/users/${pilot.id}/discord`)).status).toBe(200);
    const { status, body } = await visitor.call('POST', '/public/registration/complete', form);
    expect([status, body.message]).toEqual([
      400,
      'Invalid registration link. Please start the registration process from Discord. Ask the bot for a new link.',
    ]);
  });

  test('is refused while it would prevent signing in, and allowed once a password is set', async () => {
    const { pilot, discord } = await givenLinked();
    await world.rows(sql`update app_user set password_hash = null where id = ${pilot.id}`);
    const refused = await pilot.client.call('DELETE', `/users/${pilot.id}/discord`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This account has no password, so without Discord nobody could sign in to it any more. Set one first: /login in Discord leads there.',
    ]);
    const shown = await pilot.client.call('GET', `/users/${pilot.id}/discord`);
    expect(shown.body.account.canUnlink).toBe(false);
    expect(await linksOf(pilot)).toEqual([{ id: discord }]);
    const credentials = { email: `own-${pilot.id}@example.org`, password: PASSWORD, confirmPassword: PASSWORD };
    expect((await pilot.client.call('POST', '/auth/credentials', credentials)).status).toBe(200);
    expect((await pilot.client.call('DELETE', `/users/${pilot.id}/discord`)).status).toBe(200);
    expect(await linksOf(pilot)).toEqual([]);
  });
});

test('direct messages are the pilot’s choice, and open pages are updated', async () => {
  const { pilot } = await givenLinked();
  const stranger = await givenPerson(world.service);
  const page = await openStream(world.service, pilot.client.cookie());
  await page.next('all');
  const path = `/users/${pilot.id}/discord`;
  expect((await stranger.client.call('PUT', path, { wantsOrders: false })).status).toBe(403);
  const { body } = await pilot.client.call('PUT', path, { wantsOrders: false });
  expect(body.account.wantsOrders).toBe(false);
  await page.next('profile');
  page.close();
  expect((await pilot.client.call('GET', path)).body).toEqual(body);
  const none = await stranger.client.call('PUT', `/users/${stranger.id}/discord`, { wantsOrders: false });
  expect([none.status, none.body.message]).toEqual([404, 'No Discord account is linked']);
});
