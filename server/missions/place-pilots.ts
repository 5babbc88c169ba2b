/** Placing pilots on the seats of a mission, and taking them off, by an admin: one change or a whole board, all or nothing. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, nameForAdmins } from '#server/schema/predicates.ts';
import { mergeChanges, movedChanges, seatWords, type FlightWords } from '#server/orders/seats/rules/order-changes.ts';
import { orderExpiryMs } from '#shared/order-expiry.ts';
import { judgeCandidate } from '#server/orders/seating/rules/one-mission/seat-candidate.ts';
import type { BackfillOffer } from '#server/orders/rules/backfill.ts';
import type { EligibilityFacts, SeatingSeat } from '#server/orders/seating/rules/eligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { boardNoSeatSentence, boardSeatHeldSentence, copy, pilotOverlapSentence } from '#shared/copy.ts';
import { asksAgain } from '#shared/order-changes.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { SeatChangeDto } from '#shared/schemas/seat-board.ts';
import { emit } from '#server/signals/emit.ts';
import { backfill, foreseeBackfill } from '#server/orders/backfill.ts';
import { loadCandidates } from '#server/orders/seating/candidates.ts';
import { withdrawOrders } from '#server/orders/seats/mission-lock.ts';
import {
  refuseOverlap,
  issueOrders,
  scheduleMissionBackfill,
  expireOverdueOrders,
  type LockedMission,
} from '#server/orders/seats/orders.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { endSharedOffers } from '#server/orders/seats/shared-offers.ts';
import { findSeat } from '#server/orders/seating/seat-candidates.ts';
import { requireStaying } from '#server/accounts/users.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import type { Viewer } from '#server/platform/viewer.ts';

type Place = { flightId: string; seatIndex: number };

/** Where a pilot sits afterwards. */
export interface Placement {
  userId: string;
  /** null: on no seat */
  to: Place | null;
  /** false refuses pilots who are not eligible for the seat */
  anyway: boolean;
}

const keyOf = ({ flightId, seatIndex }: Place): string => `${flightId}:${seatIndex}`;

