/** `marshal upgrade-database`: brings the embedded database to this release's major version of PostgreSQL, and back. */
import { z } from 'zod';
import { readEnv } from '#server/platform/env.ts';
import { StartError } from '#server/schema/failures.ts';
import { readOptions, type Command } from '#server/cli/command.ts';

const options = z.object({ undo: z.boolean().optional() });

export const upgradeDatabase: Command = {
  name: 'upgrade-database',
  description:
    'Bring the embedded database to the PostgreSQL of this release. Keeps a backup and the old files. Stop Marshal first.',
  options: [['--undo', 'put the old files back, without what was written since']],
  examples: ['upgrade-database', 'upgrade-database --undo'],
  async run({ options: given }) {
    const { undo: isUndo = false } = readOptions(options, given);
    const env = readEnv();
    if (env.DATABASE_URL !== undefined) {
      throw new StartError('DATABASE_URL is set: upgrade your PostgreSQL with its own tools, such as pg_upgrade.');
    }
    const { hasEmbedded } = await import('#server/cli/with-database.ts');
    const { undo, upgrade } = await import('#server/cli/upgrade-postgres.ts');
    if (!hasEmbedded(env)) throw new StartError(`There is no database in ${env.DATA_DIR}.`);
    if (isUndo) {
      const undone = await undo(env);
      if (undone === null) throw new StartError('There is no older database to go back to.');
      const { from, to, newer } = undone;
      return {
        text: `The database of PostgreSQL ${to} is back: start the release of Marshal that used it. That of ${from} is in ${newer}.`,
        data: undone,
      };
    }
    const upgraded = await upgrade(env);
    if (upgraded === null) return { text: 'The database is up to date: there is nothing to do.', data: null };
    const { from, to, old } = upgraded;
    return {
      text: `The database went from PostgreSQL ${from} to ${to}: start Marshal. The old files are in ${old}; delete them when all is well, or go back by adding --undo.`,
      data: upgraded,
    };
  },
};
