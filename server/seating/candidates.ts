/** Seating candidates: pilots with their presences, commitments, aircraft lists, fairness debt and reliability. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { overlapsRange } from '#server/schema/predicates.ts';
import type { SeatingPilot } from '#server/seating/rules/eligibility.ts';
import type { Interval } from '#server/time/intervals.ts';
import { loadDebts, loadRecords, reliabilityIn } from '#server/pilots/fairness.ts';
import { selectHeldSeats, type MissionRow } from '#server/seats/orders.ts';
import { loadPresences } from '#server/availability/presences.ts';
import { loadAircraftLists } from '#server/pilots/proficiencies.ts';

/**
 * @param pilotIds only these; undefined for every active pilot, and for the creator of a practice mission
 * @returns the pilots by id, with their seats in *other* missions as commitments
 */
export async function loadCandidates(
  tx: Em,
  mission: MissionRow,
  now: Date,
  pilotIds?: readonly string[],
): Promise<SeatingPilot[]> {
  // a practice mission asks nobody but its creator
  const practice = await db(tx)
    .selectFrom('mission')
    .select('created_by_id as pilotId')
    .where('id', '=', mission.id)
    .where('is_practice', '=', true)
    .executeTakeFirst();
  const asked = practice ? (pilotIds ?? [practice.pilotId]).filter((id) => id === practice.pilotId) : pilotIds;
  return loadSeatingPilots(tx, { range: mission, exceptMissionId: mission.id, pilotIds: asked, now });
}

/**
 * Pilots as input for the seating of missions within a range.
 * @param range half-open, epoch milliseconds; presences and commitments that touch it are loaded
 * @param exceptMissionId seats in this mission do not count as commitments
 * @param pilotIds only these; undefined for every active pilot
 * @returns the pilots, by id
 */
export async function loadSeatingPilots(
  em: Em,
  {
    range,
    exceptMissionId = null,
    pilotIds,
    now,
  }: {
    range: Interval;
    exceptMissionId?: string | null;
    pilotIds?: readonly string[] | undefined;
    now: Date;
  },
): Promise<SeatingPilot[]> {
  const pilots = await loadPresences(em, pilotIds, range, now);
  const commitments = await selectHeldSeats(em, now)
    .where('s.mission_id', 'is distinct from', exceptMissionId)
    .where(overlapsRange('s', range))
    .where((eb) => (pilotIds === undefined ? eb.lit(true) : isOneOf('s.pilot_id', pilotIds)))
    .execute();
  const listOf = await loadAircraftLists(em, pilotIds);
  const debts = await loadDebts(em, now, pilotIds);
  const records = await loadRecords(em, now, pilotIds);
  const commitmentsOf = Map.groupBy(commitments, ({ pilotId }) => pilotId);
  return pilots.map((pilot) => ({
    id: pilot.id,
    active: pilot.isActive,
    presences: pilot.presences,
    leave: pilot.leave,
    commitments: commitmentsOf.get(pilot.id) ?? [],
    state: pilot.status.effectiveState,
    levels: listOf(pilot.id),
    debt: debts.get(pilot.id) ?? 0,
    reliability: reliabilityIn(records, pilot.id),
  }));
}
