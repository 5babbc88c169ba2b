/** The week plan: a preview of seating several drafts together. Read-only, without locks. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { SeatingPilot } from '#server/orders/seating/rules/eligibility.ts';
import type { Interval } from '#server/time/intervals.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { previewSeats } from '#server/orders/seating/rules/one-mission/preview-seats.ts';
import { MINUTE_MS, toIso } from '#server/time/time.ts';
import { byStart, type FreeMission } from '#server/orders/seating/rules/week/week-issue.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_START_GRACE_MINUTES, WEEK_PLAN_MISSIONS_MAX } from '#shared/limits.ts';
import type { DryRunInput, WeekPlanDto, WeekPlanInput } from '#shared/schemas/mission-plan.ts';
import { loadEligibleForAny } from './candidates.ts';
import { requireSlots, requireTimes } from '#server/planning/mission-request.ts';
import { selectMissions, type MissionRow } from '#server/orders/seats/orders.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { WeekSolver } from './week-solver.ts';

/** The id of a mission that is not stored yet; it sorts after every UUID. */
const REQUEST_ID = 'request';

/** Refuse a mission that cannot be published: 409 for one that is over or not a draft, 400 for a start in the past. */
export function requireDraft({ status, startMs, endMs }: Omit<MissionRow, 'id' | 'name'>, now: Date): void {
  const seen = missionStatus(status, startMs, endMs, now.getTime());
  if (seen === 'completed' || seen === 'cancelled') throw new AppError('MISSION_FINAL');
  if (seen !== 'draft') throw new AppError('MISSION_PUBLISHED');
  if (startMs < now.getTime() - MISSION_START_GRACE_MINUTES * MINUTE_MS) {
    throw new AppError('START_IN_PAST');
  }
}

/** Adds to each draft its seats, in board order. */
export async function withSeats<Draft extends Interval & { id: string }>(
  em: Em,
  drafts: readonly Draft[],
): Promise<(Draft & FreeMission)[]> {
  const flights = await db(em)
    .selectFrom('flight as f')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .select([
      'f.mission_id as missionId',
      'f.id as flightId',
      'f.size_cap as flightSize',
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.role',
    ])
    .where(
      isOneOf(
        'f.mission_id',
        drafts.map(({ id }) => id),
      ),
    )
    .orderBy('p.sort_order')
    .orderBy('f.sort_order')
    .orderBy('f.id')
    .execute();
  const flightsOf = Map.groupBy(flights, ({ missionId }) => missionId);
  return drafts.map((draft) => ({
    ...draft,
    seats: (flightsOf.get(draft.id) ?? []).flatMap((flight) =>
      Array.from({ length: flight.flightSize }, (_, seatIndex) => ({ ...flight, seatIndex })),
    ),
  }));
}

/** The pilots as input for the seating of these missions. */
export function loadWeekPilots(em: Em, missions: readonly FreeMission[], now: Date): Promise<SeatingPilot[]> {
  const wanted = missions.map(({ id, startMs, endMs, seats }) => ({
    id,
    startMs,
    endMs,
    aircraftIds: [...new Set(seats.map(({ aircraftId }) => aircraftId))],
  }));
  return loadEligibleForAny(em, wanted, { now });
}

/** The stored drafts, ordered by id. Unknown mission: 404. */
async function loadDrafts(em: Em, ids: readonly string[], now: Date): Promise<MissionRow[]> {
  const drafts = await selectMissions(em).where(isOneOf('m.id', ids)).orderBy('m.id').execute();
  if (drafts.length < ids.length) throw new AppError('MISSION_NOT_FOUND');
  for (const draft of drafts) requireDraft(draft, now);
  return drafts;
}

async function planRequest(em: Em, viewer: Viewer, request: DryRunInput, now: Date): Promise<FreeMission> {
  const times = requireTimes(request, request.timeZone ?? viewer.timeZone, now, 'request.');
  const slots = await requireSlots(em, request.aircraftSlots, 'request.aircraftSlots');
  return { id: REQUEST_ID, ...times, seats: previewSeats(slots, times).seats };
}

/**
 * The number of seats that fill when these drafts are seated together, and when they are published one after the other in
 * order of their start.
 * @throws AppError 404 for an unknown mission, 409 for one that is published or cancelled, 400 for a start in the past and
 *   for no missions or too many
 */
export async function planWeek(
  em: Em,
  viewer: Viewer,
  solver: WeekSolver,
  input: WeekPlanInput,
  now: Date,
): Promise<WeekPlanDto> {
  const ids = [...new Set(input.missionIds)];
  const count = ids.length + (input.request ? 1 : 0);
  if (count === 0) throw new AppError('VALIDATION', copy.weekPlanEmpty);
  if (count > WEEK_PLAN_MISSIONS_MAX) throw new AppError('VALIDATION', copy.weekPlanTooMany);
  const drafts = await loadDrafts(em, ids, now);
  const missions = await withSeats(em, drafts);
  if (input.request)
    missions.push({ ...(await planRequest(em, viewer, input.request, now)), name: '', status: 'draft' });
  const pilots = await loadWeekPilots(em, missions, now);
  const { together, filledAlone, isBest } = await solver.solve(
    { missions, nowMs: now.getTime(), pilots },
    { withOneByOne: true },
  );

  const planned = missions.toSorted(byStart).map(({ id, name, startMs, endMs, seats }) => ({
    missionId: id === REQUEST_ID ? null : id,
    missionName: id === REQUEST_ID ? null : name,
    startUtc: toIso(startMs),
    endUtc: toIso(endMs),
    seats: seats.length,
    filled: together.get(id)?.seated.length ?? 0,
    filledAlone: filledAlone.get(id) ?? 0,
  }));
  const sum = (read: (mission: (typeof planned)[number]) => number) =>
    planned.reduce((total, mission) => total + read(mission), 0);
  return {
    missions: planned,
    seats: sum(({ seats }) => seats),
    filled: sum(({ filled }) => filled),
    filledAlone: sum((mission) => mission.filledAlone),
    isBest,
  };
}
