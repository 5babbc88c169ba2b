/**
 * Deletes the embedded database in DATA_DIR: `npm run db:reset` asks first, `npm run db:reset -- --yes` does not. Refuses
 * while Marshal uses the database, and if DATABASE_URL is set.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readEnv, type Env } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { isOurServer, readRunningServer } from '#server/platform/postgres/embedded-cluster.ts';
import { choosePlace, type Place } from '#server/platform/postgres/embedded-place.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';

const log = createLog('error');

try {
  await reset(readEnv(), process.argv.includes('--yes'));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** @throws Error one sentence if the database must not be deleted */
async function reset(env: Env, isConfirmed: boolean): Promise<void> {
  if (env.DATABASE_URL !== undefined) {
    throw new Error(
      'DATABASE_URL is set: db:reset deletes the embedded database only, so drop and create yours with its own tools.',
    );
  }
  const pointer = join(env.DATA_DIR, 'postgres.location');
  if (!existsSync(join(env.DATA_DIR, 'postgres')) && !existsSync(pointer)) {
    console.log(`There is no embedded database in ${env.DATA_DIR}: nothing to delete.`);
    return;
  }
  const place = choosePlace(env.DATA_DIR, log);
  await endLeftoverServer(place, env.DATA_DIR);
  if (!isConfirmed && !(await confirm(`Delete the database in ${place.home} and everything in it? Type yes: `))) {
    throw new Error('Nothing was deleted: answer yes, or run `npm run db:reset -- --yes`.');
  }
  await endLeftoverServer(place, env.DATA_DIR);
  if (existsSync(place.home)) {
    // The name of a draft: if this process dies now, the next start removes it.
    const doomed = `${place.home}.new-${process.pid}`;
    renameSync(place.home, doomed);
    rmSync(doomed, { recursive: true, force: true, maxRetries: 5 });
  }
  rmSync(pointer, { force: true });
  console.log(`Deleted the database in ${place.home}: \`npm start\` begins with a new one.`);
}

/**
 * Stops a database server that a killed Marshal left running.
 * @throws Error one sentence if a running Marshal uses it
 */
async function endLeftoverServer(place: Place, dataDir: string): Promise<void> {
  const server = readRunningServer(place);
  if (server === null || !isOurServer(place, server.pid)) return;
  const embedded = await startEmbedded({ dataDir, log }).catch((cause: unknown) => {
    throw new Error(`Marshal is using the database in ${dataDir}: stop it first, then run db:reset again.`, { cause });
  });
  await embedded.stop();
}

/** @returns true for the answer yes; the end of the input counts as no */
async function confirm(question: string): Promise<boolean> {
  process.stdout.write(question);
  for await (const line of createInterface({ input: process.stdin })) return line.trim().toLowerCase() === 'yes';
  return false;
}
