/**
 * Plans of the hot statements, as for a large community: a small one whose statistics say that it has 100,000 pilots. In
 * full, with a database of that size: `npm run bench -- explain`.
 */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeNewLooks } from '#server/accounts/look-alikes.ts';
import { listHotReads, wholeReadsOf, type HotRead } from '#tests/harness/hot-reads.ts';
import { givenLargeCommunity } from '#tests/harness/large-community/large-community.ts';
import { explain, judgePlan, listBigTables, startRecorder, type Recorder } from '#tests/harness/query-plans.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const PILOTS = 500;
const SCALE = 200;
const BIG = 20_000;

/** Calls that are judged only in full: what they do here, or that they are still to be mended. */
const ONLY_IN_FULL: Readonly<Record<string, string>> = {
  audit: 'its count of all matching entries reads them all',
  'job: reminders due': 'devices of few pilots are read at once',
};

let recorder: Recorder;
let service: Service;
let client: Client;
let reads: HotRead[];
let big: Map<string, number>;

/**
 * Multiply the rows that the planner expects of every table. The ids in a column become more in proportion, and none of them
 * is as common as it is among few.
 */
async function pretendLarge(): Promise<void> {
  const { rows: ids } = await client.query<{
    name: string;
    column: string;
    nulls: number;
    width: number;
    distinct: number;
  }>(
    `select tablename as name, attname as column, null_frac as nulls, avg_width as width,
            (case when n_distinct > 0 then -n_distinct / greatest(n_distinct, reltuples) else n_distinct end)::float8 as distinct
     from pg_stats join pg_class on relname = tablename and relkind = 'r' and relnamespace = 'public'::regnamespace
     where schemaname = 'public' and reltuples >= 100 and attname like '%id'`,
  );
  for (const { name, column, nulls, width, distinct } of ids) {
    const values = [name, column, nulls, width, distinct];
    await client.query("select pg_clear_attribute_stats('public', $1, $2, false)", values.slice(0, 2));
    await client.query(
      `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', $2::text, 'inherited', false,
         'null_frac', $3::real, 'avg_width', $4::int, 'n_distinct', $5::real)`,
      values,
    );
  }
  await client.query(
    `select pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text, 'relpages', relpages,
                                      'reltuples', (reltuples * $1)::real, 'relallvisible', relallvisible)
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= 100`,
    [SCALE],
  );
}

beforeAll(async () => {
  recorder = startRecorder();
  service = await startService();
  await givenLargeCommunity(service.databaseUrl, { pilots: PILOTS, orders: PILOTS * 10, audit: PILOTS * 20 });
  // as a minute after the start
  await storeNewLooks(service.app.orm.em.fork());
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('analyze app_user');
  await pretendLarge();
  big = await listBigTables(client, BIG);
  reads = await listHotReads(service, new Date());
});
afterAll(async () => {
  await client.end();
  await service.stop();
  recorder.stop();
});

/** The faults in the plans of a call's statements, a line each. */
async function findFaults(read: HotRead): Promise<string[]> {
  const statements = await recorder.record(read.run);
  expect(statements.length).toBeGreaterThan(0);
  const faults: string[] = [];
  for (const statement of statements) {
    const { wholeTables, spills } = judgePlan((await explain(client, statement, false)).root, big);
    const known = wholeReadsOf(read, statement.text);
    const unexpected = wholeTables.filter((table) => !(table in known));
    const isExempt = wholeTables.length > 0 && unexpected.length === 0;
    const found = [...unexpected.map((table) => `reads all of ${table}`), ...(isExempt ? [] : spills)];
    if (found.length > 0) faults.push(`${found.join(', ')}: ${statement.text.slice(0, 300)}`);
  }
  return faults;
}

test('the planner expects large tables', () => {
  expect(big.get('app_user')).toBeGreaterThan(90_000);
  expect(big.get('frag_order')).toBeGreaterThan(900_000);
  expect(big.get('audit_entry')).toBeGreaterThan(1_900_000);
});

test('no hot statement reads a whole big table, or sorts more than memory holds', async () => {
  const faults: Record<string, string[]> = {};
  const judged = reads.filter(({ name }) => !Object.keys(ONLY_IN_FULL).some((left) => name.startsWith(left)));
  expect(judged.length).toBeGreaterThan(40);
  for (const read of judged) {
    const found = await findFaults(read);
    if (found.length > 0) faults[read.name] = found;
  }
  expect(faults).toEqual({});
});

test('a statement without an index is found', async () => {
  const planted: HotRead = {
    name: 'planted',
    run: () => service.app.orm.em.fork().getConnection().execute("select id from frag_order where reasons = '{}'"),
  };
  expect(await findFaults(planted)).toHaveLength(1);
});
