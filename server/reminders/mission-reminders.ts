/** The delivery of a mission's reminders, as admins see it: the channels of each, and why one was not delivered. */
import { db, ms } from '#server/schema/database.ts';
import type { OutboxState } from '#server/schema/operations.ts';
import type { Em } from '#server/schema/orm.ts';
import { toIso } from '#server/time/time.ts';
import type { OrderReminderDto } from '#shared/schemas/mission-admin.ts';
import type { DeliveryState } from '#server/schema/delivery.ts';
import type { ReminderState } from '#shared/vocabulary.ts';

const IN_DISCORD: Record<OutboxState, ReminderState> = {
  queued: 'waiting',
  sending: 'waiting',
  sent: 'sent',
  failed: 'failed',
  uncertain: 'failed',
  cancelled: 'dropped',
};

const BY_MAIL: Record<DeliveryState, ReminderState> = {
  queued: 'waiting',
  sending: 'waiting',
  sent: 'sent',
  failed: 'failed',
  dropped: 'dropped',
};

const NO_CHANNEL =
  'No way to reach this pilot: no direct messages in Discord, no device with notifications and no email for reminders.';

const loadRows = (em: Em, missionId: string) =>
  db(em)
    .selectFrom('reminder as r')
    .innerJoin('mission as m', 'm.id', 'r.mission_id')
    .leftJoin('outbox_message as d', (join) =>
      join.on('d.kind', '=', 'reminder').on(({ eb, cast }) => eb('d.subject_id', '=', cast<string>('r.id', 'text'))),
    )
    .leftJoin('delivery as e', (join) =>
      join
        .on('e.channel', '=', 'mail')
        .on('e.kind', '=', 'reminder')
        .on(({ eb, cast }) => eb('e.subject_id', '=', cast<string>('r.id', 'text'))),
    )
    .select(({ ref }) => [
      'r.order_id as orderId',
      'r.lead_minutes as leadMinutes',
      'r.channels',
      ms(ref('r.created_at')).as('createdMs'),
      ms(ref('r.pushed_at')).as('pushedMs'),
      'r.push_error as pushError',
      'd.state as discordState',
      'd.message_id as discordMessageId',
      'd.error_message as discordError',
      'e.state as mailState',
      'e.error_message as mailError',
    ])
    .where('r.mission_id', '=', missionId)
    .whereRef('r.starts_at', '=', 'm.starts_at')
    .where('r.channels', 'is not', null)
    .orderBy('r.created_at')
    .orderBy('r.lead_minutes', 'desc')
    .execute();

type Row = Awaited<ReturnType<typeof loadRows>>[number];

function deliveriesOf(row: Row): OrderReminderDto['deliveries'] {
  return (row.channels ?? []).map((channel) => {
    switch (channel) {
      case 'discord': {
        const state = row.discordMessageId === null ? IN_DISCORD[row.discordState ?? 'cancelled'] : 'sent';
        return { channel, state, reason: state === 'sent' ? null : row.discordError };
      }
      case 'email': {
        const state = BY_MAIL[row.mailState ?? 'sent'];
        return { channel, state, reason: state === 'sent' ? null : row.mailError };
      }
      case 'push': {
        if (row.pushedMs !== null) return { channel, state: 'sent', reason: null };
        return { channel, state: row.pushError === null ? 'waiting' : 'failed', reason: row.pushError };
      }
    }
  });
}

/** The reminders of a mission's present start. @returns a lookup by order */
export async function loadMissionReminders(
  em: Em,
  missionId: string,
): Promise<(orderId: string) => OrderReminderDto[]> {
  const byOrder = Map.groupBy(await loadRows(em, missionId), ({ orderId }) => orderId);
  return (orderId) =>
    (byOrder.get(orderId) ?? []).map((row) => ({
      leadMinutes: row.leadMinutes,
      remindedAt: toIso(row.createdMs),
      deliveries: deliveriesOf(row),
      problem: row.channels?.length === 0 ? NO_CHANNEL : null,
    }));
}
