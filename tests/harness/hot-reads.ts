/** The reads and jobs that run often or over large tables, called as the product calls them, in a large community. */
import { findLookAlikes } from '#server/accounts/look-alikes.ts';
import { createRosterReader } from '#server/availability/roster-reader.ts';
import { readHere, type HeavyRead } from '#server/board/heavy-reads-worker.ts';
import { purgePosts } from '#server/discord/posts/posts.ts';
import { runMaintenance } from '#server/jobs/maintenance.ts';
import { enqueueOverdueDeliveries, purgeDeliveries } from '#server/signals/outbox.ts';
import { remindPilots } from '#server/missions/reminders/send-reminders.ts';
import { warnOfTurnout } from '#server/missions/reminders/turnout-warnings.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { loadEligible } from '#server/orders/seating/candidates.ts';
import { expireOverdueOrders, selectMissions } from '#server/orders/seats/orders.ts';
import { purgeAudit } from '#server/signals/audit.ts';
import type { Service } from './service.ts';

export interface HotRead {
  name: string;
  run: () => Promise<unknown>;
  /** big tables that it reads whole by its nature, each with the reason; what it makes of them may spill */
  readsWhole?: Readonly<Record<string, string>>;
  /** the same for its statements that only count */
  countsWhole?: Readonly<Record<string, string>>;
}

