/** The first admin of a new installation; never "the first to register". */
import { randomBytes } from 'node:crypto';
import { query, sql } from '#server/db/query.ts';
import { transact } from '#server/db/transaction.ts';
import { User } from '#server/db/user.ts';
import type { Em } from '#server/db/orm.ts';
import { emailKey } from './email.ts';
import type { PasswordHasher } from './passwords.ts';

export const DEFAULT_ADMIN_EMAIL = 'admin@marshal.local';
const PASSWORD_BYTES = 12;
/** Two processes that start on one new database must not both make an admin. */
const FIRST_ADMIN_LOCK = 7_311_907;

export interface SignIn {
  email: string;
  password: string;
}

/** A password a person can type: 16 characters of base64url. */
export function randomPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}

/**
 * Make an admin when there is none: the configured one, or admin@marshal.local with a random password.
 * An account that already has the configured address is made admin and keeps its password.
 * @returns the sign-in to print once; null when there was nothing to do
 */
export async function ensureFirstAdmin(
  em: Em,
  passwords: PasswordHasher,
  configured: SignIn | null,
): Promise<SignIn | null> {
  return transact(em, async (tx) => {
    await query(tx, sql`select pg_advisory_xact_lock(${sql.lit(FIRST_ADMIN_LOCK)})`);
    if ((await tx.count(User, { roles: { $contains: ['admin'] } })) > 0) return null;
    const signIn = configured ?? { email: DEFAULT_ADMIN_EMAIL, password: randomPassword() };
    const key = emailKey(signIn.email);
    const existing = await tx.findOne(User, { emailKey: key });
    if (existing) {
      existing.roles = [...new Set([...existing.roles, 'admin' as const])];
      return null;
    }
    tx.create(User, {
      email: signIn.email,
      emailKey: key,
      passwordHash: await passwords.hash(signIn.password),
      displayName: null,
      roles: ['admin', 'user'],
    });
    return signIn;
  });
}
