/**
 * Benchmark of a process's memory, `npm run bench -- memory`: 100,000 pilots in the database, 1,000 of them with the home page
 * open. `node tests/bench/memory.ts --minutes=30` takes longer than ten minutes, `--snapshots=FOLDER` writes a heap snapshot
 * at the end.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPolls } from './home-polls.ts';
import { givenPages, type LargeMarshal, withLargeMarshal } from './large-marshal.ts';
import type { Usage } from './marshal-probe.ts';
import { sizeOf } from './rec-given.ts';
import { figure, hashAnswer, measured, type Report } from './report.ts';
import { gather, requireOpenFiles, startReaders } from './stream-readers.ts';
import type { ReaderOrder } from './stream-reader.ts';

const optionOf = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const isTiny = process.argv.includes('--tiny');
const minutes = Number(optionOf('minutes') ?? 10);
const snapshots = optionOf('snapshots');
const SEED = 350;
const COMMUNITY = { pilots: isTiny ? 300 : 100_000 };
const PAGES = isTiny ? 50 : 1_000;
const READINGS = isTiny ? 3 : minutes;
const READING_MS = isTiny ? 1_000 : 60_000;
const BAR_MB = 350;
/** Of the largest memory in the second and third minute: what the last two may have more, and still be flat. */
const FLAT = 1.05;

const mb = (bytes: number): number => figure(bytes / 1_048_576);

async function measure(large: LargeMarshal): Promise<Report> {
  const { marshal } = large;
  const started = await marshal.usage();
  await large.readRoster();
  const withRoster = await marshal.usage();
  const pilots = await givenPages(large, PAGES);
  const readers = await startReaders(marshal.port, pilots);
  const cpuBefore = await marshal.cpuMs();
  const polls = startPolls(marshal.port, pilots, READING_MS);
  const readings: Usage[] = [];
  for (let reading = 0; reading < READINGS; reading += 1) {
    await pause(READING_MS);
    readings.push(await marshal.usage());
    const { rss, heap, threads } = readings.at(-1) ?? started;
    process.stderr.write(
      `minute ${reading + 1}: ${mb(rss)} MB, heap ${mb(heap)} MB, other threads ${mb(threads)} MB\n`,
    );
  }
  const cpu = (await marshal.cpuMs()) - cpuBefore;
  await polls.stop();
  const { open } = await gather(readers);
  for (const reader of readers) reader.send('stop' satisfies ReaderOrder);
  const collected = await marshal.memory();
  if (snapshots !== undefined) await marshal.snapshot(join(snapshots, 'memory.heapsnapshot'));

  const residents = readings.map(({ rss }) => rss);
  const largest = Math.max(...residents);
  const isFlat = Math.max(...residents.slice(-2)) <= FLAT * Math.max(...residents.slice(1, 3));
  const errors = [...polls.errors, ...(open === PAGES ? [] : [`${PAGES - open} event streams have ended`])];
  for (const error of errors.slice(0, 20)) process.stderr.write(`${error}\n`);
  const requests = measured(polls.times);
  return {
    name: 'memory',
    seed: SEED,
    size: `${sizeOf(COMMUNITY.pilots)}, ${PAGES} open home pages, ${isTiny ? 0 : minutes} minutes`,
    ...measured(residents.map(mb)),
    unit: 'MB',
    gap: errors.length,
    more: {
      'MB at the start': mb(started.rss),
      'MB with the roster': mb(withRoster.rss),
      'MB each minute': residents.map(mb).join(' '),
      'heap, MB each minute': readings.map(({ heap }) => mb(heap)).join(' '),
      'heaps of the other threads, MB each minute': readings.map(({ threads }) => mb(threads)).join(' '),
      'MB after a garbage collection at the end': mb(collected.rss),
      'heap, MB after it': mb(collected.heap),
      flat: isFlat ? 'yes' : 'no',
      requests: polls.times.length,
      calls: polls.calls,
      'p50 of a request, ms': requests.median,
      'p99 of a request, ms': requests.p99,
      'CPU, % of a core': figure((cpu / (READINGS * READING_MS)) * 100),
    },
    answerHash: hashAnswer(errors),
    bar: `< ${BAR_MB} MB at any time, flat, no errors`,
    barMet: largest < BAR_MB * 1_048_576 && isFlat,
    ok: errors.length === 0,
  };
}

requireOpenFiles(PAGES * 2);
process.stdout.write(`${JSON.stringify(await withLargeMarshal({ ...COMMUNITY, seed: SEED }, measure))}\n`);
