/** Registration from Discord: one-time links, the account they create, and its first email and password. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { issueRegistrationSession, registrationUrl } from '#server/discord/registration/registration.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenPerson, PASSWORD } from '#tests/harness/given.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';
import { openStream } from '#tests/harness/stream.ts';

const GUILD = '889900112233445566';
const OTHER_GUILD = '889900112233445567';
const INVALID = 'Invalid registration link. Please start the registration process from Discord.';
const OVER = `${INVALID} Ask the bot for a new link.`;
const NO_DISCORD = 'Discord information not available. Please restart the registration process.';
const DEAD_LINK = 'This sign-in link has expired or was already used. Ask the bot for a new link.';
const MINUTE = 60_000;

let service: Service;
let visitor: Client;
beforeAll(async () => {
  service = await startService();
  visitor = createClient(service);
  await rows(sql`
    insert into guild (id, name, icon_url, status, installed_at, accepted_at, last_seen_at) values
      (${GUILD}, 'Lantern Wing', 'https://cdn.discordapp.com/icons/1/a.png', 'active', now(), now(), now()),
      (${OTHER_GUILD}, 'Elsewhere', 'https://evil.example/icons/1/a.png', 'disabled', now(), now(), now())`);
});
afterAll(() => service.stop());

function rows<Row>(statement: Parameters<typeof query<Row>>[1]): Promise<Row[]> {
  return query<Row>(service.app.orm.em.fork(), statement);
}

let count = 0;

/** A Discord member of no account, with a link as the bot would hand it out. */
async function givenLink({ now = new Date(), discordUserId = '' } = {}) {
  count += 1;
  // longer than a number holds: 2^53 has 16 digits
  const id = discordUserId || `12345678901234567${String(count).padStart(2, '0')}`;
  const request = { guildId: GUILD, discordUserId: id, discordUsername: `glow.${count}`, campaignId: 'spring' };
  const session = await issueRegistrationSession(service.app.orm.em.fork(), request, now);
  const body = {
    discordUserId: id,
    discordUsername: 'whatever the page says',
    guildId: GUILD,
    callSign: `Glow ${count}`,
    timeZone: 'Asia/Kathmandu',
    wantsGlobalEvents: true,
    availabilityWindows: [],
    session,
  };
  return { body, session, name: request.discordUsername };
}

const complete = (body: unknown, client = visitor) => client.call('POST', '/public/registration/complete', body);
const redeem = (token: string, client: Client) => client.call('POST', '/auth/sign-in-link', { token });
const tokenOf = (url: string): string => new URL(url).pathname.replace('/sign-in/', '');

async function eventsOf(name: string): Promise<string[]> {
  const found = await rows<{ line: string }>(sql`
    select concat_ws(': ', event_type, error_message) as line from guild_event
    where event_data = ${name} order by occurred_at, id`);
  return found.map(({ line }) => line);
}

describe('start', () => {
  test('names the server; its icon only from Discord; the guild by query or body', async () => {
    const named = await visitor.call('POST', `/public/registration/start?guildId=${GUILD}&campaignId=spring`);
    expect([named.status, named.body]).toEqual([
      200,
      {
        guild: { id: GUILD, name: 'Lantern Wing', iconUrl: 'https://cdn.discordapp.com/icons/1/a.png' },
        authorizeUrl: null,
      },
    ]);
    const other = await visitor.call('POST', '/public/registration/start', { guildId: OTHER_GUILD });
    expect(other.body.guild).toEqual({ id: OTHER_GUILD, name: 'Elsewhere', iconUrl: null });
  });

  test.each([
    ['/public/registration/start?guildId=1', 404, 'Guild not found'],
    ['/public/registration/start', 400, INVALID],
    ['/public/registration/start?guildId=', 400, INVALID],
  ])('%s is %d %s', async (path, status, message) => {
    expect(await visitor.call('POST', path)).toMatchObject({ status, body: { message } });
  });
});

