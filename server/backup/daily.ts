/** The backups of the job worker, made by one replica: every day, and when an admin asks for one. */
import type { Env } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import { makeBackup } from './backups.ts';
import { withClient } from './direct.ts';

/** The advisory lock of the backup. A long one outlives the lock of its job, which another worker then takes. */
export const BACKUP_LOCK = 7_311_931;

/** True if the settings name a place for backups. */
export const isScheduled = ({ BACKUP_DIR, BACKUP_S3_BUCKET }: Env): boolean =>
  BACKUP_DIR !== undefined || BACKUP_S3_BUCKET !== undefined;

/** Makes a backup unless one is being made. @throws Error for the job to be tried again; the log has it */
export async function makeDailyBackup({ env, log }: { env: Env; log: Log }, url: string, now: Date): Promise<void> {
  if (!isScheduled(env)) return;
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [BACKUP_LOCK]);
    if (rows[0]?.ours !== true) return;
    const { name, bytes, kept, removed } = await makeBackup(env, url, now);
    log.info({ name, bytes, kept, removed }, 'backup made');
  });
}
