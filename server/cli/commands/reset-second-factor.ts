/** `marshal reset-second-factor`: removes the second factor of an account that has lost it. */
import { readEnv } from '#server/platform/env.ts';
import type { Command } from '#server/cli/command.ts';

export const resetSecondFactor: Command = {
  name: 'reset-second-factor',
  argument: '<email>',
  description:
    'Remove the second factor of an account that has lost it: authenticator app, passkeys, recovery codes, remembered devices.',
  options: [],
  examples: ['reset-second-factor someone@example.org'],
  async run({ argument }) {
    const { withDatabase } = await import('#server/cli/with-database.ts');
    const operator = await import('#server/accounts/operator.ts');
    return withDatabase(readEnv(), {}, async (orm) => {
      const data = await operator.removeSecondFactor(orm.em.fork(), argument);
      return { text: `${data.email} has no second factor any more, and signs in without one.`, data };
    });
  },
};
