/** The stage of a mission's turnout at which its creator is told, if too few pilots are expected. */
import { STAGE_HOURS } from '#server/board/rules/turnout-forecast.ts';
import { HOUR_MS } from '#server/time/time.ts';
import type { TurnoutStage } from '#shared/vocabulary.ts';

/** Instants are epoch milliseconds. */
interface StagedMission {
  startMs: number;
  /** since when it is published for this start; earlier stages are skipped */
  sinceMs: number;
  /** stages that have been looked at for this start */
  seen: readonly TurnoutStage[];
}

const stagesOf = ({ startMs, sinceMs }: StagedMission) =>
  STAGE_HOURS.map(([stage, hours]) => ({ stage, atMs: startMs - hours * HOUR_MS })).filter(
    ({ atMs }) => atMs >= sinceMs,
  );

/** @returns the nearest stage that is reached, null if it has been looked at, there is none, or the mission has started */
export function dueStage(mission: StagedMission, nowMs: number): TurnoutStage | null {
  if (nowMs >= mission.startMs) return null;
  const reached = stagesOf(mission).find(({ atMs }) => atMs <= nowMs);
  return reached === undefined || mission.seen.includes(reached.stage) ? null : reached.stage;
}
