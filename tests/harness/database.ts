/**
 * Real databases for tests: one server for the whole run, one migrated template, one clone for each test file.
 * The server is an embedded throw-away one, or the one that TEST_DATABASE_URL names (its role must be able to create
 * databases, or TEST_SUPERUSER_URL names one that is).
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, escapeLiteral } from 'pg';

/** The variable with the server's address for the workers, which are separate processes. */
const SERVER_URL = 'MARSHAL_TEST_SERVER';
const OWNER_URL = 'MARSHAL_TEST_OWNER';
const TEMPLATE = 'MARSHAL_TEST_TEMPLATE';
/** Set for a server that stays between runs: its migrated template is kept for the next run. */
const KEEPS_TEMPLATE = 'TEST_KEEPS_TEMPLATE';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');

export type TestDatabase = {
  /** Connection string of the application's role. */
  url: string;
  /** Drop the database and end its connections. */
  drop: () => Promise<void>;
};

/**
 * Start the server and make the migrated template. For the test runners' global set-up.
 * @returns the tear-down
 */
export async function startTestServer(): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const superuserUrl = process.env.TEST_SUPERUSER_URL ?? given;
  const server =
    given && superuserUrl ? { superuserUrl, url: given, stop: async () => undefined } : await startEmbeddedServer();
  process.env[SERVER_URL] = server.superuserUrl;
  process.env[OWNER_URL] = server.url;
  if (process.env[KEEPS_TEMPLATE]) {
    process.env[TEMPLATE] = await ensureTemplate(server.url);
    return server.stop;
  }
  const template = `marshal_template_${randomBytes(4).toString('hex')}`;
  await makeTemplate(template, server.url);
  process.env[TEMPLATE] = template;
  return async () => {
    await run(`drop database if exists ${template} with (force)`);
    await server.stop();
  };
}

async function makeTemplate(name: string, url: string): Promise<void> {
  const { migrate } = await import('#server/schema/migrate.ts');
  await run(`create database ${name} owner "${ownerOf(url)}"`);
  await migrate(withDatabase(url, name));
}

/** The template of these migrations, which an earlier run may have made. It is complete once it has its name. */
async function ensureTemplate(url: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).toSorted()) hash.update(readFileSync(join(MIGRATIONS, name)));
  const template = `marshal_template_${hash.digest('hex').slice(0, 16)}`;
  const found = await run(`select 1 from pg_database where datname = '${template}'`);
  if (found > 0) return template;
  const unfinished = `${template}_${randomBytes(4).toString('hex')}`;
  await makeTemplate(unfinished, url);
  // another run may have been faster
  await run(`alter database ${unfinished} rename to ${template}`).catch(() => run(`drop database ${unfinished}`));
  return template;
}

/** Clone the migrated template. One for each test file; drop it when the file is done. */
export const createTestDatabase = (): Promise<TestDatabase> => clone(read(TEMPLATE));

/** A database without any table. */
export const createEmptyDatabase = (): Promise<TestDatabase> => clone('template0');

/** @param source name of a database without connections */
async function clone(source: string): Promise<TestDatabase> {
  const owner = read(OWNER_URL);
  const name = `marshal_test_${randomBytes(6).toString('hex')}`;
  await run(`create database ${name} template ${source} owner "${ownerOf(owner)}"`);
  return {
    url: withDatabase(owner, name),
    drop: async () => void (await run(`drop database if exists ${name} with (force)`)),
  };
}

/** Copy a database that has connections; they are cut, and pools open new ones. @param url of the one to copy */
export async function copyDatabase(url: string): Promise<TestDatabase> {
  const source = decodeURIComponent(new URL(url).pathname.slice(1));
  // nobody may come back between the end of the connections and the copy
  await run(`alter database ${source} allow_connections false`);
  await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${source}'`);
  const copy = await clone(source);
  await run(`alter database ${source} allow_connections true`);
  return copy;
}

/** A superuser of the server. @param password any text */
export async function givenSuperuser(password: string): Promise<{ name: string; drop: () => Promise<void> }> {
  const name = `superuser_${randomBytes(4).toString('hex')}`;
  await run(`create role ${name} superuser login password ${escapeLiteral(password)}`);
  return { name, drop: async () => void (await run(`drop role ${name}`)) };
}

// loaded when they are needed: a run beside a standing server needs neither
async function startEmbeddedServer() {
  const { startThrowaway } = await import('#server/platform/postgres/embedded-throwaway.ts');
  const { createLog } = await import('#server/platform/log.ts');
  return startThrowaway(createLog('error'));
}

/** @returns the number of rows */
async function run(sql: string): Promise<number> {
  const client = new Client({ connectionString: read(SERVER_URL) });
  await client.connect();
  try {
    const { rowCount } = await client.query(sql);
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

function read(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the test runner's global set-up starts the database server.`);
  return value;
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

function ownerOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}
