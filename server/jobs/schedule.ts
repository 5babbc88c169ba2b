/** When jobs run that nobody enqueues: the crontab of graphile-worker. */
import { isScheduled } from '#server/backup/daily.ts';
import { DAILY_BACKUP } from '#server/backup/rules/schedule.ts';
import type { Env } from '#server/platform/env.ts';
import { jobKey, type JobName } from '#server/signals/jobs.ts';

const EVERY_MINUTE = '* * * * *';

interface Row {
  job: JobName;
  at: string;
  /** how far back a run is made up for when the process starts */
  fill?: string;
}

const SCHEDULE: readonly Row[] = [
  { job: 'maintenance', at: EVERY_MINUTE },
  { job: 'send_reminders', at: EVERY_MINUTE },
  { job: 'send_digests', at: EVERY_MINUTE },
  { job: 'make_occurrences', at: EVERY_MINUTE },
  { job: 'refresh_calendars', at: EVERY_MINUTE },
  { job: 'purge', at: '17 * * * *', fill: '2h' },
  // a machine that is off at night makes its backup when it starts
  { job: 'back_up', at: `${DAILY_BACKUP.minute} ${DAILY_BACKUP.hour} * * *`, fill: '1d' },
];

/** The crontab of workers that have these jobs; '' for none. */
export const crontabOf = (jobs: readonly string[], env: Env): string =>
  SCHEDULE.filter(({ job }) => jobs.includes(job) && (job !== 'back_up' || isScheduled(env)))
    .map(({ job, at, fill }) => `${at} ${job} ?${fill === undefined ? '' : `fill=${fill}&`}jobKey=${jobKey(job)}`)
    .join('\n');