/** The big tables that this statement of a call may read whole, each with the reason. */
export function wholeReadsOf(
  { readsWhole = {}, countsWhole = {} }: HotRead,
  statement: string,
): Record<string, string> {
  return /^select count\(/i.test(statement) ? { ...readsWhole, ...countsWhole } : readsWhole;
}

const DAY_MS = 86_400_000;

class RolledBack extends Error {}

/** Run a job and take back what it wrote. */
async function tryOut(service: Service, work: (tx: Em) => Promise<unknown>): Promise<void> {
  const em = service.app.orm.em.fork();
  await em
    .transactional(async (tx) => {
      await work(tx);
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
}

const AVAILABILITY = 'the availability of every pilot decides';
const EVERYBODY = {
  app_user: AVAILABILITY,
  availability_template: AVAILABILITY,
  availability_slot: AVAILABILITY,
  availability_override: AVAILABILITY,
  leave: AVAILABILITY,
  pilot_status: AVAILABILITY,
  proficiency: AVAILABILITY,
};
const CANDIDATES = {
  ...EVERYBODY,
  frag_order: 'the track record of every candidate counts',
  willing_pilot: 'the ledger of every candidate counts',
  seat: 'the ledger of every candidate counts',
  mission: 'the ledger of every candidate counts',
};

/** Facts of the seeded community that the calls are about. */
async function findFacts(em: Em, now: Date) {
  const admin = await db(em)
    .selectFrom('app_user as u')
    .select('u.id')
    .where(isActivePilot('u'))
    .where('u.email', 'like', 'pilot1.%')
    .executeTakeFirstOrThrow();
  const mission = await db(em)
    .selectFrom('mission')
    .select(['id', 'name'])
    .where('status', '=', 'scheduled')
    .where('starts_at', '>', now)
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirstOrThrow();
  const flight = await db(em)
    .selectFrom('flight')
    .select('id')
    .where('mission_id', '=', mission.id)
    .limit(1)
    .executeTakeFirstOrThrow();
  const draft = await db(em)
    .selectFrom('mission')
    .select('id')
    .where('status', '=', 'draft')
    .where('starts_at', '>', now)
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirst();
  const order = await db(em)
    .selectFrom('frag_order')
    .select('id')
    .where('pilot_id', '=', admin.id)
    .where('status', '=', 'issued')
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { admin: admin.id, mission: mission.id, flight: flight.id, draft: draft?.id, order: order.id };
}

/**
 * @param service on a database with a large community; the calls are those of its first pilot, a veteran and an admin
 * @returns in the order of the screens: a pilot's, the admins', then jobs
 */
export async function listHotReads(service: Service, now: Date): Promise<HotRead[]> {
  const em = () => service.app.orm.em.fork();
  const facts = await findFacts(em(), now);
  const session = await service.app.sessions.create(facts.admin);
  const cookie = session.cookie.split(';')[0] ?? '';
  const get = async (path: string): Promise<void> => {
    const { status } = await fetch(`${service.url}/api/v1${path}`, { headers: { cookie } });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  };
  const page = (name: string, path: string, readsWhole?: HotRead['readsWhole']): HotRead => ({
    name,
    run: () => get(path),
    ...(readsWhole && { readsWhole }),
  });
  const users = (name: string, query: string, readsWhole?: HotRead['readsWhole']): HotRead => ({
    ...page(name, `/admin/users?pageSize=20${query}`, readsWhole),
    countsWhole: { app_user: 'all accounts that a search finds are counted' },
  });
  const heavy = (name: HeavyRead, rest: readonly unknown[], readsWhole?: HotRead['readsWhole']): HotRead => ({
    name: `board: ${name}`,
    // a reader of its own, which knows no pilot yet
    run: () => readHere({ em: em(), rosters: createRosterReader() }, { name, rest: [...rest, now] }),
    ...(readsWhole && { readsWhole }),
  });
  const job = (name: string, work: (tx: Em) => Promise<unknown>, readsWhole?: HotRead['readsWhole']): HotRead => ({
    name: `job: ${name}`,
    run: () => tryOut(service, work),
    ...(readsWhole && { readsWhole }),
  });
  const day = (days: number): string => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const me = `/users/${facts.admin}`;
  const found = { app_user: 'a part of a name can be in any of them' };
  const noChannels = { discord: null, discordTurnout: null, hasMail: true };
  return [
    page('session and viewer', '/auth/viewer'),
    page('pilot status', `${me}/status`),
    page('inbox', '/pilot/inbox'),
    page('inbox with answered orders', '/pilot/inbox?includeCompleted=true'),
    page('inbox status', '/pilot/inbox/status'),
    page('accepted missions', '/pilot/inbox/accepted'),
    page('one order', `/pilot/inbox/${facts.order}`),
    page('notices', '/pilot/notices'),
    page('openings', '/pilot/openings'),
    page('availability window', `${me}/availability/window`),
    page('mission outcomes', `${me}/mission-outcomes`),
    page('standing', `${me}/standing`, {
      frag_order: 'the place among all pilots is computed from the records of all',
      willing_pilot: 'the place among all pilots is computed from the ledger of all',
      seat: 'the same',
    }),
    page('stats', '/stats', { app_user: 'it counts all active pilots' }),
    page('missions of a month', '/missions'),
    page('mission', `/missions/${facts.mission}`),

    heavy('recommendedTimes', [{ date: day(2), tz: 'Europe/Berlin', minDuration: 60, limit: 3 }], EVERYBODY),
    heavy('expectedOnline', [{ from: `${day(2)}T00:00:00Z`, to: `${day(9)}T00:00:00Z`, bucket: 30 }], EVERYBODY),
    heavy('heat', [{ startDate: day(2), tz: 'Europe/Berlin' }], EVERYBODY),
    heavy('daySummary', [{ day: day(2), tz: 'Europe/Berlin' }], EVERYBODY),
    heavy('ineligible', [facts.mission], EVERYBODY),
    heavy('seatBoard', [{ id: facts.mission }], EVERYBODY),
    heavy('seatCandidates', [{ id: facts.mission, flightId: facts.flight, seatIndex: 0 }], EVERYBODY),
    ...(facts.draft === undefined ? [] : [heavy('rivals', [facts.draft], EVERYBODY)]),
    page('weekly summary', '/admin/dashboard/weekly-summary'),
    page('turnout', '/admin/dashboard/turnout', { frag_order: 'the record of every pilot with a seat counts' }),
    page('fill rate', '/admin/dashboard/fill-rate'),
    page('missions by date', `/admin/missions/by-date?date=${day(2)}`),
    page('mission list', `/admin/missions?from=${day(0)}&to=${day(14)}`),
    page('mission detail', `/admin/missions/${facts.mission}`),
    page('order list', `/admin/missions/${facts.mission}/orders`),
    page('attendance', `/admin/attendance?from=${day(-8)}&to=${day(-1)}`),
    page('audit: first page', '/admin/audit?pageSize=20'),
    page('audit: page 500', '/admin/audit?pageSize=20&page=500'),
    page('audit: one account', `/admin/audit?pageSize=20&actorId=${facts.admin}`),
    page('audit: one subject', `/admin/audit?pageSize=20&subjectId=${facts.mission}`),
    page('audit: one action', '/admin/audit?pageSize=20&action=mission_edited'),
    page('audit: a week', `/admin/audit?pageSize=20&from=${day(-7)}&to=${day(0)}`),
    page('audit: a rare word', '/admin/audit?pageSize=20&query=bandit%2077', found),
    page('audit: a common word', '/admin/audit?pageSize=20&query=firefox', found),
    users('users by name', '&sort=displayName'),
    users('users by name, backwards', '&sort=displayName&direction=desc'),
    users('users by email', '&sort=email'),
    users('users by email, backwards', '&sort=email&direction=desc'),
    users('users by age', ''),
    users('users by age, backwards', '&direction=desc'),
    users('users by last use', '&sort=lastSeenAt', {
      app_user: 'the time is in another table, which is written often',
      last_seen: 'the same',
    }),
    users('users by reliability', '&sort=reliability', {
      app_user: 'reliability is computed for all accounts',
      frag_order: 'reliability is computed from the orders of all pilots',
      mission: 'the same',
    }),
    users('users: page 2,000', '&page=2000', { app_user: 'the accounts before the page are passed over' }),
    users('users: search', '&query=raven%2077', found),
    users('users: admins', '&role=admin', { app_user: 'admins have no index, because hardly anybody asks for them' }),
    page("a pilot's summary", `/admin/users/${facts.admin}/availability-summary`),
    {
      name: "candidates of a mission's seats",
      run: async () => {
        const mission = await selectMissions(em()).where('m.id', '=', facts.mission).executeTakeFirstOrThrow();
        return loadEligible(em(), mission, [1, 2, 3, 4], now);
      },
      readsWhole: CANDIDATES,
    },
    {
      name: 'look-alike call signs',
      run: () => findLookAlikes(em(), [{ id: facts.admin, displayName: 'Raven 77' }]),
    },

    job('expire overdue orders', (tx) => expireOverdueOrders(tx, now, { missionId: facts.mission })),
    job('reminders due', (tx) => remindPilots(tx, noChannels, now)),
    job('turnout warnings', (tx) => warnOfTurnout(tx, noChannels, now), {
      frag_order: 'the record of every pilot with a seat counts',
    }),
    job('overdue deliveries', enqueueOverdueDeliveries),
    job('maintenance', (tx) => runMaintenance({ orm: { em: tx }, log: service.app.log }, now)),
    job('purge Discord messages', purgePosts, { discord_post: 'once a night it looks for old ones among all' }),
    job('purge mail', purgeDeliveries),
    job('purge sign-in audit', (fork) => purgeAudit(fork, undefined)),
  ];
}
