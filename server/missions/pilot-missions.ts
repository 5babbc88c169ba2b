/** Missions as pilots see them: their own and the open ones, each side as the side rule says. */
import type { z } from 'zod';
import type { InferResult, Kysely } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { db, isOneOf, ms, type Database } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { countSides, isLiveHold, publicName } from '#server/schema/predicates.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { selectOrdersFrom, presentOrder } from '#server/orders/order-view.ts';
import { localDateTime, toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { keepsSecrets, type PlanReader, viewOfSide } from '#server/planning/rules/side-rule.ts';
import { isAdmin, type Viewer } from '#server/platform/viewer.ts';
import { NAMELESS } from '#shared/labels.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { PlanView } from '#shared/secret-sides.ts';
import type { Side } from '#shared/vocabulary.ts';
import type { PilotMissionDetailDto, PilotMissionDto, pilotMissionInput } from '#shared/schemas/mission-lists.ts';
import { type DateRange, requireAll } from './mission-range.ts';

type Asked = { viewerId: string; now: Date };

/** Published missions, by start. */
const selectPublished = (source: Kysely<Database>) =>
  source
    .selectFrom('mission as m')
    .select(({ ref }) => [
      'm.id',
      'm.name',
      'm.theater',
      'm.status',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      ...MISSION_TEXT_KEYS.map((key) => `m.${key}` as const),
      'm.links',
      'm.secret_sides as secretSides',
      countSides('m').as('sides'),
    ])
    .where('m.status', '<>', 'draft')
    .orderBy('m.starts_at')
    .orderBy('m.id');

/**
 * The missions that a pilot may see: published ones that have not begun, and those in which the pilot has a seat, an open
 * order or a place on standby, or had one when the mission was called off. By start.
 */
const selectVisible = (source: Kysely<Database>, { viewerId, now }: Asked) =>
  selectPublished(source).where(({ or, and, eb, exists, selectFrom }) =>
    or([
      and([
        eb('m.status', '=', 'scheduled'),
        eb('m.starts_at', '>', now),
        or([eb('m.is_practice', '=', false), eb('m.created_by_id', '=', viewerId)]),
      ]),
      exists(
        selectFrom('frag_order as o')
          .select('o.id')
          .whereRef('o.mission_id', '=', 'm.id')
          .where('o.pilot_id', '=', viewerId)
          .where((own) =>
            own.or([
              own.and([own('o.status', '=', 'issued'), own('o.rsvp', '<>', 'declined'), isLiveHold('o', now)]),
              own('o.status_reason', '=', 'mission cancelled'),
            ]),
          ),
      ),
    ]),
  );

type MissionRow = InferResult<ReturnType<typeof selectVisible>>[number];

const listVisible = named(
  'pilot_missions',
  (source, { viewerId, now, from, until }: Asked & { from: Date; until: Date }) =>
    selectVisible(source, { viewerId, now })
      .where('m.starts_at', '>=', from)
      .where('m.starts_at', '<', until)
      .limit(LISTED_MAX.missions + 1),
);

/** The flights of these missions in board order, each with its held seats (without expired holds) and its crew. */
const loadFlights = named('pilot_flights', (source, { ids, now }: { ids: readonly string[]; now: Date }) =>
  source
    .selectFrom('flight as f')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ ref, selectFrom }) => [
      'f.mission_id as missionId',
      'p.id as packageId',
      'p.callsign as packageCallsign',
      'p.objective',
      ms(ref('p.launch_at')).as('packageLaunchMs'),
      ms(ref('p.tot_at')).as('packageTotMs'),
      'p.notes as packageNotes',
      'f.id',
      'f.callsign',
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.role',
      'f.side',
      ms(ref('f.launch_at')).as('launchMs'),
      ms(ref('f.tot_at')).as('totMs'),
      'f.radio_freq as radioFreq',
      'f.size_cap as sizeCap',
      'f.notes',
      jsonArrayFrom(
        selectFrom('seat as s')
          .innerJoin('frag_order as o', 'o.id', 's.order_id')
          .innerJoin('app_user as u', 'u.id', 's.pilot_id')
          .select((seat) => [
            's.seat_index as seatIndex',
            's.pilot_id as pilotId',
            // pilots who have not accepted stay unnamed
            seat.case().when('o.rsvp', '=', 'accepted').then(publicName('u', NAMELESS)).end().as('name'),
          ])
          .whereRef('s.flight_id', '=', 'f.id')
          .where(isLiveHold('o', now)),
      ).as('held'),
    ])
    .where(isOneOf('f.mission_id', ids))
    .orderBy('p.sort_order')
    .orderBy('p.id')
    .orderBy('f.sort_order')
    .orderBy('f.id'),
);

