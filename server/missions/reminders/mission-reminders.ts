/** The delivery of a mission's reminders, as admins see it: the channels of each, and why one was not delivered. */
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { toIso } from '#server/time/time.ts';
import type { OrderReminderDto } from '#shared/schemas/mission-admin.ts';
import type { DeliveryChannel, DeliveryState } from '#server/schema/delivery.ts';
import type { ReminderState } from '#shared/vocabulary.ts';

/** States as admins see them. Of several devices, or of a message that was edited, the first state in this order counts: one that arrived is enough. */
const STATES = {
  sent: 'sent',
  sending: 'waiting',
  queued: 'waiting',
  failed: 'failed',
  uncertain: 'failed',
  dropped: 'dropped',
} as const satisfies Record<DeliveryState, ReminderState>;

const NO_CHANNEL =
  'No way to reach this pilot: no direct messages in Discord, no device with notifications and no email for reminders.';

const loadRows = (em: Em, missionId: string) =>
  db(em)
    .selectFrom('reminder as r')
    .innerJoin('mission as m', 'm.id', 'r.mission_id')
    .select(({ ref, selectFrom }) => [
      'r.order_id as orderId',
      'r.lead_minutes as leadMinutes',
      'r.channels',
      ms(ref('r.created_at')).as('createdMs'),
      jsonArrayFrom(
        selectFrom('delivery as e')
          .select(['e.channel', 'e.state', 'e.error_message as error'])
          .where('e.kind', '=', 'reminder')
          .where(({ eb, cast }) => eb('e.subject_id', '=', cast<string>('r.id', 'text')))
          .orderBy('e.seq'),
      ).as('deliveries'),
    ])
    .where('r.mission_id', '=', missionId)
    .whereRef('r.starts_at', '=', 'm.starts_at')
    .where('r.channels', 'is not', null)
    .orderBy('r.created_at')
    .orderBy('r.lead_minutes', 'desc')
    .execute();

type Row = Awaited<ReturnType<typeof loadRows>>[number];

/** The state of a reminder on a channel, and why they failed. Without a row it was sent: sent rows are deleted after days. */
function resultOf({ deliveries }: Row, channel: DeliveryChannel) {
  const own = deliveries.filter((delivery) => delivery.channel === channel);
  for (const [state, shown] of Object.entries(STATES)) {
    const found = own.find((delivery) => delivery.state === state);
    if (found) return { state: shown, reason: shown === 'sent' ? null : found.error };
  }
  return { state: 'sent' as const, reason: null };
}

function deliveriesOf(row: Row): OrderReminderDto['deliveries'] {
  return (row.channels ?? []).map((channel) => {
    if (channel === 'email') return { channel, ...resultOf(row, 'mail') };
    return { channel, ...resultOf(row, channel) };
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
