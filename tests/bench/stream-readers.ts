/** Processes that keep event streams open, for benchmarks; `stream-reader.ts` is one of them. */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CrowdPilot } from '#tests/harness/crowd.ts';
import type { Heard, ReaderOrder, ReaderReport } from './stream-reader.ts';

const READERS = 2;

/** A stream takes one open file in the server and one in its reader. */
export function requireOpenFiles(streams: number): void {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  if (limit !== 'unlimited' && Number(limit) < streams + 500)
    throw new Error(`A process may only open ${limit} files: run "ulimit -n 20000" in this shell first.`);
}

/** Open a stream for each pilot. @returns the processes that read them */
export async function startReaders(
  port: number,
  pilots: readonly Pick<CrowdPilot, 'cookie'>[],
): Promise<ChildProcess[]> {
  const readers = Array.from({ length: READERS }, () => fork(join(import.meta.dirname, 'stream-reader.ts')));
  const share = Math.ceil(pilots.length / READERS);
  const opened = await Promise.all(
    readers.map(async (reader, index) => {
      const cookies = pilots.slice(index * share, (index + 1) * share).map(({ cookie }) => cookie);
      const answered = once(reader, 'message');
      reader.send({ port, cookies } satisfies ReaderOrder);
      const [report] = (await answered) as [ReaderReport];
      return 'opened' in report ? report.opened : 0;
    }),
  );
  const open = opened.reduce((sum, count) => sum + count, 0);
  if (open !== pilots.length) throw new Error(`Only ${open} of ${pilots.length} streams are open.`);
  return readers;
}

export interface Gathered {
  events: Heard[];
  open: number;
}

/** The events that the readers have received since the last call. */
export async function gather(readers: readonly ChildProcess[]): Promise<Gathered> {
  const reports = await Promise.all(
    readers.map(async (reader) => {
      const answered = once(reader, 'message');
      reader.send('report' satisfies ReaderOrder);
      const [report] = (await answered) as [ReaderReport];
      return 'heard' in report ? report : { heard: [], open: 0 };
    }),
  );
  return {
    events: reports.flatMap(({ heard }) => heard),
    open: reports.reduce((sum, { open }) => sum + open, 0),
  };
}
