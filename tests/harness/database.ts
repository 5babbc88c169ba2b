/**
 * Real databases for tests: one server for the whole run, one migrated template, one clone for each test file.
 * The server is an embedded throw-away one, or the one that TEST_DATABASE_URL names (its role must be able to create
 * databases).
 */
import { randomBytes } from 'node:crypto';
import { Client, escapeLiteral } from 'pg';
import { startThrowaway } from '#server/platform/postgres/embedded-throwaway.ts';
import { migrate } from '#server/schema/orm.ts';
import { createLog } from '#server/platform/log.ts';

/** The variable with the server's address for the workers, which are separate processes. */
const SERVER_URL = 'MARSHAL_TEST_SERVER';
const OWNER_URL = 'MARSHAL_TEST_OWNER';
const TEMPLATE = 'MARSHAL_TEST_TEMPLATE';

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
  const server = given ? { superuserUrl: given, url: given, stop: async () => undefined } : await startEmbeddedServer();
  const template = `marshal_template_${randomBytes(4).toString('hex')}`;
  process.env[SERVER_URL] = server.superuserUrl;
  process.env[OWNER_URL] = server.url;
  await run(`create database ${template} owner "${ownerOf(server.url)}"`);
  await migrate(withDatabase(server.url, template));
  process.env[TEMPLATE] = template;
  return async () => {
    await run(`drop database if exists ${template} with (force)`);
    await server.stop();
  };
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
    drop: () => run(`drop database if exists ${name} with (force)`),
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
  return { name, drop: () => run(`drop role ${name}`) };
}

async function startEmbeddedServer() {
  return startThrowaway(createLog('error'));
}

async function run(sql: string): Promise<void> {
  const client = new Client({ connectionString: read(SERVER_URL) });
  await client.connect();
  try {
    await client.query(sql);
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
