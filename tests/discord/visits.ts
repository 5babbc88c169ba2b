/** Visits to Discord's own sign-in, step by step, as a browser makes them. */
import { query, sql } from '#server/schema/query.ts';
import type { Person } from '#tests/harness/given.ts';
import { startService, type Service, type ServiceOptions } from '#tests/harness/service.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator, Snowflake } from './emulator/types.ts';

export interface VisitWorld {
  emulator: Emulator;
  service: Service;
  /** of the emulator, with all users */
  guildId: Snowflake;
  /** Another process on the same database, known to Discord as this site. */
  beside: (env: Record<string, string>) => Promise<Service>;
  /** A Discord user without a pilot's account. */
  givenDiscordUser: (username: string) => Snowflake;
  rows: <Row>(statement: Parameters<typeof query<Row>>[1]) => Promise<Row[]>;
}

/** @param options `env` overrides the Discord settings */
export async function startVisits({ env: more = {}, ...options }: ServiceOptions = {}): Promise<VisitWorld> {
  const redirectUris: string[] = [];
  const emulator = await startEmulator({ redirectUris });
  const env = {
    DISCORD_API_URL: emulator.apiUrl,
    DISCORD_CLIENT_ID: emulator.applicationId,
    DISCORD_CLIENT_SECRET: emulator.clientSecret,
  };
  const know = (service: Service): Service => {
    redirectUris.push(`${service.url}/api/v1/auth/discord/callback`);
    return service;
  };
  const service = know(await startService({ ...options, env: { ...env, ...more } }));
  const { id: guildId } = emulator.addGuild({ name: 'Lantern Wing', isInstalled: false });
  return {
    emulator,
    service,
    guildId,
    beside: async (changes) => know(await startService({ beside: service, env: { ...env, ...changes } })),
    givenDiscordUser: (username) => emulator.addMember(guildId, { username }),
    rows: (statement) => query(service.app.orm.em.fork(), statement),
  };
}

/** A guild as the bot would have stored it. */
export async function givenStoredGuild({ rows }: VisitWorld, id: Snowflake, status = 'active'): Promise<void> {
  await rows(sql`insert into guild (id, name, status, installed_at, accepted_at, last_seen_at)
                 values (${id}, 'Lantern Wing', ${status}, now(), now(), now())`);
}

export async function givenStoredMember(
  { rows }: VisitWorld,
  guildId: Snowflake,
  discordUserId: Snowflake,
  hasLeft = false,
): Promise<void> {
  await rows(sql`insert into guild_member (guild_id, discord_user_id, discord_username, left_at, updated_at)
                 values (${guildId}, ${discordUserId}, 'member', case when ${hasLeft} then now() end, now())`);
}

export interface Landing {
  status: number;
  /** target of the redirect; '' if there is none */
  location: string;
  setCookies: string[];
  body: string;
}

export interface Browser {
  cookies: Map<string, string>;
  /** @param address path under /api/v1, or a whole address */
  open: (address: string | URL, headers?: Record<string, string>) => Promise<Landing>;
  /** Leave for Discord. @returns the address there */
  leave: (search: Record<string, string>) => Promise<URL>;
  /** Leave, agree as this person, come back. @returns where that leads */
  visit: (search: Record<string, string>, who: Snowflake | null) => Promise<string>;
}

/** Consents on Discord's page as this user, or refuses (null). @returns the address it redirects to */
export async function agree(authorize: URL, who: Snowflake | null): Promise<URL> {
  const chosen = new URL(authorize);
  chosen.searchParams.set('user', who ?? 'nobody');
  const response = await fetch(chosen, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`Discord's page answered ${response.status}: ${await response.text()}`);
  return new URL(location);
}

/** A browser with a cookie jar that follows no redirects. @param person the signed-in user */
export function openBrowser({ url }: Pick<Service, 'url'>, person?: Person): Browser {
  const cookies = new Map<string, string>();
  for (const pair of person?.client.cookie().split('; ') ?? []) {
    const at = pair.indexOf('=');
    cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
  const browser: Browser = {
    cookies,
    async open(address, headers = {}) {
      const whole = address instanceof URL ? address : new URL(`/api/v1${address}`, url);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(whole, { redirect: 'manual', headers: { cookie, ...headers } });
      const setCookies = response.headers.getSetCookie();
      for (const line of setCookies) {
        const pair = line.split(';')[0] ?? '';
        const [name = ''] = pair.split('=');
        if (/max-age=0(;|$)/i.test(line)) cookies.delete(name);
        else cookies.set(name, pair.slice(name.length + 1));
      }
      const { status } = response;
      return { status, location: response.headers.get('location') ?? '', setCookies, body: await response.text() };
    },
    async leave(search) {
      const { status, location } = await browser.open(`/auth/discord?${new URLSearchParams(search).toString()}`);
      if (status !== 303 || !URL.canParse(location)) throw new Error(`led to ${status} ${location}`);
      return new URL(location);
    },
    async visit(search, who) {
      const { location } = await browser.open(await agree(await browser.leave(search), who));
      return location;
    },
  };
  return browser;
}
