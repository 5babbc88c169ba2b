/** Jobs of several steps: each runs even if others fail, and admins are told of the ones that fail. */
import type { Log } from '#server/platform/log.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { JobName } from '#server/signals/jobs.ts';
import { toIso } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';

/** The parts of the app that a job of several steps needs. */
export interface StepParts {
  orm: { em: Em };
  log: Log;
}

/** By the words with which admins read that a step fails, such as "Erasing accounts". Each gets an entity manager of its own. */
export type Steps = Readonly<Record<string, (em: Em) => Promise<unknown>>>;

/** Keeps which steps of the job failed this time. One that has failed before keeps the time of its first failure. */
async function recordFailing(em: Em, job: JobName, failing: readonly string[]): Promise<void> {
  await db(em)
    .deleteFrom('failing_step')
    .where('job', '=', job)
    .where(({ not }) => not(isOneOf('step', failing)))
    .execute();
  if (failing.length === 0) return;
  await db(em)
    .insertInto('failing_step')
    .values(({ fn }) => failing.map((step) => ({ job, step, since: fn<Date>('now') })))
    .onConflict((conflict) => conflict.columns(['job', 'step']).doNothing())
    .execute();
}

/** @throws AggregateError after the last step, if some have failed: the job is then counted as failed, and tried again */
export async function runSteps({ orm, log }: StepParts, job: JobName, steps: Steps): Promise<void> {
  const fork = () => orm.em.fork({ keepTransactionContext: true });
  const failing = new Map<string, unknown>();
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run(fork());
    } catch (error) {
      failing.set(step, error);
      log.error({ err: error, job, step }, 'job step failed, the others continue');
    }
  }
  const names = [...failing.keys()];
  await recordFailing(fork(), job, names).catch((error: unknown) => failing.set('Recording what fails', error));
  if (failing.size > 0) throw new AggregateError(failing.values(), `The job ${job} has failed at: ${names.join(', ')}`);
}

/** A sentence for admins about each step that fails, the longest failing one first. */
export async function describeFailingSteps(em: Em): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('failing_step')
    .select(({ ref }) => ['step', ms(ref('since')).as('sinceMs')])
    .orderBy('since')
    .orderBy('step')
    .execute();
  return rows.map(({ step, sinceMs }) => copy.stepFails(step, toIso(sinceMs)));
}
