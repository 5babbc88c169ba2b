/**
 * Makes a large community: `npm run bench -- seed 100000`, with the number of pilots. Options: `--orders` and `--audit` (rows,
 * by default ten and fifty times the pilots), `--seed`, `--any-minute` (weekly slots on any minute), `--into` (the folder of a
 * new embedded database). With DATABASE_URL it fills that database, which must have no accounts.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { syncAircraft } from '#server/accounts/pilots/aircraft.ts';
import { createLog } from '#server/platform/log.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { db } from '#server/schema/database.ts';
import { connect } from '#server/schema/orm.ts';
import { migrate } from '#server/schema/migrate.ts';
import { givenLargeCommunity } from '#tests/harness/large-community/large-community.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    orders: { type: 'string' },
    audit: { type: 'string' },
    seed: { type: 'string', default: '2026' },
    'any-minute': { type: 'boolean', default: false },
    into: { type: 'string' },
  },
});

const pilots = Number(positionals[0] ?? 100_000);
const size = {
  pilots,
  orders: Number(values.orders ?? pilots * 10),
  audit: Number(values.audit ?? pilots * 50),
  seed: Number(values.seed),
  isAnyMinute: values['any-minute'],
};
const print = (line: string) => process.stdout.write(`${line}\n`);

async function fill(url: string): Promise<void> {
  await migrate(url);
  const orm = await connect(url, { timeouts: false });
  try {
    const account = await db(orm.em.fork()).selectFrom('app_user').select('id').limit(1).executeTakeFirst();
    if (account) throw new Error('This database has accounts: name a new one');
    await syncAircraft(orm.em.fork());
  } finally {
    await orm.close();
  }
  const began = performance.now();
  const tables = await givenLargeCommunity(url, size, ({ table, rows, ms }) =>
    print(`${table}: ${rows} rows, ${Math.round(rows / (ms / 1_000))} rows/s`),
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const seconds = (performance.now() - began) / 1_000;
  print(JSON.stringify({ ...size, rows, seconds: Math.round(seconds), rowsPerSecond: Math.round(rows / seconds) }));
}

const given = process.env.DATABASE_URL;
if (given === undefined) {
  const folder = resolve(values.into ?? join('.data', `community-${pilots}`));
  if (existsSync(folder)) throw new Error(`${folder} exists: delete it, or name another one with --into`);
  // what is lost in a crash is made again
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    shared_buffers: '1GB',
    max_wal_size: '8GB',
  };
  const server = await startEmbedded({ dataDir: folder, log: createLog('error'), settings });
  try {
    await fill(server.url);
  } finally {
    await server.stop();
  }
  print(`Open it with: DATA_DIR=${folder} SAMPLE_COMMUNITY=false npm start`);
} else {
  await fill(given);
  print('Open it with: npm start, and the same DATABASE_URL');
}
