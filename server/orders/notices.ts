/** Notices to pilots about orders that expired or that somebody else changed, kept until the pilot dismisses them. */
import { sql, type NotNull } from 'kysely';
import { emit } from '#server/signals/emit.ts';
import { db, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isExpired, isLiveHold } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { noticeSentence } from '#server/orders/rules/notices.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { fragLabel } from '#shared/labels.ts';
import { LISTED_MAX, NOTICE_DAYS } from '#shared/limits.ts';
import { misfitReason } from '#shared/order-state.ts';
import type { NoticeDto } from '#shared/schemas/notices.ts';
import type { NoticeKind } from '#shared/vocabulary.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { seatWords } from '#server/orders/seats/rules/order-changes.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** A standby order `o` of an upcoming mission `m` that got a seat without its pilot being asked. */
const isPromoted = (now: Date) => sql<boolean>`(o.status = 'issued' and o.rsvp = 'accepted' and m.starts_at > ${now}
  and ${copy.wasOnStandby}::text = any(o.reasons))`;

/**
 * The kind of notice that an order `o` of a mission `m` has now, or null. A shared offer gives no notice when it expires:
 * it was never reserved for the pilot.
 */
const kindAt = (now: Date) => sql<NoticeKind | null>`case
  when o.status_reason = 'mission cancelled' and o.rsvp <> 'declined' then 'cancelled'
  when o.status_reason = 'superseded' and o.changes @> '[{"field": "seat", "to": null}]' then 'removed'
  when (o.status_reason = 'expired' or ${isExpired('o', now)})
    and not o.is_shared_offer and m.status = 'scheduled' and m.starts_at > ${now} then 'expired'
  when ${isPromoted(now)} and o.read_at is null then 'seated'
  when o.attendance is not null then 'attendance' end`;

const listNoted = named('notices', (source, { pilotId, now, since }: { pilotId: string; now: Date; since: Date }) =>
  source
    .with('noted', (cte) =>
      cte
        .selectFrom('frag_order as o')
        .innerJoin('mission as m', 'm.id', 'o.mission_id')
        .innerJoin('flight as f', 'f.id', 'o.flight_id')
        .selectAll('o')
        .select(['m.name as mission_name', 'm.starts_at', 'm.ends_at', 'f.callsign', kindAt(now).as('kind')])
        .where('o.pilot_id', '=', pilotId)
        .where('o.notice_closed_at', 'is', null),
    )
    .with('dated', (cte) =>
      cte
        .selectFrom('noted')
        .selectAll()
        .select(
          sql<Date>`case kind when 'expired' then expires_at when 'attendance' then ends_at when 'seated' then accepted_at
                      else changed_at end`.as('at'),
        )
        .where('kind', 'is not', null),
    )
    .selectFrom('dated as d')
    .select(({ ref }) => [
      'd.id',
      'd.seq',
      'd.kind',
      ms(ref('d.at')).as('atMs'),
      'd.mission_name as missionName',
      ms(ref('d.starts_at')).as('startMs'),
      'd.callsign',
      'd.seat_index as seatIndex',
      'd.changes',
      'd.reasons',
      'd.attendance',
    ])
    .where('d.at', '>=', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('frag_order as n')
            .select('n.id')
            .whereRef('n.mission_id', '=', 'd.mission_id')
            .whereRef('n.pilot_id', '=', 'd.pilot_id')
            .whereRef('n.id', '<>', 'd.id')
            .where('n.status', '<>', 'draft')
            .where(
              sql<boolean>`(n.issued_at >= d.at
                or (n.status = 'issued' and n.rsvp <> 'declined' and ${isLiveHold('n', now)}))`,
            ),
        ),
      ),
    )
    .orderBy('d.at', 'desc')
    .orderBy('d.seq', 'desc')
    .limit(LISTED_MAX.orders)
    .$narrowType<{ kind: NotNull }>(),
);

/**
 * The viewer's notices, newest first. Left out are those of more than a week ago (attendance counts from the mission's
 * end), and those superseded by a later or still valid order for the same mission.
 */
export async function listNotices(em: Em, viewer: Viewer, now: Date): Promise<NoticeDto[]> {
  const since = new Date(now.getTime() - NOTICE_DAYS * DAY_MS);
  const rows = await listNoted(em, { pilotId: viewer.id, now, since });
  return rows.map(({ id, seq, kind, atMs, missionName, startMs, ...row }) => ({
    orderId: id,
    kind,
    at: toIso(atMs),
    missionName,
    startUtc: toIso(startMs),
    sentence: noticeSentence({
      kind,
      label: fragLabel(seq),
      missionName,
      startMs,
      seat:
        kind === 'seated'
          ? seatWords(row.callsign, row.seatIndex)
          : (row.changes?.find(({ field }) => field === 'seat')?.from ?? null),
      why: misfitReason(row),
      isLeave: row.reasons.includes(copy.onLeaveThen),
      attendance: row.attendance,
    }),
  }));
}

/**
 * Dismiss a notice, on every open page of the viewer. Dismissing it again succeeds. Dismissing the notice of a new seat
 * only marks its order as read, since the order may have other notices later.
 * @param orderId the notice's order; 404 for another pilot's, and for an order without a notice
 */
export async function closeNotice(em: Em, viewer: Viewer, orderId: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const notice = await db(tx)
      .selectFrom('frag_order as o')
      .innerJoin('mission as m', 'm.id', 'o.mission_id')
      .select([
        'o.mission_id as missionId',
        isPromoted(now).as('isSeat'),
        kindAt(now).as('kind'),
        'o.notice_closed_at as closedAt',
        'o.read_at as readAt',
      ])
      .where('o.id', '=', orderId)
      .where('o.pilot_id', '=', viewer.id)
      .forUpdate('o')
      .executeTakeFirst();
    const isThere = notice && (notice.closedAt !== null || notice.isSeat || notice.kind !== null);
    if (!isThere) throw new AppError('NOTICE_NOT_FOUND');
    const step = notice.isSeat ? 'read' : 'close notice';
    await changeOrders(tx, { id: notice.missionId }, step, [{ id: orderId }], now);
    const wasOpen = (notice.isSeat ? notice.readAt : notice.closedAt) === null;
    if (wasOpen) emit(tx, { type: 'notice.closed', pilotId: viewer.id });
  });
}
