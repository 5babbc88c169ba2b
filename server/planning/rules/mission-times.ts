/** Mission times: the wall times of the form as instants, validated. */
import { MISSION_MAX_HOURS, MISSION_START_GRACE_MINUTES } from '#shared/limits.ts';
import { addDays, HOUR_MS, MINUTE_MS, toInstantMs } from '#server/time/time.ts';

export type MissionTimesProblem = 'start in the past' | 'zero length' | 'too long' | 'end before start';

export type MissionTimes =
  | { readonly ok: true; readonly startMs: number; readonly endMs: number }
  | { readonly ok: false; readonly problem: MissionTimesProblem };

/**
 * The instants of a mission. An end before the start on the same date is on the next day (19:00 to 02:00). The length is
 * elapsed time, so clock changes count.
 * @param startLocal `YYYY-MM-DDTHH:mm` in `timeZone`, like `endLocal`; the input schema has checked that the date exists
 */
export function resolveMissionTimes(
  startLocal: string,
  endLocal: string,
  timeZone: string,
  nowMs: number,
): MissionTimes {
  if (startLocal === endLocal) return { ok: false, problem: 'zero length' };
  const start = splitLocal(startLocal);
  const end = splitLocal(endLocal);
  const overMidnight = end.date === start.date && end.time < start.time;
  const startMs = toInstantMs(start.date, start.time, timeZone);
  const endMs = toInstantMs(overMidnight ? addDays(end.date, 1) : end.date, end.time, timeZone);
  if (endMs < startMs) return { ok: false, problem: 'end before start' };
  if (endMs === startMs) return { ok: false, problem: 'zero length' };
  if (endMs - startMs > MISSION_MAX_HOURS * HOUR_MS) return { ok: false, problem: 'too long' };
  if (startMs < nowMs - MISSION_START_GRACE_MINUTES * MINUTE_MS) return { ok: false, problem: 'start in the past' };
  return { ok: true, startMs, endMs };
}

function splitLocal(local: string): { date: string; time: string } {
  return { date: local.slice(0, 10), time: local.slice(11) };
}
