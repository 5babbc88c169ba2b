/** The state of the job queue, by job: for metrics and alerts. */
import { countRows, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';

/** `due`: free and its time has come; `later`: also after a failed attempt; `dead`: no attempts left. */
export type QueueState = 'due' | 'running' | 'later' | 'dead';

/** Counts the jobs in the queue, by job and state. @returns with the earliest time for which one of them was planned, ms */
export async function countQueuedJobs(
  em: Em,
): Promise<{ job: string; state: QueueState; jobs: number; plannedMs: number }[]> {
  return db(em)
    .selectFrom('graphile_worker.jobs')
    .select(({ eb, fn, ref }) => [
      'task_identifier as job',
      eb
        .case()
        .when('locked_at', 'is not', null)
        .then<QueueState>('running')
        .when('attempts', '>=', ref('max_attempts'))
        .then<QueueState>('dead')
        .when('run_at', '<=', fn<Date>('now'))
        .then<QueueState>('due')
        .else<QueueState>('later')
        .end()
        .as('state'),
      countRows().as('jobs'),
      ms(fn.min<Date>('run_at')).as('plannedMs'),
    ])
    .groupBy(['job', 'state'])
    .execute();
}
