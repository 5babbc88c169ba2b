/**
 * Two Marshals with the same data, one asked by REST and the other by tRPC. As long as both get the same inputs in the same
 * order, they answer the same, except for values that each makes for itself: new ids, secrets, and the current time.
 */
import { createPasswordHasher } from '#server/accounts/password-hashing.ts';
import { query, sql } from '#server/schema/query.ts';
import { copyDatabase } from '#tests/harness/database.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { isRecord } from '#tests/harness/transports.ts';

/** Real hashes that cost almost nothing: the calls with passwords are many. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };

export interface Twins {
  rest: Service;
  trpc: Service;
  stop: () => Promise<void>;
}

/** @param env settings of both @param fill makes the data, before the database is copied */
export async function startTwins<T>(
  env: Record<string, string>,
  fill: (service: Service) => Promise<T>,
): Promise<Twins & { world: T }> {
  const rest = await startService({ env });
  const world = await fill(rest);
  const trpc = await startService({
    env: { ...env, PUBLIC_URL: rest.url },
    database: await copyDatabase(rest.databaseUrl),
  });
  for (const { app } of [rest, trpc]) app.passwords = createPasswordHasher(CHEAP);
  return {
    rest,
    trpc,
    world,
    stop: async () => void (await Promise.all([rest.stop(), trpc.stop()])),
  };
}

/** A new session of this user, who is then pilot and admin, in one of the services. @returns the Cookie header */
export async function cookieFor({ app }: Service, userId: string): Promise<string> {
  await query(
    app.orm.em.fork(),
    // whatever an earlier call has made of the account
    sql`update app_user set roles = '{admin,user}', deletion_due_at = null, roles_before_deletion = null
        where id = ${userId} and roles <> '{admin,user}'`,
  );
  const { token } = await app.sessions.create(userId);
  return `${app.sessions.cookieName}=${token}`;
}

/** Ids of rows, alone or within a text, and handles of sessions. */
const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|^[0-9a-f]{16}$/g;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Longer than any two requests of a pair are apart. */
const APART_MS = 10_000;
/**
 * Secrets end a link or stand alone; a signed one has the id that it is for in front. Recovery codes and the codes of invites
 * are shorter.
 */
const SECRET = /(?:[\w=-]+\.)?[\w+/=-]{32,}(?:\.ics)?$|^(?:[0-9a-z]{4}-){3}[0-9a-z]{4}$|(?<=\/join\/)[0-9a-z]{12}$/;

/** Compares answers of twins. Ids that the twins gave to the same new thing are remembered as one. */
export function createComparison() {
  const known = new Map<string, string>();

  function isSameText(one: string, other: string): boolean {
    if (one === other) return true;
    const [ids, others] = [one.match(IDS) ?? [], other.match(IDS) ?? []];
    if (ids.length > 0 && ids.length === others.length) {
      for (const [place, id] of ids.entries()) if (!known.has(id)) known.set(id, others[place] ?? '');
      return one.replace(IDS, (id) => known.get(id) ?? id) === other;
    }
    if (INSTANT.test(one) && INSTANT.test(other)) return Math.abs(Date.parse(one) - Date.parse(other)) < APART_MS;
    return SECRET.test(one) && one.replace(SECRET, '') === other.replace(SECRET, '');
  }

  /** The first place at which two answers differ, in value or in the order of their fields; null for none. */
  function difference(one: unknown, other: unknown, at = ''): string | null {
    if (typeof one === 'string' && typeof other === 'string') {
      // a digest of times, which twins do not share
      if (at.endsWith('/version') && one.length === other.length) return null;
      return isSameText(one, other) ? null : `${at}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
    }
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return `${at}: ${one.length} and ${other.length} entries`;
      return firstOf(one.map((item: unknown, index) => () => difference(item, other[index], `${at}/${index}`)));
    }
    if (isRecord(one) && isRecord(other)) {
      const [keys, others] = [Object.keys(one), Object.keys(other)];
      if (keys.join() !== others.join()) return `${at}: fields ${keys.join()} and ${others.join()}`;
      return firstOf(keys.map((key) => () => difference(one[key], other[key], `${at}/${key}`)));
    }
    return Object.is(one, other) ? null : `${at}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
  }

  return difference;
}

function firstOf(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}
