/**
 * Hands due reminders to the channels of their pilots. A reminder's row and its messages are written in one transaction, and
 * the row is unique per pilot, mission, start and lead time: whatever crashes or runs twice, each is handed over once.
 */
import { tryEach } from '#server/platform/each.ts';
import { PLACEHOLDER_PATTERN } from '#server/accounts/email.ts';
import { newId } from '#server/schema/base.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { lockMission } from '#server/orders/seats/orders.ts';
import { emit } from '#server/signals/emit.ts';
import { enqueueJobs, jobKey } from '#server/signals/jobs.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { REMINDERS } from '#shared/reminders.ts';
import { REMINDER_CHANNELS, type ReminderChannel } from '#shared/vocabulary.ts';
import { dueReminder, nextDueMs, type DueReminder } from './rules/due-reminders.ts';

const LONGEST_MS = Math.max(...REMINDERS.minutes) * MINUTE_MS;

/** The channels of this installation. */
export interface Channels {
  /** queues direct messages, and returns the reminders that it took; null where no bot is set up */
  discord: ((tx: Em, reminders: readonly { id: string; pilotId: string }[]) => Promise<string[]>) | null;
  /** the same for warnings of too few pilots */
  discordTurnout: Channels['discord'];
  hasMail: boolean;
}

/** Accepted seats of missions that start soon enough, or of one of them, with the facts that decide their reminders. */
async function loadHeldSeats(em: Em, now: Date, missionId?: string) {
  const rows = await db(em)
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
        .select((sent) => sent.fn.agg<number[] | null>('array_agg', ['r.lead_minutes']).as('leads'))
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
    .$if(missionId !== undefined, (select) => select.where('m.id', '=', missionId ?? ''))
    .execute();
  return rows.map((row) => ({ ...row, reminded: row.reminded ?? [] }));
}

type Seat = Awaited<ReturnType<typeof loadHeldSeats>>[number];
interface Due {
  seat: Seat;
  reminder: DueReminder;
}

const listDue = (seats: readonly Seat[], nowMs: number): Due[] =>
  seats.flatMap((seat) => {
    const reminder = dueReminder(seat, nowMs);
    return reminder === null ? [] : [{ seat, reminder }];
  });

/** Record that these are handed over. @returns each with the id of its reminder */
async function record(tx: Em, due: readonly Due[], now: Date): Promise<{ id: string; seat: Seat }[]> {
  const made = due.map(({ seat, reminder }) => {
    const about = {
      order_id: seat.orderId,
      mission_id: seat.missionId,
      pilot_id: seat.pilotId,
      starts_at: new Date(seat.startMs),
      created_at: now,
    };
    const { leadMinutes, alsoDue, asks } = reminder;
    const own = { ...about, id: newId(), lead_minutes: leadMinutes, asks };
    const replaced = alsoDue.map((longer) => ({ ...about, id: newId(), lead_minutes: longer, asks: false }));
    return { id: own.id, seat, rows: [own, ...replaced] };
  });
  await db(tx)
    .insertInto('reminder')
    .values(made.flatMap(({ rows }) => rows))
    .execute();
  return made;
}

/** Hand over what is due for one mission, in a transaction that locks it, as answers and edits do. */
async function remindOf(tx: Em, missionId: string, { discord, hasMail }: Channels, now: Date): Promise<void> {
  if (!(await lockMission(tx, missionId))) return;
  const due = listDue(await loadHeldSeats(tx, now, missionId), now.getTime());
  if (due.length === 0) return;
  const recorded = await record(tx, due, now);
  const forDiscord = recorded.flatMap(({ id, seat }) => (seat.byDiscord ? [{ id, pilotId: seat.pilotId }] : []));
  const inDiscord = new Set(await discord?.(tx, forDiscord));
  for (const { id, seat } of recorded) {
    const channels: Record<ReminderChannel, boolean> = {
      discord: inDiscord.has(id),
      push: seat.byPush && seat.hasDevice,
      email: hasMail && seat.byEmail && seat.hasAddress,
    };
    const about = { reminderId: id, userId: seat.pilotId, deadlineAt: new Date(seat.startMs) };
    emit(tx, { type: 'reminder.due', ...about, channels });
    await db(tx)
      .updateTable('reminder')
      .set({ channels: REMINDER_CHANNELS.filter((channel) => channels[channel]) })
      .where('id', '=', id)
      .execute();
  }
}

/** Hand over what is due, and plan the next run. Safe to run at any time and on any replica. */
export async function remindPilots(em: Em, channels: Channels, now: Date): Promise<void> {
  const nowMs = now.getTime();
  const seats = await loadHeldSeats(em, now);
  const missions = new Set(listDue(seats, nowMs).map(({ seat }) => seat.missionId));
  const remind = (missionId: string) => transact(em, (tx) => remindOf(tx, missionId, channels, now));
  try {
    await tryEach(missions, remind, 'Reminders of some missions failed');
  } finally {
    await planNext(em, seats, nowMs);
  }
}

/** What is due within a minute gets a run of its own; what is due later is found by one of the runs every minute. */
async function planNext(em: Em, seats: Awaited<ReturnType<typeof loadHeldSeats>>, nowMs: number): Promise<void> {
  const next = Math.min(...seats.flatMap((seat) => nextDueMs(seat, nowMs) ?? []));
  if (next - nowMs < MINUTE_MS) {
    const job = { payload: {}, key: jobKey('send_reminders'), at: new Date(next) };
    await enqueueJobs(em, 'send_reminders', [job]);
  }
}
