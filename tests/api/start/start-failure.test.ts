/** Starts that fail: each ends with code 1 and a last line that names the remedy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNode } from '#server/cli/pinned-node.js';
import { ROOT } from '#server/cli/programs.js';
import { createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';

/** Several processes start at once, in parallel to those of other files. */
const PATIENCE = { timeout: 180_000 } as const;
const scratch = mkdtempSync(join(tmpdir(), 'marshal-start-'));
const taken = createServer();
const databases: TestDatabase[] = [];

interface Case {
  what: string;
  env: () => Record<string, string> | Promise<Record<string, string>>;
  lastLine: RegExp;
}

/** A separate database, modified by the test. */
async function givenDatabase(...statements: string[]): Promise<string> {
  const database = await createTestDatabase();
  databases.push(database);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  return database.url;
}

function change(url: string, part: 'password' | 'pathname', value: string): string {
  const changed = new URL(url);
  changed[part] = value;
  return changed.href;
}

beforeAll(async () => {
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  writeFileSync(join(scratch, 'file'), '');
});
afterAll(async () => {
  taken.close();
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(scratch, { recursive: true, force: true });
});

const CASES: Case[] = [
  {
    what: 'a setting that is wrong',
    env: () => ({ PORT: 'http' }),
    lastLine: /^PORT must be a whole number from 0 to 65535 \(it is "http"\)\.$/,
  },
  {
    what: 'a port that is taken',
    env: async () => ({ DATABASE_URL: await givenDatabase(), PORT: String((taken.address() as AddressInfo).port) }),
    lastLine: /^Port \d+ is in use\. Stop the program that uses it, or choose another port: PORT=3001 npm start$/,
  },
  {
    what: 'an address of another machine',
    env: async () => ({ DATABASE_URL: await givenDatabase(), HOST: '203.0.113.9' }),
    lastLine: /^203\.0\.113\.9 is not an address of this machine: set HOST to 127\.0\.0\.1, or to 0\.0\.0\.0 to be /,
  },
  {
    what: 'a database that does not answer',
    env: () => ({ DATABASE_URL: 'postgresql://marshal:geheim@127.0.0.1:1/marshal' }),
    lastLine: /^The PostgreSQL at 127\.0\.0\.1:1 does not answer: start it, or correct DATABASE_URL\.$/,
  },
  {
    what: 'a host that nobody knows',
    env: () => ({ DATABASE_URL: 'postgresql://marshal:geheim@nowhere.invalid/marshal' }),
    lastLine: /^The host nowhere\.invalid is not known on this machine: correct DATABASE_URL\.$/,
  },
  {
    what: 'a wrong password',
    env: async () => ({ DATABASE_URL: change(await givenDatabase(), 'password', 'geheim') }),
    lastLine:
      /refuses the user \w+: correct the name and the password in DATABASE_URL, or allow this machine in its pg_hba\.conf\.$/,
  },
  {
    what: 'a database that does not exist',
    env: async () => ({ DATABASE_URL: change(await givenDatabase(), 'pathname', '/elsewhere') }),
    lastLine: /has no database elsewhere: create it \(createdb --owner=\w+ elsewhere\), or correct DATABASE_URL\.$/,
  },
  {
    what: 'a database that takes no writes',
    env: async () => ({
      DATABASE_URL: await givenDatabase(
        `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
      ),
    }),
    lastLine: /is read-only, like a standby: set DATABASE_URL to the primary\.$/,
  },
  {
    what: 'a database of a newer release',
    env: async () => ({
      DATABASE_URL: await givenDatabase(`insert into mikro_orm_migrations (name) values ('Migration20990101000000')`),
    }),
    lastLine:
      /^This database belongs to a newer release of Marshal \(it has Migration20990101000000, which this release does not know\): start that release or a later one, or restore a backup from before the update\.$/,
  },
  {
    what: 'a database of a version before the first release',
    env: async () => ({
      DATABASE_URL: await givenDatabase(
        `update mikro_orm_migrations set name = 'Migration20261120190923'`,
        'alter table frag_order rename column is_shared_offer to is_open_offer',
      ),
    }),
    lastLine:
      /^This database is from before the first release of Marshal, 0\.1\.0: CHANGELOG\.md has the statements that bring it over\. Without them, start with a new database\.$/,
  },
  {
    what: 'a database that somebody else has filled',
    env: async () => ({
      DATABASE_URL: await givenDatabase(
        'drop schema public cascade',
        'create schema public',
        'create table app_user ()',
      ),
    }),
    lastLine: /^The database could not be upgraded to this release \(.*app_user.*\): go back to the previous release, /,
  },
  {
    what: 'a DATA_DIR that is a file',
    env: () => ({ DATA_DIR: join(scratch, 'file') }),
    lastLine: /file is not a directory: move the file away, or set DATA_DIR to another directory\.$/,
  },
  {
    what: 'a DATA_DIR below a file',
    env: () => ({ DATA_DIR: join(scratch, 'file', 'data') }),
    lastLine: /data is not a directory: move the file away, or set DATA_DIR to another directory\.$/,
  },
  {
    what: 'a BACKUP_DIR that is a file',
    env: () => ({ BACKUP_DIR: join(scratch, 'file') }),
    lastLine: /^BACKUP_DIR is no folder \(.*file\): move the file away, or name another folder\.$/,
  },
  {
    what: 'a BACKUP_DIR below a file',
    env: () => ({ BACKUP_DIR: join(scratch, 'file', 'backups') }),
    lastLine: /^BACKUP_DIR is no folder /,
  },
  {
    what: 'a password that is not percent-encoded',
    env: () => ({ DATABASE_URL: 'postgresql://marshal:geheim%@127.0.0.1:1/marshal' }),
    lastLine: /^DATABASE_URL has the character % in its user or password, where it must be written as %25; or set /,
  },
  {
    what: 'a TRUST_PROXY that would believe everybody',
    env: () => ({ TRUST_PROXY: 'true' }),
    lastLine: /^TRUST_PROXY must be off, the number of proxies \(at most 20\), or their addresses \(it is "true"\)\.$/,
  },
  ...(process.platform === 'linux'
    ? [
        {
          what: 'a DATA_DIR that cannot be made',
          env: () => ({ DATA_DIR: '/sys/marshal' }),
          lastLine: /^\/sys\/marshal cannot be written to: give it to the user who starts Marshal, or set DATA_DIR /,
        },
        {
          // ENOENT is also the code of a database that has gone; folders on a read-only disk are refused with it too
          what: 'a DATA_DIR that is a link to nowhere',
          env: () => {
            symlinkSync(join(scratch, 'nowhere', 'deeper'), join(scratch, 'link'));
            return { DATA_DIR: join(scratch, 'link') };
          },
          lastLine: /link cannot be written to: give it to the user who starts Marshal, or set DATA_DIR to another /,
        },
      ]
    : []),
];

test.concurrent.for(CASES)(
  '$what stops the start, and the last line names the remedy',
  PATIENCE,
  async ({ what, env, lastLine }, { onTestFinished }) => {
    const path = join(scratch, what.replaceAll(' ', '-'));
    // one file for both, as in a terminal: which line is the last one is the question
    const output = openSync(path, 'w');
    const child = spawn(findNode(), [join(ROOT, 'server', 'main.ts')], {
      cwd: ROOT,
      stdio: ['ignore', output, output],
      env: {
        PATH: process.env.PATH,
        SystemRoot: process.env.SystemRoot,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PORT: '0',
        PUBLIC_URL: 'http://localhost:3000',
        BACKGROUND_JOBS: 'off',
        ...(await env()),
      },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [code] = await once(child, 'exit');
    closeSync(output);
    const text = readFileSync(path, 'utf8');
    expect(code, text).toBe(1);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(lastLine);
    expect(text).not.toContain('geheim');
  },
);
