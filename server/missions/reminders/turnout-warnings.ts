/**
 * Tells a mission's creator when too few pilots are expected 7 days, 48 h or 24 h before its start. Each stage is looked at once
 * for a start: its row is unique, and is written with the messages in one transaction, under the mission's lock.
 */
import { PLACEHOLDER_PATTERN } from '#server/accounts/email.ts';
import { loadTurnouts } from '#server/board/turnout-alerts.ts';
import { newId } from '#server/schema/base.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { lockMission } from '#server/orders/seats/orders.ts';
import { emit } from '#server/signals/emit.ts';
import { DAY_MS, MINUTE_MS } from '#server/time/time.ts';
import { TURNOUT } from '#shared/limits.ts';
import { REMINDER_CHANNELS, type ReminderChannel, type TurnoutStage } from '#shared/vocabulary.ts';
import type { Channels } from './send-reminders.ts';
import { dueStage } from './rules/turnout-stage.ts';
import type { TurnoutFacts } from './rules/turnout-words.ts';

/** Published missions of the next seven days, or one of them, with the facts that decide their stages. */
async function loadStaged(em: Em, now: Date, missionId?: string) {
  const rows = await db(em)
    .selectFrom('mission as m')
    .select(({ ref, selectFrom }) => [
      'm.id',
      'm.created_by_id as creatorId',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.start_set_at')).as('sinceMs'),
      selectFrom('turnout_warning as w')
        .select((looked) => looked.fn.agg<TurnoutStage[] | null>('array_agg', ['w.stage']).as('stages'))
        .whereRef('w.mission_id', '=', 'm.id')
        .whereRef('w.starts_at', '=', 'm.starts_at')
        .as('seen'),
    ])
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.starts_at', '>', now)
    .where('m.starts_at', '<=', new Date(now.getTime() + TURNOUT.days * DAY_MS))
    .$if(missionId !== undefined, (select) => select.where('m.id', '=', missionId ?? ''))
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .execute();
  return rows.map((row) => ({ ...row, seen: row.seen ?? [] }));
}

/** The channels of a creator, as for their own reminders. */
async function findChannels(tx: Em, creatorId: string, hasMail: boolean) {
  const creator = await db(tx)
    .selectFrom('app_user as u')
    .select(({ eb, exists, selectFrom }) => [
      'u.remind_by_discord as discord',
      'u.remind_by_push as push',
      'u.remind_by_email as email',
      eb('u.email', 'not like', PLACEHOLDER_PATTERN).$castTo<boolean>().as('hasAddress'),
      exists(selectFrom('push_subscription as p').select('p.id').whereRef('p.user_id', '=', 'u.id'))
        .$castTo<boolean>()
        .as('hasDevice'),
    ])
    .where('u.id', '=', creatorId)
    .where('u.erased_at', 'is', null)
    .executeTakeFirst();
  return {
    discord: creator?.discord ?? false,
    push: creator !== undefined && creator.push && creator.hasDevice,
    email: hasMail && creator !== undefined && creator.email && creator.hasAddress,
  };
}

async function warnOf(tx: Em, missionId: string, { discordTurnout, hasMail }: Channels, now: Date): Promise<void> {
  if (!(await lockMission(tx, missionId))) return;
  const [mission] = await loadStaged(tx, now, missionId);
  const stage = mission && dueStage(mission, now.getTime());
  const [turnout] = await loadTurnouts(tx, now, missionId);
  if (!mission || !stage || !turnout) return;
  const { probability, seats, accepted, enough, isShort } = turnout;
  const id = newId();
  await db(tx)
    .insertInto('turnout_warning')
    .values({
      id,
      mission_id: missionId,
      starts_at: new Date(mission.startMs),
      stage,
      probability,
      seats,
      accepted,
      enough,
      recipient_id: isShort ? mission.creatorId : null,
      channels: [],
      created_at: now,
    })
    .execute();
  if (!isShort) return;
  const wants = await findChannels(tx, mission.creatorId, hasMail);
  const warning = { id, pilotId: mission.creatorId };
  const channels: Record<ReminderChannel, boolean> = {
    ...wants,
    discord: wants.discord && ((await discordTurnout?.(tx, [warning])) ?? []).length > 0,
  };
  const deadlineAt = new Date(mission.startMs);
  emit(tx, { type: 'turnout.low', warningId: id, userId: mission.creatorId, deadlineAt, channels });
  await db(tx)
    .updateTable('turnout_warning')
    .set({ channels: REMINDER_CHANNELS.filter((channel) => channels[channel]) })
    .where('id', '=', id)
    .execute();
}

/** Tell the creators of missions whose stage is reached. Safe to run at any time and on any replica. */
export async function warnOfTurnout(em: Em, channels: Channels, now: Date): Promise<void> {
  const staged = await loadStaged(em, now);
  for (const mission of staged.filter((one) => dueStage(one, now.getTime()) !== null)) {
    await transact(em, (tx) => warnOf(tx, mission.id, channels, now));
  }
}

/** A warning as the channels send it. */
export interface LoadedWarning extends TurnoutFacts {
  id: string;
  recipientId: string;
  name: string | null;
  /** the mission is still to fly at that start */
  isCurrent: boolean;
  wants: Record<ReminderChannel, boolean>;
}

/** @returns null for an unknown warning, or one that nobody is told of */
export async function loadWarning(em: Em, id: string, now: Date): Promise<LoadedWarning | null> {
  const row = await db(em)
    .selectFrom('turnout_warning as w')
    .innerJoin('mission as m', 'm.id', 'w.mission_id')
    .innerJoin('app_user as u', 'u.id', 'w.recipient_id')
    .select(({ ref }) => [
      'u.id as recipientId',
      'u.display_name as name',
      'u.time_zone as timeZone',
      'u.remind_by_discord as discord',
      'u.remind_by_push as push',
      'u.remind_by_email as email',
      'm.id as missionId',
      'm.name as missionName',
      'm.status',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      ms(ref('w.starts_at')).as('warnedMs'),
      'w.stage',
      'w.probability',
      'w.seats',
      'w.accepted',
      'w.enough',
    ])
    .where('w.id', '=', id)
    .where('u.erased_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const { discord, push, email, status, endMs, warnedMs, ...rest } = row;
  const isCurrent = status === 'scheduled' && rest.startMs === warnedMs && now.getTime() < rest.startMs;
  const minutes = Math.round((endMs - rest.startMs) / MINUTE_MS);
  return { ...rest, id, minutes, isCurrent, wants: { discord, push, email } };
}
