/**
 * Leaves of absence: a pilot, or an admin for them, names dates on which they are never asked to fly. `presencesOf` takes
 * them out of the availability, and a job withdraws the orders in that time (`server/orders/pilot-backfill.ts`).
 */
import type { ExpressionBuilder } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { z } from 'zod';
import { findUser, lockUser } from './users.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { Leave } from '#server/schema/availability.ts';
import { nextVersionAt, versionOf } from '#server/schema/base.ts';
import { db, ms, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { emit } from '#server/signals/emit.ts';
import { addDays, localDate } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { onLeaveWords } from '#shared/leave.ts';
import type { endLeaveInput, LeaveDto, setLeaveInput } from '#shared/schemas/leave.ts';
import { coversNow, leaveTime, type LeaveDates } from './rules/leave.ts';

type LeaveRow = Pick<Leave, 'firstDate' | 'lastDate' | 'reason' | 'updatedAt'>;

/** A leave as the API returns it; null for none, and once it is over. */
function present(leave: LeaveRow | null, timeZone: string, now: Date): LeaveDto | null {
  if (leave === null || leave.lastDate < localDate(now.getTime(), timeZone)) return null;
  const { firstDate, lastDate, reason } = leave;
  return {
    firstDate,
    lastDate,
    reason: reason ?? null,
    isNow: coversNow(leaveTime(leave, timeZone), now.getTime()),
    version: versionOf(leave.updatedAt),
  };
}

/**
 * 409 for a leave that the caller has not seen.
 * @param seen the version that the caller saw, null for no leave; undefined for a caller who does not care
 */
function requireSeen(seen: string | null | undefined, stored: LeaveDto | null): void {
  if (seen !== undefined && seen !== (stored?.version ?? null))
    throw new AppError('CHANGED', copy.leaveChangedMeanwhile);
}

/** The leave that a pilot is on, or has ahead. Unknown id: 404. */
export async function getLeave(em: Em, userId: string, now: Date): Promise<LeaveDto | null> {
  const { timeZone } = await findUser(em, userId);
  return present(await em.findOne(Leave, { user: userId }), timeZone, now);
}

/** Of an account `u`, in a statement about it. */
export const selectLeaveOf = (from: ExpressionBuilder<Database & { u: Database['app_user'] }, 'u'>) =>
  jsonObjectFrom(
    from
      .selectFrom('leave as l')
      .select(({ cast, ref }) => [
        cast<string>('l.first_date', 'text').as('firstDate'),
        cast<string>('l.last_date', 'text').as('lastDate'),
        'l.reason',
        ms(ref('l.updated_at')).as('updatedMs'),
      ])
      .whereRef('l.user_id', '=', 'u.id'),
  );

type ReadLeave = Omit<LeaveRow, 'updatedAt'> & { readonly updatedMs: number };

/** The leave that `selectLeaveOf` has read. */
export const presentLeave = (leave: ReadLeave | null, timeZone: string, now: Date): LeaveDto | null =>
  present(leave && { ...leave, updatedAt: new Date(leave.updatedMs) }, timeZone, now);

/** 400 for a leave that is over by the pilot's calendar. */
export function refusePast({ lastDate }: LeaveDates, timeZone: string, now: Date): void {
  if (lastDate < localDate(now.getTime(), timeZone))
    throw new AppError('VALIDATION', copy.leaveInPast, { field: 'lastDate' });
}

/** Find Flight ends with the first day of a leave. */
async function endFindFlight(tx: Em, userId: string, now: Date): Promise<void> {
  await db(tx)
    .updateTable('pilot_status')
    .set({ state: 'available', minutes: null, expires_at: null, updated_at: now })
    .where('user_id', '=', userId)
    .where('state', '=', 'now')
    .execute();
}

/**
 * Set a pilot's leave, in place of the one before. A job withdraws the orders in that time. Unknown id: 404; 400 for one
 * that is already over; 409 if another one was set or ended since the version that the caller saw.
 */
export async function setLeave(
  em: Em,
  viewer: Viewer,
  { id, firstDate, lastDate, reason, version }: z.infer<typeof setLeaveInput>,
  now: Date,
): Promise<LeaveDto | null> {
  return transact(em, async (tx) => {
    const { timeZone } = await lockUser(tx, id);
    const dates = { firstDate, lastDate };
    refusePast(dates, timeZone, now);
    const stored = await tx.findOne(Leave, { user: id });
    const before = present(stored, timeZone, now);
    // a request whose answer was lost is repeated
    if (before?.firstDate === firstDate && before.lastDate === lastDate && before.reason === reason) return before;
    requireSeen(version, before);
    const leave = stored ?? tx.create(Leave, { user: tx.getReference(User, id), ...dates, reason, updatedAt: now });
    if (stored) Object.assign(stored, { ...dates, reason, updatedAt: nextVersionAt(stored.updatedAt, now) });
    if (coversNow(leaveTime(dates, timeZone), now.getTime())) await endFindFlight(tx, id, now);
    emit(tx, { type: 'leave.set', by: viewer, userId: id, ...dates });
    return present(leave, timeZone, now);
  });
}

/**
 * End a pilot's leave, now or before it begins. Without one this changes nothing. Unknown id: 404; 409 for one that was
 * changed since the version that the caller saw.
 */
export async function endLeave(
  em: Em,
  viewer: Viewer,
  { id, version }: z.infer<typeof endLeaveInput>,
  now: Date,
): Promise<{ success: true }> {
  await transact(em, async (tx) => {
    const { timeZone } = await lockUser(tx, id);
    const stored = await tx.findOne(Leave, { user: id });
    if (!stored) return;
    const leave = present(stored, timeZone, now);
    if (leave) requireSeen(version, leave);
    tx.remove(stored);
    emit(tx, { type: 'leave.ended', by: viewer, userId: id });
  });
  return { success: true };
}

/** 409 for a pilot who is on leave at the instant. */
export async function refuseOnLeave(tx: Em, userId: string, now: Date): Promise<void> {
  const { timeZone } = await lockUser(tx, userId);
  const leave = await tx.findOne(Leave, { user: userId });
  if (leave && coversNow(leaveTime(leave, timeZone), now.getTime()))
    throw new AppError('ON_LEAVE', `You are ${onLeaveWords(leave.lastDate)}. End your leave to look for a flight.`);
}

/** Delete leaves that are over in every time zone. */
export async function purgeLeaves(em: Em, now: Date): Promise<void> {
  await em.nativeDelete(Leave, { lastDate: { $lt: addDays(localDate(now.getTime(), 'UTC'), -1) } });
}
