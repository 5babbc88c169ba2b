/**
 * Reads busy calendars again, each about every half an hour. One that has not changed costs a request and a share of a statement;
 * one that fails keeps its times, and is asked less and less often.
 */
import type { Env } from '#server/platform/env.ts';
import type { Sealer } from '#server/platform/sealed.ts';
import { db, ms, tableOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/time/time.ts';
import { BUSY_CALENDARS } from '#shared/limits.ts';
import type { CalendarProblem } from '#shared/calendar-problems.ts';
import { formatBusy } from '#server/availability/rules/busy-minutes.ts';
import type { AddressRules } from '#server/platform/checked-hosts.ts';
import type { CalendarReader } from './calendar-thread.ts';
import { fetchCalendar, type KnownCalendar } from './fetch-calendar.ts';
import type { CalendarAnswer } from './read-calendar.ts';

/** Calendars that are claimed together, and answers that are kept in one statement. */
const BATCH = 64;
/** Requests at the same time. */
const AT_ONCE = 32;
/** No further batch is begun after this time: a process that stops waits for its jobs. The next minute goes on. */
const RUN_MS = 10_000;
/** A batch whose process is killed is claimed again after this time. */
const LEASE_MS = 5 * MINUTE_MS;
/** Calendars are asked up to this much earlier or later, so that a burst spreads out. */
const SPREAD = 0.1;

export interface CalendarParts {
  calendarSealer: Sealer;
  calendarReader: CalendarReader;
  env: Pick<Env, 'CALENDARS_ALLOW_PRIVATE'>;
}

export const rulesOf = ({ env }: Pick<CalendarParts, 'env'>): AddressRules => ({
  allowPrivate: env.CALENDARS_ALLOW_PRIVATE,
});

/** A calendar, with what the last answer said. */
interface ToRead extends KnownCalendar {
  id: string;
  userId: string;
  /** the pilot's */
  timeZone: string;
  countsWholeDays: boolean;
  contentHash: string | null;
  knownUntilMs: number | null;
  failures: number;
}

type Outcome =
  | { is: 'unchanged' }
  | ({ is: 'read'; contentHash: string; untilMs: number; answer: CalendarAnswer } & KnownCalendar)
  | { is: 'failed'; problem: CalendarProblem };

/** Calendars `c` with their pilots `u`. Nothing is known of an answer that counted in another time zone. */
export const selectToRead = (em: Em) =>
  db(em)
    .selectFrom('busy_calendar as c')
    .innerJoin('app_user as u', 'u.id', 'c.user_id')
    .select(({ ref, eb, lit }) => {
      const isSameZone = eb('c.time_zone', '=', ref('u.time_zone'));
      return [
        'c.id',
        'c.user_id as userId',
        'c.sealed_url as sealedUrl',
        'u.time_zone as timeZone',
        'c.counts_whole_days as countsWholeDays',
        'c.etag',
        'c.last_modified as lastModified',
        'c.content_hash as contentHash',
        'c.failures',
        eb
          .case()
          .when(isSameZone)
          .then(ms(ref('c.known_until')))
          .else(lit(null))
          .end()
          .as('knownUntilMs'),
      ];
    });

/** Ask for a calendar, and read it if it has changed, or if its times must be known for longer. Never rejects. */
export async function readNow(
  parts: CalendarParts,
  { url, timeZone, countsWholeDays, knownUntilMs, contentHash, ...known }: Omit<ToRead, 'id'> & { url: string },
  now: Date,
): Promise<Outcome> {
  const nowMs = now.getTime();
  const isKnown = knownUntilMs !== null && knownUntilMs >= nowMs + BUSY_CALENDARS.daysAheadMin * DAY_MS;
  const fetched = await fetchCalendar(url, isKnown ? known : null, rulesOf(parts));
  if (fetched.is !== 'read') return fetched;
  if (isKnown && fetched.hash === contentHash) return { is: 'unchanged' };
  const range = { startMs: nowMs - DAY_MS, endMs: nowMs + BUSY_CALENDARS.daysAhead * DAY_MS };
  const reply = await parts.calendarReader
    .read({ text: fetched.text, ...range, timeZone, countsWholeDays })
    .catch(() => ({ problem: 'tooManyEvents' as const }));
  if ('problem' in reply) return { is: 'failed', problem: reply.problem };
  const { hash, etag, lastModified } = fetched;
  return { is: 'read', contentHash: hash, etag, lastModified, untilMs: range.endMs, answer: reply };
}

const spread = (pauseMs: number): number => pauseMs * (1 + SPREAD * (2 * Math.random() - 1));

/** When a calendar is asked for next, after a number of failures. */
function nextAt(now: Date, failures: number): Date {
  const pauseMs = BUSY_CALENDARS.refreshMinutes * MINUTE_MS * 2 ** Math.max(0, failures - 1);
  return new Date(now.getTime() + spread(Math.min(pauseMs, BUSY_CALENDARS.retryHoursMax * HOUR_MS)));
}

const ANSWERED = { failures: 0, failing_since: null, problem: null } as const;

/** Keep what an answer says. The pilot's times have changed only if the busy ones differ. */
export async function keepAnswer(tx: Em, calendar: ToRead, outcome: Outcome, now: Date): Promise<void> {
  if (outcome.is === 'failed') {
    const failures = Math.min(calendar.failures + 1, BUSY_CALENDARS.failuresMax);
    await db(tx)
      .updateTable('busy_calendar')
      .set(({ fn, ref, val }) => ({
        failures,
        problem: outcome.problem,
        failing_since: fn<Date>('coalesce', [ref('failing_since'), val(now)]),
        due_at: nextAt(now, failures),
      }))
      .where('id', '=', calendar.id)
      .execute();
    return;
  }
  if (outcome.is === 'unchanged') {
    await keepUnchanged(tx, [calendar.id], now);
    return;
  }
  const { answer, etag, lastModified, contentHash, untilMs } = outcome;
  const kept = await db(tx)
    .updateTable('busy_calendar')
    .set({
      ...ANSWERED,
      etag,
      last_modified: lastModified,
      content_hash: contentHash,
      time_zone: calendar.timeZone,
      read_at: now,
      known_until: new Date(untilMs),
      events: answer.events,
      unread: answer.unread,
      due_at: nextAt(now, 0),
    })
    .where('id', '=', calendar.id)
    .returning('id')
    .execute();
  // removed meanwhile
  if (kept.length === 0) return;
  const changed = await db(tx)
    .insertInto('busy_time')
    .values({ calendar_id: calendar.id, user_id: calendar.userId, minutes: formatBusy(answer.busy) })
    .onConflict((conflict) =>
      conflict
        .column('calendar_id')
        .doUpdateSet(({ ref }) => ({ minutes: ref('excluded.minutes') }))
        .whereRef('busy_time.minutes', '<>', 'excluded.minutes'),
    )
    .returning('calendar_id')
    .execute();
  if (changed.length > 0) emit(tx, { type: 'times.changed', userId: calendar.userId });
}

async function keepUnchanged(em: Em, ids: readonly string[], now: Date): Promise<void> {
  const due = ids.map((id) => ({ id, dueAt: nextAt(now, 0) }));
  await db(em)
    .updateTable('busy_calendar as c')
    .from(tableOf('due', due, { id: 'uuid', dueAt: 'timestamptz' }))
    .set(({ ref }) => ({ ...ANSWERED, read_at: now, due_at: ref('due.dueAt') }))
    .whereRef('c.id', '=', 'due.id')
    .execute();
}

/** Take calendars that are due, so that no other process asks for them. */
async function claim(em: Em, now: Date) {
  const due = db(em)
    .selectFrom('busy_calendar as d')
    .innerJoin('app_user as p', 'p.id', 'd.user_id')
    .select('d.id')
    .where('d.due_at', '<=', now)
    .where(isActivePilot('p'))
    .orderBy('d.due_at')
    .limit(BATCH)
    .forUpdate('d')
    .skipLocked();
  const claimed = await db(em)
    .updateTable('busy_calendar')
    .set({ due_at: new Date(now.getTime() + LEASE_MS) })
    .where('id', 'in', due)
    .returning('id')
    .execute();
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ id }) => id);
  return selectToRead(em).where('c.id', 'in', ids).execute();
}

/** Read the calendars that are due, and go on until none is, or until the time is up. */
export async function refreshCalendars(parts: CalendarParts, fork: () => Em, now: Date): Promise<void> {
  const untilMs = performance.now() + RUN_MS;
  while (performance.now() < untilMs) {
    const due = await claim(fork(), now);
    const unchanged: string[] = [];
    const waiting = due.values();
    const work = async (): Promise<void> => {
      for (const calendar of waiting) {
        const url = parts.calendarSealer.open(calendar.sealedUrl, calendar.userId);
        const outcome = await readNow(parts, { ...calendar, url }, now);
        if (outcome.is === 'unchanged') unchanged.push(calendar.id);
        else await transact(fork(), (tx) => keepAnswer(tx, calendar, outcome, now));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (unchanged.length > 0) await keepUnchanged(fork(), unchanged, now);
    if (due.length < BATCH) return;
  }
}
