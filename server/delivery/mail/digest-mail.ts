/** The weekly digest: what it tells a pilot, read when it is queued and again when it is sent. */
import { findLeaveTime } from '#server/orders/leave-orders.ts';
import { coversNow } from '#server/accounts/rules/leave.ts';
import { selectOrders } from '#server/orders/order-view.ts';
import { toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isAwaitingAnswer } from '#server/schema/predicates.ts';
import { listOpenMissions } from '#server/orders/seating/open-missions.ts';
import { overlaps, type Interval } from '#server/time/intervals.ts';
import type { LeaveTime } from '#server/accounts/rules/leave.ts';
import type { ClaimedMail } from './mail-channel.ts';
import type { MailLinks } from './mail-links.ts';
import { letterOrder } from './order-mail.ts';
import { digestLetter, isEmptyDigest, type DigestContents, type DigestOpening } from './rules/digest-letter.ts';
import { digestWeek } from './rules/digest-week.ts';
import type { Letter } from './rules/letter.ts';

/** Missions with open seats that a digest names. */
const OPEN_MAX = 5;

/** A pilot who may get digests, and has not turned them off. */
export async function findDigestReader(em: Em, userId: string): Promise<Viewer | null> {
  const row = await db(em)
    .selectFrom('app_user as u')
    .select(VIEWER_COLUMNS)
    .where('u.id', '=', userId)
    .where('u.email_digest', '=', true)
    .where(isActivePilot('u'))
    .executeTakeFirst();
  return row ? toViewer(row) : null;
}

/** Accepted seats and orders that wait for an answer, of missions that start in the range and outside the leave. */
async function loadOrders(em: Em, pilotId: string, range: Interval, leave: LeaveTime | null, now: Date) {
  const rows = await selectOrders(em)
    .where('o.pilot_id', '=', pilotId)
    .where('o.status', '=', 'issued')
    .where(({ eb, or }) => or([eb('o.rsvp', '=', 'accepted'), isAwaitingAnswer('o', now)]))
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.starts_at', '>', new Date(range.startMs))
    .where('m.starts_at', '<=', new Date(range.endMs))
    .execute();
  return rows
    .filter(({ starts_ms: startMs, ends_ms: endMs }) => leave === null || !overlaps(leave, { startMs, endMs }))
    .toSorted((a, b) => a.starts_ms - b.starts_ms || a.seq - b.seq);
}

async function loadOpenings(em: Em, viewer: Viewer, range: Interval, now: Date): Promise<DigestOpening[]> {
  const { open } = await listOpenMissions(em, viewer, now);
  const inRange = open.filter(({ startUtc }) => {
    const startMs = Date.parse(startUtc);
    return range.startMs < startMs && startMs <= range.endMs;
  });
  // admins see their own practice missions among the others
  const practice = await db(em)
    .selectFrom('mission')
    .select('id')
    .where('is_practice', '=', true)
    .where(
      isOneOf(
        'id',
        inRange.map(({ missionId }) => missionId),
      ),
    )
    .execute();
  const isPractice = new Set(practice.map(({ id }) => id));
  return inRange
    .filter(({ missionId }) => !isPractice.has(missionId))
    .slice(0, OPEN_MAX)
    .map(({ missionName, theater, startUtc, seats }) => ({
      missionName,
      theater,
      startMs: Date.parse(startUtc),
      aircraftNames: [...new Set(seats.map(({ aircraftName }) => aircraftName))],
      seatCount: seats.length,
    }));
}

/** @param sunday the Sunday before the week @returns what is left of the week; nobody on leave is offered open seats */
export async function loadDigest(
  em: Em,
  { viewer, sunday, publicUrl }: { viewer: Viewer; sunday: string; publicUrl: string },
  now: Date,
): Promise<DigestContents> {
  const week = digestWeek(sunday, viewer.timeZone);
  const range = { startMs: Math.max(week.startMs, now.getTime()), endMs: week.endMs };
  const leave = await findLeaveTime(em, viewer.id);
  const orders = await loadOrders(em, viewer.id, range, leave, now);
  const told = orders.map((row) => ({ ...letterOrder(row), url: `${publicUrl}/orders/${row.id}` }));
  const isAway = leave !== null && coversNow(leave, range.startMs);
  return {
    seats: told.filter(({ asks }) => !asks),
    waiting: told.filter(({ asks }) => asks),
    open: isAway ? [] : await loadOpenings(em, viewer, range, now),
  };
}

/** @returns null if it is no longer wanted, or there is nothing left to tell */
export async function composeDigestMail(
  em: Em,
  { publicUrl, mailLinks }: { publicUrl: string; mailLinks: MailLinks },
  { userId, subjectId: sunday }: ClaimedMail,
  now: Date,
): Promise<Letter | null> {
  if (userId === null || sunday === null) return null;
  const viewer = await findDigestReader(em, userId);
  if (viewer === null) return null;
  const contents = await loadDigest(em, { viewer, sunday, publicUrl }, now);
  if (isEmptyDigest(contents)) return null;
  return digestLetter({
    ...contents,
    name: viewer.displayName,
    timeZone: viewer.timeZone,
    homeUrl: `${publicUrl}/home`,
    unsubscribeUrl: mailLinks.unsubscribeUrl({ choice: 'digest', subject: userId }),
  });
}
