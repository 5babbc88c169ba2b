/** `marshal reset-password`: gives an account a new password and ends all access to it. */
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { readEnv } from '#server/platform/env.ts';
import { newPasswordInput } from '#shared/schemas/common.ts';
import { readOptions, type Command } from '#server/cli/command.ts';

const options = z.object({ passwordStdin: z.boolean().optional() });

/** The first line of the input. */
async function readPassword(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/);
  return readOptions(newPasswordInput, line);
}

export const resetPassword: Command = {
  name: 'reset-password',
  argument: '[email]',
  description:
    'Give an account a new password, by default the oldest admin. Ends its sessions, tokens, links and devices.',
  options: [['--password-stdin', 'read the password from the first line of the input, instead of making a random one']],
  examples: [
    'reset-password',
    'reset-password someone@example.org',
    'reset-password someone@example.org --password-stdin < password.txt',
  ],
  async run({ argument, options: given }) {
    const { passwordStdin } = readOptions(options, given);
    const chosen = passwordStdin ? await readPassword() : null;
    const { withDatabase } = await import('#server/cli/with-database.ts');
    const { setPassword } = await import('#server/accounts/operator.ts');
    const { createPasswordHasher } = await import('#server/accounts/password-hashing.ts');
    return withDatabase(readEnv(), {}, async (orm) => {
      const email = argument === '' ? null : argument;
      const signIn = await setPassword(orm.em.fork(), createPasswordHasher(), email, chosen);
      const ended = 'Every session, access token, link and notified device of this account has ended.';
      const told =
        chosen === null
          ? `New password, shown this once:\n  ${signIn.email}   ${signIn.password}\n${ended}`
          : `${signIn.email} has the new password. ${ended}`;
      return { text: told, data: chosen === null ? signIn : { email: signIn.email } };
    });
  },
};
