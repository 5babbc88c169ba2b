/** Mission requests resolved: wall times to instants, aircraft ids to aircraft; 400 for invalid ones. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import type { Interval } from '#server/time/intervals.ts';
import type { PlanSlot } from '#server/planning/rules/mission-plan.ts';
import { resolveMissionTimes, type MissionTimesProblem } from '#server/planning/rules/mission-times.ts';
import { HOUR_MS, localDateTime, MINUTE_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { shorten } from '#shared/order-changes.ts';
import { MISSION_MAX_HOURS, MISSION_START_GRACE_MINUTES } from '#shared/limits.ts';
import { isEditable } from '#shared/mission-fields.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import type { CreateMissionInput } from '#shared/schemas/missions.ts';
import type { MissionStatus } from '#shared/vocabulary.ts';
import { findAircraft, requireOffered } from '#server/accounts/pilots/aircraft.ts';

const TIME_PROBLEMS: Record<MissionTimesProblem, readonly [RefusalCode, field: string, sentence: string]> = {
  'start in the past': ['START_IN_PAST', 'startLocal', copy.missionStartInPast],
  'zero length': ['VALIDATION', 'endLocal', copy.missionNoLength],
  'too long': ['VALIDATION', 'endLocal', copy.missionTooLong],
  'end before start': ['VALIDATION', 'endLocal', copy.missionEndBeforeStart],
};

/**
 * The instants of a mission; 400 names the invalid field and the problem.
 * @param within path of the mission in the input, with a dot at its end; '' for the input itself
 */
export function requireTimes(
  { startLocal, endLocal }: Pick<CreateMissionInput, 'startLocal' | 'endLocal'>,
  timeZone: string,
  now: Date,
  within = '',
): Interval {
  const times = resolveMissionTimes(startLocal, endLocal, timeZone, now.getTime());
  if (times.ok) return { startMs: times.startMs, endMs: times.endMs };
  const [code, field, sentence] = TIME_PROBLEMS[times.problem];
  throw new AppError(code, sentence, { field: `${within}${field}` });
}

/** The instants of the wall times, except that an unchanged wall time keeps its instant; checked as for a new mission. */
function keepInstants(
  { startLocal, endLocal }: { startLocal: string; endLocal: string },
  before: Interval,
  timeZone: string,
): Interval {
  const isStart = startLocal === localDateTime(before.startMs, timeZone);
  const isEnd = endLocal === localDateTime(before.endMs, timeZone);
  if (isStart && isEnd) return { startMs: before.startMs, endMs: before.endMs };
  const times = requireTimes({ startLocal, endLocal }, timeZone, LONG_AGO);
  const kept = { startMs: isStart ? before.startMs : times.startMs, endMs: isEnd ? before.endMs : times.endMs };
  const lengthMs = kept.endMs - kept.startMs;
  return lengthMs > 0 && lengthMs <= MISSION_MAX_HOURS * HOUR_MS ? kept : times;
}

/** A "now" for which no start is in the past. */
const LONG_AGO = new Date(0);

/**
 * The instants of a mission after an edit. Without wall times in the edit they stay. An unchanged wall time keeps its
 * instant, which in the hour that DST repeats could be either of two. An unchanged start may be in the past, a new one may
 * not; drafts get a few minutes of grace for a form left open. 409 for a new start of a mission under way.
 */
export function resolveEditTimes(
  { startLocal, endLocal, timeZone }: Partial<Pick<CreateMissionInput, 'startLocal' | 'endLocal' | 'timeZone'>>,
  before: Interval & { timeZone: string },
  status: MissionStatus,
  now: Date,
): Interval {
  if (startLocal === undefined && endLocal === undefined) return { startMs: before.startMs, endMs: before.endMs };
  if (startLocal === undefined) throw new AppError('VALIDATION', copy.startRequired, { field: 'startLocal' });
  if (endLocal === undefined) throw new AppError('VALIDATION', copy.endRequired, { field: 'endLocal' });
  const times = keepInstants({ startLocal, endLocal }, before, timeZone ?? before.timeZone);
  if (times.startMs !== before.startMs) {
    const isUnderWay = status === 'launched';
    if (!isEditable('start', { isUnderWay })) throw new AppError('MISSION_UNDER_WAY');
    const graceMs = status === 'draft' ? MISSION_START_GRACE_MINUTES * MINUTE_MS : 0;
    if (times.startMs < now.getTime() - graceMs) {
      throw new AppError('START_IN_PAST', { field: 'startLocal' });
    }
  }
  if (times.endMs !== before.endMs && times.endMs <= now.getTime()) {
    throw new AppError('VALIDATION', copy.missionEndInPast, { field: 'endLocal' });
  }
  return times;
}

/**
 * The requested aircraft slots as input for the plan, in the order of the form; 400 for an unknown aircraft or one that is switched off.
 * @param field path of the slots in the input
 */
export async function requireSlots(
  em: Em,
  aircraftSlots: CreateMissionInput['aircraftSlots'],
  field = 'aircraftSlots',
): Promise<PlanSlot[]> {
  const ids = aircraftSlots.map(({ aircraftId }) => aircraftId);
  const fieldOf = (id: number): string => `${field}.${ids.indexOf(id)}.aircraftId`;
  const aircraft = await findAircraft(em, ids, fieldOf);
  requireOffered(aircraft.values(), fieldOf);
  return aircraftSlots.flatMap(({ aircraftId, slotCount, side, notes, additionalNotes }) => {
    const type = aircraft.get(aircraftId);
    return type ? [{ aircraft: type, slotCount, side, role: notes, additionalNotes }] : [];
  });
}

/** The ids of the Discord servers that an admin has accepted. */
export async function listAcceptedGuilds(tx: Em): Promise<string[]> {
  const guilds = await db(tx).selectFrom('guild as g').select('g.id').where(isAcceptedGuild).execute();
  return guilds.map(({ id }) => id);
}

/**
 * The ids of Discord servers, sorted and each once; null for all.
 * @param known those that the mission has already, which may no longer exist
 * @throws 404 for an unknown server, 409 for one that no admin has accepted
 */
export async function requireGuilds(
  tx: Em,
  guildIds: readonly string[] | null,
  known: readonly string[] = [],
): Promise<string[] | null> {
  if (guildIds === null) return null;
  const chosen = [...new Set(guildIds)].toSorted();
  const added = chosen.filter((id) => !known.includes(id));
  const found = await db(tx)
    .selectFrom('guild as g')
    .select(isAcceptedGuild.as('isAccepted'))
    .where(isOneOf('g.id', added))
    .execute();
  if (found.length < added.length) throw new AppError('GUILD_NOT_FOUND', { field: 'guildIds' });
  if (!found.every(({ isAccepted }) => isAccepted)) throw new AppError('GUILD_PENDING', { field: 'guildIds' });
  return chosen;
}

/** The names of Discord servers as a change of a mission quotes them: `all`, `none` or a list. */
export async function nameGuilds(tx: Em, guildIds: readonly string[] | null): Promise<string> {
  if (guildIds === null) return 'all';
  const guilds = await db(tx)
    .selectFrom('guild')
    .select('name')
    .where(isOneOf('id', guildIds))
    .orderBy('name')
    .orderBy('id')
    .execute();
  return guilds.length === 0 ? 'none' : shorten(guilds.map(({ name }) => name).join(', '));
}
