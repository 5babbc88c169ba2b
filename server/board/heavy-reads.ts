/**
 * Heavy reads: queries over all pilots, kept off the event loop. In a large community each one takes a tenth of a second,
 * half of it for reading rows, so a worker thread also reads the rows and passes only the answer back.
 */
import { availableParallelism } from 'node:os';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  type HEAVY_READS,
  type HeavyRead,
  readHere,
  type ReadReply,
  type ReadTask,
  type ReadThreadData,
} from './heavy-reads-worker.ts';
import { createThreads } from '#server/platform/threads.ts';

/** Up to this many accounts a read takes about 10 ms, which is not worth a thread. */
const SMALL = 200;
/** A read takes a third of a second with 3,000 pilots, so this bounds the wait to about ten seconds. */
const TASKS_MAX = 32;
const LIMIT_MS = 20_000;
/** A thread takes most of a second to start, and about 100 MB. */
const IDLE_MS = 5 * 60_000;

type Rest<Name extends HeavyRead> = Parameters<(typeof HEAVY_READS)[Name]> extends [Em, ...infer R] ? R : never;
type Answer<Name extends HeavyRead> = Awaited<ReturnType<(typeof HEAVY_READS)[Name]>>;

export interface HeavyReads {
  /**
   * @param em for a small community, whose reads run in this thread
   * @param rest the function's parameters after `em`
   * @throws AppError 503 when too many reads wait; otherwise the function's own error
   */
  run<Name extends HeavyRead>(em: Em, name: Name, ...rest: Rest<Name>): Promise<Answer<Name>>;
  stop(): Promise<void>;
}

async function isSmall(em: Em): Promise<boolean> {
  const beyond = await db(em).selectFrom('app_user').select('id').limit(1).offset(SMALL).executeTakeFirst();
  return beyond === undefined;
}

export function createHeavyReads(databaseUrl: string): HeavyReads {
  const workerData: ReadThreadData = { databaseUrl };
  const threads = createThreads<ReadTask, ReadReply>(new URL('./heavy-reads-worker.ts', import.meta.url), {
    // leave one core to the event loop
    threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    tasksMax: TASKS_MAX,
    limitMs: LIMIT_MS,
    idleMs: IDLE_MS,
    workerData,
  });
  return {
    async run<Name extends HeavyRead>(em: Em, name: Name, ...rest: Rest<Name>): Promise<Answer<Name>> {
      const task: ReadTask = { name, rest };
      // the answer comes from the function of this name, here or in the thread
      if (await isSmall(em)) return (await readHere(em, task)) as Answer<Name>;
      const reply = await threads.run(task);
      if ('answer' in reply) return reply.answer as Answer<Name>;
      const { code, message, issues, retryAfterSeconds } = reply.refusal;
      const [issue] = issues ?? [];
      throw new AppError(code, message, {
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        ...(issue ? { field: issue.path } : {}),
      });
    },
    stop: () => threads.stop(),
  };
}
