/** Many pilots at once, made with a few statements: accounts, sessions, and orders for one seat. */
import { randomInt } from 'node:crypto';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { hashToken } from '#server/platform/tokens.ts';
import type { Service } from './service.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const newToken = (): string => Array.from({ length: 40 }, () => BASE32[randomInt(32)]).join('');

export interface CrowdPilot {
  id: string;
  /** the Cookie header of a session */
  cookie: string;
}

let crowds = 0;

/** Active accounts, each with a session. They have no password and no availability. */
export async function givenCrowd(
  { app }: { app: Pick<Service['app'], 'orm' | 'sessions'> },
  size: number,
): Promise<CrowdPilot[]> {
  crowds += 1;
  const em = app.orm.em.fork();
  const ids = Array.from({ length: size }, newId);
  await query(
    em,
    sql`insert into app_user (id, email, email_key, display_name, time_zone, roles, created_at, updated_at)
        select id, 'crowd-' || ${crowds}::int || '-' || n || '@example.org', 'crowd-' || ${crowds}::int || '-' || n || '@example.org',
               'Crowd ' || n, 'UTC', '{user}', now(), now()
        from unnest(${ids}::uuid[]) with ordinality as crowd (id, n)`,
  );
  return givenSessions({ app }, ids);
}

/** A session for each of these accounts. */
export async function givenSessions(
  { app }: { app: Pick<Service['app'], 'orm' | 'sessions'> },
  ids: readonly string[],
): Promise<CrowdPilot[]> {
  const pilots = ids.map((id) => ({ id, token: newToken() }));
  await query(
    app.orm.em.fork(),
    sql`insert into session (id, user_id, created_at, expires_at)
        select token, id, now(), now() + interval '14 days'
        from unnest(${pilots.map(({ token }) => hashToken(token))}::text[], ${ids}::uuid[]) as fresh (token, id)`,
  );
  return pilots.map(({ id, token }) => ({ id, cookie: `${app.sessions.cookieName}=${token}` }));
}

/** A pending shared offer of one seat for each pilot: none holds it, the first to accept does. @returns order ids */
export async function givenSharedOffers(
  { app }: Service,
  missionId: string,
  pilots: readonly CrowdPilot[],
): Promise<string[]> {
  const orders = pilots.map(() => newId());
  await query(
    app.orm.em.fork(),
    sql`insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, rsvp, is_shared_offer, reasons,
                                issued_at, expires_at, created_at)
        select o.id, ${missionId}, f.id, 0, o.pilot_id, 'issued', 'pending', true, '{}', now(), now() + interval '30 minutes', now()
        from unnest(${orders}::uuid[], ${pilots.map(({ id }) => id)}::uuid[]) as o (id, pilot_id),
             (select id from flight where mission_id = ${missionId} order by sort_order limit 1) as f`,
  );
  return orders;
}
