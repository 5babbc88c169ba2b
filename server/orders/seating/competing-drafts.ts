/** Competing drafts: drafts that are worth seating together with a mission. Read-only, without locks. */
import type { z } from 'zod';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { EligibilityFacts } from '#server/orders/seating/rules/eligibility.ts';
import {
  connectedByTime,
  countShared,
  listEligible,
  type Wanting,
} from '#server/orders/seating/rules/one-mission/competing-drafts.ts';
import { DAY_MS, MINUTE_MS, toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { MISSION_START_GRACE_MINUTES, WEEK_PLAN_MISSIONS_MAX } from '#shared/limits.ts';
import type { rivalDrafts } from '#shared/schemas/mission-plan.ts';
import { loadCandidates, loadFacts } from './candidates.ts';
import { selectMissions } from '#server/orders/seats/orders.ts';

type Rivals = z.infer<typeof rivalDrafts>;

const WEEK_MS = 7 * DAY_MS;

/** Drafts that start up to 7 days before or after and can still be published; by start. */
async function listDrafts(em: Em, { startMs }: Wanting, exceptId: string | null, now: Date) {
  const fromMs = Math.max(startMs - WEEK_MS, now.getTime() - MISSION_START_GRACE_MINUTES * MINUTE_MS);
  return db(em)
    .selectFrom('mission as m')
    .innerJoin('flight as f', 'f.mission_id', 'm.id')
    .select(({ ref, fn }) => [
      'm.id',
      'm.name',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      fn.agg<number[]>('array_agg', ['f.aircraft_id']).distinct().as('aircraftIds'),
    ])
    .where('m.status', '=', 'draft')
    .where('m.id', 'is distinct from', exceptId)
    .where('m.starts_at', '>=', new Date(fromMs))
    .where('m.starts_at', '<=', new Date(startMs + WEEK_MS))
    .groupBy('m.id')
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .execute();
}

type Draft = Awaited<ReturnType<typeof listDrafts>>[number];

/**
 * The drafts that compete with a mission for pilots: they overlap the mission, or another competing draft, and share
 * pilots who are free for both and fit seats of both. The nearest ones, at most as many as can be seated together with it.
 * @param pilots all candidates of the mission
 * @param exceptId the mission itself, when it is stored
 */
export async function findCompetingDrafts(
  em: Em,
  mission: Wanting,
  pilots: readonly EligibilityFacts[],
  now: Date,
  exceptId: string | null = null,
): Promise<Rivals> {
  const drafts = connectedByTime(mission, await listDrafts(em, mission, exceptId, now));
  if (drafts.length === 0) return [];
  const range = {
    startMs: Math.min(mission.startMs, ...drafts.map(({ startMs }) => startMs)),
    endMs: Math.max(mission.endMs, ...drafts.map(({ endMs }) => endMs)),
  };
  const pilotIds = [...listEligible(mission, pilots, now.getTime())];
  const eligible = await loadFacts(em, { range, pilotIds, exceptMissionId: exceptId, now });
  const distance = ({ startMs }: Draft) => Math.abs(startMs - mission.startMs);
  return countShared(mission, drafts, eligible, now.getTime())
    .toSorted((a, b) => distance(a.draft) - distance(b.draft))
    .slice(0, WEEK_PLAN_MISSIONS_MAX - 1)
    .toSorted((a, b) => a.draft.startMs - b.draft.startMs)
    .map(({ draft, sharedPilots }) => ({
      missionId: draft.id,
      missionName: draft.name,
      startUtc: toIso(draft.startMs),
      sharedPilots,
    }));
}

/** The drafts that compete with a stored draft; [] for a mission that is not a draft. Unknown mission: 404. */
export async function listCompetingDrafts(em: Em, missionId: string, now: Date): Promise<Rivals> {
  const mission = await selectMissions(em)
    .select(({ fn, selectFrom }) =>
      fn<number[]>('array', [
        selectFrom('flight').select('aircraft_id').distinct().whereRef('mission_id', '=', 'm.id'),
      ]).as('aircraftIds'),
    )
    .where('m.id', '=', missionId)
    .executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  if (mission.status !== 'draft') return [];
  return findCompetingDrafts(em, mission, await loadCandidates(em, mission, now), now, missionId);
}
