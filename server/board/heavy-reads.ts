/**
 * Heavy reads: questions about all pilots, kept off the event loop. A worker thread has the roster and reads the rows, and
 * passes only the answer back.
 */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { createRosterReader, type RosterSource } from '#server/availability/roster-reader.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import {
  type HEAVY_READS,
  type HeavyRead,
  readHere,
  type ReadReply,
  type ReadTask,
  type ReadThreadData,
} from './heavy-reads-worker.ts';
import { busy, createThreads, within } from '#server/platform/threads.ts';

/** Up to this many accounts a read takes about 10 ms, which is not worth a thread. */
const SMALL = 200;
/** Different questions that wait; equal ones share an answer. */
const TASKS_MAX = 32;
/** How long a caller waits. */
const LIMIT_MS = 20_000;
/** The roster of a large community may take longer than any answer to be read on a busy machine, and must be read once. */
const STUCK_MS = 300_000;
/** Long, because a new thread has to read the roster again, which takes seconds in a large community. */
const IDLE_MS = 12 * 3_600_000;
const CHECK_MS = 60_000;

type Rest<Name extends HeavyRead> =
  Parameters<(typeof HEAVY_READS)[Name]> extends [RosterSource, ...infer R] ? R : never;
type Answer<Name extends HeavyRead> = Awaited<ReturnType<(typeof HEAVY_READS)[Name]>>;

type RosterMetrics = Pick<Metrics, 'rosterBehind' | 'rosterDifferences'>;

export interface HeavyReads {
  /**
   * @param em for a small community, whose reads run in this thread
   * @param rest the function's parameters after `em`
   * @throws AppError 503 when too many reads wait; otherwise the function's own error
   */
  run<Name extends HeavyRead>(em: Em, name: Name, ...rest: Rest<Name>): Promise<Answer<Name>>;
  /** Read the roster of a large community before anybody asks for it. */
  warmUp(em: Em, now: Date): Promise<void>;
  /** Compare some pilots of the roster with the database every minute; a difference is a fault of ours. */
  watchRoster(em: Em, log: Log, metrics: RosterMetrics): void;
  stop(): Promise<void>;
}

async function isSmall(em: Em): Promise<boolean> {
  const beyond = await db(em).selectFrom('app_user').select('id').limit(1).offset(SMALL).executeTakeFirst();
  return beyond === undefined;
}

export function createHeavyReads(databaseUrl: string): HeavyReads {
  const workerData: ReadThreadData = { databaseUrl };
  const threads = createThreads<ReadTask, ReadReply>(new URL('./heavy-reads-worker.ts', import.meta.url), {
    // each has a roster of its own, and most answers take a few milliseconds
    threads: 1,
    tasksMax: TASKS_MAX,
    limitMs: STUCK_MS,
    idleMs: IDLE_MS,
    workerData,
  });
  /** Reads that have not begun, by what they ask. */
  const waiting = new Map<string, { task: ReadTask; untilMs: number; reply: Promise<ReadReply> }>();

  /** An equal read that has not begun takes part in the answer, at its own time: it includes all that was committed before. */
  function share(task: ReadTask): Promise<ReadReply> {
    const key = JSON.stringify([task.name, task.rest.filter((value) => !(value instanceof Date))]);
    const untilMs = performance.now() + LIMIT_MS;
    const known = waiting.get(key);
    if (known) {
      Object.assign(known, { task, untilMs });
      return known.reply;
    }
    const begin = (): ReadTask => {
      waiting.delete(key);
      // nobody waits for it any longer
      if (performance.now() > asked.untilMs) throw busy();
      return asked.task;
    };
    const asked = { task, untilMs, reply: threads.run(begin) };
    waiting.set(key, asked);
    asked.reply.catch(() => waiting.get(key) === asked && waiting.delete(key));
    return asked.reply;
  }

  const rosters = createRosterReader();
  let isLarge = false;
  let watch: NodeJS.Timeout | undefined;
  const needsThread = async (em: Em): Promise<boolean> => {
    isLarge ||= !(await isSmall(em));
    return isLarge;
  };
  const reads: HeavyReads = {
    async run<Name extends HeavyRead>(em: Em, name: Name, ...rest: Rest<Name>): Promise<Answer<Name>> {
      const task: ReadTask = { name, rest };
      // the answer comes from the function of this name, here or in the thread
      if (!(await needsThread(em))) return (await readHere({ em, rosters }, task)) as Answer<Name>;
      const reply = await within(LIMIT_MS, share(task));
      if ('answer' in reply) return reply.answer as Answer<Name>;
      const { code, message, issues, retryAfterSeconds } = reply.refusal;
      const [issue] = issues ?? [];
      throw new AppError(code, message, {
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        ...(issue ? { field: issue.path } : {}),
      });
    },
    async warmUp(em, now) {
      if (await needsThread(em)) await threads.run(() => ({ name: 'daySummary', rest: [{}, now] }));
    },
    watchRoster(em, log, { rosterBehind, rosterDifferences }) {
      watch = setInterval(() => {
        reads.run(em.fork(), 'rosterCheck').then(
          (check) => {
            if (!check) return;
            rosterBehind.set(check.behind);
            rosterDifferences.inc(check.different.length);
            if (check.different.length > 0) {
              log.error({ pilots: check.different }, 'roster differed from the database, reading it again');
            }
          },
          (error: unknown) => log.debug({ err: error }, 'roster not compared with the database'),
        );
      }, CHECK_MS).unref();
    },
    stop() {
      clearInterval(watch);
      return threads.stop();
    },
  };
  return reads;
}
