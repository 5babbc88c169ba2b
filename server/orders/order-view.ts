/** Frag orders as pilots see them: one joined statement, since every open home page asks for it every 30 s. */
import type { InferResult, Kysely } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { countRows, db, type Database, isOneOf, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { countSides } from '#server/schema/predicates.ts';
import { isInQueue, queuePlace } from '#server/orders/seats/standby-queue.ts';
import { AppError } from '#server/platform/errors.ts';
import { toIso } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import { fragLabel, orderTitle } from '#shared/labels.ts';
import { eachField, MISSION_TEXT_KEYS, PLAN_ONLY_CHANGES } from '#shared/mission-fields.ts';
import type { OrderFacts, PackagedOrder } from '#shared/order-facts.ts';
import { isExpired } from '#shared/order-expiry.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { loadPackages } from '#server/planning/package-view.ts';
import { isConfirmationAsked } from '#shared/reminders.ts';
import { type SideView, viewOfSide } from '#server/planning/rules/side-rule.ts';
import { isAdmin, type Viewer } from '#server/platform/viewer.ts';

/** Selects orders `o` with the facts of their mission `m` and flight `f`, newest first; the caller adds the condition. */
export const selectOrders = (em: Em) => selectOrdersFrom(db(em));

/** The same for a named statement. */
export const selectOrdersFrom = (source: Kysely<Database>) =>
  source
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .innerJoin('flight as f', 'f.id', 'o.flight_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ ref, selectFrom, eb }) => [
      'o.id',
      'o.seq',
      'o.status',
      'o.status_reason',
      'o.rsvp',
      'o.mission_id',
      'm.name as mission_name',
      'm.is_practice',
      'm.theater',
      ms(ref('m.starts_at')).as('starts_ms'),
      ms(ref('m.ends_at')).as('ends_ms'),
      'm.secret_sides',
      countSides('m').as('sides'),
      'f.callsign as flight_callsign',
      'f.package_id',
      'f.aircraft_id',
      'a.name as aircraft_name',
      'o.flight_id',
      'o.seat_index',
      'f.role',
      'f.side',
      ms(ref('f.launch_at')).as('launch_ms'),
      ms(ref('f.tot_at')).as('tot_ms'),
      'f.radio_freq',
      'f.notes as flight_notes',
      jsonBuildObject(eachField(MISSION_TEXT_KEYS, (key) => ref(`m.${key}`))).as('mission_texts'),
      'm.links',
      'o.reasons',
      'o.changes',
      'o.attendance',
      ms(ref('o.changed_at')).as('changed_ms'),
      ms(ref('o.issued_at')).as('issued_ms'),
      ms(ref('o.expires_at')).as('expires_ms'),
      ms(ref('o.accepted_at')).as('accepted_ms'),
      ms(ref('o.confirmed_at')).as('confirmed_ms'),
      ms(ref('o.nudged_at')).as('nudged_ms'),
      // the seat that the pilot holds in the mission, by this order or a later one
      selectFrom('seat as s')
        .innerJoin('frag_order as h', 'h.id', 's.order_id')
        .innerJoin('flight as sf', 'sf.id', 's.flight_id')
        .select((held) =>
          jsonBuildObject({
            side: held.ref('sf.side'),
            rsvp: held.ref('h.rsvp'),
            expiresMs: ms(held.ref('h.expires_at')),
          }).as('held'),
        )
        .whereRef('s.mission_id', '=', 'o.mission_id')
        .whereRef('s.pilot_id', '=', 'o.pilot_id')
        .as('held_seat'),
      ms(ref('o.read_at')).as('read_ms'),
      eb
        .case()
        .when(isInQueue('o'))
        .then(
          selectFrom('frag_order as q')
            .select(countRows().as('ahead'))
            .whereRef('q.mission_id', '=', 'o.mission_id')
            .where(isInQueue('q'))
            .where((q) => q(queuePlace('q'), '<=', queuePlace('o'))),
        )
        .end()
        .as('standby_position'),
    ])
    .orderBy(({ fn }) => fn('greatest', ['o.issued_at', 'o.changed_at']), 'desc')
    .orderBy('o.seq', 'desc')
    .limit(LISTED_MAX.orders);

export type OrderRow = InferResult<ReturnType<typeof selectOrdersFrom>>[number];

const listLevels = named('levels', (source, { userId }: { userId: string }) =>
  source.selectFrom('proficiency').select(['aircraft_id', 'level']).where('user_id', '=', userId),
);

const isoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant));

/** How much of the order's side its pilot may see, which depends on the seat that the pilot holds in the mission now. */
function viewOf(row: OrderRow, now: Date, isForAdmin: boolean): SideView {
  const { held_seat, side, standby_position, secret_sides: secretSides, sides, ends_ms: endMs } = row;
  const isHeld = held_seat !== null && !isExpired({ status: 'issued', ...held_seat }, now.getTime());
  const reader = {
    isAdmin: isForAdmin,
    seatSide: isHeld ? held_seat.side : null,
    queueSide: standby_position === null ? null : side,
  };
  return viewOfSide(reader, side, { secretSides, sides, endMs }, now.getTime());
}

