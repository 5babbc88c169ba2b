/** The seat board of a mission for admins: its seats with their version, and all pilots who have or could have one. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold, nameForAdmins, overlapsRange } from '#server/schema/predicates.ts';
import { loadRecords, reliabilityIn } from '#server/accounts/pilots/fairness.ts';
import { compareText } from '#server/availability/rules/name-order.ts';
import { assessPilot } from '#server/orders/seating/rules/eligibility.ts';
import {
  findIneligibility,
  findNearMiss,
  nearMissInstants,
  sentenceForAdmin,
} from '#server/orders/seating/rules/ineligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { selectHeldSeats } from '#server/orders/seats/held-seats.ts';
import type { TimePart } from '#server/availability/rules/time-visit.ts';
import { listFlights, selectMissions, type MissionRow } from '#server/orders/seats/orders.ts';
import { listQueue } from '#server/orders/seats/standby-queue.ts';
import { seatWords } from '#server/orders/seats/rules/order-changes.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { BoardPilotDto, BoardSeatDto, seatBoardInput, SeatBoardDto } from '#shared/schemas/seat-board.ts';
import { type BenchGroup, BENCH_GROUPS } from '#shared/bench-groups.ts';
import { type NamedFacts, visitCandidates } from './candidates.ts';
import { listLastOrders } from './ineligibility.ts';

/** A seat as the board shows it. */
interface BoardSeat extends BoardSeatDto {
  callsign: string;
  pilotName: string | null;
}

/** All seats of a mission in board order; expired holds do not count. */
export async function loadBoardSeats(em: Em, missionId: string, now: Date): Promise<BoardSeat[]> {
  const flights = await listFlights(em, missionId);
  const held = await db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('app_user as u', 'u.id', 's.pilot_id')
    .select([
      's.flight_id as flightId',
      's.seat_index as seatIndex',
      's.pilot_id as userId',
      nameForAdmins('u').as('pilotName'),
      'o.rsvp',
      'o.confirmed_at as confirmedAt',
    ])
    .where('s.mission_id', '=', missionId)
    .where(isLiveHold('o', now))
    .execute();
  const holderOf = new Map(held.map((row) => [`${row.flightId}:${row.seatIndex}`, row]));
  return flights.flatMap(({ flightId, callsign, sizeCap }) =>
    Array.from({ length: sizeCap }, (_, seatIndex): BoardSeat => {
      const holder = holderOf.get(`${flightId}:${seatIndex}`);
      const seat = { flightId, seatIndex, callsign };
      if (!holder) return { ...seat, userId: null, pilotName: null, state: 'open' };
      const state = holder.rsvp === 'pending' ? 'asked' : holder.confirmedAt ? 'confirmed' : 'accepted';
      return { ...seat, userId: holder.userId, pilotName: holder.pilotName, state };
    }),
  );
}

/** Characters of the version for the mission and for each seat, so that a version tells which seats have changed. */
const PART = 4;
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, PART);

/** The version of a board: a part for the mission, and one for the holder and the answer of each seat. */
export function versionOfBoard(editedMs: number, seats: readonly BoardSeat[]): string {
  // a confirmation asks nothing of the admin
  const answer = ({ state }: BoardSeat) => (state === 'confirmed' ? 'accepted' : state);
  const parts = seats.map((seat) => digest(`${seat.userId ?? ''} ${answer(seat)}`));
  return [digest(String(editedMs)), ...parts].join('');
}

const STATE_WORDS: Record<BoardSeat['state'], string> = {
  open: 'open',
  asked: 'asked',
  accepted: 'accepted',
  confirmed: 'confirmed',
};

/**
 * The seats that have changed since a version, as words such as `Viper 1, seat 2 (Afterglow, accepted)`.
 * @returns null when the mission itself has changed, and [] when nothing has
 */
export function changedSince(version: string, editedMs: number, seats: readonly BoardSeat[]): string[] | null {
  const present = versionOfBoard(editedMs, seats);
  if (version === present) return [];
  const partOf = (text: string, at: number) => text.slice(at * PART, (at + 1) * PART);
  if (version.length !== present.length || partOf(version, 0) !== partOf(present, 0)) return null;
  return seats.flatMap((seat, at) => {
    if (partOf(version, at + 1) === partOf(present, at + 1)) return [];
    const words = [...(seat.pilotName === null ? [] : [seat.pilotName]), STATE_WORDS[seat.state]].join(', ');
    return [`${seatWords(seat.callsign, seat.seatIndex)} (${words})`];
  });
}

/** When the mission was last edited, in epoch milliseconds. */
export async function readEditTime(em: Em, missionId: string): Promise<number> {
  const row = await db(em)
    .selectFrom('mission')
    .select(({ ref }) => ms(ref('updated_at')).as('editedMs'))
    .where('id', '=', missionId)
    .executeTakeFirstOrThrow();
  return row.editedMs;
}

type Listed = Omit<BoardPilotDto, 'reliability'>;
type Aircraft = { aircraftId: number; aircraftName: string; sizeCap: number };

