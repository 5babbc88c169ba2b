import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BACKUP_LATE_HOURS, isBackupLate, nextDailyMs } from '#server/backup/rules/schedule.ts';

test.each([
  ['in the evening: tomorrow', '2026-11-29T19:00:00.000Z', '2026-11-30T03:17:00.000Z'],
  ['before it: today', '2026-11-29T03:16:59.999Z', '2026-11-29T03:17:00.000Z'],
  ['at its time: tomorrow', '2026-11-29T03:17:00.000Z', '2026-11-30T03:17:00.000Z'],
  ['after the last day of a year', '2026-12-31T12:00:00.000Z', '2027-01-01T03:17:00.000Z'],
])('the next daily backup, %s', (_rule, now, next) => {
  expect(new Date(nextDailyMs(Date.parse(now))).toISOString()).toBe(next);
});

test('a backup is late when there is none, or after as many hours as the alert has', () => {
  const hour = 3_600_000;
  expect(isBackupLate(null, 0)).toBe(true);
  expect(isBackupLate(0, BACKUP_LATE_HOURS * hour)).toBe(false);
  expect(isBackupLate(0, BACKUP_LATE_HOURS * hour + 1)).toBe(true);
  const alerts = readFileSync(new URL('../../../../docker/monitoring/alerts.yaml', import.meta.url), 'utf8');
  expect(alerts).toContain(`max(marshal_backup_made_timestamp_seconds) > ${BACKUP_LATE_HOURS} * 3600`);
});
