/**
 * Hands due reminders to the channels of their pilots. A reminder's row and its messages are written in one transaction, and
 * the row is unique per pilot, mission, start and lead time: whatever crashes or runs twice, each is handed over once.
 */
import { PLACEHOLDER_PATTERN } from '#server/accounts/email.ts';
import { newId } from '#server/schema/base.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { enqueueJobs, jobKey } from '#server/signals/jobs.ts';
import { publishLiveOrders } from '#server/signals/live-signals.ts';
import { noteMail } from '#server/signals/mail-notes.ts';
import { enqueueReminderPushes } from '#server/signals/push-jobs.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { REMINDERS } from '#shared/limits.ts';
import type { ReminderChannel } from '#shared/vocabulary.ts';
import { dueReminder, nextDueMs, type DueReminder } from './rules/due.ts';

/** Reminders handed over in one transaction. */
const BATCH = 50;
const LONGEST_MS = Math.max(...REMINDERS.minutes) * MINUTE_MS;

/** The channels of this installation. */
export interface Channels {
  /** queues direct messages, and returns the reminders that it took; null where no bot is set up */
  discord: ((tx: Em, reminders: readonly { id: string; pilotId: string }[]) => Promise<string[]>) | null;
  hasMail: boolean;
}

/** Accepted seats of missions that start soon enough, with what decides about their reminders. */
const loadHeldSeats = (em: Em, now: Date) =>
  db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('mission as m', 'm.id', 's.mission_id')
    .innerJoin('app_user as u', 'u.id', 's.pilot_id')
    .select(({ ref, fn, eb, exists, selectFrom }) => [
      'o.id as orderId',
      'm.id as missionId',
      'u.id as pilotId',
      ms(ref('m.starts_at')).as('startMs'),
      // PostgreSQL's greatest leaves out nulls
      ms(fn<Date>('greatest', ['o.issued_at', 'o.accepted_at', 'u.reminders_set_at'])).as('sinceMs'),
      'u.reminder_minutes as leadMinutes',
      'u.remind_by_discord as byDiscord',
      'u.remind_by_push as byPush',
      'u.remind_by_email as byEmail',
      eb('u.email', 'not like', PLACEHOLDER_PATTERN).$castTo<boolean>().as('hasAddress'),
      exists(selectFrom('push_subscription as p').select('p.id').whereRef('p.user_id', '=', 'u.id'))
        .$castTo<boolean>()
        .as('hasDevice'),
      selectFrom('reminder as r')
        .select((rows) => rows.fn.agg<number[] | null>('array_agg', ['r.lead_minutes']).as('leads'))
        .whereRef('r.mission_id', '=', 'm.id')
        .whereRef('r.pilot_id', '=', 'u.id')
        .whereRef('r.starts_at', '=', 'm.starts_at')
        .as('reminded'),
    ])
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '=', 'accepted')
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.starts_at', '>', now)
    // a minute more than the longest lead time, so that the next reminder can be planned
    .where('m.starts_at', '<=', new Date(now.getTime() + LONGEST_MS + MINUTE_MS))
    .where(isActivePilot('u'))
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .orderBy('u.id')
    .execute();

type Row = Awaited<ReturnType<typeof loadHeldSeats>>[number];
type Seat = Row & { reminded: number[] };
interface Due {
  seat: Seat;
  reminder: DueReminder;
}

async function handOver(tx: Em, batch: readonly Due[], { discord, hasMail }: Channels, now: Date): Promise<void> {
  const rowsOf = ({ seat, reminder }: Due, leadMinutes: number) => ({
    id: newId(),
    order_id: seat.orderId,
    mission_id: seat.missionId,
    pilot_id: seat.pilotId,
    starts_at: new Date(seat.startMs),
    lead_minutes: leadMinutes,
    asks: reminder.asks && leadMinutes === reminder.leadMinutes,
    created_at: now,
  });
  const made = await db(tx)
    .insertInto('reminder')
    .values(
      batch.flatMap((due) => [due.reminder.leadMinutes, ...due.reminder.alsoDue].map((lead) => rowsOf(due, lead))),
    )
    .onConflict((conflict) => conflict.constraint('reminder_once').doNothing())
    .returning(['id', 'order_id as orderId', 'lead_minutes as leadMinutes'])
    .execute();
  const mine = batch.flatMap(({ seat, reminder }) => {
    const row = made.find(
      ({ orderId, leadMinutes }) => orderId === seat.orderId && leadMinutes === reminder.leadMinutes,
    );
    return row === undefined ? [] : [{ id: row.id, seat }];
  });
  if (mine.length === 0) return;

  const wanting = mine.filter(({ seat }) => seat.byDiscord);
  const inDiscord = new Set(
    await discord?.(
      tx,
      wanting.map(({ id, seat }) => ({ id, pilotId: seat.pilotId })),
    ),
  );
  for (const { id, seat } of mine) {
    const byEmail = hasMail && seat.byEmail && seat.hasAddress;
    if (byEmail)
      noteMail(tx, {
        kind: 'reminder',
        reminderId: id,
        userId: seat.pilotId,
        deadlineAt: new Date(seat.startMs),
      });
    const channels: ReminderChannel[] = [
      ...(inDiscord.has(id) ? ['discord' as const] : []),
      ...(seat.byPush && seat.hasDevice ? ['push' as const] : []),
      ...(byEmail ? ['email' as const] : []),
    ];
    await db(tx).updateTable('reminder').set({ channels }).where('id', '=', id).execute();
  }
  await enqueueReminderPushes(
    tx,
    mine.flatMap(({ id, seat }) => (seat.byPush ? [id] : [])),
  );
  await publishLiveOrders(
    tx,
    mine.map(({ seat }) => seat.pilotId),
  );
}

/** Hand over what is due, and plan the next time. Safe to run at any time and on any replica. */
export async function remindPilots(em: Em, channels: Channels, now: Date): Promise<void> {
  const nowMs = now.getTime();
  const seats = (await loadHeldSeats(em, now)).map((row): Seat => ({ ...row, reminded: row.reminded ?? [] }));
  const due = seats.flatMap((seat): Due[] => {
    const reminder = dueReminder(seat, nowMs);
    return reminder ? [{ seat, reminder }] : [];
  });
  for (let from = 0; from < due.length; from += BATCH) {
    const batch = due.slice(from, from + BATCH);
    await transact(em, (tx) => handOver(tx, batch, channels, now));
  }
  const coming = seats.flatMap((seat) => nextDueMs(seat, nowMs) ?? []);
  const next = Math.min(...coming);
  // what is due later is found by one of the runs every minute
  if (next - nowMs < MINUTE_MS)
    await enqueueJobs(em, 'send_reminders', [{ payload: {}, key: jobKey('sendReminders'), at: new Date(next) }]);
}
