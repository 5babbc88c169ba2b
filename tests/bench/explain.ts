/**
 * Plans of the hot statements in a large community: `npm run bench -- explain`. It uses the database of DATABASE_URL or of the
 * folder after `--into`, which `npm run bench -- seed` has filled. Every statement that a call sends is run again with EXPLAIN
 * ANALYZE, in a transaction that is rolled back. A read of a whole big table, or a sort or hash that spills, fails.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createLog } from '#server/platform/log.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { listHotReads, wholeReadsOf } from '#tests/harness/hot-reads.ts';
import { explain, judgePlan, listBigTables, startRecorder } from '#tests/harness/query-plans.ts';
import { startService } from '#tests/harness/service.ts';

/** A table with more rows is not read whole by a request. */
const BIG = 20_000;

const { values: options } = parseArgs({
  options: { into: { type: 'string' }, only: { type: 'string' }, plans: { type: 'boolean', default: false } },
});
/** Parts of names, by commas; by default all calls. */
const wanted = (options.only ?? '').split(',');
const print = (line: string) => process.stdout.write(`${line}\n`);
const figure = (ms: number): string => (ms < 10 ? ms.toFixed(1) : Math.round(ms).toString());

async function measure(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const recorder = startRecorder();
  const service = await startService({ database: { url, drop: () => Promise.resolve() } });
  let isGood = true;
  try {
    const big = await listBigTables(client, BIG);
    print(`Big tables: ${[...big].map(([name, rows]) => `${name} ${Math.round(rows)}`).join(', ')}\n`);
    print('| call | ms | statements | slowest ms | verdict |\n|---|---|---|---|---|');
    for (const read of await listHotReads(service, new Date())) {
      const { name, run } = read;
      if (!wanted.some((part) => name.includes(part))) continue;
      const began = performance.now();
      let failure = '';
      const statements = await recorder.record(() =>
        run().catch((error: unknown) => {
          failure = error instanceof Error ? error.message : String(error);
        }),
      );
      const ms = performance.now() - began;
      const faults = new Set<string>();
      const reasons = new Set<string>();
      let slowest = 0;
      for (const statement of statements) {
        const plan = await explain(client, statement, true);
        slowest = Math.max(slowest, plan.ms ?? 0);
        const { wholeTables, spills } = judgePlan(plan.root, big);
        const known = wholeReadsOf(read, statement.text);
        const isExempt = wholeTables.length > 0 && wholeTables.every((table) => table in known);
        for (const table of wholeTables) {
          if (table in known) reasons.add(`reads ${table}: ${known[table]}`);
          else faults.add(`reads all of ${table}`);
        }
        for (const spill of isExempt ? [] : spills) faults.add(`${spill} spills`);
        if (options.plans)
          print(
            `\n${statement.text}\n${JSON.stringify(statement.values).slice(0, 500)}\n${JSON.stringify(plan.root, null, 1)}`,
          );
      }
      if (failure !== '') faults.add(failure);
      else if (statements.length === 0) faults.add('sent no statement');
      isGood &&= faults.size === 0;
      const verdict =
        [...faults].join('; ') || (reasons.size > 0 ? `by its nature ${[...reasons].join('; ')}` : 'good');
      print(`| ${name} | ${figure(ms)} | ${statements.length} | ${figure(slowest)} | ${verdict} |`);
    }
  } finally {
    await service.stop();
    await client.end();
    recorder.stop();
  }
  return isGood;
}

const given = process.env.DATABASE_URL;
if (given === undefined) {
  const dataDir = resolve(options.into ?? join('.data', 'community-100000'));
  const server = await startEmbedded({ dataDir, log: createLog('error') });
  try {
    process.exitCode = (await measure(server.url)) ? 0 : 1;
  } finally {
    await server.stop();
  }
} else {
  process.exitCode = (await measure(given)) ? 0 : 1;
}
