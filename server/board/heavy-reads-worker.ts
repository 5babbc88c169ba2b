/** Heavy reads (queries over all pilots), and the worker thread that runs them with its own database connection. */
import { Session } from 'node:inspector/promises';
import { workerData } from 'node:worker_threads';
import { connect, type Em } from '#server/schema/orm.ts';
import { publicError, type PublicError } from '#server/platform/errors.ts';
import { yieldThread } from '#server/platform/thread-priority.ts';
import { createRosterReader, readThroughRoster, type RosterSource } from '#server/availability/roster-reader.ts';
import { getDaySummary } from './dashboard.ts';
import { dryRunMission } from '#server/orders/seating/dry-run.ts';
import { getExpectedOnline, getHeat, getRecommendedTimes } from './expected-pilots.ts';
import { listCompetingDrafts } from '#server/orders/seating/competing-drafts.ts';
import { listSeatCandidates } from '#server/orders/seating/seat-candidates.ts';
import { readSeatBoard } from '#server/orders/seating/seat-board.ts';
import { listIneligible } from '#server/orders/seating/ineligibility.ts';

yieldThread();

/** A read that takes rows: what it asks of every pilot's availability comes from the roster. */
const throughRoster =
  <Rest extends readonly unknown[], Answer>(read: (em: Em, ...rest: Rest) => Promise<Answer>) =>
  ({ em, rosters }: RosterSource, ...rest: Rest): Promise<Answer> => {
    readThroughRoster(em, rosters);
    return read(em, ...rest);
  };

/** Each one is read-only, and its input and answer can be cloned. */
export const HEAVY_READS = {
  daySummary: getDaySummary,
  dryRun: throughRoster(dryRunMission),
  expectedOnline: getExpectedOnline,
  heat: getHeat,
  recommendedTimes: getRecommendedTimes,
  rivals: throughRoster(listCompetingDrafts),
  seatBoard: throughRoster(readSeatBoard),
  seatCandidates: throughRoster(listSeatCandidates),
  ineligible: throughRoster(listIneligible),
  rosterCheck: ({ em, rosters }: RosterSource) => rosters.check(em),
};
export type HeavyRead = keyof typeof HEAVY_READS;

export interface ReadTask {
  name: HeavyRead;
  /** the function's parameters after the entity manager */
  rest: readonly unknown[];
}
/** A refusal as data: errors lose their class when they are passed between threads. */
export type ReadReply = { answer: unknown } | { refusal: PublicError };

export interface ReadThreadData {
  databaseUrl: string;
}

export function readHere(source: RosterSource, { name, rest }: ReadTask): Promise<unknown> {
  return Reflect.apply(HEAVY_READS[name], undefined, [source, ...rest]);
}

/**
 * Free the memory of the rows that a roster was made of: the thread allocates so little afterwards that V8 would keep them
 * for hours.
 */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/** The thread's own, kept from task to task. */
let isNew = false;
const rosters = createRosterReader({ onWhole: () => (isNew = true) });
let orm: ReturnType<typeof connect> | null = null;

function openDatabase(): ReturnType<typeof connect> {
  const { databaseUrl } = workerData as ReadThreadData;
  // a failed connection is tried again with the next read
  orm ??= connect(databaseUrl, { poolSize: 1 }).catch((error: unknown) => {
    orm = null;
    throw error;
  });
  return orm;
}

export async function run(task: ReadTask): Promise<ReadReply> {
  try {
    const { em } = await openDatabase();
    return { answer: await readHere({ em: em.fork(), rosters }, task) };
  } catch (error) {
    const refusal = publicError(error);
    if (refusal.isBug) throw error;
    return { refusal };
  } finally {
    // after the first answer, which has made the indexes that it needs
    if (isNew) await collectGarbage();
    isNew = false;
  }
}