/** True for the order of a pilot who only ever joined the queue, and was never sent the texts of the mission and the flight. */
const isUnoffered = ({ rsvp, reasons }: OrderRow): boolean =>
  ['standby', 'declined'].includes(rsvp) && reasons.includes(copy.joinedStandby);

/** Changes that quote what only the readers of a plan see: a frequency, or texts that were never sent. */
const BRIEFED: readonly string[] = [...PLAN_ONLY_CHANGES, 'notes', 'links'];

/**
 * An order for the API. An overdue one reads as expired, even if no job has expired it yet. One without a seat has no frequency;
 * it keeps the texts that its pilot was sent, unless the pilot now flies for the other side.
 * @param reader an admin sees both sides; messages are for the pilot
 */
export function presentOrder(row: OrderRow, now: Date, { isAdmin: isForAdmin = false } = {}): OrderFacts {
  const view = viewOf(row, now, isForAdmin);
  const isShown = view !== 'hidden';
  const hasTexts = view === 'plan' || !isUnoffered(row);
  const expired = isExpired({ status: row.status, rsvp: row.rsvp, expiresMs: row.expires_ms }, now.getTime());
  return {
    id: row.id,
    seq: row.seq,
    label: fragLabel(row.seq),
    status: expired ? 'cancelled' : row.status,
    statusReason: expired ? 'expired' : row.status_reason,
    rsvp: row.rsvp,
    missionId: row.mission_id,
    missionName: row.mission_name,
    isPractice: row.is_practice,
    theater: row.theater,
    startUtc: toIso(row.starts_ms),
    endUtc: toIso(row.ends_ms),
    flightCallsign: row.flight_callsign,
    aircraftName: row.aircraft_name,
    seatIndex: row.seat_index,
    role: row.role,
    side: row.side,
    launchUtc: isoOrNull(row.launch_ms),
    title: orderTitle(row.role, row.aircraft_name, row.seat_index),
    reasons: row.reasons,
    issuedAt: toIso(row.issued_ms),
    expiresAt: toIso(row.expires_ms),
    confirmedAt: isoOrNull(row.confirmed_ms),
    asksConfirmation: isConfirmationAsked(
      {
        status: row.status,
        rsvp: row.rsvp,
        startMs: row.starts_ms,
        acceptedMs: row.accepted_ms,
        confirmedMs: row.confirmed_ms,
      },
      now.getTime(),
    ),
    standbyPosition: row.standby_position,
    changes: (row.changes ?? []).filter(
      ({ field }) => view === 'plan' || (isShown && !(hasTexts ? PLAN_ONLY_CHANGES : BRIEFED).includes(field)),
    ),
    changedAt: isoOrNull(row.changed_ms),
    totUtc: isShown ? isoOrNull(row.tot_ms) : null,
    radioFreq: view === 'plan' ? row.radio_freq : null,
    notes: isShown && hasTexts ? row.flight_notes : null,
    missionTexts: hasTexts ? row.mission_texts : eachField(MISSION_TEXT_KEYS, () => null),
    links: hasTexts ? (row.links ?? []) : [],
  };
}

export const orderNotFound = () => new AppError('ORDER_NOT_FOUND');

const findOrders = named('orders', (source, { ids }: { ids: readonly string[] }) =>
  selectOrdersFrom(source).where(isOneOf('o.id', ids)),
);

/** Orders that the transaction has changed, each as its own pilot sees it, in any order. */
export async function loadOrders(tx: Em, ids: readonly string[], now: Date): Promise<OrderFacts[]> {
  return (await findOrders(tx, { ids })).map((row) => presentOrder(row, now));
}

/** An order that the transaction has changed, as its pilot sees it. @throws AppError 404 for an unknown order */
export async function loadOrder(tx: Em, id: string, now: Date): Promise<OrderFacts> {
  const [order] = await loadOrders(tx, [id], now);
  if (!order) throw orderNotFound();
  return order;
}

/** Orders with their packages, each as its own pilot sees it, in the order of the rows. */
export async function presentPackaged(em: Em, rows: readonly OrderRow[], now: Date): Promise<PackagedOrder[]> {
  if (rows.length === 0) return [];
  const packageOf = await loadPackages(
    em,
    rows.map((row) => row.package_id),
  );
  return rows.map((row) => ({
    ...presentOrder(row, now),
    package: packageOf(row.package_id, viewOf(row, now, false)),
  }));
}

/**
 * Orders of one pilot with everything needed to fly them: radio frequency, the whole package, the pilot's level.
 * @param rows of `viewer` only, in any order, which is kept
 */
export async function presentMissions(
  em: Em,
  viewer: Viewer,
  rows: readonly OrderRow[],
  now: Date,
): Promise<AcceptedMissionDto[]> {
  if (rows.length === 0) return [];
  const packageOf = await loadPackages(
    em,
    rows.map((row) => row.package_id),
  );
  const levels = await listLevels(em, { userId: viewer.id });
  const levelOf = new Map(levels.map(({ aircraft_id, level }) => [aircraft_id, level]));
  return rows.map((row) => ({
    ...presentOrder(row, now, { isAdmin: isAdmin(viewer) }),
    level: levelOf.get(row.aircraft_id) ?? 'basic',
    package: packageOf(row.package_id, viewOf(row, now, isAdmin(viewer))),
  }));
}
