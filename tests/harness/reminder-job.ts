import { expect, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import type { MailService } from './mail-service.ts';

/** Run the job that the worker runs every minute, as often as given, all at the same time, and what it hands on. */
export async function runReminderJob(
  { service, settle }: Pick<MailService, 'service' | 'settle'>,
  times = 1,
): Promise<void> {
  const em = service.app.orm.em.fork();
  for (let run = 0; run < times; run += 1) await query(em, sql`select graphile_worker.add_job('send_reminders')`);
  await vi.waitFor(
    async () => {
      const waiting = await query(
        em,
        sql`select id from graphile_worker.jobs where run_at <= now()
              and task_identifier in ('send_reminders', 'send_reminder_push', 'send_turnout_push')`,
      );
      expect(waiting).toEqual([]);
    },
    { timeout: 20_000, interval: 25 },
  );
  await settle();
}