/** Everything about a mission by which its pilots are judged. */
async function loadQuestion(em: Em, mission: MissionRow, now: Date) {
  const orders = new Map((await listLastOrders(em, mission.id, now)).map((row) => [row.pilotId, row.lastOrder]));
  const elsewhere = await selectHeldSeats(em, now)
    .innerJoin('mission as m', 'm.id', 's.mission_id')
    .select('m.name')
    .where('s.mission_id', '<>', mission.id)
    .where(overlapsRange('s', mission))
    .execute();
  const flights: Aircraft[] = await listFlights(em, mission.id);
  return { orders, flights, committedOf: Map.groupBy(elsewhere, ({ pilotId }) => pilotId) };
}

/**
 * The seat board of a mission. In a large community the bench has the first pilots of each group, and `query` finds the others.
 * @throws AppError 404 for an unknown mission
 */
export async function readSeatBoard(
  em: Em,
  { id, query }: z.infer<typeof seatBoardInput>,
  now: Date,
): Promise<SeatBoardDto> {
  const mission = await selectMissions(em).where('m.id', '=', id).executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const editedMs = await readEditTime(em, id);
  const seats = await loadBoardSeats(em, id, now);
  const { orders, flights, committedOf } = await loadQuestion(em, mission, now);
  const seated = new Set(seats.flatMap(({ userId }) => userId ?? []));
  const queue = await listQueue(em, id);
  const placeOf = new Map(queue.map((pilotId, at) => [pilotId, at + 1]));
  const aircraftIds = [...new Set(flights.map(({ aircraftId }) => aircraftId))];

  const present = (pilot: NamedFacts): Listed => {
    const committedTo = committedOf.get(pilot.id) ?? [];
    const question = { pilot, mission, flights, committedTo, waiting: queue.length, nowMs: now.getTime() };
    const { reason, fitFor } = assessPilot(pilot, mission, now.getTime());
    const ineligibility = findIneligibility(question);
    const last = orders.get(pilot.id) ?? null;
    const isSeated = seated.has(pilot.id);
    const group = ((): BenchGroup => {
      if (isSeated) return 'seated';
      if (placeOf.has(pilot.id)) return 'standby';
      if (ineligibility.reason === 'OUTRANKED') return last === null || last === 'offered' ? 'fits' : 'others';
      if (ineligibility.reason === 'AIRCRAFT' && last === null) return 'otherAircraft';
      return findNearMiss(question) === null ? 'others' : 'nearlyFree';
    })();
    return {
      userId: pilot.id,
      userDisplayName: pilot.name,
      group,
      aircraft: aircraftIds.flatMap((aircraftId) => {
        const [level, isFree] = [pilot.levels.get(aircraftId) ?? null, reason === null && fitFor(aircraftId) !== null];
        return level === null && !isFree ? [] : [{ aircraftId, level, isFree }];
      }),
      isAssignable: committedTo.length === 0 && reason !== 'ON_LEAVE' && reason !== 'COMMITTED',
      standbyPosition: placeOf.get(pilot.id) ?? null,
      sentence:
        isSeated || group === 'fits' || group === 'standby'
          ? null
          : sentenceForAdmin(ineligibility, pilot.name, last, true),
    };
  };

  const wanted = query?.trim().toLowerCase() ?? '';
  const crew = new Set(seats.flatMap(({ pilotName }) => pilotName ?? []));
  const pilots: Listed[] = [];
  const numberOf = new Map<BenchGroup, number>();
  const judgedIn = new Map<TimePart, number>();
  const visit = {
    first: [...seated, ...queue],
    instants: nearMissInstants(mission),
    ...(wanted !== '' && { isWanted: (name: string) => crew.has(name) || name.toLowerCase().includes(wanted) }),
  };
  await visitCandidates(em, mission, now, visit, (pilot, part) => {
    const one = present(pilot);
    const listed = numberOf.get(one.group) ?? 0;
    numberOf.set(one.group, listed + 1);
    if (one.group === 'seated' || listed < LISTED_MAX.bench) pilots.push(one);
    const judged = (judgedIn.get(part) ?? 0) + 1;
    judgedIn.set(part, judged);
    return part !== 'first' && judged >= LISTED_MAX.bench;
  });
  const records = await loadRecords(
    em,
    now,
    pilots.map(({ userId }) => userId),
  );
  return {
    version: versionOfBoard(editedMs, seats),
    seats: seats.map(({ flightId, seatIndex, userId, state }) => ({ flightId, seatIndex, userId, state })),
    pilots: pilots
      .toSorted(comparePilots)
      .map((pilot) => ({ ...pilot, reliability: reliabilityIn(records, pilot.userId) })),
  };
}

/** By group, in the queue by place, otherwise by name. */
function comparePilots(a: Listed, b: Listed): number {
  return (
    BENCH_GROUPS.indexOf(a.group) - BENCH_GROUPS.indexOf(b.group) ||
    (a.standbyPosition ?? 0) - (b.standbyPosition ?? 0) ||
    a.userDisplayName.localeCompare(b.userDisplayName, 'en') ||
    compareText(a.userId, b.userId)
  );
}
