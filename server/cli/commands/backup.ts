/** `marshal backup`: writes the whole database to one file, also while Marshal runs; lists and checks such files. */
import { z } from 'zod';
import { readEnv } from '#server/platform/env.ts';
import { readOptions, UsageError, type Command, type Outcome } from '#server/cli/command.ts';
import { count } from '#shared/plural.ts';
import { formatSize } from '#shared/labels.ts';

const options = z.object({
  keep: z.coerce.number<string>('--keep must be a number.').int().min(1, '--keep must be at least 1.').optional(),
  list: z.boolean().optional(),
  check: z.string().optional(),
});

async function check(wanted: string): Promise<Outcome> {
  const { findBackup } = await import('#server/backup/backups.ts');
  const { readArchive } = await import('#server/backup/archive.ts');
  const { path, release } = await findBackup(readEnv(), wanted);
  try {
    const { madeAt, marshal, postgres, migrations, tables } = await readArchive(path);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      text: `The backup is whole: ${count(rows, 'row')} of ${madeAt}, written by Marshal ${marshal} on PostgreSQL ${postgres}.`,
      data: { madeAt, marshal, postgres, rows, migration: migrations.at(-1) ?? null },
    };
  } finally {
    await release();
  }
}

async function list(): Promise<Outcome> {
  const { listBackups } = await import('#server/backup/backups.ts');
  const places = await listBackups(readEnv());
  const lines = places.map(({ place, names }) => [`${place}: ${count(names.length, 'backup')}`, ...names].join('\n  '));
  return { text: lines.join('\n'), data: places };
}

export const backup: Command = {
  name: 'backup',
  description: 'Write the whole database to one file, also while Marshal runs, check it, and delete old backups.',
  options: [
    ['--keep <number>', 'how many backups stay (default: BACKUP_KEEP, 14)'],
    ['--list', 'list the backups instead'],
    ['--check <file>', 'read a backup, by its path or name or `latest`, and say if it is whole, instead'],
  ],
  examples: ['backup', 'backup --list', 'backup --check latest'],
  async run({ options: given }) {
    const { keep, list: isList, check: wanted } = readOptions(options, given);
    if (isList && wanted !== undefined) throw new UsageError('Use either --list or --check.');
    if (isList) return list();
    if (wanted !== undefined) return check(wanted);
    const env = readEnv();
    const { withDatabaseUrl } = await import('#server/cli/with-database.ts');
    const { makeBackup } = await import('#server/backup/backups.ts');
    const made = await withDatabaseUrl(env, {}, (url) => makeBackup(env, url, new Date(), keep));
    const { name, bytes, kept, removed, manifest } = made;
    const deleted = removed.length === 0 ? '' : ` ${count(removed.length, 'older one')} deleted.`;
    return {
      text: `Wrote ${name} (${formatSize(bytes)}) to ${kept.join(' and ')}, and read it back.${deleted}`,
      data: { name, bytes, kept, removed, madeAt: manifest.madeAt },
    };
  },
};
