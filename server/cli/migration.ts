/**
 * `npm run migration:create -- name` writes a migration for the differences between the entities and the migrations;
 * `npm run migration:check` fails if there are any. Both compare with a temporary database that has all migrations, never
 * with yours.
 */
import { basename } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import { startThrowaway } from '#server/platform/postgres/embedded-throwaway.ts';
import { connect } from '#server/schema/orm.ts';
import { migrate } from '#server/schema/migrate.ts';
import { createLog } from '#server/platform/log.ts';

const [command = '', name] = process.argv.slice(2);
if (!['create', 'check'].includes(command)) {
  console.error('Usage: migration.ts create [name] | check');
  process.exit(2);
}

const database = await startThrowaway(createLog('error'));
try {
  await migrate(database.url);
  const orm = await connect(database.url, { timeouts: false });
  try {
    if (command === 'check') await check(orm);
    else await create(orm.migrator);
  } finally {
    await orm.close();
  }
} finally {
  await database.stop();
}

async function check(orm: MikroORM): Promise<void> {
  if (!(await orm.migrator.checkSchema())) {
    console.log('The migrations create exactly the schema that the entities describe.');
    return;
  }
  console.error(
    'The entities differ from the schema that the migrations create: run `npm run migration:create -- <name>`.',
  );
  console.error(await orm.schema.getUpdateSchemaSQL({ wrap: false }));
  process.exitCode = 1;
}

async function create(migrator: MikroORM['migrator']): Promise<void> {
  const { fileName, diff } = await migrator.create(undefined, false, false, name);
  console.log(diff.up.length === 0 ? 'Nothing to do.' : `Wrote migrations/${basename(fileName)}: review it.`);
}
