/** Personal access tokens: keys for scripts that a user makes, with scopes and an expiry. Only hashes are stored. */
import type { z } from 'zod';
import { ago, db, ms } from '#server/schema/database.ts';
import { newId } from '#server/schema/base.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { DAY_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { hashToken, isAccessToken, randomAccessToken } from '#server/platform/tokens.ts';
import { isAdmin, toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';
import { copy } from '#shared/copy.ts';
import { TOKEN_DAYS } from '#shared/limits.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { AccessTokenDto, createTokenInput, NewAccessTokenDto, revokeTokenInput } from '#shared/schemas/tokens.ts';
import { ADMIN_TOKEN_SCOPES, TOKEN_SCOPES, type TokenScope } from '#shared/vocabulary.ts';
import { emit } from '#server/signals/emit.ts';
import { COMMAND_LINE } from '#server/signals/rules/effects.ts';
import type { AccessCache } from './access-cache.ts';
import { holdSession } from './sessions.ts';
import { findUser, lockUser } from './users.ts';

/** How long the time of last use may lag behind. */
const USE_NOTED_EVERY = '5 minutes';
const DEV_TOKEN = { name: 'Development', days: 1 } as const;

/** The token that a request was sent with. */
export interface AccessToken {
  id: string;
  scopes: readonly TokenScope[];
}

const findToken = named('access_token', (source, { hash }: { hash: string }) =>
  source
    .selectFrom('personal_access_token as t')
    .innerJoin('app_user as u', 'u.id', 't.user_id')
    .select(({ eb, or, ref }) => [
      't.id as tokenId',
      't.scopes',
      ms(ref('t.expires_at')).as('expiresMs'),
      or([eb('t.last_used_at', 'is', null), eb('t.last_used_at', '<', ago(USE_NOTED_EVERY))]).as('isUseNews'),
      ...VIEWER_COLUMNS,
    ])
    .where('t.token_hash', '=', hash)
    .where('t.expires_at', '>', ({ fn }) => fn<Date>('now')),
);

/**
 * The token and its owner, and note its use; null for a token that is unknown, expired or revoked.
 * @param mayRecall an answer of the last seconds will do, as for a read that is repeated anyway
 */
export async function findByToken(
  em: Em,
  secret: string,
  { cache, mayRecall }: { cache: AccessCache; mayRecall: boolean },
): Promise<{ viewer: Viewer; token: AccessToken } | null> {
  if (!isAccessToken(secret)) return null;
  const hash = hashToken(secret);
  const known = mayRecall ? cache.find(hash) : null;
  if (known?.token) return { viewer: known.viewer, token: known.token };
  const keep = cache.begin();
  const [row] = await findToken(em, { hash });
  if (!row) return null;
  const { tokenId, scopes, isUseNews, expiresMs, ...user } = row;
  if (isUseNews) {
    await db(em)
      .updateTable('personal_access_token')
      .set(({ fn }) => ({ last_used_at: fn<Date>('now') }))
      .where('id', '=', tokenId)
      .execute();
  }
  const found = { viewer: toViewer(user), token: { id: tokenId, scopes } };
  keep(hash, found, new Date(expiresMs));
  return found;
}

/** A user's tokens, the newest first. Unknown id: 404. */
export async function listTokens(em: Em, userId: string): Promise<AccessTokenDto[]> {
  await findUser(em, userId);
  const rows = await db(em)
    .selectFrom('personal_access_token as t')
    .select(({ ref }) => [
      't.id',
      't.name',
      't.scopes',
      ms(ref('t.created_at')).as('createdMs'),
      ms(ref('t.expires_at')).as('expiresMs'),
      ms(ref('t.last_used_at')).as('usedMs'),
    ])
    .where('t.user_id', '=', userId)
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .execute();
  return rows.map(({ createdMs, expiresMs, usedMs, ...row }) => ({
    ...row,
    createdAt: new Date(createdMs).toISOString(),
    expiresAt: new Date(expiresMs).toISOString(),
    lastUsedAt: usedMs === null ? null : new Date(usedMs).toISOString(),
  }));
}

interface TokenPlan {
  name: string;
  scopes: readonly TokenScope[];
  expiresAt: Date;
}

/** Store a new token, in the caller's transaction, which has locked the user. */
async function insertToken(tx: Em, userId: string, plan: TokenPlan, now: Date): Promise<NewAccessTokenDto> {
  const token = randomAccessToken();
  const id = newId();
  const scopes = TOKEN_SCOPES.filter((scope) => plan.scopes.includes(scope));
  await db(tx)
    .insertInto('personal_access_token')
    .values({
      id,
      user_id: userId,
      name: plan.name,
      token_hash: hashToken(token),
      scopes,
      created_at: now,
      expires_at: plan.expiresAt,
    })
    .execute();
  return {
    id,
    name: plan.name,
    scopes,
    createdAt: now.toISOString(),
    expiresAt: plan.expiresAt.toISOString(),
    lastUsedAt: null,
    token,
  };
}

/**
 * Make a token for the viewer. The viewer's expired tokens are deleted, so that the list stays short.
 * 403 for another account, and for the scopes admin and server without the role admin; 400 for the scope server with others, and
 * for an expiry in the past or too far ahead.
 * @param sessionToken of the session that makes it, which must still be live; null on the command line
 */
export async function createToken(
  em: Em,
  viewer: Viewer,
  sessionToken: string | null,
  input: z.infer<typeof createTokenInput>,
  now: Date,
): Promise<NewAccessTokenDto> {
  if (input.id !== viewer.id) throw new AppError('FORBIDDEN');
  if (input.scopes.some((scope) => ADMIN_TOKEN_SCOPES.includes(scope)) && !isAdmin(viewer))
    throw new AppError('ADMINS_ONLY', copy.tokenAdminScope);
  if (input.scopes.includes('server') && input.scopes.some((scope) => scope !== 'server'))
    throw new AppError('VALIDATION', copy.tokenServerAlone, { field: 'scopes' });
  const expiresAt = new Date(input.expiresAt);
  const daysLeft = (expiresAt.getTime() - now.getTime()) / DAY_MS;
  if (daysLeft <= 0 || daysLeft > TOKEN_DAYS.max)
    throw new AppError('VALIDATION', copy.tokenExpiry, { field: 'expiresAt' });
  return transact(em, async (tx) => {
    if (sessionToken === null) await lockUser(tx, viewer.id);
    else await holdSession(tx, viewer.id, sessionToken);
    const owned = db(tx).selectFrom('personal_access_token').where('user_id', '=', viewer.id);
    await db(tx)
      .deleteFrom('personal_access_token')
      .where('user_id', '=', viewer.id)
      .where('expires_at', '<=', now)
      .execute();
    await requireRoom('tokens', owned);
    const made = await insertToken(tx, viewer.id, { ...input, expiresAt }, now);
    const { name, scopes } = made;
    const by = sessionToken === null ? COMMAND_LINE : viewer;
    emit(tx, { type: 'token.created', by, userId: viewer.id, name, scopes, expiresAt: made.expiresAt });
    return made;
  });
}

/** Revoke a token, and end its event streams. 404 for a token that the user does not have. */
export async function revokeToken(
  em: Em,
  viewer: Viewer,
  { id, tokenId }: z.infer<typeof revokeTokenInput>,
): Promise<void> {
  await transact(em, async (tx) => {
    await lockUser(tx, id);
    const revoked = await db(tx)
      .deleteFrom('personal_access_token')
      .where('id', '=', tokenId)
      .where('user_id', '=', id)
      .returning('name')
      .executeTakeFirst();
    if (!revoked) throw new AppError('TOKEN_NOT_FOUND');
    emit(tx, { type: 'token.revoked', by: viewer, userId: id, name: revoked.name });
  });
}

/** Revoke all tokens of a user, and end their event streams, in the caller's transaction, which has locked the user. */
export async function endTokensOf(tx: Em, userId: string): Promise<void> {
  await db(tx).deleteFrom('personal_access_token').where('user_id', '=', userId).execute();
  emit(tx, { type: 'access.changed', userIds: [userId] });
}

/** A token for development, with every scope of the account's roles except that of a game server; it replaces the one before. */
export async function createDevToken(em: Em, { id, roles }: UserDto, now: Date): Promise<string> {
  const scopes = TOKEN_SCOPES.filter((scope) => scope !== 'server' && (scope !== 'admin' || roles.includes('admin')));
  const expiresAt = new Date(now.getTime() + DEV_TOKEN.days * DAY_MS);
  return transact(em, async (tx) => {
    await lockUser(tx, id);
    await db(tx)
      .deleteFrom('personal_access_token')
      .where('user_id', '=', id)
      .where('name', '=', DEV_TOKEN.name)
      .execute();
    return (await insertToken(tx, id, { name: DEV_TOKEN.name, scopes, expiresAt }, now)).token;
  });
}
