/** Busy calendars as their pilots manage them: list, add, read again, remove. */
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { lockUser } from '#server/accounts/users.ts';
import { countAttempts } from '#server/platform/attempts.ts';
import { findUrlProblem } from '#server/platform/checked-hosts.ts';
import { AppError } from '#server/platform/errors.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { HOUR_MS, toIso } from '#server/time/time.ts';
import { CALENDAR_PROBLEM_TEXTS } from '#shared/calendar-problems.ts';
import { copy } from '#shared/copy.ts';
import { BUSY_CALENDARS } from '#shared/limits.ts';
import type { AddBusyCalendarInput, BusyCalendarDto } from '#shared/schemas/busy-calendars.ts';
import { type CalendarParts, keepAnswer, readNow, rulesOf, selectToRead } from './refresh.ts';

const isoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant));

/** Calendars of a pilot, the oldest first. */
async function listRows(em: Em, userId: string) {
  return db(em)
    .selectFrom('busy_calendar')
    .select(({ ref }) => [
      'id',
      'name',
      'shown_url as address',
      'sealed_url as sealedUrl',
      'counts_whole_days as countsWholeDays',
      'events',
      'unread',
      'problem',
      ms(ref('read_at')).as('readMs'),
      ms(ref('failing_since')).as('failingMs'),
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function listBusyCalendars(em: Em, viewer: Viewer, now: Date): Promise<BusyCalendarDto[]> {
  const rows = await listRows(em, viewer.id);
  return rows.map(({ sealedUrl: _sealedUrl, readMs, failingMs, ...calendar }) => ({
    ...calendar,
    readAt: isoOrNull(readMs),
    failingSince: isoOrNull(failingMs),
    isFailing: failingMs !== null && now.getTime() - failingMs >= BUSY_CALENDARS.failingHours * HOUR_MS,
  }));
}

async function showOne(em: Em, viewer: Viewer, id: string, now: Date): Promise<BusyCalendarDto> {
  const found = (await listBusyCalendars(em, viewer, now)).find((calendar) => calendar.id === id);
  if (!found) throw new AppError('BUSY_CALENDAR_NOT_FOUND');
  return found;
}

const SHOWN_END = 12;
const SHOWN_OF_LONGER = 4;

/** The host, and as much of the end as tells calendars apart without giving the secret away: a short file name, or 4 characters. */
function shownUrl(url: string): string {
  const { host, pathname, search } = new URL(url);
  const last = pathname.split('/').at(-1) ?? '';
  const isFile = search === '' && last.length <= SHOWN_END && /^[a-z]+\.ics$/i.test(last);
  return `${host}/…${isFile ? `/${last}` : url.slice(-SHOWN_OF_LONGER)}`;
}

/** Each asks a server elsewhere: a limit keeps pilots from asking on somebody else's behalf. */
const countRead = (em: Em, viewer: Viewer) =>
  countAttempts(em, [
    {
      bucket: attemptBuckets.busyCalendar(viewer.id),
      most: BUSY_CALENDARS.readsPerHour,
      minutes: 60,
      sentence: copy.tooManyCalendarReads,
    },
  ]);

/**
 * Add a calendar that can be read: it is read first.
 * @throws AppError 400 for an address that Marshal does not call, and for one without a readable calendar
 */
export async function addBusyCalendar(
  em: Em,
  parts: CalendarParts,
  viewer: Viewer,
  { url, name, countsWholeDays }: AddBusyCalendarInput,
  now: Date,
): Promise<BusyCalendarDto> {
  const problem = await findUrlProblem(url, rulesOf(parts));
  if (problem !== null) throw new AppError('VALIDATION', problem, { field: 'url' });
  await countRead(em, viewer);
  const id = newId();
  const calendar = { id, userId: viewer.id, timeZone: viewer.timeZone, countsWholeDays, knownUntilMs: null };
  const known = { etag: null, lastModified: null, contentHash: null, failures: 0 };
  const outcome = await readNow(parts, { ...calendar, ...known, url }, now);
  if (outcome.is === 'failed') {
    throw new AppError('CALENDAR_UNREADABLE', CALENDAR_PROBLEM_TEXTS[outcome.problem], { field: 'url' });
  }
  await transact(em, async (tx) => {
    await lockUser(tx, viewer.id);
    const rows = await listRows(tx, viewer.id);
    if (rows.some(({ sealedUrl }) => parts.calendarSealer.open(sealedUrl, viewer.id) === url)) {
      throw new AppError('VALIDATION', copy.calendarAddedAlready, { field: 'url' });
    }
    await requireRoom('busyCalendars', db(tx).selectFrom('busy_calendar').where('user_id', '=', viewer.id));
    await db(tx)
      .insertInto('busy_calendar')
      .values({
        id,
        user_id: viewer.id,
        name,
        sealed_url: parts.calendarSealer.seal(url, viewer.id),
        shown_url: shownUrl(url),
        counts_whole_days: countsWholeDays,
        time_zone: viewer.timeZone,
        due_at: now,
        created_at: now,
        events: 0,
        unread: 0,
        failures: 0,
      })
      .execute();
    emit(tx, { type: 'busy_calendar.added', userId: viewer.id });
    await keepAnswer(tx, { ...calendar, ...known }, outcome, now);
  });
  return showOne(em, viewer, id, now);
}

/** Read a calendar again. The answer says how it went; its times stay if it has failed. */
export async function refreshBusyCalendar(
  em: Em,
  parts: CalendarParts,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<BusyCalendarDto> {
  const own = selectToRead(em).where('c.id', '=', id).where('c.user_id', '=', viewer.id);
  const row = await own.executeTakeFirst();
  if (!row) throw new AppError('BUSY_CALENDAR_NOT_FOUND');
  await countRead(em, viewer);
  const outcome = await readNow(parts, { ...row, url: parts.calendarSealer.open(row.sealedUrl, viewer.id) }, now);
  await transact(em, (tx) => keepAnswer(tx, row, outcome, now));
  return showOne(em, viewer, id, now);
}

/** Remove a calendar with its busy times. Removing one that is gone already succeeds, for the sake of double clicks. */
export async function removeBusyCalendar(em: Em, viewer: Viewer, id: string): Promise<{ success: true }> {
  await transact(em, async (tx) => {
    const removed = await db(tx)
      .deleteFrom('busy_calendar')
      .where('id', '=', id)
      .where('user_id', '=', viewer.id)
      .returning('id')
      .execute();
    if (removed.length === 0) return;
    emit(tx, { type: 'busy_calendar.removed', userId: viewer.id });
    emit(tx, { type: 'times.changed', userId: viewer.id });
  });
  return { success: true };
}
