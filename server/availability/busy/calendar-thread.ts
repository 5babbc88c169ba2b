/** The reader of calendars: a worker thread with bounded memory and time, one calendar at a time. */
import { createThreads, isOutOfMemory } from '#server/platform/threads.ts';
import type { CalendarReply, CalendarTask } from './calendar-worker.ts';

/** The calendars of one refresh, and those that pilots add at that moment. */
const TASKS_MAX = 64;
/** With the start of the thread, which yields to everything else, and with the calendars that came before. */
const LIMIT_MS = 20_000;
const IDLE_MS = 60_000;
const HEAP_MB = 128;

export interface CalendarReader {
  read: (task: CalendarTask) => Promise<CalendarReply>;
  stop: () => Promise<void>;
}

export function createCalendarReader(): CalendarReader {
  const threads = createThreads<CalendarTask, CalendarReply>(new URL('./calendar-worker.ts', import.meta.url), {
    threads: 1,
    tasksMax: TASKS_MAX,
    limitMs: LIMIT_MS,
    idleMs: IDLE_MS,
    heapMb: HEAP_MB,
  });
  return {
    async read(task) {
      try {
        return await threads.run(() => task);
      } catch (error) {
        if (isOutOfMemory(error)) return { problem: 'tooManyEvents' };
        throw error;
      }
    },
    stop: () => threads.stop(),
  };
}
