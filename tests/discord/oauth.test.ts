/** Signing in by Discord's OAuth2: accounts, redirects and refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#server/schema/query.ts';
import { createVisitCookie } from '#server/discord/sign-in/visit-cookie.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { createClient, startService } from '#tests/harness/service.ts';
import type { Snowflake } from './emulator/types.ts';
import { agree, openBrowser, startVisits, type Browser, type Landing, type VisitWorld } from './visits.ts';

const SIGN_IN = { purpose: 'sign-in' };
const OVER = '/login?discord=over&from=%2Fhome';

let world: VisitWorld;
let pilot: Person;
/** linked to the pilot */
let ace: Snowflake;
/** A visit during which Discord does not answer; it is waited for at the end, when its time is over. */
let hanging: Promise<Landing>;

beforeAll(async () => {
  world = await startVisits();
  pilot = await givenPerson(world.service, { displayName: 'Ace' });
  ace = world.givenDiscordUser('ace');
  await world.rows(sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                       values (${ace}, ${pilot.id}, 'old name', now())`);
  const browser = openBrowser(world.service);
  const callback = await agree(await browser.leave({ purpose: 'sign-in', from: '/availability' }), ace);
  world.emulator.fail({ path: /oauth2\/token/, kind: 'hang' });
  hanging = browser.open(callback);
  await world.emulator.until('Discord hangs', () =>
    world.emulator.requests.some(({ path }) => path === '/oauth2/token'),
  );
});
afterAll(async () => {
  await world.service.stop();
  expect(world.emulator.violations).toEqual([]);
  await world.emulator.stop();
});

/** The id of the user signed in in this browser; null if none. */
async function viewerOf(browser: Browser): Promise<string | null> {
  const { body } = await browser.open('/auth/viewer');
  return (JSON.parse(body) as { id: string } | null)?.id ?? null;
}

describe('leaving', () => {
  test('leads to Discord with the identify scope only, bound to this browser', async () => {
    const browser = openBrowser(world.service);
    const { status, location, setCookies } = await browser.open('/auth/discord?purpose=sign-in');
    expect(status).toBe(303);
    const address = new URL(location);
    expect(address.origin + address.pathname).toBe(`${world.emulator.url}/oauth2/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: world.emulator.applicationId,
      response_type: 'code',
      redirect_uri: `${world.service.url}/api/v1/auth/discord/callback`,
      scope: 'identify',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(setCookies).toEqual([
      expect.stringMatching(/^discord=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('on https the cookie belongs to this host alone', () => {
    const cookie = createVisitCookie('a secret', true);
    expect(cookie.name).toBe('__Host-discord');
    expect(cookie.blank()).toBe('__Host-discord=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
  });

  test.each([
    ['', 'The request could not be read'],
    ['?purpose=merge', 'The request could not be read'],
    ['?purpose=sign-in&purpose=link', 'The request could not be read'],
    ['?purpose=register', 'Invalid registration link. Please start the registration process from Discord.'],
  ])('is 400 for %s', async (search, message) => {
    const { status, body } = await openBrowser(world.service).open(`/auth/discord${search}`);
    expect([status, JSON.parse(body)]).toMatchObject([400, { message }]);
  });

  test('returns to /home from a page whose address is too long for a cookie', async () => {
    const who = world.givenDiscordUser('wordy');
    expect(await openBrowser(world.service).visit({ ...SIGN_IN, from: `/home?query=${'é'.repeat(1000)}` }, who)).toBe(
      '/login?discord=not-linked&from=%2Fhome',
    );
  });

  test('and coming back are in the OpenAPI document', async () => {
    const { body } = await createClient(world.service).call('GET', '/openapi.json');
    const described = (path: string) => {
      const { parameters, responses } = body.paths[path].get;
      const names = parameters.map(({ name }: { name: string }) => name);
      return [names, Object.keys(responses), Object.keys(responses[303].headers)];
    };
    expect(described('/auth/discord')).toEqual([
      ['purpose', 'guildId', 'campaignId', 'from'],
      ['303', '400', '404', 'default'],
      ['X-Request-Id', 'Location', 'Set-Cookie'],
    ]);
    expect(described('/auth/discord/callback')).toEqual([
      ['state', 'code', 'error'],
      ['303', '400', '404', 'default'],
      ['X-Request-Id', 'Location', 'Set-Cookie'],
    ]);
  });

  test('too often in a minute leads back with that error', async () => {
    const strict = await world.beside({ AUTH_ATTEMPTS_PER_MINUTE: '2' });
    const landings: string[] = [];
    // a minute may end in the middle
    for (let n = 0; n < 5; n += 1)
      landings.push((await openBrowser(strict).open('/auth/discord?purpose=link')).location);
    expect(landings[0]).toContain(world.emulator.url);
    expect(landings).toContain('/profile/me?discord=too-many#discord');
    await strict.stop();
  });

  test('is 404 where it is not configured, and nothing offers it', async () => {
    const plain = await startService({ beside: world.service, env: { DISCORD_CLIENT_ID: '12345678' } });
    for (const path of ['/auth/discord?purpose=sign-in', '/auth/discord/callback?code=1&state=2']) {
      const { status, body } = await openBrowser(plain).open(path);
      expect([status, JSON.parse(body)]).toEqual([404, { code: 'NOT_FOUND', message: 'Not found' }]);
    }
    const { body } = await createClient(plain).call('GET', '/auth/ways');
    expect(body).toEqual({ discord: false, mail: false });
    expect((await createClient(world.service).call('GET', '/auth/ways')).body).toEqual({ discord: true, mail: false });
    await plain.stop();
  });
});

describe('sign-in', () => {
  test('signs in the pilot of a linked account and leads to the requested page', async () => {
    const browser = openBrowser(world.service);
    const location = await browser.visit({ ...SIGN_IN, from: '/admin/missions?start=2026-11-20#form' }, ace);
    expect(location).toBe('/admin/missions?start=2026-11-20#form');
    expect(await viewerOf(browser)).toBe(pilot.id);
    expect([...browser.cookies.keys()]).toEqual(['session', 'device']);
    expect(await world.rows(sql`select username from discord_account where discord_user_id = ${ace}`)).toEqual([
      { username: 'ace' },
    ]);
  });

  test('ends the session that the browser held', async () => {
    const other = await givenPerson(world.service);
    const browser = openBrowser(world.service, other);
    expect(await browser.visit(SIGN_IN, ace)).toBe('/home');
    expect(await viewerOf(browser)).toBe(pilot.id);
    expect((await other.client.call('GET', '/auth/me')).status).toBe(401);
  });

  test('signs in a suspended account, as a password does', async () => {
    const suspended = await givenPerson(world.service, { roles: [] });
    const person = world.givenDiscordUser('grounded');
    await world.rows(sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                         values (${person}, ${suspended.id}, 'grounded', now())`);
    const browser = openBrowser(world.service);
    expect(await browser.visit(SIGN_IN, person)).toBe('/home');
    expect(await viewerOf(browser)).toBe(suspended.id);
  });

  test('creates no account and merges none, whatever the names are', async () => {
    const namesake = await givenPerson(world.service, { displayName: 'stranger' });
    const stranger = world.givenDiscordUser('stranger');
    await world.rows(sql`update app_user set email = 'stranger@discord.com', email_key = 'stranger@discord.com'
                         where id = ${namesake.id}`);
    const before = await takeDigest(world.service);
    const browser = openBrowser(world.service);
    expect(await browser.visit({ ...SIGN_IN, from: '/orders/1' }, stranger)).toBe(
      '/login?discord=not-linked&from=%2Forders%2F1',
    );
    expect(await viewerOf(browser)).toBeNull();
    expect(await takeDigest(world.service)).toEqual(before);
  });

  test.each(['https://evil.example/home', '//evil.example/home', '/\\evil.example', 'javascript:alert(1)', '/login'])(
    'leads to /home and not to %s',
    async (from) => {
      expect(await openBrowser(world.service).visit({ ...SIGN_IN, from }, ace)).toBe('/home');
    },
  );
});

describe('coming back', () => {
  let browser: Browser;
  const back = async (callback: URL): Promise<string> => (await browser.open(callback)).location;
  const leave = async (): Promise<URL> => {
    browser = openBrowser(world.service);
    return agree(await browser.leave(SIGN_IN), ace);
  };
  const nobodyIsIn = async () => expect(await viewerOf(browser)).toBeNull();

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['no answer at all', (url: URL) => (url.search = '')],
    ['the cookie gone', () => browser.cookies.clear()],
    ['a cookie of somebody else', () => browser.cookies.set('discord', 'e30.AAAA')],
    [
      'a cookie that was changed',
      () => {
        const [payload = '', signature] = browser.cookies.get('discord')?.split('.') ?? [];
        const visit: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
        const changed = Buffer.from(JSON.stringify({ ...(visit as object), from: '/admin' })).toString('base64url');
        browser.cookies.set('discord', `${changed}.${signature}`);
      },
    ],
  ])('with %s is refused, before Discord is asked', async (_what, spoil) => {
    const callback = await leave();
    const asked = world.emulator.requests.length;
    spoil(callback);
    expect(await back(callback)).toBe(OVER);
    await nobodyIsIn();
    expect(world.emulator.requests.slice(asked)).toEqual([]);
  });

  test('after more than ten minutes, is refused', async () => {
    const authorize = await openBrowser(world.service).leave(SIGN_IN);
    browser = openBrowser(world.service);
    const state = authorize.searchParams.get('state') ?? '';
    const cookie = createVisitCookie(world.emulator.clientSecret, false);
    const age = async (minutes: number): Promise<string> => {
      const visit = { state, verifier: 'v'.repeat(43), purpose: 'sign-in', from: '/home' } as const;
      const nobody = { guildId: null, campaignId: null, viewerId: null };
      const line = cookie.serialize({ ...visit, ...nobody, startedMs: Date.now() - minutes * 60_000 });
      browser.cookies.set('discord', line.slice('discord='.length, line.indexOf(';')));
      return back(new URL(`/api/v1/auth/discord/callback?error=access_denied&state=${state}`, world.service.url));
    };
    expect(await age(10)).toBe(OVER);
    expect(await age(9)).toBe('/login?discord=denied&from=%2Fhome');
  });

  test('a second time is refused, and so is the same state with another code', async () => {
    browser = openBrowser(world.service);
    const authorize = await browser.leave(SIGN_IN);
    const kept = browser.cookies.get('discord') ?? '';
    const callback = await agree(authorize, ace);
    expect(await back(callback)).toBe('/home');
    browser.cookies.clear();
    expect(await back(callback)).toBe(OVER);
    browser.cookies.set('discord', kept);
    expect(await back(callback)).toBe(OVER);
    browser.cookies.set('discord', kept);
    expect(await back(await agree(authorize, ace))).toBe(OVER);
    await nobodyIsIn();
  });

  test('twice at once lets one in', async () => {
    const callback = await leave();
    const landings = await Promise.all([browser.open(callback), browser.open(callback)]);
    expect(landings.map(({ location }) => location).toSorted()).toEqual(['/home', OVER]);
  });

  test('with the code of another visit is refused, because its code verifier differs', async () => {
    const stolen = (await leave()).searchParams.get('code') ?? '';
    const callback = await leave();
    callback.searchParams.set('code', stolen);
    expect(await back(callback)).toBe(OVER);
    await nobodyIsIn();
  });

  test('from the first of two tabs is refused, from the second not', async () => {
    const first = await leave();
    const second = await agree(await browser.leave({ ...SIGN_IN, from: '/profile' }), ace);
    expect(await back(first)).toBe('/login?discord=over&from=%2Fprofile');
    expect(await back(second)).toBe('/profile');
  });

  test('without consent says so on the page it came from', async () => {
    const page = openBrowser(world.service);
    expect(await page.visit({ ...SIGN_IN, from: '/availability' }, null)).toBe(
      '/login?discord=denied&from=%2Favailability',
    );
    expect(await page.visit({ purpose: 'link' }, null)).toBe('/profile/me?discord=denied#discord');
    expect(await page.visit({ purpose: 'register', guildId: '123456789' }, null)).toBe(
      '/discord/registration?discord=denied&guild_id=123456789',
    );
  });

  test.each([
    ['is down', { path: /oauth2\/token/, kind: 'status', status: 503 }, 'away'],
    ['cuts the connection', { path: /oauth2\/token/, kind: 'drop' }, 'away'],
    ['has had enough', { path: /oauth2\/token/, kind: 'rate limit' }, 'away'],
    ['goes down in the middle', { path: /users\/@me/, kind: 'status', status: 502 }, 'away'],
    ['takes the token back', { path: /users\/@me/, kind: 'status', status: 401 }, 'failed'],
  ] as const)('while Discord %s is said, and the next time works', async (_what, fault, outcome) => {
    const callback = await leave();
    world.emulator.fail(fault);
    expect(await back(callback)).toBe(`/login?discord=${outcome}&from=%2Fhome`);
    await nobodyIsIn();
    expect(await browser.visit(SIGN_IN, ace)).toBe('/home');
  });

  test('with a wrong client secret says that an admin must act', async () => {
    const wrong = await world.beside({ DISCORD_CLIENT_SECRET: 'not-it' });
    expect(await openBrowser(wrong).visit(SIGN_IN, ace)).toBe('/login?discord=refused&from=%2Fhome');
    await wrong.stop();
  });

  test('ends while Discord does not respond at all', async () => {
    expect((await hanging).location).toBe('/login?discord=away&from=%2Favailability');
  });
});
