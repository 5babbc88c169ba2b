/** `marshal seed`: fills a new database with the sample community. */
import type { NewSignIn } from '#server/accounts/first-admin.ts';
import { readEnv } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import type { Command } from '#server/cli/command.ts';

const lineOf = ({ email, password }: NewSignIn) => `  ${email}   ${password ?? '(its password is unchanged)'}`;

export const seed: Command = {
  name: 'seed',
  description: 'Fill a new database with the sample community: 40 pilots and a week of missions.',
  options: [],
  examples: ['seed', 'seed --json'],
  async run() {
    const { withDatabase } = await import('#server/cli/with-database.ts');
    const { ensureFirstAdmin } = await import('#server/accounts/first-admin.ts');
    const { findAdminEmail } = await import('#server/accounts/operator.ts');
    const { createPasswordHasher } = await import('#server/accounts/password-hashing.ts');
    const { syncAircraft } = await import('#server/accounts/pilots/aircraft.ts');
    const { ensureSampleCommunity } = await import('#server/cli/sample/sample-community.ts');
    const env = readEnv();
    return withDatabase(env, { creates: true, isLong: true }, async (orm) => {
      const passwords = createPasswordHasher();
      await syncAircraft(orm.em.fork());
      const configured =
        env.ADMIN_EMAIL !== undefined && env.ADMIN_PASSWORD !== undefined
          ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }
          : null;
      const made = await ensureFirstAdmin(orm.em.fork(), passwords, configured);
      const admin = made ?? { email: await findAdminEmail(orm.em.fork()), password: null };
      const parts = { orm, env, log: createLog('silent'), passwords };
      const data = await ensureSampleCommunity(parts, admin, new Date());
      if (data === null) {
        throw new Error(
          'This database has people, missions or Discord servers: the sample community is for a new database only.',
        );
      }
      const lines = [data.admin, ...data.pilots].map(lineOf);
      return { text: ['The sample community is ready. Sign-ins, shown this once:', ...lines].join('\n'), data };
    });
  },
};
