/** Mission status at an instant, derived from the clock. */
import type { MissionStatus, StoredMissionStatus } from '#shared/vocabulary.ts';

/**
 * Drafts and cancelled missions keep their status; a scheduled mission is launched from its start (inclusive) to its end
 * (exclusive), and completed after it. Derived on read, so that no job can be late.
 */
export function missionStatus(
  stored: StoredMissionStatus,
  startMs: number,
  endMs: number,
  nowMs: number,
): MissionStatus {
  if (stored !== 'scheduled' || nowMs < startMs) return stored;
  return nowMs < endMs ? 'launched' : 'completed';
}
