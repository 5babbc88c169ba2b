/** What became of a pilot's orders by somebody else's hand or by the clock, until the pilot puts the notice away. */
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { noticeSentence } from '#server/orders/rules/notices.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { fragLabel } from '#shared/labels.ts';
import { LISTED_MAX, NOTICE_DAYS } from '#shared/limits.ts';
import type { NoticeDto } from '#shared/schemas/notices.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { Attendance, NoticeKind } from '#shared/vocabulary.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { seatWords } from '#server/seats/mission-lock.ts';
import type { Viewer } from '#server/platform/viewer.ts';

interface NoticeRow {
  id: string;
  seq: number;
  kind: NoticeKind;
  at_ms: number;
  mission_name: string;
  starts_ms: number;
  callsign: string;
  seat_index: number;
  changes: OrderChange[] | null;
  attendance: Attendance | null;
}

/** A standby order `o` of a mission `m` ahead that became a seat without its pilot being asked. */
const isPromoted = (now: Date) => sql`(o.status = 'issued' and o.rsvp = 'accepted' and m.starts_at > ${now}
  and ${copy.wasOnStandby}::text = any(o.reasons))`;

/**
 * The kind of notice that an order `o` of a mission `m` gives now, else null. Only a seat that was the pilot's alone to
 * answer for runs out: being slower than another to an open offer is nothing to be told of.
 */
const kindAt = (now: Date) => sql`case
  when o.status_reason = 'mission cancelled' and o.rsvp <> 'declined' then 'cancelled'
  when o.status_reason = 'superseded' and o.changes @> '[{"field": "seat", "to": null}]' then 'removed'
  when (o.status_reason = 'expired' or (o.status = 'issued' and o.rsvp = 'pending' and o.expires_at <= ${now}))
    and not o.is_open_offer and m.status = 'scheduled' and m.starts_at > ${now} then 'expired'
  when ${isPromoted(now)} and o.read_at is null then 'seated'
  when o.attendance is not null then 'attendance' end`;

/**
 * The viewer's notices, newest first. What happened more than a week ago is left out (attendance counts from the end of
 * its mission), and so is what a later order for the same mission, or one that stands, has made old.
 */
export async function listNotices(em: Em, viewer: Viewer, now: Date): Promise<NoticeDto[]> {
  const since = new Date(now.getTime() - NOTICE_DAYS * DAY_MS);
  const rows = await query<NoticeRow>(
    em,
    sql`with noted as (
          select o.*, m.name as mission_name, m.starts_at, m.ends_at, f.callsign, ${kindAt(now)} as kind
          from frag_order o join mission m on m.id = o.mission_id join flight f on f.id = o.flight_id
          where o.pilot_id = ${viewer.id} and o.notice_closed_at is null),
        dated as (
          select *, case kind when 'expired' then expires_at when 'attendance' then ends_at when 'seated' then accepted_at
                           else changed_at end as at
          from noted where kind is not null)
        select d.id, d.seq, d.kind, ${msOf('d.at')} as at_ms, d.mission_name, ${msOf('d.starts_at')} as starts_ms,
               d.callsign, d.seat_index, d.changes, d.attendance
        from dated d
        where d.at >= ${since} and not exists (
          select 1 from frag_order n
          where n.mission_id = d.mission_id and n.pilot_id = d.pilot_id and n.id <> d.id and n.status <> 'draft'
            and (n.issued_at >= d.at
                 or (n.status = 'issued' and n.rsvp <> 'declined' and (n.rsvp <> 'pending' or n.expires_at > ${now}))))
        order by d.at desc, d.seq desc limit ${sql.lit(LISTED_MAX.orders)}`,
  );
  return rows.map(({ id, seq, kind, at_ms, mission_name: missionName, starts_ms: startMs, ...row }) => ({
    orderId: id,
    kind,
    at: toIso(at_ms),
    missionName,
    startUtc: toIso(startMs),
    sentence: noticeSentence({
      kind,
      label: fragLabel(seq),
      missionName,
      startMs,
      seat:
        kind === 'seated'
          ? seatWords(row.callsign, row.seat_index)
          : (row.changes?.find(({ field }) => field === 'seat')?.from ?? null),
      attendance: row.attendance,
    }),
  }));
}

/**
 * Put a notice away for good; on every page of the viewer. One that is away already stays so. To put away the notice of a
 * seat is to read its order: others may follow it.
 * @param orderId whose notice it is; 404 for another pilot's, and for an order that gives none
 */
export async function closeNotice(em: Em, viewer: Viewer, orderId: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const [closed] = await query<{ was_open: boolean }>(
      tx,
      sql`update frag_order o set
            notice_closed_at = case when n.is_seat then o.notice_closed_at else coalesce(o.notice_closed_at, ${now}) end,
            read_at = case when n.is_seat then coalesce(o.read_at, ${now}) else o.read_at end
          from (select o.id, ${isPromoted(now)} as is_seat, ${kindAt(now)} as kind, o.notice_closed_at as closed_at,
                       o.read_at
                from frag_order o join mission m on m.id = o.mission_id
                where o.id = ${orderId} and o.pilot_id = ${viewer.id} for update of o) n
          where o.id = n.id and (n.closed_at is not null or n.is_seat or n.kind is not null)
          returning case when n.is_seat then n.read_at else n.closed_at end is null as was_open`,
    );
    if (!closed) throw new AppError(404, copy.noticeNotFound);
    if (closed.was_open) await publishLive(tx, ['orders', [viewer.id]]);
  });
}