/** Issued orders of a mission of these pilots or for seats of these flights, including declined ones. */
async function loadOrders(tx: Em, missionId: string, pilotIds: readonly string[], flightIds: readonly string[]) {
  const rows = await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .innerJoin('flight as f', 'f.id', 'o.flight_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .leftJoin('seat as s', 's.order_id', 'o.id')
    .select((eb) => [
      'o.id',
      'o.pilot_id as pilotId',
      nameForAdmins('u').as('pilotName'),
      'o.rsvp',
      'o.changes',
      'o.flight_id as flightId',
      'o.seat_index as seatIndex',
      eb('s.order_id', 'is not', null).$castTo<boolean>().as('holdsSeat'),
      'f.callsign',
      'f.aircraft_id as aircraftId',
      'a.name as aircraft',
      'f.role',
      'f.side',
      'f.radio_freq as radio',
      'f.size_cap as flightSize',
    ])
    .where('o.mission_id', '=', missionId)
    .where('o.status', '=', 'issued')
    .where(({ or }) => or([isOneOf('o.pilot_id', pilotIds), isOneOf('s.flight_id', flightIds)]))
    .execute();
  return rows.map(({ callsign, aircraft, role, side, radio, ...order }) => ({
    ...order,
    role,
    aircraftName: aircraft,
    words: { callsign, aircraft, role, side, radio, notes: null },
  }));
}
type LiveOrder = Awaited<ReturnType<typeof loadOrders>>[number];

/** The pilot who holds a seat; null for an open one. Expire overdue orders first. */
export async function findHolder(tx: Em, place: Place): Promise<{ id: string; name: string } | null> {
  const holder = await db(tx)
    .selectFrom('seat as s')
    .innerJoin('app_user as u', 'u.id', 's.pilot_id')
    .select(['s.pilot_id as id', nameForAdmins('u').as('name')])
    .where('s.flight_id', '=', place.flightId)
    .where('s.seat_index', '=', place.seatIndex)
    .executeTakeFirst();
  return holder ?? null;
}

/** Accounts by id, which stay as they are until the end of the transaction. */
async function lockPilots(tx: Em, ids: readonly string[]) {
  const rows = await db(tx)
    .selectFrom('app_user as u')
    .select([
      'u.id',
      nameForAdmins('u').as('name'),
      isActivePilot('u').as('isActive'),
      'u.erased_at as erasedAt',
      'u.deletion_due_at as deletionDueAt',
    ])
    .where(isOneOf('u.id', ids))
    .orderBy('u.id')
    .forShare()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

type Seat = SeatingSeat & { words: FlightWords; missionNotes: string | null };

/** A seat with the words of its flight that orders show, and the notes of its mission. @throws AppError 404 */
async function loadSeat(tx: Em, missionId: string, place: Place): Promise<Seat> {
  const seat = await findSeat(tx, { id: missionId, ...place });
  const { missionNotes, ...words } = await db(tx)
    .selectFrom('flight as f')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .innerJoin('mission as m', 'm.id', 'f.mission_id')
    .select([
      'f.callsign',
      'a.name as aircraft',
      'f.role',
      'f.side',
      'f.radio_freq as radio',
      'm.notes as missionNotes',
    ])
    .where('f.id', '=', place.flightId)
    .executeTakeFirstOrThrow();
  return { ...seat, words: { ...words, notes: null }, missionNotes };
}

/** The name of a seat: `Viper 1, seat 2` */
export const wordsOf = ({ words, seatIndex }: { words: FlightWords; seatIndex: number }) =>
  seatWords(words.callsign, seatIndex);

/** A placement with what it does. */
export interface Step {
  readonly pilot: { readonly id: string; readonly name: string };
  readonly to: Seat | null;
  /** the order with the seat that the pilot holds now */
  readonly held: LiveOrder | undefined;
  /** other orders of the pilot, which a seat ends */
  readonly superseded: readonly LiveOrder[];
  /** null: the pilot sits there already */
  readonly told: SeatChangeDto['told'];
  /** sentences for the admin */
  readonly warnings: readonly string[];
  /** sentences for the pilot */
  readonly reasons: string[];
  /** all changes since the pilot last agreed */
  readonly changes: readonly OrderChange[];
  readonly refusal: AppError | null;
}

/** Data that the steps of one request share. */
interface Board {
  mission: LockedMission;
  seatOf: ReadonlyMap<string, Seat>;
  pilots: Awaited<ReturnType<typeof lockPilots>>;
  factsOf: ReadonlyMap<string, EligibilityFacts>;
  ordersOf: ReadonlyMap<string, readonly LiveOrder[]>;
  /** who stays on a seat although somebody else is placed there */
  stayerOn: (seat: Place) => LiveOrder | undefined;
  now: Date;
}

/** What the admin has to know of a pilot on a seat. Nobody but its creator is judged for a practice mission. */
function judge({ factsOf, mission, now }: Board, userId: string, name: string, seat: SeatingSeat) {
  const facts = factsOf.get(userId);
  return facts ? judgeCandidate(facts, name, seat, mission, now.getTime()) : null;
}

/** @throws AppError if the pilot cannot be placed on the seat */
async function requirePlaceable(tx: Em, board: Board, { userId, anyway }: Placement, seat: Seat): Promise<void> {
  const { mission, now, pilots, ordersOf, stayerOn } = board;
  const pilot = pilots.get(userId);
  if (!pilot) throw new AppError('USER_NOT_FOUND');
  requireStaying(pilot);
  if (!pilot.isActive) throw new AppError('PILOT_SUSPENDED');
  const judgement = judge(board, userId, pilot.name, seat);
  if (judgement?.reason === 'ON_LEAVE')
    throw new AppError('PILOT_ON_LEAVE', judgement.warnings[0] ?? copy.pilotOnLeave);
  const held = ordersOf.get(userId)?.find(({ holdsSeat }) => holdsSeat);
  if (held && keyOf(held) === keyOf(seat)) return;
  await refuseOverlap(tx, userId, mission, now, (name) => pilotOverlapSentence(pilot.name, name));
  const stayer = stayerOn(seat);
  if (stayer) throw new AppError('SEAT_TAKEN', boardSeatHeldSentence(wordsOf(seat), stayer.pilotName));
  // what did not fit before the move has been overridden already
  const known = held && judge(board, userId, pilot.name, held)?.reason;
  if (!anyway && judgement && judgement.reason !== null && judgement.reason !== known)
    throw new AppError('NOT_ELIGIBLE', judgement.warnings.join(' '));
  if (held) return;
  const had = db(tx).selectFrom('frag_order').where('mission_id', '=', mission.id).where('pilot_id', '=', userId);
  await requireRoom('orders', had);
}

async function refusalOf(check: Promise<void>): Promise<AppError | null> {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

async function prepare(tx: Em, board: Board, placement: Placement): Promise<Step> {
  const { userId, to } = placement;
  const own = board.ordersOf.get(userId) ?? [];
  const held = own.find(({ holdsSeat }) => holdsSeat);
  const name = board.pilots.get(userId)?.name ?? '';
  const step = { pilot: { id: userId, name }, held, superseded: [], warnings: [], reasons: [], changes: [] };
  const seat = to && board.seatOf.get(keyOf(to));
  if (!seat) {
    if (!held) return { ...step, to: null, told: null, refusal: new AppError('SEAT_EMPTY', boardNoSeatSentence(name)) };
    const changes = mergeChanges(held.changes ?? [], [{ field: 'seat', from: wordsOf(held), to: null }]);
    return { ...step, to: null, told: 'removed', changes, refusal: null };
  }
  const judgement = judge(board, userId, name, seat);
  const refusal = await refusalOf(requirePlaceable(tx, board, placement, seat));
  const placed = {
    ...step,
    to: seat,
    superseded: own.filter(({ holdsSeat }) => !holdsSeat),
    warnings: judgement?.warnings ?? [],
    reasons: [copy.assignedByAdmin, ...(judgement?.isListed === false ? [copy.aircraftUnlisted] : [])],
    refusal,
  };
  if (!held) return { ...placed, told: 'asked' };
  if (keyOf(held) === keyOf(seat)) return { ...placed, told: null };
  const { missionNotes } = seat;
  const { news, changes } = movedChanges(held.changes ?? [], { from: held, to: seat, missionNotes });
  // the pilot is asked (again) if side, aircraft or role differ or the order is pending
  const told = held.rsvp === 'pending' || asksAgain(held, news) ? 'askedAgain' : 'moved';
  return { ...placed, told, changes };
}

/**
 * Check placements and load what they need. Each pilot and each seat is named once.
 * @returns the steps in the order of the placements, those that are not possible with their refusal
 * @throws AppError 404 for an unknown flight or seat
 */
export async function preparePlacements(
  tx: Em,
  mission: LockedMission,
  placements: readonly Placement[],
  now: Date,
): Promise<Step[]> {
  const places = placements.flatMap(({ to }) => to ?? []);
  const seatOf = new Map<string, Seat>();
  for (const place of places) seatOf.set(keyOf(place), await loadSeat(tx, mission.id, place));
  const placedIds = placements.flatMap(({ userId, to }) => (to ? [userId] : []));
  const ids = placements.map(({ userId }) => userId);
  const pilots = await lockPilots(tx, ids);
  await expireOverdueOrders(tx, now, { pilotIds: placedIds });
  const flightIds = places.map(({ flightId }) => flightId);
  const orders = await loadOrders(tx, mission.id, ids, flightIds);
  const facts = await loadCandidates(tx, mission, now, placedIds);
  const targetOf = new Map(placements.map(({ userId, to }) => [userId, to]));
  const stayerOf = new Map(
    orders.flatMap((order) => {
      const target = targetOf.get(order.pilotId);
      const stays = target === undefined || (target !== null && keyOf(target) === keyOf(order));
      return order.holdsSeat && stays ? [[keyOf(order), order]] : [];
    }),
  );
  const board: Board = {
    mission,
    seatOf,
    pilots,
    factsOf: new Map(facts.map((pilot) => [pilot.id, pilot])),
    ordersOf: Map.groupBy(orders, ({ pilotId }) => pilotId),
    stayerOn: (seat) => stayerOf.get(keyOf(seat)),
    now,
  };
  const steps: Step[] = [];
  for (const placement of placements) steps.push(await prepare(tx, board, placement));
  return steps;
}

/** The outcome of the steps. */
export interface Placed {
  /** of each step that has a seat */
  orderIds: Map<Step, string>;
  /** for the seats that became free */
  offers: BackfillOffer[];
}

/**
 * Carry out steps without refusals: end orders, move orders, issue orders, and offer the seats that become free.
 * @param isDry true issues no orders, because they would use up order numbers: for a transaction that is rolled back
 */
export async function carryOut(
  tx: Em,
  viewer: Viewer,
  { mission, expired }: { mission: LockedMission; expired: number },
  steps: readonly Step[],
  now: Date,
  { isDry = false }: { isDry?: boolean } = {},
): Promise<Placed> {
  const active = steps.filter(({ told }) => told !== null);
  const taking = active.flatMap(({ to }) => to ?? []);
  const refilled = new Set(taking.map(keyOf));
  const removed = active.flatMap((step) => (step.held && !step.to ? [{ ...step, held: step.held }] : []));
  const moved = active.flatMap((step) => (step.held && step.to ? [{ ...step, held: step.held, to: step.to }] : []));
  const superseded = active.flatMap((step) => step.superseded);
  const asked = active.flatMap((step) => (!step.held && step.to ? [{ step, to: step.to }] : []));

  await withdrawOrders(
    tx,
    mission,
    [
      ...removed.map(({ held, changes }) => ({ orderId: held.id, changes: [...changes] })),
      ...superseded.map(({ id, changes }) => ({ orderId: id, changes: changes ?? [] })),
    ],
    now,
  );
  const isFaster = await endSharedOffers(tx, mission, taking, now);
  // all at once, so that pilots can exchange their seats
  await changeOrders(
    tx,
    mission,
    'move',
    moved.map(({ held, to, reasons, changes }) => ({
      id: held.id,
      flight_id: to.flightId,
      seat_index: to.seatIndex,
      reasons,
      changes,
    })),
    now,
  );
  const expiresAt = new Date(orderExpiryMs(now.getTime(), mission.startMs));
  const again = moved.filter(({ told }) => told === 'askedAgain');
  await changeOrders(
    tx,
    mission,
    'ask again',
    again.map(({ held }) => ({ id: held.id, expires_at: expiresAt })),
    now,
  );
  const taken = asked.map(({ step, to: { flightId, seatIndex } }) => ({
    flightId,
    seatIndex,
    pilotId: step.pilot.id,
    reasons: step.reasons,
  }));
  const issued = isDry ? [] : await issueOrders(tx, mission, taken, now);
  const orderIds = new Map(steps.flatMap((step) => (step.held && step.to ? [[step, step.held.id]] : [])));
  for (const [at, { step }] of asked.entries()) {
    const id = issued[at];
    if (id !== undefined) orderIds.set(step, id);
  }

  const replacedOn = new Map(removed.map((step) => [keyOf(step.held), step.pilot]));
  for (const { pilot, to } of active) {
    if (!to) continue;
    const replaced = replacedOn.get(keyOf(to)) ?? null;
    const event = { by: viewer, mission, pilot: pilot.name, userId: pilot.id, seat: wordsOf(to), replaced };
    emit(tx, { type: 'pilot.assigned', ...event });
  }
  for (const { pilot, held } of removed) {
    if (refilled.has(keyOf(held))) continue;
    const event = { by: viewer, mission, pilot: pilot.name, userId: pilot.id, seat: wordsOf(held) };
    emit(tx, { type: 'pilot.removed', ...event });
  }
  if (superseded.some(({ rsvp }) => rsvp === 'standby')) emit(tx, { type: 'queue.changed', missionId: mission.id });

  const isFreed = [...removed, ...moved].some(({ held }) => !refilled.has(keyOf(held)));
  // the pilots who lost a shared offer may fit another free seat
  if (isFreed || expired > 0 || isFaster) {
    const offers = isDry ? await foreseeBackfill(tx, mission, now, taken) : await backfill(tx, mission, now);
    return { orderIds, offers };
  }
  if (active.length > 0) await scheduleMissionBackfill(tx, mission.id);
  return { orderIds, offers: [] };
}
