/** `marshal restore`: puts a backup into the database of the settings. */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { readEnv } from '#server/platform/env.ts';
import { StartError } from '#server/schema/failures.ts';
import { readOptions, UsageError, type Command } from '#server/cli/command.ts';
import { count } from '#shared/plural.ts';

const options = z.object({ replace: z.boolean().optional(), yes: z.boolean().optional() });

/** @returns true for the answer yes; the end of the input counts as no */
async function confirm(question: string): Promise<boolean> {
  process.stderr.write(question);
  for await (const line of createInterface({ input: process.stdin })) return line.trim().toLowerCase() === 'yes';
  return false;
}

export const restore: Command = {
  name: 'restore',
  argument: '[backup]',
  description: 'Put a backup into the database of the settings: a path, a name, or `latest`. Stop Marshal first.',
  options: [
    ['--replace', 'replace a database that has accounts; a backup of it is made first'],
    ['--yes', 'replace without asking'],
  ],
  examples: ['restore latest', 'restore marshal-2026-11-26T031700Z.backup --replace'],
  async run({ argument, options: given }) {
    const { replace = false, yes = false } = readOptions(options, given);
    if (argument === '') throw new UsageError('Name a backup: a path, a name of `backup --list`, or latest.');
    const env = readEnv();
    const { findBackup, keepBefore } = await import('#server/backup/backups.ts');
    const { readArchive } = await import('#server/backup/archive.ts');
    const { hasPeople, refuseNewer, restore: restoreInto } = await import('#server/backup/restore.ts');
    const { withDatabaseUrl } = await import('#server/cli/with-database.ts');
    const { path, release } = await findBackup(env, argument);
    try {
      const manifest = await readArchive(path);
      refuseNewer(manifest);
      return await withDatabaseUrl(env, { creates: true, isAlone: true }, async (url) => {
        const isInhabited = await hasPeople(url);
        if (isInhabited && !replace) {
          throw new StartError('This database has accounts: add --replace to put the backup in their place.');
        }
        if (
          isInhabited &&
          !yes &&
          !(await confirm(`Replace everything by the backup of ${manifest.madeAt}? Type yes: `))
        ) {
          throw new StartError('Nothing was changed: answer yes, or add --yes.');
        }
        const kept = isInhabited ? await keepBefore('restore', env, url, new Date()) : null;
        const { migrated, skipped } = await restoreInto(url, path, manifest, { isNoted: true });
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
        const lines = [
          `Restored ${count(rows, 'row')} of ${manifest.madeAt}. Everybody has to sign in again.`,
          ...(migrated.length === 0 ? [] : [`${count(migrated.length, 'newer migration')} applied.`]),
          ...(skipped.length === 0 ? [] : [`Left out, because Marshal has no such tables: ${skipped.join(', ')}.`]),
          ...(kept === null ? [] : [`What was there before is in ${kept}; restore it to go back.`]),
        ];
        return { text: lines.join('\n'), data: { madeAt: manifest.madeAt, rows, migrated, skipped, kept } };
      });
    } finally {
      await release();
    }
  },
};
