/** Orders in the time of a leave: the preview before it is set, and the pilots whose orders are to be withdrawn. */
import type { z } from 'zod';
import { findUser } from '#server/accounts/users.ts';
import { refusePast } from '#server/accounts/leave.ts';
import { leaveTime, type LeaveTime } from '#server/accounts/rules/leave.ts';
import { db, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold, overlapsRange } from '#server/schema/predicates.ts';
import { overlaps } from '#server/time/intervals.ts';
import { addDays, localDate, toIso } from '#server/time/time.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { LeavePreviewDto, previewLeaveInput } from '#shared/schemas/leave.ts';
import type { LeaveEffect } from '#shared/leave.ts';
import type { Rsvp } from '#shared/vocabulary.ts';

const EFFECTS: Record<Exclude<Rsvp, 'declined'>, LeaveEffect> = {
  accepted: 'seat',
  pending: 'order',
  standby: 'standby',
};

/** What a leave would take from a pilot. Changes nothing. Unknown id: 404; 400 for a leave that is already over. */
export async function previewLeave(
  em: Em,
  { id, ...dates }: z.infer<typeof previewLeaveInput>,
  now: Date,
): Promise<LeavePreviewDto> {
  const { timeZone } = await findUser(em, id);
  refusePast(dates, timeZone, now);
  const rows = await db(em)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .distinctOn(['m.starts_at', 'm.id'])
    .select(({ ref }) => ['m.id', 'm.name', 'o.rsvp', ms(ref('m.starts_at')).as('startMs')])
    .where('o.pilot_id', '=', id)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '<>', 'declined')
    .where(isLiveHold('o', now))
    .where('m.status', '=', 'scheduled')
    .where('m.ends_at', '>', now)
    .where(overlapsRange('m', leaveTime(dates, timeZone)))
    .orderBy('m.starts_at')
    .orderBy('m.id')
    // an accepted order before one that waits beside it
    .orderBy('o.rsvp')
    .limit(LISTED_MAX.orders)
    .execute();
  return {
    missions: rows.flatMap(({ id: missionId, name, rsvp, startMs }) => {
      const hasLaunched = startMs <= now.getTime();
      if (rsvp === 'declined' || (hasLaunched && rsvp !== 'accepted')) return [];
      return [
        {
          missionId,
          missionName: name,
          startUtc: toIso(startMs),
          effect: hasLaunched ? ('stays' as const) : EFFECTS[rsvp],
        },
      ];
    }),
  };
}

const findLeave = named('leave', (source, { pilotId }: { pilotId: string }) =>
  source
    .selectFrom('leave as l')
    .innerJoin('app_user as u', 'u.id', 'l.user_id')
    .select(({ cast }) => [
      'u.time_zone as timeZone',
      cast<string>('l.first_date', 'text').as('firstDate'),
      cast<string>('l.last_date', 'text').as('lastDate'),
    ])
    .where('l.user_id', '=', pilotId),
);

/** A pilot's leave, in the time zone of now; null for none. */
export async function findLeaveTime(em: Em, pilotId: string): Promise<LeaveTime | null> {
  const [row] = await findLeave(em, { pilotId });
  return row ? leaveTime(row, row.timeZone) : null;
}

/** Pilots with live orders in missions ahead that fall in their leave: they were seated at the very moment it was set. */
export async function listSeatedOnLeave(em: Em, now: Date): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('leave as l')
    .innerJoin('app_user as u', 'u.id', 'l.user_id')
    .innerJoin('frag_order as o', 'o.pilot_id', 'u.id')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .select(({ ref, cast }) => [
      'u.id',
      'u.time_zone as timeZone',
      cast<string>('l.first_date', 'text').as('firstDate'),
      cast<string>('l.last_date', 'text').as('lastDate'),
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
    ])
    .where('l.last_date', '>=', addDays(localDate(now.getTime(), 'UTC'), -1))
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '<>', 'declined')
    .where('m.status', '=', 'scheduled')
    .where('m.starts_at', '>', now)
    .orderBy('u.id')
    .execute();
  const seated = rows.filter((row) => overlaps(leaveTime(row, row.timeZone), row));
  return [...new Set(seated.map(({ id }) => id))];
}
