/** The first admin of a new installation, created at startup and not by registration. */
import { randomBytes } from 'node:crypto';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import type { Em } from '#server/schema/orm.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import { emailKey } from './email.ts';
import type { PasswordHasher } from './password-hashing.ts';

export const DEFAULT_ADMIN_EMAIL = 'admin@marshal.local';
const PASSWORD_BYTES = 12;

export interface SignIn {
  email: string;
  password: string;
}

/** A sign-in that was created at startup, to be printed once. */
export interface NewSignIn {
  email: string;
  /** null: the configured password, which the operator knows */
  password: string | null;
}

/** A random password that a person can type: 16 characters of base64url. */
export function randomPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}

/**
 * Create an admin if there is none: the configured one, or admin@marshal.local with a random password.
 * An account that already has the configured address becomes an admin and keeps its password.
 * @returns the sign-in to print once; null when no account was created
 */
export async function ensureFirstAdmin(
  em: Em,
  passwords: PasswordHasher,
  configured: SignIn | null,
): Promise<NewSignIn | null> {
  return transact(em, async (tx) => {
    // two processes that start on a new database must not both create an admin
    await takeLock(tx, 'firstAdmin');
    if ((await tx.count(User, { roles: { $contains: ['admin'] } })) > 0) return null;
    const signIn = configured ?? { email: DEFAULT_ADMIN_EMAIL, password: randomPassword() };
    const key = emailKey(signIn.email);
    const existing = await tx.findOne(User, { emailKey: key });
    if (existing) {
      // the operator's setting counts for more than a deletion that its owner has asked for
      const roles = existing.deletionDueAt ? (existing.rolesBeforeDeletion ?? ['user']) : existing.roles;
      existing.roles = [...new Set([...roles, 'admin' as const])];
      Object.assign(existing, { deletionDueAt: null, rolesBeforeDeletion: null });
      return null;
    }
    tx.create(User, {
      email: signIn.email,
      emailKey: key,
      passwordHash: await passwords.hash(signIn.password),
      displayName: null,
      roles: ['admin', 'user'],
    });
    return configured ? { email: signIn.email, password: null } : signIn;
  });
}
