/** Who holds no seat of a mission, and why not, for its admin. */
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { assessPilot, compareText } from '#server/seating/rules/eligibility.ts';
import type { Interval } from '#server/time/intervals.ts';
import { type LastOrder, unseatedSentence } from '#server/seating/rules/one-mission/unseated.ts';
import { findObstacle } from '#server/seating/rules/ineligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { UnseatedPilotDto } from '#shared/schemas/mission-work.ts';
import { UNSEATED_REASONS } from '#shared/vocabulary.ts';
import { loadCandidates } from './candidates.ts';
import type { LockedMission } from '#server/seats/orders.ts';
import { loadNames } from '#server/accounts/users.ts';

type FlightRow = { aircraftId: number; aircraftName: string; sizeCap: number; held: number };
type OrderRow = { pilotId: string; lastOrder: Exclude<LastOrder, null> };

/** Seats of flights, and how many of each somebody holds: expired holds are none. */
function listFlights(em: Em, missionId: string, now: Date): Promise<FlightRow[]> {
  return query<FlightRow>(
    em,
    sql`select f.aircraft_id as "aircraftId", a.name as "aircraftName", f.size_cap as "sizeCap",
               (select count(*)::int from seat s join frag_order o on o.id = s.order_id
                where s.flight_id = f.id and ${isLiveHold('o', now)}) as held
        from flight f join aircraft a on a.id = f.aircraft_id join package p on p.id = f.package_id
        where f.mission_id = ${missionId} order by p.sort_order, f.sort_order, f.id`,
  );
}

/** The last order of each pilot who holds none of the mission's seats: how it ended or was answered. */
function listLastOrders(em: Em, missionId: string, now: Date): Promise<OrderRow[]> {
  return query<OrderRow>(
    em,
    sql`select distinct on (pilot_id) pilot_id as "pilotId",
               case when status = 'issued' and rsvp = 'pending' and expires_at <= ${now} then 'expired'
                    when status = 'issued' and rsvp = 'pending' then 'offered'
                    when status = 'issued' then rsvp
                    when rsvp = 'declined' then rsvp
                    else coalesce(status_reason, 'superseded') end as "lastOrder"
        from frag_order where mission_id = ${missionId} and status <> 'draft'
        order by pilot_id, seq desc`,
  );
}

/** Everybody active without a seat of the mission, by reason and name, as things stand now. Unknown id: 404. */
export async function listUnseated(em: Em, missionId: string, now: Date): Promise<UnseatedPilotDto[]> {
  const [mission] = await query<LockedMission>(
    em,
    sql`select id, name, status, ${msOf('starts_at')} as "startMs", ${msOf('ends_at')} as "endMs"
        from mission where id = ${missionId}`,
  );
  if (!mission) throw new AppError(404, copy.missionNotFound);
  const nowMs = now.getTime();
  const flights = await listFlights(em, missionId, now);
  const isLive = sql`${isLiveHold('o', now)}`;
  const holders = await query<{ pilotId: string }>(
    em,
    sql`select s.pilot_id as "pilotId" from seat s join frag_order o on o.id = s.order_id
        where s.mission_id = ${missionId} and ${isLive}`,
  );
  const elsewhere = await query<Interval & { pilotId: string; name: string }>(
    em,
    sql`select s.pilot_id as "pilotId", m.name, ${msOf('s.starts_at')} as "startMs", ${msOf('s.ends_at')} as "endMs"
        from seat s join frag_order o on o.id = s.order_id join mission m on m.id = s.mission_id
        where s.mission_id <> ${missionId} and ${isLive}
          and s.starts_at < ${new Date(mission.endMs)} and s.ends_at > ${new Date(mission.startMs)}`,
  );
  const orders = new Map((await listLastOrders(em, missionId, now)).map((row) => [row.pilotId, row.lastOrder]));
  const waiting = [...orders.values()].filter((order) => order === 'standby').length;
  const committedOf = Map.groupBy(elsewhere, ({ pilotId }) => pilotId);
  const seated = new Set(holders.map(({ pilotId }) => pilotId));
  const pilots = (await loadCandidates(em, mission, now)).filter(({ id, active }) => active && !seated.has(id));
  const names = await loadNames(
    em,
    pilots.map(({ id }) => id),
  );
  const unseated = pilots.map((pilot): UnseatedPilotDto => {
    const committedTo = committedOf.get(pilot.id) ?? [];
    const others = orders.get(pilot.id) === 'standby' ? waiting - 1 : waiting;
    const obstacle = findObstacle({ pilot, mission, flights, committedTo, waiting: others, nowMs });
    const { fitFor } = assessPilot(pilot, mission, nowMs);
    const isSeatOpen = flights.some(({ aircraftId, sizeCap, held }) => held < sizeCap && fitFor(aircraftId) !== null);
    const name = names.get(pilot.id) ?? pilot.id;
    const last = orders.get(pilot.id) ?? null;
    return {
      userId: pilot.id,
      userDisplayName: name,
      reason: obstacle.reason,
      lastOrder: last === 'offered' ? null : last,
      sentence: unseatedSentence(obstacle, name, last, isSeatOpen),
    };
  });
  const sorted = unseated.toSorted(
    (a, b) =>
      UNSEATED_REASONS.indexOf(a.reason) - UNSEATED_REASONS.indexOf(b.reason) ||
      a.userDisplayName.localeCompare(b.userDisplayName, 'en') ||
      compareText(a.userId, b.userId),
  );
  return sorted.slice(0, LISTED_MAX.pilots);
}
