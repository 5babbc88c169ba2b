/** The audience of news about open missions: the pilots who want them, and the missions that are news for each. */
import { expressionBuilder } from 'kysely';
import { countRows, type Database } from '#server/schema/database.ts';
import { isActivePilot, isLiveHold, overlapsRow } from '#server/schema/predicates.ts';
import { HOUR_MS } from '#server/time/time.ts';

/**
 * Missions that start sooner than this are not announced: pilots who could fly at such short notice already have an order
 * or a shared offer, and the message would only disturb everybody else.
 */
const NOTICE_MS = HOUR_MS;

/** The aliases of the tables in the conditions below. */
type Aliases = { m: Database['mission']; u: Database['app_user'] };
const eb = expressionBuilder<Database & Aliases, keyof Aliases>();
const { and, not, exists, selectFrom, lit } = eb;

/** True if a mission `m` has a free seat; expired holds do not count. */
const hasFreeSeat = (now: Date) =>
  eb(
    selectFrom('flight as f')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('f.size_cap'), lit(0)).as('seats'))
      .whereRef('f.mission_id', '=', 'm.id'),
    '>',
    selectFrom('seat as s')
      .innerJoin('frag_order as o', 'o.id', 's.order_id')
      .select(countRows().as('held'))
      .whereRef('s.mission_id', '=', 'm.id')
      .where(isLiveHold('o', now)),
  );

/** True if a mission `m` is published, lies ahead and has a free seat. */
export const isOpenMission = (now: Date) =>
  and([
    eb('m.status', '=', 'scheduled'),
    eb('m.starts_at', '>', new Date(now.getTime() + NOTICE_MS)),
    hasFreeSeat(now),
  ]);

/** True if a pilot `u` wants news, is active and not in Do Not Disturb. */
export const wantsNews = and([
  eb('u.wants_global_events', '=', true),
  isActivePilot('u'),
  not(exists(selectFrom('pilot_status as t').whereRef('t.user_id', '=', 'u.id').where('t.state', '=', 'dnd'))),
]);

/**
 * True if a mission `m` is news for a pilot `u` who wants news, has never been asked for this mission, and has no other one at
 * that time. Availability does not matter: pilots who are available for a free aircraft already have an order, and for others
 * the news is a reason to add a window.
 */
export const isNewsFor = (now: Date) =>
  and([
    wantsNews,
    not(
      exists(
        selectFrom('frag_order as o')
          .whereRef('o.mission_id', '=', 'm.id')
          .whereRef('o.pilot_id', '=', 'u.id')
          .where('o.status', '<>', 'draft'),
      ),
    ),
    not(
      exists(
        selectFrom('seat as s')
          .innerJoin('frag_order as o', 'o.id', 's.order_id')
          .whereRef('s.pilot_id', '=', 'u.id')
          .where(overlapsRow('s', 'm'))
          .where(isLiveHold('o', now)),
      ),
    ),
  ]);
