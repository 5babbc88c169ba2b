/**
 * `npm run admin:password -- someone@example.org` gives an admin who has lost the password a new one and prints it; without
 * an address, the oldest admin. With the embedded database, stop Marshal first.
 */
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { connect, migrate } from '#server/schema/orm.ts';
import { readEnv } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { renewAdminPassword } from '#server/accounts/first-admin.ts';
import { createPasswordHasher } from '#server/accounts/password-hashing.ts';

try {
  const env = readEnv();
  const embedded =
    env.DATABASE_URL === undefined ? await startEmbedded({ dataDir: env.DATA_DIR, log: createLog('error') }) : null;
  try {
    const url = embedded?.url ?? env.DATABASE_URL ?? '';
    await migrate(url);
    const orm = await connect(url);
    try {
      const { email, password } = await renewAdminPassword(orm.em.fork(), createPasswordHasher(), process.argv[2]);
      console.log(
        `New password, shown this once:\n  ${email}   ${password}\nEvery session, access token, link and notified device of this account has ended.`,
      );
    } finally {
      await orm.close();
    }
  } finally {
    await embedded?.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
