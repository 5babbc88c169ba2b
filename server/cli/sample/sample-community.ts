/** The sample community, created once in a new database, and its sign-ins. */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { PasswordHasher } from '#server/accounts/password-hashing.ts';
import type { Env } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import { tryLock } from '#server/platform/transaction.queries.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { viewerOf } from '#server/platform/viewer.ts';
import { DEFAULT_ADMIN_EMAIL, randomPassword, type NewSignIn, type SignIn } from '#server/accounts/first-admin.ts';
import { emailKey } from '#server/accounts/email.ts';
import type { Role } from '#shared/vocabulary.ts';
import { createSampleGuilds } from './sample-guilds.ts';
import { SAMPLE_MISSIONS, sampleTimes } from './sample-missions.ts';
import { chooseCrew, createSampleOverrides, createSamplePilots, setSampleStatuses } from './sample-people.ts';
import { PRINTED_PILOTS, sampleEmail } from './sample-pilots.ts';
import { playSampleStory } from './sample-story.ts';

const COMMUNITY_NAME = 'Lantern Wing';
/** Not in UTC, so that times show both Zulu and local time. */
const ADMIN_PROFILE = { displayName: 'Air Boss', timeZone: 'Europe/Berlin' };

/** The parts of the app that creating the community needs. */
interface SampleParts {
  orm: MikroORM;
  env: Env;
  log: Log;
  passwords: PasswordHasher;
}

/** Sign-ins of a community that was just created; they are not stored. */
export interface SampleSignIns {
  admin: NewSignIn;
  pilots: SignIn[];
}

/** True for a new database: a single account, an admin's, and no missions or Discord servers. */
async function isNew(em: Em): Promise<boolean> {
  const row = await db(em)
    .selectFrom('app_user')
    .select(({ eb, and, not, exists, selectFrom, fn, val }) =>
      and([
        not(exists(selectFrom('mission'))),
        not(exists(selectFrom('guild'))),
        eb(fn.countAll(), '=', 1),
        fn.agg<boolean>('bool_and', [eb(val<Role>('admin'), '=', fn.any('roles'))]),
      ]).as('isNew'),
    )
    .executeTakeFirst();
  return row?.isNew === true;
}

/**
 * The admin's sign-in. A startup that was interrupted after creating the admin has not printed the password, so the
 * built-in admin gets a new one if nobody has signed in yet.
 * @returns null when somebody already knows the admin's password
 */
async function findAdminSignIn(
  tx: Em,
  app: Pick<SampleParts, 'env' | 'passwords'>,
  user: User,
): Promise<NewSignIn | null> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = app.env;
  const isConfigured =
    email !== undefined &&
    password !== undefined &&
    emailKey(email) === user.emailKey &&
    (await app.passwords.verify(password, user.passwordHash ?? null));
  if (isConfigured) return { email: user.email, password: null };
  const session = await db(tx).selectFrom('session').select('id').limit(1).executeTakeFirst();
  if (user.email !== DEFAULT_ADMIN_EMAIL || session) return null;
  const fresh = { email: user.email, password: randomPassword() };
  user.passwordHash = await app.passwords.hash(fresh.password);
  return fresh;
}

/**
 * Fill a new database with the sample community, all or nothing: if it is interrupted, the next startup does it again.
 * @param admin the sign-in that this startup has created; null when the admin existed before
 * @param now the community's present, with missions before and after it
 * @returns the sign-ins to print once; null when this startup created no community
 */
export async function ensureSampleCommunity(
  app: SampleParts,
  admin: NewSignIn | null,
  now: Date,
): Promise<SampleSignIns | null> {
  const em = app.orm.em.fork();
  if (!(await isNew(em))) return null;
  const password = randomPassword();
  // one hash for all pilots, since hashing is slow on purpose and they share the password anyway
  const passwordHash = await app.passwords.hash(password);
  const began = performance.now();
  const signIn = await transact(em, async (tx) => {
    // two processes that start on one new database must not both make a community
    if (!(await tryLock(tx, 'sample')) || !(await isNew(tx))) return null;
    const user = await tx.findOneOrFail(User, { roles: { $contains: ['admin'] } });
    const adminSignIn = admin ?? (await findAdminSignIn(tx, app, user));
    if (!adminSignIn) return null;
    app.log.info('creating the sample community');
    // an admin with a call sign has filled in a profile, which stays
    if (!user.displayName) Object.assign(user, ADMIN_PROFILE);
    await fill(tx, user, passwordHash, now);
    return adminSignIn;
  });
  if (!signIn) return null;
  app.log.info({ ms: Math.round(performance.now() - began) }, 'sample community created');
  return { admin: signIn, pilots: PRINTED_PILOTS.map((mailbox) => ({ email: sampleEmail(mailbox), password })) };
}

async function fill(tx: Em, admin: User, passwordHash: string, now: Date): Promise<void> {
  const community = { id: 1, name: COMMUNITY_NAME, registration: 'open', updated_at: now } as const;
  await db(tx).insertInto('community').values(community).execute();
  const pilots = await createSamplePilots(tx, passwordHash, now);
  await createSampleGuilds(tx, pilots, now);
  const inTheAir = SAMPLE_MISSIONS.find(({ when }) => when === 'now');
  const times = inTheAir && sampleTimes(inTheAir, now.getTime());
  const codes = inTheAir?.slots.map(([code]) => code) ?? [];
  const crew = times ? chooseCrew(times.startMs, codes) : [];
  if (times) await createSampleOverrides(tx, pilots, crew, times, now);
  await playSampleStory(tx, { admin: viewerOf(admin), pilots, crew }, now);
  await setSampleStatuses(tx, pilots, crew, now);
}
