/** `marshal grant-admin`: makes an account an admin. */
import { readEnv } from '#server/platform/env.ts';
import type { Command } from '#server/cli/command.ts';

export const grantAdmin: Command = {
  name: 'grant-admin',
  argument: '<email>',
  description: 'Make an existing account an admin, and end its suspension.',
  options: [],
  examples: ['grant-admin someone@example.org', 'grant-admin someone@example.org --json'],
  async run({ argument }) {
    const { withDatabase } = await import('#server/cli/with-database.ts');
    const operator = await import('#server/accounts/operator.ts');
    return withDatabase(readEnv(), {}, async (orm) => {
      const data = await operator.grantAdmin(orm.em.fork(), argument);
      const isNew = data.added.length > 0;
      return { text: isNew ? `${data.email} is an admin now.` : `${data.email} is an admin already.`, data };
    });
  },
};
