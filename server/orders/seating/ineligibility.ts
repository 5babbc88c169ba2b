/** Pilots without a seat in a mission, with the reasons, for admins. */
import { sql } from 'kysely';
import { countRows, db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isExpired, isLiveHold, overlapsRange } from '#server/schema/predicates.ts';
import { compareText } from '#server/availability/rules/name-order.ts';
import type { TimePart } from '#server/availability/rules/time-visit.ts';
import { assessPilot } from '#server/orders/seating/rules/eligibility.ts';
import {
  findIneligibility,
  findNearMiss,
  type LastOrder,
  nearMissInstants,
  sentenceForAdmin,
} from '#server/orders/seating/rules/ineligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { IneligiblePilotDto } from '#shared/schemas/mission-plan.ts';
import { INELIGIBILITY_REASONS } from '#shared/vocabulary.ts';
import { type NamedFacts, visitCandidates } from './candidates.ts';
import { selectHeldSeats } from '#server/orders/seats/held-seats.ts';
import { selectMissions } from '#server/orders/seats/orders.ts';

/** The mission's flights with their numbers of seats and held seats; expired holds do not count. */
async function listFlights(em: Em, missionId: string, now: Date) {
  return db(em)
    .selectFrom('flight as f')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .select(({ selectFrom }) => [
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.size_cap as sizeCap',
      selectFrom('seat as s')
        .innerJoin('frag_order as o', 'o.id', 's.order_id')
        .select(countRows().as('held'))
        .whereRef('s.flight_id', '=', 'f.id')
        .where(isLiveHold('o', now))
        .$asScalar()
        .$notNull()
        .as('held'),
    ])
    .where('f.mission_id', '=', missionId)
    .orderBy('p.sort_order')
    .orderBy('f.sort_order')
    .orderBy('f.id')
    .execute();
}

/** The outcome or answer of each pilot's last order for the mission. */
export async function listLastOrders(em: Em, missionId: string, now: Date) {
  return db(em)
    .selectFrom('frag_order as o')
    .distinctOn('o.pilot_id')
    .select([
      'o.pilot_id as pilotId',
      sql<Exclude<LastOrder, null>>`case
        when ${isExpired('o', now)} then 'expired'
        when o.status = 'issued' and o.rsvp = 'pending' then 'offered'
        when o.status = 'issued' then o.rsvp
        when o.rsvp = 'declined' then o.rsvp
        else coalesce(o.status_reason, 'superseded') end`.as('lastOrder'),
    ])
    .where('o.mission_id', '=', missionId)
    .where('o.status', '<>', 'draft')
    .orderBy('o.pilot_id')
    .orderBy('o.seq', 'desc')
    .execute();
}

/** Pilots of a large community who are judged because they are there, at most: a list of the first of each reason needs few. */
const JUDGED_MAX = 500;

const groupOf = ({ isNearMiss, reason }: IneligiblePilotDto): string => (isNearMiss ? 'near miss' : reason);

/**
 * Active pilots without a seat in the mission: near misses first, then by reason and name, of each at most
 * `LISTED_MAX.ineligible`. Unknown id: 404.
 */
export async function listIneligible(em: Em, missionId: string, now: Date): Promise<IneligiblePilotDto[]> {
  const mission = await selectMissions(em).where('m.id', '=', missionId).executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const nowMs = now.getTime();
  const flights = await listFlights(em, missionId, now);
  const holders = await selectHeldSeats(em, now).where('s.mission_id', '=', missionId).execute();
  const elsewhere = await selectHeldSeats(em, now)
    .innerJoin('mission as m', 'm.id', 's.mission_id')
    .select('m.name')
    .where('s.mission_id', '<>', missionId)
    .where(overlapsRange('s', mission))
    .execute();
  const orders = new Map((await listLastOrders(em, missionId, now)).map((row) => [row.pilotId, row.lastOrder]));
  const committedOf = Map.groupBy(elsewhere, ({ pilotId }) => pilotId);
  const isWaiting = (pilotId: string) => orders.get(pilotId) === 'standby' && !committedOf.has(pilotId);
  const waiting = [...orders.keys()].filter(isWaiting).length;
  const seated = new Set(holders.map(({ pilotId }) => pilotId));
  const present = (pilot: NamedFacts): IneligiblePilotDto => {
    const committedTo = committedOf.get(pilot.id) ?? [];
    const others = isWaiting(pilot.id) ? waiting - 1 : waiting;
    const question = { pilot, mission, flights, committedTo, waiting: others, nowMs };
    const ineligibility = findIneligibility(question);
    const { fitFor } = assessPilot(pilot, mission, nowMs);
    const isSeatOpen = flights.some(({ aircraftId, sizeCap, held }) => held < sizeCap && fitFor(aircraftId) !== null);
    const last = orders.get(pilot.id) ?? null;
    return {
      userId: pilot.id,
      userDisplayName: pilot.name,
      reason: ineligibility.reason,
      isNearMiss: findNearMiss(question) !== null,
      lastOrder: last === 'offered' ? null : last,
      sentence: sentenceForAdmin(ineligibility, pilot.name, last, isSeatOpen),
    };
  };
  const ineligible: IneligiblePilotDto[] = [];
  const numberOf = new Map<string, number>();
  const judgedIn = new Map<TimePart, number>();
  const question = { first: orders.keys(), instants: nearMissInstants(mission) };
  await visitCandidates(em, mission, now, question, (pilot, part) => {
    if (seated.has(pilot.id)) return false;
    const one = present(pilot);
    const group = groupOf(one);
    const listed = numberOf.get(group) ?? 0;
    const judged = (judgedIn.get(part) ?? 0) + 1;
    numberOf.set(group, listed + 1);
    judgedIn.set(part, judged);
    if (listed < LISTED_MAX.ineligible) ineligible.push(one);
    if (part === 'first') return false;
    if (part === 'present' || part === 'partly') return judged >= JUDGED_MAX;
    return listed + 1 >= LISTED_MAX.ineligible;
  });
  return ineligible.toSorted(
    (a, b) =>
      Number(b.isNearMiss) - Number(a.isNearMiss) ||
      INELIGIBILITY_REASONS.indexOf(a.reason) - INELIGIBILITY_REASONS.indexOf(b.reason) ||
      a.userDisplayName.localeCompare(b.userDisplayName, 'en') ||
      compareText(a.userId, b.userId),
  );
}
