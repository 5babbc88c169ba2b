/** The migration of a database to the current schema: an older one is brought up, a newer one refused. */
import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Logger, runMigrations } from 'graphile-worker';
import { StartError } from './failures.ts';
import { connect, MIGRATIONS_PATH } from './orm.ts';

/** The advisory lock that every process takes at startup before it migrates; a restore holds it, a backup shares it. */
export const MIGRATION_LOCK = 7_311_905;

/** The tables of 0.1.0; what came before it was never released. */
const FIRST_RELEASE = 'Migration20261130000000_first_release';

/** The job library logs every step of its migration; only failures matter, and they reject. */
const SILENT = new Logger(() => () => undefined);

/** Migrations that a list of applied ones lacks, and those that it has from a newer release. */
export function compareMigrations(names: readonly string[]): { missing: string[]; unknown: string[] } {
  const known = readdirSync(MIGRATIONS_PATH)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => parse(file).name);
  const applied = new Set(names);
  return {
    missing: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)),
  };
}

/** The same for a database. */
export async function compareSchema(orm: MikroORM): Promise<{ missing: string[]; unknown: string[] }> {
  return compareMigrations((await orm.migrator.getExecuted()).map(({ name }) => name));
}

/** @throws Error one sentence when a newer release has migrated the database, or none: this one would misread its data */
async function refuseNewerDatabase(orm: MikroORM): Promise<void> {
  const { unknown } = await compareSchema(orm);
  if (unknown.length === 0) return;
  if (unknown.every((name) => name < FIRST_RELEASE)) {
    throw new StartError(
      'This database is from before the first release of Marshal, 0.1.0: CHANGELOG.md has the statements that bring it over. Without them, start with a new database.',
    );
  }
  throw new StartError(
    `This database belongs to a newer release of Marshal (it has ${unknown.join(', ')}, which this release does not know): start that release or a later one, or restore a backup from before the update.`,
  );
}

/**
 * Apply all missing migrations, including the job library's own, in one process at a time.
 * @returns names of the migrations that this call applied
 * @throws Error one sentence when the database belongs to a newer release
 */
export async function migrate(url: string): Promise<string[]> {
  const orm = await connect(url, { poolSize: 3, timeouts: false, hasEntities: false });
  try {
    return await orm.em.getConnection().transactional(async (ctx) => {
      await orm.em.getConnection().execute(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, [], 'run', ctx);
      await refuseNewerDatabase(orm);
      const applied = await orm.migrator.up();
      await runMigrations({ connectionString: url, logger: SILENT });
      return applied.map(({ name }) => name);
    });
  } finally {
    await orm.close();
  }
}
