/** Writes a backup of a database to a file: one consistent moment, while others read and write. */
import { rename, rm } from 'node:fs/promises';
import { escapeIdentifier, type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { MIGRATION_LOCK } from '#server/schema/migrate.ts';
import { createArchive, partOf, readArchive, type ArchiveWriter, type Manifest, type Part } from './archive.ts';
import { COPY_JOBS_OUT, listTables, readSequences, type Table } from './catalogue.queries.ts';
import { withClient } from './direct.ts';

/** The migrator's own table. */
export const MIGRATIONS = 'mikro_orm_migrations';

/**
 * Tables whose rows stay behind: ways in that somebody may have ended after the backup, and changes of the roster, which
 * count transactions of their database and only matter to processes that run.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'session',
  'sign_in_link',
  'pending_sign_in',
  'passkey_challenge',
  'remembered_device',
  'roster_change',
]);

async function copyOut(client: ClientBase, archive: ArchiveWriter, name: string, statement: string): Promise<Part> {
  const rows = client.query(copyTo(statement));
  const written = await archive.add(name, rows);
  return { rows: rows.rowCount, ...written };
}

const copyStatement = ({ name, columns }: Table) =>
  `copy ${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')}) to stdout`;

/** Locks the tables against migrations. Those of an update in progress finish first. */
async function beginSnapshot(client: ClientBase): Promise<Table[]> {
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  try {
    await client.query('begin isolation level repeatable read read only');
    const tables = await listTables(client);
    if (tables.length > 0) {
      await client.query(
        `lock table ${tables.map(({ name }) => escapeIdentifier(name)).join(', ')} in access share mode`,
      );
    }
    return tables.filter(({ name }) => !LEFT_OUT.has(name));
  } finally {
    await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]).catch(() => undefined);
  }
}

async function copyDatabase(client: ClientBase, archive: ArchiveWriter, version: string): Promise<Manifest> {
  const tables = await beginSnapshot(client);
  if (!tables.some(({ name }) => name === MIGRATIONS)) {
    throw new Error('There is nothing to back up: this database has no tables of Marshal.');
  }
  const { rows: about } = await client.query<{ postgres: string; at: Date }>(
    `select split_part(current_setting('server_version'), ' ', 1) as postgres, now() as at`,
  );
  const { rows: migrations } = await client.query<{ name: string }>(`select name from ${MIGRATIONS} order by id`);
  const copied: Manifest['tables'] = [];
  for (const table of tables) {
    copied.push({ ...table, ...(await copyOut(client, archive, partOf(table.name), copyStatement(table))) });
  }
  const jobs = await copyOut(client, archive, partOf(null), COPY_JOBS_OUT);
  const sequences = await readSequences(client);
  await client.query('commit');
  return {
    format: 1,
    marshal: version,
    postgres: about[0]?.postgres ?? '',
    madeAt: (about[0]?.at ?? new Date()).toISOString(),
    migrations: migrations.map(({ name }) => name),
    tables: copied,
    sequences,
    jobs,
  };
}

/**
 * Writes a backup, reads it back, and gives it its name when it is whole.
 * @param path a new file
 * @param version of this Marshal
 */
export async function backUp(url: string, path: string, version: string): Promise<Manifest> {
  const draft = `${path}.part`;
  await rm(draft, { force: true });
  const archive = await createArchive(draft);
  try {
    await withClient(url, async (client) => archive.finish(await copyDatabase(client, archive, version)));
    const manifest = await readArchive(draft);
    await rename(draft, path);
    return manifest;
  } catch (error) {
    await archive.abort();
    await rm(draft, { force: true });
    throw error;
  }
}
