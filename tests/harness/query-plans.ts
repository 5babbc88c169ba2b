/**
 * Plans of the statements that the product really sends: recorded at the driver while a call runs, then explained by
 * PostgreSQL. A plan is judged by what it does to big tables, and by what it writes to disk.
 */
import { Client } from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

/** A node of EXPLAIN's JSON, with the fields that are read here. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Plan Rows': number;
  'Plan Width': number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Sort Space Type'?: string;
  'Hash Batches'?: number;
  'HashAgg Batches'?: number;
  Plans?: PlanNode[];
}

export interface Explained {
  root: PlanNode;
  /** null for an estimate */
  ms: number | null;
}

export interface Verdict {
  /** big tables that are read from end to end, in their own order or in an index's */
  wholeTables: string[];
  /** sorts and hashes beyond the memory of a statement, by their node's type */
  spills: string[];
}

const isReadable = (text: string): boolean => /^\s*(?:with|select|insert|update|delete)\b/i.test(text);

/** The statement in the driver's arguments: a text with values, or an object of both. */
function readStatement([first, second]: readonly unknown[]): Statement | null {
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] };
  if (typeof first !== 'object' || first === null || !('text' in first) || typeof first.text !== 'string') return null;
  const values = 'values' in first && Array.isArray(first.values) ? first.values : second;
  return { text: first.text, values: Array.isArray(values) ? values : [] };
}

export interface Recorder {
  /** Statements that this process sends while the work runs, each text once, with the values of its first time. */
  record: (work: () => Promise<unknown>) => Promise<Statement[]>;
  stop: () => void;
}

/** Watch the driver. Connections that are open already are not watched, so start it before the service. */
export function startRecorder(): Recorder {
  let sent: Map<string, Statement> | null = null;
  const original: (...args: unknown[]) => unknown = Reflect.get(Client.prototype, 'query');
  Reflect.set(Client.prototype, 'query', function watched(this: Client, ...args: unknown[]): unknown {
    const statement = sent && readStatement(args);
    // lists differ in length from call to call
    const key = statement?.text.replaceAll(/\$\d+(?:, ?\$\d+)*/g, '$');
    if (statement && key !== undefined && isReadable(statement.text) && !sent?.has(key)) sent?.set(key, statement);
    return Reflect.apply(original, this, args);
  });
  return {
    async record(work) {
      const statements = new Map<string, Statement>();
      sent = statements;
      try {
        await work();
      } finally {
        sent = null;
      }
      return [...statements.values()];
    },
    stop: () => {
      Reflect.set(Client.prototype, 'query', original);
    },
  };
}

/** @param isRun run it and measure, in a transaction that is rolled back; otherwise the planner only estimates */
export async function explain(client: Client, { text, values }: Statement, isRun: boolean): Promise<Explained> {
  await client.query('begin');
  try {
    const options = isRun ? 'analyze, buffers, format json' : 'format json';
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode; 'Execution Time'?: number }[] }>(
      `explain (${options}) ${text}`,
      values,
    );
    const [answer] = rows[0]?.['QUERY PLAN'] ?? [];
    if (!answer) throw new Error('EXPLAIN answered nothing');
    return { root: answer.Plan, ms: answer['Execution Time'] ?? null };
  } finally {
    await client.query('rollback');
  }
}

/** Memory of a sort, and of a hash table, by PostgreSQL's defaults. */
const WORK_MEM = 4 * 2 ** 20;
const HASH_MEM = 2 * WORK_MEM;

const estimatedBytes = (node: PlanNode): number => node['Plan Rows'] * node['Plan Width'];

function doesSpill(node: PlanNode, isLimited: boolean): boolean {
  const type = node['Node Type'];
  if (node['Sort Space Type'] === 'Disk' || (node['Hash Batches'] ?? 1) > 1 || (node['HashAgg Batches'] ?? 1) > 1) {
    return true;
  }
  // an estimate says nothing of these; the first rows of a sort are kept without the others
  if (node['Actual Rows'] !== undefined) return false;
  return (
    (type === 'Sort' && !isLimited && estimatedBytes(node) > WORK_MEM) ||
    (type === 'Hash' && estimatedBytes(node) > HASH_MEM)
  );
}

/**
 * Rows that a scan looked at, or is expected to look at.
 * @param all rows of the table
 * @param limit rows after which the scan ends
 */
function rowsRead(node: PlanNode, all: number, limit: number): number {
  const { 'Actual Rows': actual, 'Plan Rows': planned } = node;
  if (actual !== undefined) return (actual + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
  // an estimate has the rows of the whole scan, and says nothing of those that its filter removes
  return limit < planned ? (limit * all) / planned : planned;
}

/** A scan of an index without a condition on it is one of the table, unless it ends early or the index holds few rows. */
function isWholeScan(node: PlanNode, all: number, limit: number): boolean {
  const type = node['Node Type'];
  if (type === 'Seq Scan') return true;
  const isUnconditional = /^Index (?:Only )?Scan$/.test(type) && node['Index Cond'] === undefined;
  return isUnconditional && rowsRead(node, all, limit) > all / 10;
}

/** @param big rows of the big tables, by name */
export function judgePlan(root: PlanNode, big: ReadonlyMap<string, number>): Verdict {
  const wholeTables = new Set<string>();
  const spills = new Set<string>();
  const visit = (node: PlanNode, limit: number): void => {
    const table = node['Relation Name'];
    const rows = table === undefined ? undefined : big.get(table);
    if (table !== undefined && rows !== undefined && isWholeScan(node, rows, limit)) wholeTables.add(table);
    const type = node['Node Type'];
    if (doesSpill(node, limit < Infinity)) spills.add(type);
    const passesOn = /Nested Loop|Result|Subquery|Incremental Sort/.test(type) ? limit : Infinity;
    for (const child of node.Plans ?? []) visit(child, type === 'Limit' ? node['Plan Rows'] : passesOn);
  };
  visit(root, Infinity);
  return { wholeTables: [...wholeTables].sort(), spills: [...spills].sort() };
}

/** Tables with so many rows that no request should read them whole, with the rows that the planner expects. */
export async function listBigTables(client: Client, least: number): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; rows: number }>(
    `select relname as name, reltuples::float8 as rows from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= $1`,
    [least],
  );
  return new Map(rows.map((row) => [row.name, row.rows]));
}