/** The sides of these missions: their seats, how many are held, and whether the pilot holds one of them. */
const listSides = named('pilot_mission_sides', (source, { viewerId, now, ids }: Asked & { ids: readonly string[] }) =>
  source
    .selectFrom('flight as f')
    .leftJoin(
      (from) =>
        from
          .selectFrom('seat as s')
          .innerJoin('frag_order as o', 'o.id', 's.order_id')
          .select(({ fn, eb }) => [
            's.flight_id as flightId',
            fn.countAll().as('seats'),
            fn.agg<boolean>('bool_or', [eb('s.pilot_id', '=', viewerId)]).as('isOwn'),
          ])
          .where(isOneOf('s.mission_id', ids))
          .where(isLiveHold('o', now))
          .groupBy('s.flight_id')
          .as('held'),
      (join) => join.onRef('held.flightId', '=', 'f.id'),
    )
    .select(({ fn, lit }) => [
      'f.mission_id as missionId',
      'f.side',
      fn.sum<string>('f.size_cap').as('seats'),
      fn.sum<string | null>('held.seats').as('held'),
      fn.coalesce(fn.agg<boolean>('bool_or', ['held.isOwn']), lit(false)).as('isOwn'),
    ])
    .where(isOneOf('f.mission_id', ids))
    .groupBy(['f.mission_id', 'f.side']),
);

/** The viewer's standing orders in these missions. */
const listOwnOrders = named(
  'pilot_mission_orders',
  (source, { viewerId, now, ids }: Asked & { ids: readonly string[] }) =>
    selectOrdersFrom(source)
      .where('o.pilot_id', '=', viewerId)
      .where('o.status', '=', 'issued')
      .where('o.rsvp', '<>', 'declined')
      .where(isLiveHold('o', now))
      .where(isOneOf('o.mission_id', ids)),
);

type FlightRow = Awaited<ReturnType<typeof loadFlights>>[number];

const isoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant));
const countOpen = ({ sizeCap, held }: FlightRow) => sizeCap - held.length;

type SeenFlight = FlightRow & { view: PlanView };

type OrderRow = Awaited<ReturnType<typeof listOwnOrders>>[number];

/** The viewer as a reader of a mission. @param seatSide side of the seat that the viewer holds there; null without one */
const readerOf = (viewer: Viewer, seatSide: Side | null, order: OrderRow | undefined): PlanReader => ({
  isAdmin: isAdmin(viewer),
  seatSide,
  queueSide: order === undefined || order.standby_position === null ? null : order.side,
});

/** The viewer's order in a mission. */
function presentOwn(row: OrderRow | undefined, holdsSeat: boolean, now: Date): PilotMissionDto['mine'] {
  if (!row) return null;
  const {
    id: orderId,
    rsvp,
    flightCallsign,
    aircraftName,
    role,
    side,
    seatIndex,
    standbyPosition,
  } = presentOrder(row, now);
  const flight = { flightId: row.flight_id, flightCallsign, aircraftName, role, side, seatIndex };
  return { orderId, rsvp, holdsSeat, ...flight, standbyPosition };
}

/** A mission in a list. */
function presentMission(
  { id, name, theater, status, startMs, endMs }: MissionRow,
  seen: Pick<PilotMissionDto, 'openSeats' | 'mine'>,
  timeZone: string,
  now: Date,
): PilotMissionDto {
  return {
    id,
    name,
    theater,
    status: missionStatus(status, startMs, endMs, now.getTime()),
    timeZone,
    startLocal: localDateTime(startMs, timeZone),
    endLocal: localDateTime(endMs, timeZone),
    startUtc: toIso(startMs),
    endUtc: toIso(endMs),
    ...seen,
  };
}

function presentFlight(flight: SeenFlight): PilotMissionDetailDto['packages'][number]['flights'][0] {
  const { id, callsign, aircraftId, aircraftName, role, side, view, launchMs, totMs, radioFreq, sizeCap, notes } =
    flight;
  const nameOf = new Map(flight.held.map(({ seatIndex, name }) => [seatIndex, name]));
  return {
    id,
    callsign,
    aircraftId,
    aircraftName,
    role,
    side,
    view,
    launchUtc: isoOrNull(launchMs),
    sizeCap,
    openSlots: countOpen(flight),
    ...(view === 'plan'
      ? { totUtc: isoOrNull(totMs), radioFreq, notes }
      : { totUtc: null, radioFreq: null, notes: null }),
    pilots: view === 'counts' ? null : Array.from({ length: sizeCap }, (_, seatIndex) => nameOf.get(seatIndex) ?? null),
  };
}

