/** Loads the content of a kneeboard card: one accepted order, its package and the pilots in it. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { AppError } from '#server/platform/errors.ts';
import { dateShift, dateShiftMark, formatDate, formatLocal, formatZulu } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { fragLabel } from '#shared/labels.ts';
import type { CardFlight, CardTime, KneeboardCard } from './kneeboard-content.ts';
import { selectOrders, type OrderRow } from '#server/orders/order-view.ts';
import { loadPackages, NAMELESS, type PackageDto } from '#server/planning/package-view.ts';
import type { Viewer } from '#server/platform/viewer.ts';

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
      : [
          {
            label,
            zulu: formatZulu(ms),
            local: formatLocal(ms, timeZone),
            shift: dateShiftMark(dateShift(ms, timeZone)),
          },
        ],
  );
}

/** The flights of the order's package, its own one first. */
function presentFlights(row: OrderRow, { composition }: PackageDto): CardFlight[] {
  return composition
    .map(({ callsign, aircraftName, radioFreq, pilots }) => ({
      callsign,
      aircraft: aircraftName,
      radio: radioFreq,
      isOwn: callsign === row.flight_callsign,
      seats: pilots,
    }))
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
}

/**
 * The words of the card for one accepted order of the viewer.
 * @param publicUrl names the host at the foot
 * @throws AppError 404 for an order that is not the viewer's, 409 for one that is not accepted
 */
export async function loadKneeboard(em: Em, viewer: Viewer, id: string, publicUrl: string): Promise<KneeboardCard> {
  const row = await selectOrders(em)
    .where('o.id', '=', id)
    .where('o.pilot_id', '=', viewer.id)
    .where('o.status', '<>', 'draft')
    .executeTakeFirst();
  if (!row) throw new AppError('ORDER_NOT_FOUND', copy.orderNotFound);
  if (row.status !== 'issued' || row.rsvp !== 'accepted')
    throw new AppError('ORDER_NOT_ACCEPTED', copy.kneeboardNotAccepted);
  const packageOf = await loadPackages(em, [row.package_id]);
  const mission = await db(em)
    .selectFrom('mission')
    .select('notes')
    .where('id', '=', row.mission_id)
    .executeTakeFirst();
  const about = packageOf(row.package_id);
  const flights = presentFlights(row, about);
  const notes = [row.flight_notes, mission?.notes].filter(Boolean).join('\n');
  return {
    label: fragLabel(row.seq),
    mission: row.mission_name,
    theater: row.theater,
    role: row.role,
    dateZulu: formatDate(row.starts_ms, 'UTC'),
    dateLocal: formatDate(row.starts_ms, viewer.timeZone),
    zone: viewer.timeZone,
    times: presentTimes(row, viewer.timeZone),
    callsign: row.flight_callsign,
    seat: `${row.seat_index + 1} of ${flights[0]?.seats.length ?? row.seat_index + 1}`,
    aircraft: row.aircraft_name,
    side: row.side,
    radio: row.radio_freq,
    package: { callsign: about.callsign, objective: about.objective },
    flights,
    notes: notes === '' ? null : notes,
    footer: {
      pilot: viewer.displayName ?? NAMELESS,
      issued: `issued ${formatDate(row.issued_ms, 'UTC')}, ${formatZulu(row.issued_ms)}`,
      host: new URL(publicUrl).host,
    },
  };
}
