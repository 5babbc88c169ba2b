/** Everybody who might take a seat, with all that the seating asks about a pilot. */
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import type { SeatingPilot } from '#server/seating/rules/eligibility.ts';
import type { Interval } from '#server/time/intervals.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import { loadDebts, loadRecords, reliabilityIn } from '#server/pilots/fairness.ts';
import type { LockedMission } from '#server/seats/orders.ts';
import { loadPresences } from '#server/availability/presences.ts';

type CommitmentRow = { pilot_id: string; startMs: number; endMs: number };
type LevelRow = { user_id: string; aircraft_id: number; level: ProficiencyLevel };

/**
 * @param pilotIds only these; undefined for every active pilot
 * @returns the pilots by id, with their seats in *other* missions as commitments
 */
export async function loadCandidates(
  tx: Em,
  mission: LockedMission,
  now: Date,
  pilotIds?: readonly string[],
): Promise<SeatingPilot[]> {
  const aircraft = await query<{ aircraft_id: number }>(
    tx,
    sql`select distinct aircraft_id from flight where mission_id = ${mission.id}`,
  );
  return loadSeatingPilots(tx, {
    range: mission,
    aircraftIds: aircraft.map(({ aircraft_id }) => aircraft_id),
    exceptMissionId: mission.id,
    pilotIds,
    now,
  });
}

/**
 * Pilots as the seating asks for them, for whatever flies within a range.
 * @param range half-open, epoch milliseconds; presences and commitments that touch it are loaded
 * @param aircraftIds whose levels are needed
 * @param exceptMissionId seats in this one are no commitments
 * @param pilotIds only these; undefined for every active pilot
 * @returns by id
 */
export async function loadSeatingPilots(
  em: Em,
  {
    range,
    aircraftIds,
    exceptMissionId = null,
    pilotIds,
    now,
  }: {
    range: Interval;
    aircraftIds: readonly number[];
    exceptMissionId?: string | null;
    pilotIds?: readonly string[] | undefined;
    now: Date;
  },
): Promise<SeatingPilot[]> {
  const pilots = await loadPresences(em, pilotIds, range, now);
  const ids = pilotIds === undefined ? null : [...pilotIds];
  const commitments = await query<CommitmentRow>(
    em,
    sql`select s.pilot_id, ${msOf('s.starts_at')} as "startMs", ${msOf('s.ends_at')} as "endMs"
        from seat s join frag_order o on o.id = s.order_id
        where s.mission_id is distinct from ${exceptMissionId}::uuid
          and s.starts_at < ${new Date(range.endMs)} and s.ends_at > ${new Date(range.startMs)}
          and ${isLiveHold('o', now)}
          and (${ids}::uuid[] is null or s.pilot_id = any(${ids}::uuid[]))`,
  );
  const levels = await query<LevelRow>(
    em,
    sql`select user_id, aircraft_id, level from proficiency where aircraft_id = any(${[...aircraftIds]}::int[])`,
  );
  const debts = await loadDebts(em, now, pilotIds);
  const records = await loadRecords(em, now, pilotIds);
  const commitmentsOf = Map.groupBy(commitments, ({ pilot_id }) => pilot_id);
  const levelsOf = Map.groupBy(levels, ({ user_id }) => user_id);
  return pilots.map((pilot) => ({
    id: pilot.id,
    active: pilot.isActive,
    presences: pilot.presences,
    commitments: commitmentsOf.get(pilot.id) ?? [],
    state: pilot.status.effectiveState,
    levels: new Map((levelsOf.get(pilot.id) ?? []).map(({ aircraft_id, level }) => [aircraft_id, level])),
    debt: debts.get(pilot.id) ?? 0,
    reliability: reliabilityIn(records, pilot.id),
  }));
}
