/** A pilot's frag orders: inbox, one order, accepted missions. */
import type { Em } from '#server/db/orm.ts';
import { query, sql } from '#server/db/query.ts';
import { AppError } from '#server/errors.ts';
import { copy } from '#shared/copy.ts';
import { INBOX_HISTORY_DAYS } from '#shared/limits.ts';
import type { AcceptedMissionDto, FragOrderDto } from '#shared/schemas/pilot.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import { loadOrders, presentOrder } from './order-view.ts';
import type { Viewer } from './viewer.ts';

const DAY_MS = 86_400_000;

const pendingAt = (now: Date) =>
  sql`(o.status = 'issued' and o.rsvp = 'pending' and o.expires_at > ${now} and m.status = 'scheduled')`;

/**
 * Pending orders, newest first; with `includeCompleted` also the answered ones of missions to come and of the last
 * 30 days. Reading it makes everything in it "not new".
 */
export async function listInbox(em: Em, viewer: Viewer, includeCompleted: boolean, now: Date): Promise<FragOrderDto[]> {
  const since = new Date(now.getTime() - INBOX_HISTORY_DAYS * DAY_MS);
  const answered = includeCompleted
    ? sql`or (o.status = 'issued' and o.rsvp <> 'pending' and m.ends_at > ${since})`
    : sql``;
  const rows = await loadOrders(em, sql`o.pilot_id = ${viewer.id} and (${pendingAt(now)} ${answered})`);
  await query(em, sql`update app_user set inbox_read_at = ${now} where id = ${viewer.id}`);
  return rows.map((row) => presentOrder(row, now));
}

/** One indexed statement: the poll of every page that is open. */
export async function getInboxStatus(
  em: Em,
  viewer: Viewer,
  now: Date,
): Promise<{ hasNewOrders: boolean; pendingCount: number }> {
  const [row] = await query<{ pending: number; has_new: boolean }>(
    em,
    sql`select count(*)::int as pending,
               coalesce(bool_or(o.issued_at > coalesce(u.inbox_read_at, '-infinity')), false) as has_new
        from frag_order o join mission m on m.id = o.mission_id join app_user u on u.id = o.pilot_id
        where o.pilot_id = ${viewer.id} and ${pendingAt(now)}`,
  );
  return { hasNewOrders: row?.has_new ?? false, pendingCount: row?.pending ?? 0 };
}

/** One order of the viewer, which marks it read. Another pilot's is not found. */
export async function getOrder(em: Em, viewer: Viewer, id: string, now: Date): Promise<FragOrderDto> {
  const [row] = await loadOrders(em, sql`o.id = ${id} and o.pilot_id = ${viewer.id} and o.status <> 'draft'`);
  if (!row) throw new AppError(404, copy.orderNotFound);
  await query(em, sql`update frag_order set read_at = ${now} where id = ${id} and read_at is null`);
  return presentOrder(row, now);
}

type CompositionRow = {
  package_id: string;
  package_callsign: string;
  objective: string;
  callsign: string;
  aircraft_name: string;
  seats: number;
};

/** Accepted orders of missions that have not ended, the next one first, with their real radio, package and level. */
export async function listAccepted(em: Em, viewer: Viewer, now: Date): Promise<AcceptedMissionDto[]> {
  const rows = await loadOrders(
    em,
    sql`o.pilot_id = ${viewer.id} and o.status = 'issued' and o.rsvp = 'accepted'
        and m.status = 'scheduled' and m.ends_at > ${now}`,
  );
  if (rows.length === 0) return [];
  const flights = await query<CompositionRow>(
    em,
    sql`select p.id as package_id, p.callsign as package_callsign, p.objective, f.callsign, a.name as aircraft_name,
               f.size_cap as seats
        from package p join flight f on f.package_id = p.id join aircraft a on a.id = f.aircraft_id
        where p.id = any(${rows.map((row) => row.package_id)}::uuid[]) order by f.sort_order, f.id`,
  );
  const levels = await query<{ aircraft_id: number; level: ProficiencyLevel }>(
    em,
    sql`select aircraft_id, level from proficiency where user_id = ${viewer.id}`,
  );
  const levelOf = new Map(levels.map(({ aircraft_id, level }) => [aircraft_id, level]));
  const flightsOf = Map.groupBy(flights, (flight) => flight.package_id);
  return rows
    .toSorted((a, b) => a.starts_ms - b.starts_ms || a.seq - b.seq)
    .map((row) => {
      const composition = flightsOf.get(row.package_id) ?? [];
      return {
        ...presentOrder(row, now),
        totUtc: row.tot_ms === null ? null : new Date(row.tot_ms).toISOString(),
        radioFreq: row.radio_freq,
        level: levelOf.get(row.aircraft_id) ?? 'basic',
        notes: row.flight_notes,
        package: {
          callsign: composition[0]?.package_callsign ?? '',
          objective: composition[0]?.objective ?? '',
          composition: composition.map(({ callsign, aircraft_name, seats }) => ({
            callsign,
            aircraftName: aircraft_name,
            seats,
          })),
        },
      };
    });
}
