/**
 * A community of any size in a real database: pilots in the ten zones with weeks, exceptions, leaves, levels and live states;
 * missions with seats and orders in every state; messages and the audit log. The same seed and time give the same rows. They
 * are inserted in chunks, with every constraint and trigger in force.
 */
import { Client } from 'pg';
import { missionParts } from './missions.ts';
import { pilotParts } from './pilots.ts';
import { auditParts, recordParts } from './records.ts';
import { functionsOf, shapeOf, type CommunitySize, type Part, type Shape } from './shape.ts';

export interface SeededTable {
  table: string;
  rows: number;
  ms: number;
}

/** Insert these parts one after another on a connection of their own. */
async function insert(
  url: string,
  shape: Shape,
  parts: readonly Part[],
  told: (table: SeededTable) => void,
): Promise<SeededTable[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set jit = off');
    await client.query('set synchronous_commit = off');
    await client.query("set gin_pending_list_limit = '64MB'");
    for (const statement of functionsOf(shape)) await client.query(statement);
    const tables: SeededTable[] = [];
    for (const { table, first, last, chunk, sql } of parts) {
      const began = performance.now();
      let rows = 0;
      for (let from = first; from <= last; from += chunk) {
        const result = await client.query<{ rows?: number }>(sql, [from, Math.min(last, from + chunk - 1)]);
        rows += result.rows[0]?.rows ?? result.rowCount ?? 0;
      }
      const done = { table, rows, ms: performance.now() - began };
      tables.push(done);
      told(done);
    }
    return tables;
  } finally {
    await client.end();
  }
}

/** Statistics, and the visibility map, without which index-only scans read the tables. */
async function vacuum(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

/**
 * @param url of a migrated database with the aircraft types, on which a Marshal was started before
 * @param told hears of each table that is done
 * @returns the tables with the rows of each
 */
export async function givenLargeCommunity(
  url: string,
  size: CommunitySize,
  told: (table: SeededTable) => void = () => undefined,
): Promise<SeededTable[]> {
  const shape = shapeOf(size);
  const run = (parts: readonly Part[]) => insert(url, shape, parts, told);
  const [accounts, ...ofPilots] = pilotParts(shape);
  const first = accounts ? await run([accounts]) : [];
  // nothing in one of these lists refers to another one, so that they use several processors
  const lists = await Promise.all([run(ofPilots), run(missionParts(shape)), run(auditParts(shape))]);
  const records = await run(recordParts(shape));
  await vacuum(url);
  return [...first, ...lists.flat(), ...records];
}
