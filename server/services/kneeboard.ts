/** What a pilot needs on the knee: one accepted order, its package and who flies in it. */
import type { Em } from '#server/db/orm.ts';
import { query, sql } from '#server/db/query.ts';
import { dateShiftWords, dateWords, localWords, zuluWords } from '#server/domain/clock-words.ts';
import { AppError } from '#server/errors.ts';
import { copy } from '#shared/copy.ts';
import { fragLabel } from '#shared/labels.ts';
import type { CardFlight, CardTime, KneeboardCard } from './kneeboard-content.ts';
import { loadOrders, type OrderRow } from './order-view.ts';
import type { Viewer } from './viewer.ts';

/** Call signs are all that pilots see of each other; who has none is a pilot still. */
const NAMELESS = 'Pilot';

interface PackageRow {
  callsign: string;
  objective: string;
  mission_notes: string | null;
}

interface FlightRow {
  id: string;
  callsign: string;
  aircraft_name: string;
  radio_freq: string | null;
  size_cap: number;
  notes: string | null;
  is_own: boolean;
  /** accepted pilots by seat index, as a JSON object */
  pilots: Record<string, string | null>;
}

async function loadFlights(em: Em, row: OrderRow): Promise<FlightRow[]> {
  return query<FlightRow>(
    em,
    sql`select f.id, f.callsign, a.name as aircraft_name, f.radio_freq, f.size_cap, f.notes, f.id = o.flight_id as is_own,
               coalesce((
                 select json_object_agg(s.seat_index, u.display_name)
                 from seat s join frag_order held on held.id = s.order_id join app_user u on u.id = s.pilot_id
                 where s.flight_id = f.id and held.rsvp = 'accepted'), '{}') as pilots
        from frag_order o
        join flight own on own.id = o.flight_id
        join flight f on f.package_id = own.package_id
        join aircraft a on a.id = f.aircraft_id
        where o.id = ${row.id}
        order by f.id = o.flight_id desc, f.sort_order, f.id`,
  );
}

function presentTimes(row: OrderRow, timeZone: string): CardTime[] {
  const instants: [string, number | null][] = [
    ['Brief', row.starts_ms],
    ['Launch', row.launch_ms],
    ['TOT', row.tot_ms],
    ['End', row.ends_ms],
  ];
  return instants.flatMap(([label, ms]) =>
    ms === null
      ? []
      : [{ label, zulu: zuluWords(ms), local: localWords(ms, timeZone), shift: dateShiftWords(ms, timeZone) }],
  );
}

function presentFlight(flight: FlightRow): CardFlight {
  return {
    callsign: flight.callsign,
    aircraft: flight.aircraft_name,
    radio: flight.radio_freq,
    isOwn: flight.is_own,
    seats: Array.from({ length: flight.size_cap }, (_, seat) =>
      String(seat) in flight.pilots ? (flight.pilots[seat] ?? NAMELESS) : null,
    ),
  };
}

/**
 * The words of the card for one accepted order of the viewer.
 * @param publicUrl names the host at the foot
 * @throws AppError 404 for an order that is not the viewer's, 409 for one that is not accepted
 */
export async function loadKneeboard(em: Em, viewer: Viewer, id: string, publicUrl: string): Promise<KneeboardCard> {
  const [row] = await loadOrders(em, sql`o.id = ${id} and o.pilot_id = ${viewer.id} and o.status <> 'draft'`);
  if (!row) throw new AppError(404, copy.orderNotFound);
  if (row.status !== 'issued' || row.rsvp !== 'accepted') throw new AppError(409, copy.kneeboardNotAccepted);
  const [about] = await query<PackageRow>(
    em,
    sql`select p.callsign, p.objective, m.notes as mission_notes
        from package p join mission m on m.id = p.mission_id where p.id = ${row.package_id}`,
  );
  const flights = await loadFlights(em, row);
  const own = flights.find(({ is_own }) => is_own);
  const notes = [own?.notes, about?.mission_notes].filter(Boolean).join('\n');
  return {
    label: fragLabel(row.seq),
    mission: row.mission_name,
    theater: row.theater,
    role: row.role,
    dateZulu: dateWords(row.starts_ms, 'UTC'),
    dateLocal: dateWords(row.starts_ms, viewer.timeZone),
    zone: viewer.timeZone,
    times: presentTimes(row, viewer.timeZone),
    callsign: row.flight_callsign,
    seat: `${row.seat_index + 1} of ${own?.size_cap ?? row.seat_index + 1}`,
    aircraft: row.aircraft_name,
    side: row.side,
    radio: row.radio_freq,
    package: { callsign: about?.callsign ?? '', objective: about?.objective ?? '' },
    flights: flights.map(presentFlight),
    notes: notes === '' ? null : notes,
    footer: {
      pilot: viewer.displayName ?? NAMELESS,
      issued: `issued ${dateWords(row.issued_ms, 'UTC')}, ${zuluWords(row.issued_ms)}`,
      host: new URL(publicUrl).host,
    },
  };
}
