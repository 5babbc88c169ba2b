/** Fresh sessions: what gives others access, or a key that lasts, needs a sign-in of the last minutes, with the second factor where one is set. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { AppError } from '#server/platform/errors.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { FRESH_SIGN_IN_MINUTES } from '#shared/limits.ts';

/** The caller of a call that can give access. */
interface Caller {
  /** of a script, which has no session */
  token: object | null;
  sessionToken: string | null;
  now: Date;
}

/**
 * Refuses a caller without a fresh session; for work that finds out from rows whether it gives access.
 * @param ofToken the sentence for an access token
 */
export type RequireFresh = (em: Em, ofToken?: string) => Promise<void>;

/** Refuses a call that needs a session. */
export function refuseToken(token: object | null, sentence: string = copy.sessionRequired): void {
  if (token) throw new AppError('SESSION_REQUIRED', sentence);
}

const findSession = (em: Em, sessionToken: string | null, now: Date) =>
  db(em)
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(({ eb }) => [
      's.is_by_device as isByDevice',
      eb('s.created_at', '>', new Date(now.getTime() - FRESH_SIGN_IN_MINUTES * MINUTE_MS)).as('isRecent'),
      eb('u.password_hash', 'is not', null).as('hasPassword'),
      eb('u.second_factor_at', 'is not', null).as('hasFactor'),
    ])
    .where('s.id', '=', hashToken(sessionToken ?? ''))
    .executeTakeFirst();

/** True for a session of the last minutes, however it was signed in to. */
export async function isRecentSession(em: Em, sessionToken: string | null, now: Date): Promise<boolean> {
  return Boolean((await findSession(em, sessionToken, now))?.isRecent);
}

/**
 * Check that the caller has signed in during the last minutes. A remembered device does not stand in for the second factor.
 * @throws AppError 403 for an access token, and for a session that is not fresh
 */
export async function requireFreshSession(
  em: Em,
  { token, sessionToken, now }: Caller,
  ofToken?: string,
): Promise<void> {
  refuseToken(token, ofToken);
  const session = await findSession(em, sessionToken, now);
  const lacksFactor = Boolean(session?.hasFactor && session.isByDevice);
  if (session?.isRecent && !lacksFactor) return;
  if (session?.hasPassword) throw new AppError('FRESH_SIGN_IN_REQUIRED', copy.confirmIdentity);
  throw new AppError('FRESH_SIGN_IN_REQUIRED', lacksFactor ? copy.freshSignInOnDevice : copy.freshSignInRequired);
}
