/** The reader of mission files and recordings, and the writer: a worker thread with bounded memory and time, one file at a time. */
import { AppError } from '#server/platform/errors.ts';
import { createThreads, isOutOfMemory } from '#server/platform/threads.ts';
import { copy } from '#shared/copy.ts';
import type { FoundMission } from '#shared/schemas/mission-file.ts';
import type { FileReply, FileTask } from './mission-file-worker.ts';
import type { Recording } from './rules/acmi.ts';
import type { GroupChange } from './rules/change-mission.ts';

const TASKS_MAX = 8;
/** With the start of the thread, which yields to everything else, and with the files that came before. */
const LIMIT_MS = 60_000;
const IDLE_MS = 60_000;
/** Enough for the largest mission that is read; what the file itself takes is outside of the heap. */
const HEAP_MB = 160;

export interface MissionFileReader {
  /** What Marshal finds in a file. @throws AppError 400 with one sentence for a file that cannot be read */
  read(file: Uint8Array): Promise<FoundMission>;
  /** Who is aboard in a recording by Tacview. @param file memory that threads share is not copied @throws AppError 400 in the same way */
  readRecording(file: Uint8Array): Promise<Recording>;
  /** The file with changes, and with further entries. */
  write(file: Uint8Array, changes: readonly GroupChange[], entries: ReadonlyMap<string, Uint8Array>): Promise<Buffer>;
  stop(): Promise<void>;
}

type Answer = Extract<FileReply, { answer: unknown }>['answer'];

export function createMissionFileReader(): MissionFileReader {
  const threads = createThreads<FileTask, FileReply>(new URL('./mission-file-worker.ts', import.meta.url), {
    threads: 1,
    tasksMax: TASKS_MAX,
    limitMs: LIMIT_MS,
    idleMs: IDLE_MS,
    heapMb: HEAP_MB,
  });

  async function run(task: FileTask): Promise<Answer> {
    const code = task.kind === 'recording' ? 'RECORDING_UNREADABLE' : 'MISSION_FILE_UNREADABLE';
    try {
      const reply = await threads.run(() => task);
      if ('refusal' in reply) throw new AppError(code, reply.refusal);
      return reply.answer;
    } catch (error) {
      throw isOutOfMemory(error) ? new AppError(code, copy.missionFileTakesTooLong) : error;
    }
  }

  return {
    read: async (file) => (await run({ kind: 'read', file })) as FoundMission,
    readRecording: async (file) => (await run({ kind: 'recording', file })) as Recording,
    write: async (file, changes, entries) =>
      Buffer.from((await run({ kind: 'write', file, changes, entries })) as Uint8Array),
    stop: () => threads.stop(),
  };
}
