/** Admins' list of backups, and requests for a new one. */
import { existsSync } from 'node:fs';
import { AppError } from '#server/platform/errors.ts';
import type { Env } from '#server/platform/env.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { db, ms } from '#server/schema/database.ts';
import { StartError } from '#server/schema/failures.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { jobKey } from '#server/signals/jobs.ts';
import { toIso } from '#server/time/time.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { BackupPlaceDto, BackupRunDto, BackupsDto } from '#shared/schemas/backups.ts';
import { BACKUP_LOCK, isScheduled } from './daily.ts';
import { backupsAmong, timeOf } from './rules/names.ts';
import { isBackupLate, nextDailyMs } from './rules/schedule.ts';
import { allStores, type Store } from './stores.ts';

/** Files that container runtimes make. */
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv'];

const ERROR_MAX_LENGTH = 500;

/** The backup that is asked for, is being made, or has failed. */
async function readRun(em: Em): Promise<BackupRunDto> {
  // A long backup outlives its job, so its lock tells more.
  const lock = await db(em)
    .selectFrom('pg_locks as l')
    .innerJoin('pg_database as d', 'd.oid', 'l.database')
    .select('l.objid')
    .where('l.locktype', '=', 'advisory')
    .where('l.objid', '=', BACKUP_LOCK)
    .where(({ eb, fn, ref }) => eb(ref('d.datname'), '=', fn<string>('current_database')))
    .executeTakeFirst();
  const job = await db(em)
    .selectFrom('graphile_worker.jobs')
    .select(({ eb, ref }) => [
      'attempts',
      'last_error',
      eb('locked_at', 'is not', null).as('isLocked'),
      eb('attempts', '>=', ref('max_attempts')).as('isOver'),
      ms(ref('run_at')).as('runAtMs'),
    ])
    .where('task_identifier', '=', 'back_up')
    .where('key', '=', jobKey('back_up'))
    .executeTakeFirst();
  if (lock !== undefined || job?.isLocked) return { state: 'running', error: null, retryAt: null };
  if (job === undefined) return { state: 'none', error: null, retryAt: null };
  if (job.attempts === 0) return { state: 'waiting', error: null, retryAt: null };
  const error = job.last_error?.slice(0, ERROR_MAX_LENGTH) ?? '';
  return { state: 'failed', error, retryAt: job.isOver ? null : toIso(job.runAtMs) };
}

/** A place that cannot be read says why, beside the others. */
async function readPlace(store: Store): Promise<BackupPlaceDto> {
  try {
    const sizes = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]));
    const backups = backupsAmong([...sizes.keys()]).map((name) => ({
      name,
      madeAt: timeOf(name).toISOString(),
      bytes: sizes.get(name) ?? 0,
    }));
    return { place: store.says, problem: null, backups: backups.slice(0, LISTED_MAX.backups) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { place: store.says, problem: error.message, backups: [] };
  }
}

/** The backups by place, and when there will be another. */
export async function readBackups(em: Em, env: Env, now: Date): Promise<BackupsDto> {
  const run = await readRun(em);
  const places = await Promise.all(allStores(env).map(readPlace));
  const newest = places.flatMap(({ backups: [first] }) => (first ? [Date.parse(first.madeAt)] : []));
  const newestMs = newest.length === 0 ? null : Math.max(...newest);
  return {
    nextAt: isScheduled(env) ? toIso(nextDailyMs(now.getTime())) : null,
    keep: env.BACKUP_KEEP,
    isLate: isBackupLate(newestMs, now.getTime()),
    isContainer: CONTAINER_MARKS.some((path) => existsSync(path)),
    run,
    places,
  };
}

/** Ask for a backup, which the job worker makes. One that has failed is tried at once. 409 while one is under way. */
export async function requestBackup(em: Em, env: Env, viewer: Viewer): Promise<BackupRunDto> {
  if (!isScheduled(env)) throw new AppError('BACKUPS_OFF');
  return transact(em, async (tx) => {
    await takeLock(tx, 'backups');
    const { state } = await readRun(tx);
    if (state === 'waiting' || state === 'running') throw new AppError('BACKUP_UNDER_WAY');
    emit(tx, { type: 'backup.requested', by: viewer });
    return { state: 'waiting', error: null, retryAt: null };
  });
}
