/** The scope that a personal access token needs for a call. What a call gives access to: `server/http/access.ts`. */
import type { AccessToken } from '#server/accounts/access-tokens.ts';
import { refuseToken } from '#server/accounts/fresh-session.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy, scopeRequiredSentence } from '#shared/copy.ts';
import type { TokenScope } from '#shared/vocabulary.ts';
import type { Meta } from './trpc.ts';

function requireScope(token: AccessToken | null, scope: TokenScope): void {
  if (token && !token.scopes.includes(scope)) throw new AppError('SCOPE_REQUIRED', scopeRequiredSentence(scope));
}

export type CallType = 'query' | 'mutation' | 'subscription';

/**
 * The scope that an access token needs, from the guard and kind of a call. A token of a game server makes the calls for game
 * servers and no others. Every other token may make its owner's own reads. Public
 * writes (sign-in, registration) are for browsers. A call without a guard is refused, and so is a write that does not say what
 * it gives access to.
 * @param isForAnother the data are another user's, which only admins may use
 */
export function checkToken(
  token: AccessToken | null,
  { policy: name, access, isForServers }: Meta = {},
  type: CallType,
  isForAnother = false,
): void {
  const isWrite = type !== 'query';
  if (token?.scopes.includes('server')) {
    if (!isForServers) throw new AppError('SCOPE_REQUIRED', copy.tokenOfServer);
    return;
  }
  if (name === undefined || (isWrite && (name === 'public' || access === undefined))) refuseToken(token);
  else if (access === 'session' || access === 'fresh') refuseToken(token);
  // an admin's token of the scope admin reads whatever admins read
  else if (isForServers && !token?.scopes.includes('admin')) requireScope(token, 'server');
  else if (name === 'admin' || isForAnother) requireScope(token, 'admin');
  else if (name !== 'public' && isWrite) requireScope(token, 'pilot');
}
