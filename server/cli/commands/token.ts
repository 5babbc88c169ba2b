/** `marshal token`: makes a personal access token for an account. */
import { z } from 'zod';
import { readEnv } from '#server/platform/env.ts';
import { DAY_MS } from '#server/time/time.ts';
import { TOKEN_DAYS, TOKEN_NAME_MAX_LENGTH } from '#shared/limits.ts';
import { TOKEN_SCOPES } from '#shared/vocabulary.ts';
import { readOptions, type Command } from '#server/cli/command.ts';

const SCOPES = TOKEN_SCOPES.join(', ');
const DAYS = `--days must be a whole number from 1 to ${TOKEN_DAYS.max}.`;

const options = z.object({
  name: z
    .string()
    .trim()
    .min(1, '--name must not be empty.')
    .max(TOKEN_NAME_MAX_LENGTH, `--name must have at most ${TOKEN_NAME_MAX_LENGTH} characters.`)
    .default('Command line'),
  scopes: z
    .string()
    .default('read')
    .transform((list) => list.split(',').map((scope) => scope.trim()))
    .pipe(z.array(z.enum(TOKEN_SCOPES, `--scopes must be a comma-separated list of ${SCOPES}.`))),
  days: z.coerce.number(DAYS).int(DAYS).min(1, DAYS).max(TOKEN_DAYS.max, DAYS).default(TOKEN_DAYS.initial),
});

export const token: Command = {
  name: 'token',
  argument: '<email>',
  description: 'Make an access token for scripts of an account, and print it once.',
  options: [
    ['--scopes <list>', `comma-separated: ${SCOPES} (default: read)`],
    ['--days <number>', `how long it works (default: ${TOKEN_DAYS.initial})`],
    ['--name <text>', 'what the account sees in its list of tokens (default: Command line)'],
  ],
  examples: [
    'token someone@example.org --scopes read,pilot --days 30 --name "Roster script"',
    'token someone@example.org --json',
  ],
  async run({ argument, options: given }) {
    const { name, scopes, days } = readOptions(options, given);
    const { withDatabase } = await import('#server/cli/with-database.ts');
    const { makeToken } = await import('#server/accounts/operator.ts');
    return withDatabase(readEnv(), {}, async (orm) => {
      const now = new Date();
      const plan = { name, scopes, expiresAt: new Date(now.getTime() + days * DAY_MS) };
      const data = await makeToken(orm.em.fork(), argument, plan, now);
      const until = data.expiresAt.slice(0, 10);
      return {
        text: `Access token, shown this once (${data.scopes.join(', ')}, until ${until}):\n  ${data.token}`,
        data,
      };
    });
  },
};