describe('complete', () => {
  test('creates an account from the link and the input, without a password, and hides its placeholder address', async () => {
    const { body, name } = await givenLink();
    const { status, body: answer } = await complete(body);
    expect(status).toBe(200);
    expect(answer).toEqual({
      success: true,
      message: `Registration complete. Welcome, ${body.callSign}!`,
      fightClubUserId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      signInUrl: expect.stringMatching(new RegExp(`^${service.url}/sign-in/[\\w-]{43}$`)),
    });
    const [stored] = await rows(sql`
      select u.id, u.display_name, u.time_zone, u.wants_global_events, u.roles, u.password_hash, u.email like '%.invalid' as reserved,
             d.discord_user_id, d.username, r.campaign_id, r.user_id = u.id as "linkKnows", r.used_at is not null as used
      from app_user u join discord_account d on d.user_id = u.id
      join registration_session r on r.discord_user_id = d.discord_user_id
      where d.discord_user_id = ${body.discordUserId}`);
    expect(stored).toEqual({
      id: answer.fightClubUserId,
      display_name: body.callSign,
      time_zone: 'Asia/Kathmandu',
      wants_global_events: true,
      roles: ['user'],
      password_hash: null,
      reserved: true,
      discord_user_id: body.discordUserId,
      username: name,
      campaign_id: 'spring',
      linkKnows: true,
      used: true,
    });
    expect(await eventsOf(name)).toEqual(['registration_link_issued', 'registration_completed']);
    const holder = createClient(service);
    expect((await redeem(tokenOf(answer.signInUrl), holder)).body.user.email).toBe('');
  });

  test('a new account updates the public counters of every open page', async () => {
    const { client } = await givenPerson(service);
    const stream = await openStream(service, client.cookie());
    await stream.next('all');
    const { body } = await givenLink();
    // notices of earlier tests may still be on their way; each carries its transaction
    const [before] = await rows<{ version: number }>(sql`select pg_current_xact_id()::text::float8 as version`);
    expect((await complete(body)).status).toBe(200);
    let { version } = await stream.next('stats');
    while (version <= (before?.version ?? 0)) ({ version } = await stream.next('stats'));
    stream.close();
  });

  test('wantsGlobalEvents defaults to off', async () => {
    const { body } = await givenLink();
    const { wantsGlobalEvents: _wants, availabilityWindows: _windows, ...least } = body;
    const { body: answer } = await complete(least);
    const [stored] = await rows(
      sql`select wants_global_events as wants from app_user where id = ${answer.fightClubUserId}`,
    );
    expect(stored).toEqual({ wants: false });
  });

  test('the same request twice has the same answer; a different one with the same link is refused', async () => {
    const { body, name } = await givenLink();
    const first = await complete(body);
    expect(first.status).toBe(200);
    const before = await takeDigest(service);
    expect((await complete(body)).body).toEqual(first.body);
    expect(await takeDigest(service)).toEqual(before);
    for (let round = 0; round < 2; round += 1) {
      expect(await complete({ ...body, callSign: 'Somebody Else' })).toMatchObject({
        status: 400,
        body: { message: OVER },
      });
    }
    expect(await takeDigest(service, ['guild_event'])).toEqual({ ...before, 'public.guild_event': undefined });
    expect((await eventsOf(name)).at(-1)).toBe('registration_rejected: The link had been used');
    expect(await eventsOf(name)).toHaveLength(3);
  });

  test('ten at once make one account and one answer', async () => {
    const { body } = await givenLink();
    const answers = await Promise.all(Array.from({ length: 10 }, () => complete(body, createClient(service))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    const made = await rows(sql`select 1 from app_user where display_name = ${body.callSign}`);
    expect(made).toHaveLength(1);
  });

  test.each([
    ['another Discord id', { discordUserId: '1234567890123456799' }, INVALID],
    ['an id that rounds to the same number', { discordUserId: 'LAST DIGIT' }, INVALID],
    ['another server', { guildId: OTHER_GUILD }, INVALID],
    ['an unknown link', { session: 'a'.repeat(43) }, OVER],
    ['no link', { session: undefined }, INVALID],
    ['no Discord id', { discordUserId: undefined }, NO_DISCORD],
    ['a blank Discord id', { discordUserId: ' ' }, NO_DISCORD],
    ['no server', { guildId: undefined }, NO_DISCORD],
    ['no Discord data and no call sign', { guildId: undefined, callSign: '' }, NO_DISCORD],
    ['no call sign', { callSign: ' ' }, 'Call sign is required'],
    ['a call sign of 201 characters', { callSign: 'x'.repeat(201) }, 'Call sign too long'],
    ['no zone', { timeZone: '' }, 'Please select a timezone'],
    ['a zone nobody knows', { timeZone: 'Mars/Olympus' }, 'Please select a timezone'],
    ['a choice that is none', { wantsGlobalEvents: 'maybe' }, 'The value must be true or false'],
  ])('%s is refused, changes nothing, and leaves the link good', async (_case, change, message) => {
    const { body } = await givenLink();
    const last = Number(body.discordUserId.at(-1));
    const bent = `${body.discordUserId.slice(0, -1)}${last === 9 ? 8 : last + 1}`;
    const bad = JSON.parse(JSON.stringify({ ...body, ...change }).replace('LAST DIGIT', bent));
    const before = await takeDigest(service, ['guild_event']);
    expect(await complete(bad)).toMatchObject({ status: 400, body: { message } });
    expect(await takeDigest(service, ['guild_event'])).toEqual(before);
    expect((await complete(body)).status).toBe(200);
  });

  test('a link is good for 20 minutes', async () => {
    const dead = await givenLink({ now: new Date(Date.now() - 20 * MINUTE) });
    const alive = await givenLink({ now: new Date(Date.now() - 19 * MINUTE) });
    expect(await complete(dead.body)).toMatchObject({ status: 400, body: { message: OVER } });
    expect(await eventsOf(dead.name)).toEqual([
      'registration_link_issued',
      'registration_rejected: The link had expired or was replaced by a newer one',
    ]);
    expect((await complete(alive.body)).status).toBe(200);
  });

  test('a new link voids the older ones of that Discord account, also when created at the same time', async () => {
    const first = await givenLink();
    const discordUserId = first.body.discordUserId;
    const later = await Promise.all([1, 2, 3].map(() => givenLink({ discordUserId })));
    expect(await complete(first.body)).toMatchObject({ status: 400, body: { message: OVER } });
    const statuses = await Promise.all(later.map(async ({ body }) => (await complete(body)).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  });

  test('a linked account is updated and keeps its id; with a password it gets no sign-in link', async () => {
    const pilot = await givenPerson(service, { displayName: 'Old Name' });
    const { body } = await givenLink();
    await rows(sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                   values (${body.discordUserId}, ${pilot.id}, 'old', now() - interval '1 day')`);
    expect((await complete(body)).body).toEqual({
      success: true,
      message: 'Your Discord account was registered already. Your profile has been updated.',
      fightClubUserId: pilot.id,
      signInUrl: null,
    });
    expect((await pilot.client.call('GET', '/auth/me')).body).toMatchObject({
      email: pilot.email,
      displayName: body.callSign,
      timeZone: 'Asia/Kathmandu',
    });
  });

  test('a suspended pilot cannot rename the account by registering again', async () => {
    const { body } = await givenLink();
    const { body: registered } = await complete(body);
    await rows(sql`update app_user set roles = '{}' where id = ${registered.fightClubUserId}`);
    const again = await givenLink({ discordUserId: body.discordUserId });
    const before = await takeDigest(service);
    expect(await complete({ ...again.body, callSign: 'Somebody Else' })).toMatchObject({
      status: 403,
      body: { message: 'Your account is suspended. Please ask an admin.' },
    });
    expect(await takeDigest(service)).toEqual(before);
  });

  test('a signed-in user is neither linked nor changed nor signed out', async () => {
    const pilot = await givenPerson(service);
    const me = (await pilot.client.call('GET', '/auth/me')).body;
    const { body } = await givenLink();
    const { body: answer } = await complete(body, pilot.client);
    expect(answer.fightClubUserId).not.toBe(pilot.id);
    expect((await pilot.client.call('GET', '/auth/me')).body).toEqual(me);
    expect(await rows(sql`select from discord_account where user_id = ${pilot.id}`)).toEqual([]);
  });

  test('both links are stored as hashes only', async () => {
    const { body, session } = await givenLink();
    const { body: answer } = await complete(body);
    const [dump] = await rows<{ text: string }>(sql`
      select concat((select json_agg(r) from registration_session r), (select json_agg(l) from sign_in_link l),
                    (select json_agg(e) from guild_event e)) as text`);
    expect(dump?.text).toContain(createHash('sha256').update(session).digest('hex'));
    expect(dump?.text).not.toContain(session);
    expect(dump?.text).not.toContain(tokenOf(answer.signInUrl));
    expect(dump?.text).not.toContain('discord.invalid');
  });

  test('the link in Discord carries what the page needs, with ids as text', async () => {
    const { body } = await givenLink();
    const url = new URL(registrationUrl(service.url, body, body.session));
    expect([url.origin, url.pathname]).toEqual([service.url, '/discord/registration']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      discord_id: body.discordUserId,
      discord_username: body.discordUsername,
      guild_id: GUILD,
      session: body.session,
    });
  });

  test('attempts are limited per address', async () => {
    const limited = await startService({ env: { AUTH_ATTEMPTS_PER_MINUTE: '2' } });
    try {
      const { body } = await givenLink();
      const send = async () => (await createClient(limited).call('POST', '/public/registration/complete', body)).status;
      // a minute may begin in between, and with it a new count
      const statuses = [await send(), await send(), await send(), await send(), await send()];
      expect(statuses).toContain(429);
      expect(statuses.slice(0, 2)).toEqual([400, 400]);
    } finally {
      await limited.stop();
    }
  });
});

describe('the sign-in link', () => {
  async function givenNewcomer() {
    const { body } = await givenLink();
    const { body: answer } = await complete(body);
    return { id: String(answer.fightClubUserId), token: tokenOf(answer.signInUrl), client: createClient(service) };
  }
  const credentials = (email: string, password = PASSWORD) => ({ email, password, confirmPassword: password });

  test('opening it does not use it up; posting it signs in once, also of ten at once', async () => {
    const { id, token } = await givenNewcomer();
    const before = await takeDigest(service);
    for (const path of [`/sign-in/${token}`, `/api/v1/auth/sign-in-link?token=${token}`]) {
      const response = await fetch(`${service.url}${path}`);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(await takeDigest(service)).toEqual(before);
    const clients = Array.from({ length: 10 }, () => createClient(service));
    const answers = await Promise.all(clients.map((client) => redeem(token, client)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers[winner]?.body).toMatchObject({ needsCredentials: true, user: { id, email: '' } });
    expect((await clients[winner]?.call('GET', '/auth/me'))?.body.id).toBe(id);
    expect(await redeem(token, createClient(service))).toMatchObject({ status: 400, body: { message: DEAD_LINK } });
  });

  test('expires after five minutes, and the registration no longer offers it', async () => {
    const { body } = await givenLink();
    const { body: answer } = await complete(body);
    const token = tokenOf(answer.signInUrl);
    const moved = await rows(sql`
      update sign_in_link set created_at = created_at - interval '5 minutes', expires_at = expires_at - interval '5 minutes'
      where token_hash = ${createHash('sha256').update(token).digest('hex')}
      returning extract(epoch from expires_at - created_at)::int as seconds`);
    expect(moved).toEqual([{ seconds: 300 }]);
    const before = await takeDigest(service);
    expect(await redeem(token, createClient(service))).toMatchObject({ status: 400, body: { message: DEAD_LINK } });
    expect((await complete(body)).body).toEqual({ ...answer, signInUrl: null });
    expect(await takeDigest(service)).toEqual(before);
  });

  test('ends the session that the browser held', async () => {
    const pilot = await givenPerson(service);
    const held = pilot.client.cookie();
    const { id, token } = await givenNewcomer();
    await redeem(token, pilot.client);
    expect((await pilot.client.call('GET', '/auth/me')).body.id).toBe(id);
    const old = await fetch(`${service.url}/api/v1/auth/me`, { headers: { cookie: held } });
    expect(old.status).toBe(401);
  });

  test('lets its holder set email and password once, and sign in with them', async () => {
    const { id, token, client } = await givenNewcomer();
    await redeem(token, client);
    const taken = await givenPerson(service);
    const before = await takeDigest(service);
    for (const [input, status, message] of [
      [credentials('glow'), 400, 'Invalid email address'],
      [credentials('glow@example.org', 'seven77'), 400, 'Password must be at least 8 characters'],
      [credentials('glow@example.org', 'password123'), 400, 'This password is too common. Please choose another one.'],
      [{ ...credentials('glow@example.org'), confirmPassword: 'x' }, 400, 'Passwords do not match'],
      [credentials(taken.email.toUpperCase()), 409, 'An account with this email already exists'],
    ] as const) {
      expect(await client.call('POST', '/auth/credentials', input)).toMatchObject({ status, body: { message } });
    }
    expect(await takeDigest(service)).toEqual(before);

    const set = await client.call('POST', '/auth/credentials', credentials('Glow@example.org'));
    expect([set.status, set.body]).toEqual([200, expect.objectContaining({ id, email: 'Glow@example.org' })]);
    expect(await client.call('POST', '/auth/credentials', credentials('again@example.org'))).toMatchObject({
      status: 409,
      body: { message: 'This account already has a password. You can change it on your profile.' },
    });
    const login = await createClient(service).call('POST', '/auth/login', {
      email: 'glow@example.org',
      password: PASSWORD,
    });
    expect([login.status, login.body.id]).toEqual([200, id]);
  });

  test('two tabs that set credentials at once: one wins, and its password is the one', async () => {
    const { token, client } = await givenNewcomer();
    await redeem(token, client);
    const emails = ['tab-a@example.org', 'tab-b@example.org'];
    const answers = await Promise.all(
      emails.map((email) => client.call('POST', '/auth/credentials', credentials(email))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const logins = await Promise.all(
      emails.map((email) => createClient(service).call('POST', '/auth/login', { email, password: PASSWORD })),
    );
    expect(logins.map(({ status }) => status)).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 401)));
  });
});
