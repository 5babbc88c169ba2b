/** The times of backups: when the daily one is made, and when the newest one is too old. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/time/time.ts';

/** By UTC. */
export const DAILY_BACKUP = { hour: 3, minute: 17 } as const;

/** A day, and time for one that failed to be tried again: as the alert MarshalBackupOld has it. */
export const BACKUP_LATE_HOURS = 30;

/** The next time of the daily backup, epoch milliseconds. */
export function nextDailyMs(nowMs: number): number {
  const sinceMidnight = DAILY_BACKUP.hour * HOUR_MS + DAILY_BACKUP.minute * MINUTE_MS;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + sinceMidnight;
  return today > nowMs ? today : today + DAY_MS;
}

/** @param newestMs null for none */
export const isBackupLate = (newestMs: number | null, nowMs: number): boolean =>
  newestMs === null || nowMs - newestMs > BACKUP_LATE_HOURS * HOUR_MS;
