/** A backup under load, and kill -9 of a restore, both with the embedded database. */
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { connect } from '#server/schema/orm.ts';
import type { Rsvp } from '#shared/vocabulary.ts';
import { runMarshal, startMarshal } from '#tests/harness/command-line.ts';
import { digestRows, withSql } from '#tests/harness/database-digest.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { answerUntil, givenAnswering, type Pilot } from './answering.ts';
import { findLost, type Attempt } from './history.ts';
import { createMarshal, type Marshal } from './process.ts';

const PATIENCE = { timeout: 120_000 } as const;
/** From the moment at which the old data is safe, until the kill: the transaction takes about half a second. */
const KILLS_MS = [0, 150, 300, 450, 600, 750].filter((_delay, index) => index < inDrill(6, 3));
const PILOTS = 6;
const LEFT_OUT = [
  'passkey_challenge',
  'pending_sign_in',
  'remembered_device',
  'roster_change',
  'session',
  'sign_in_link',
];

const folder = mkdtempSync(join(tmpdir(), 'marshal-restore-'));
const backups = join(folder, 'backups');
/** The folder into which the backup under load was restored, a new one in each try of the test. */
let moved = '';
let marshal: Marshal;
let pilots: Pilot[];
let file = '';

const run = (dataDir: string, ...args: string[]) => runMarshal(args, { DATA_DIR: dataDir, BACKUP_DIR: backups });

/** Does something with the database of a folder that no Marshal uses. */
async function withEmbedded<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const database = await startEmbedded({ dataDir, log: createLog('silent'), onState: () => undefined });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

beforeAll(async () => {
  chmodSync(folder, 0o711);
  marshal = await createMarshal();
  await marshal.start();
  ({ pilots } = await givenAnswering(marshal, { count: PILOTS, seats: 3, days: [2, 3, 4, 5] }));
}, 120_000);

afterAll(async () => {
  await marshal.kill('both');
  marshal.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The history as far as a backup must have it: what was answered later, or was under way, may be in it. */
function upTo(begun: ReadonlyMap<Pilot, number>): Attempt[] {
  return pilots.flatMap((pilot) =>
    pilot.history.map((attempt, index): Attempt =>
      index < (begun.get(pilot) ?? 0) || attempt.outcome === 'refused' ? attempt : { ...attempt, outcome: 'unknown' },
    ),
  );
}

test('a backup under load has every acknowledged answer, and is one moment', PATIENCE, async () => {
  const unexpected: string[] = [];
  let isOver = false;
  const countHeard = () => pilots.flatMap(({ history }) => history).filter(({ outcome }) => outcome === 'ok').length;
  const load = pilots.map((pilot) => answerUntil(pilot, () => isOver, unexpected));
  await vi.waitUntil(() => countHeard() >= 5 * PILOTS, { timeout: 30_000, interval: 10 });
  const begun = new Map(pilots.map((pilot) => [pilot, pilot.history.length]));
  const heardBefore = countHeard();
  expect(await run(marshal.dataDir, 'backup')).toMatchObject({ code: 0, stderr: '' });
  isOver = true;
  await Promise.all(load);
  expect(unexpected).toEqual([]);
  expect(countHeard()).toBeGreaterThan(heardBefore);
  file = join(backups, readdirSync(backups).toSorted().at(-1) ?? '');

  moved = join(folder, `data-${readdirSync(folder).length}`);
  expect(await run(moved, 'restore', file)).toMatchObject({ code: 0, stderr: '' });
  await withEmbedded(moved, async (url) => {
    const rows = await withSql(url, (ask) => ask('select id, rsvp from frag_order'));
    const found = new Map(rows.map(({ id, rsvp }) => [String(id), rsvp as Rsvp]));
    const history = upTo(begun);
    expect(findLost(history, found)).toEqual([]);
    // the same comparison finds a lost one
    const [last] = history.filter(({ outcome }) => outcome === 'ok').slice(-1);
    found.delete(last?.orderId ?? '');
    expect(findLost(history, found)).toHaveLength(1);
    const orm = await connect(url);
    expect(await findBreaches({ app: { orm } })).toEqual([]);
    await orm.close();
  });
});

test('a restore is refused while Marshal uses the database', PATIENCE, async () => {
  const { code, stderr } = await run(marshal.dataDir, 'restore', file, '--replace', '--yes');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Another Marshal is using ${marshal.dataDir}: stop it first, or give this one its own DATA_DIR and PORT.\n`,
  });
});

test('a killed restore leaves the old data, and the next one works', PATIENCE, async () => {
  await marshal.stop();
  const before = await withEmbedded(marshal.dataDir, (url) => digestRows(url));
  for (const [round, delay] of KILLS_MS.entries()) {
    const child = startMarshal(['restore', file, '--replace', '--yes'], {
      DATA_DIR: marshal.dataDir,
      BACKUP_DIR: backups,
    });
    const ended = once(child, 'exit');
    // the old data has its own backup by now, and the transaction begins
    const isSafe = () => readdirSync(backups).filter((name) => name.endsWith('-before-restore.backup')).length > round;
    await vi.waitUntil(isSafe, { timeout: 30_000, interval: 5 });
    await pass(delay);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(await withEmbedded(marshal.dataDir, (url) => digestRows(url)), `killed after ${delay} ms`).toEqual(before);
  }
  const { code, stdout } = await run(marshal.dataDir, 'restore', file, '--replace', '--yes');
  expect(code).toBe(0);
  const restored = await withEmbedded(moved, (url) => digestRows(url));
  expect(await withEmbedded(marshal.dataDir, (url) => digestRows(url))).toEqual(restored);

  const [, kept = ''] = /What was there before is in (.*); restore it/.exec(stdout) ?? [];
  expect(existsSync(kept)).toBe(true);
  expect(await run(marshal.dataDir, 'restore', kept, '--replace', '--yes')).toMatchObject({ code: 0 });
  const back = await withEmbedded(marshal.dataDir, (url) => digestRows(url, LEFT_OUT));
  expect(back).toEqual(Object.fromEntries(Object.entries(before).filter(([name]) => !LEFT_OUT.includes(name))));
  await marshal.start();
});