function presentPackages(flights: readonly SeenFlight[]): PilotMissionDetailDto['packages'] {
  return [...Map.groupBy(flights, ({ packageId }) => packageId).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const hasPlan = first.view === 'plan';
    return [
      {
        id: first.packageId,
        callsign: first.packageCallsign,
        objective: hasPlan ? first.objective : null,
        launchUtc: isoOrNull(first.packageLaunchMs),
        totUtc: hasPlan ? isoOrNull(first.packageTotMs) : null,
        notes: hasPlan ? first.packageNotes : null,
        flights: own.map(presentFlight),
      },
    ];
  });
}

/** The viewer's missions and the open ones that start in the range, by start. */
export async function listPilotMissions(
  em: Em,
  viewer: Viewer,
  { startMs, endMs, timeZone }: DateRange,
  now: Date,
): Promise<PilotMissionDto[]> {
  const asked = { viewerId: viewer.id, now };
  const rows = await listVisible(em, { ...asked, from: new Date(startMs), until: new Date(endMs) });
  const missions = requireAll(rows, LISTED_MAX.missions);
  if (missions.length === 0) return [];
  const ids = missions.map(({ id }) => id);
  const [sides, orders] = await Promise.all([listSides(em, { ...asked, ids }), listOwnOrders(em, { ...asked, ids })]);
  const sidesOf = Map.groupBy(sides, ({ missionId }) => missionId);
  const orderOf = new Map(orders.map((order) => [order.mission_id, order]));
  return missions.map((mission) => {
    const all = sidesOf.get(mission.id) ?? [];
    const own = all.find(({ isOwn }) => isOwn);
    const order = orderOf.get(mission.id);
    const reader = readerOf(viewer, own?.side ?? null, order);
    const seen = all.filter(({ side }) => viewOfSide(reader, side, mission, now.getTime()) !== 'hidden');
    return presentMission(
      mission,
      {
        openSeats: seen.reduce((sum, { seats, held }) => sum + Number(seats) - Number(held), 0),
        mine: presentOwn(order, own !== undefined, now),
      },
      timeZone,
      now,
    );
  });
}

/** How much the viewer sees of each side of a mission. 404 as for `getPilotMission`, except that admins see every published one. */
export async function viewSides(em: Em, viewer: Viewer, id: string, now: Date) {
  const asked = { viewerId: viewer.id, now };
  const select = isAdmin(viewer) ? selectPublished(db(em)) : selectVisible(db(em), asked);
  const [mission] = await select.where('m.id', '=', id).execute();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const sides = await listSides(em, { ...asked, ids: [id] });
  const [order] = await listOwnOrders(em, { ...asked, ids: [id] });
  const seatSide = sides.find(({ isOwn }) => isOwn)?.side ?? null;
  const reader = readerOf(viewer, seatSide, order);
  const views = new Map(sides.map(({ side }) => [side, viewOfSide(reader, side, mission, now.getTime())]));
  return { mission, reader, views, isSecret: keepsSecrets(mission, now.getTime()) };
}

/** One mission for a pilot. 404 for a draft, and for one that is neither open nor the viewer's. */
export async function getPilotMission(
  em: Em,
  viewer: Viewer,
  { id, tz }: z.infer<typeof pilotMissionInput>,
  now: Date,
): Promise<PilotMissionDetailDto> {
  const asked = { viewerId: viewer.id, now };
  const [mission] = await selectVisible(db(em), asked).where('m.id', '=', id).execute();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const all = await loadFlights(em, { ids: [id], now });
  const [order] = await listOwnOrders(em, { ...asked, ids: [id] });
  const own = all.find(({ held }) => held.some(({ pilotId }) => pilotId === viewer.id));
  const reader = readerOf(viewer, own?.side ?? null, order);
  const flights = all.flatMap((flight): SeenFlight[] => {
    const view = viewOfSide(reader, flight.side, mission, now.getTime());
    return view === 'hidden' ? [] : [{ ...flight, view }];
  });
  const seesWho = flights.some(({ view }) => view !== 'counts');
  const seesPlan = flights.some(({ view }) => view === 'plan');
  const seen = {
    openSeats: flights.reduce((sum, flight) => sum + countOpen(flight), 0),
    mine: presentOwn(order, own !== undefined, now),
  };
  return {
    ...presentMission(mission, seen, tz ?? viewer.timeZone, now),
    ...eachField(MISSION_TEXT_KEYS, (key) => (seesWho ? mission[key] : null)),
    links: seesPlan ? (mission.links ?? []) : [],
    packages: presentPackages(flights),
  };
}
