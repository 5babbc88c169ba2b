/** Account changes by the operator of the installation, on the command line. The audit log names the command line. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import { COMMAND_LINE } from '#server/signals/rules/effects.ts';
import { copy } from '#shared/copy.ts';
import type { NewAccessTokenDto } from '#shared/schemas/tokens.ts';
import type { Role, TokenScope } from '#shared/vocabulary.ts';
import { createToken } from './access-tokens.ts';
import { refuseGuessable, replacePassword } from './accounts.ts';
import { addRole } from './admin-users.ts';
import { emailKey } from './email.ts';
import { randomPassword, type SignIn } from './first-admin.ts';
import { requireAllStaying } from './users.ts';
import { resetSecondFactor } from './second-factor/state.ts';
import type { PasswordHasher } from './password-hashing.ts';

const selectViewers = (em: Em) => db(em).selectFrom('app_user as u').select(VIEWER_COLUMNS);

/** 404 for an address that no account has; the placeholder of an erased one is none. */
async function findByEmail(em: Em, email: string): Promise<Viewer> {
  const row = await selectViewers(em)
    .where('u.email_key', '=', emailKey(email))
    .where('u.erased_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new AppError('USER_NOT_FOUND', copy.noAccountWithEmail(email));
  return toViewer(row);
}

/** The admin who has been there longest. 404 without one. */
async function findOldestAdmin(em: Em): Promise<Viewer> {
  const row = await selectViewers(em)
    .where(({ eb, val, fn }) => eb(val<Role>('admin'), '=', fn.any('u.roles')))
    .orderBy('u.created_at')
    .limit(1)
    .executeTakeFirst();
  if (!row) throw new AppError('USER_NOT_FOUND', copy.noAdminYet);
  return toViewer(row);
}

/** Makes an account an admin, and ends its suspension. */
export async function grantAdmin(em: Em, email: string): Promise<{ email: string; roles: Role[]; added: Role[] }> {
  const account = await findByEmail(em, email);
  let { roles } = account;
  for (const role of ['user', 'admin'] as const) roles = await addRole(em, COMMAND_LINE, { id: account.id, role });
  return { email: account.email, roles, added: roles.filter((role) => !account.roles.includes(role)) };
}

/**
 * Sets a password, and ends the account's sessions, tokens, links and devices. 400 for a common password.
 * @param email null: the oldest admin
 * @param password null: a random one
 */
export async function setPassword(
  em: Em,
  passwords: PasswordHasher,
  email: string | null,
  password: string | null,
): Promise<SignIn> {
  const account = email === null ? await findOldestAdmin(em) : await findByEmail(em, email);
  if (password !== null) await refuseGuessable(em, password, 'newPassword', account);
  const signIn = { email: account.email, password: password ?? randomPassword() };
  const passwordHash = await passwords.hash(signIn.password);
  await transact(em, async (tx) => {
    await replacePassword(tx, { userId: account.id, passwordHash });
    emit(tx, { type: 'password.reset', by: COMMAND_LINE, userId: account.id });
  });
  return signIn;
}

/** Removes the second factor of an account. 409 for one without. */
export async function removeSecondFactor(em: Em, email: string): Promise<{ email: string }> {
  const account = await findByEmail(em, email);
  await resetSecondFactor(em, COMMAND_LINE, account.id);
  return { email: account.email };
}

/** Makes an access token for an account, within the limits of the profile page. 409 for an account that is being deleted. */
export async function makeToken(
  em: Em,
  email: string,
  plan: { name: string; scopes: TokenScope[]; expiresAt: Date },
  now: Date,
): Promise<NewAccessTokenDto> {
  const account = await findByEmail(em, email);
  await requireAllStaying(em, [account.id]);
  return createToken(em, account, null, { ...plan, id: account.id, expiresAt: plan.expiresAt.toISOString() }, now);
}

/** The address of the oldest admin. */
export async function findAdminEmail(em: Em): Promise<string> {
  return (await findOldestAdmin(em)).email;
}
