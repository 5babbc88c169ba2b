/**
 * Lists that people open: `npm run bench -- page-reads`. Each call is made alone, one after the other, over REST on a connection
 * that stays open, in the sample community of `npm start`, or in the folder after `--into`, which `npm run bench -- seed` has
 * filled. Prints a table in milliseconds.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLog } from '#server/platform/log.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { db } from '#server/schema/database.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { givenSessions } from '#tests/harness/crowd.ts';
import { createTestDatabase, startTestServer } from '#tests/harness/database.ts';
import { startService } from '#tests/harness/service.ts';
import { startMarshal } from './marshal-process.ts';

const WARM = 150;
const ROUNDS = 200;
const ROUNDS_MIN = 40;
const LONGEST_MS = 10_000;
const HOUR_MS = 3_600_000;

const { values: options } = parseArgs({ options: { into: { type: 'string' } } });

/** A database server, a database in it, and a way to stop it. */
async function openDatabase() {
  if (options.into === undefined) {
    const stop = await startTestServer();
    return { database: await createTestDatabase(), stop };
  }
  const server = await startEmbedded({ dataDir: resolve(options.into), log: createLog('error') });
  return { database: { url: server.url, drop: () => Promise.resolve() }, stop: () => server.stop() };
}

const { database, stop: stopServer } = await openDatabase();
const service = await startService({ database });
const marshal = await startMarshal(service.databaseUrl, {
  env: options.into === undefined ? { SAMPLE_COMMUNITY: 'on' } : {},
});
const agent = new Agent({ keepAlive: true });
const em = service.app.orm.em.fork();

const pilot = await db(em)
  .selectFrom('app_user as u')
  .innerJoin('frag_order as o', 'o.pilot_id', 'u.id')
  .select('u.id')
  .where(isActivePilot('u'))
  .where('o.status', '=', 'issued')
  .orderBy('u.id')
  .limit(1)
  .executeTakeFirstOrThrow();
const admin = await db(em)
  .selectFrom('app_user')
  .select('id')
  .where(({ eb, val, fn }) => eb(val('admin'), '=', fn.any('roles')))
  .limit(1)
  .executeTakeFirstOrThrow();
const seat = await db(em)
  .selectFrom('flight as f')
  .innerJoin('mission as m', 'm.id', 'f.mission_id')
  .select(['m.id as missionId', 'f.id as flightId'])
  .where('m.status', '=', 'scheduled')
  .where('m.starts_at', '>', new Date(Date.now() + HOUR_MS))
  .orderBy('m.starts_at')
  .orderBy('f.id')
  .limit(1)
  .executeTakeFirstOrThrow();
/** Wait until the jobs of the start are done: three seconds in a row of at most 3 % of a core, or two minutes. */
async function settle(): Promise<void> {
  for (let quiet = 0, seconds = 0; quiet < 3 && seconds < 120; seconds += 1) {
    const before = await marshal.cpuMs();
    await setTimeout(1_000);
    quiet = (await marshal.cpuMs()) - before < 30 ? quiet + 1 : 0;
  }
}

const [pilotPage, adminPage] = await givenSessions(service, [pilot.id, admin.id]);

/** @returns length of the answer, in characters */
async function read(path: string, cookie: string): Promise<number> {
  const asked = request({ host: '127.0.0.1', port: marshal.port, path, agent, headers: { cookie } });
  asked.end();
  const [response] = await once(asked, 'response');
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${body.slice(0, 300)}`);
  return body.length;
}

/** Times of a call, shortest first. A slow call is made less often. */
async function timesOf(path: string, cookie: string): Promise<number[]> {
  const times: number[] = [];
  const opened = performance.now();
  for (
    let round = -WARM;
    round < ROUNDS && (round < -WARM + ROUNDS_MIN || performance.now() - opened < LONGEST_MS);
    round += 1
  ) {
    const began = performance.now();
    await read(path, cookie);
    times.push(performance.now() - began);
  }
  return times.slice(-Math.max(ROUNDS_MIN / 2, times.length - WARM)).toSorted((a, b) => a - b);
}

const at = (times: readonly number[], part: number) => (times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(1);

const today = new Date().toISOString().slice(0, 10);
const mission = `/api/v1/admin/missions/${seat.missionId}`;
const calls: readonly (readonly [name: string, path: string, page: typeof pilotPage])[] = [
  ['health', '/healthz', pilotPage],
  ['missions', '/api/v1/missions', pilotPage],
  ['missions of a day', `/api/v1/admin/missions/by-date?date=${today}`, adminPage],
  ['openings', '/api/v1/pilot/openings', pilotPage],
  ['page of users', '/api/v1/admin/users', adminPage],
  ['page of users by reliability', '/api/v1/admin/users?sort=reliability', adminPage],
  ['candidates of a seat', `${mission}/seats/${seat.flightId}/0/candidates`, adminPage],
  ['pilots without a seat', `${mission}/unseated`, adminPage],
];
await settle();
process.stdout.write('| call | median | nine in ten | KB |\n|---|---|---|---|\n');
for (const [name, path, page] of calls) {
  const length = await read(path, page?.cookie ?? '');
  const times = await timesOf(path, page?.cookie ?? '');
  process.stdout.write(`| ${name} | ${at(times, 0.5)} | ${at(times, 0.9)} | ${(length / 1_024).toFixed(1)} |\n`);
}
agent.destroy();
await marshal.stop();
await service.stop();
await stopServer();
