/** OAuth2 client for sign-in with Discord, with PKCE: only identifies the user, and stores no token. */
import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { isSecureOrigin, type Env } from '#server/platform/env.ts';
import { snowflake } from '#shared/schemas/bot.ts';
import type { DiscordOutcome } from '#shared/discord-sign-in.ts';
import type { DiscordIdentity } from './link.ts';

/** Under /api/v1; registered with the application in Discord's portal. */
export const DISCORD_CALLBACK_PATH = '/auth/discord/callback';

/** Id and names only; the email address is not needed. */
const SCOPE = 'identify';
/** Short, because a person is waiting at an empty page. */
const TIMEOUT_MS = 5000;

const person = z.object({ id: snowflake, username: z.string().min(1).max(200) });

/** A failed sign-in with Discord; `reason` is for the log and contains no secrets. */
export class DiscordSignInError extends Error {
  readonly outcome: DiscordOutcome;

  constructor(outcome: DiscordOutcome, reason: string) {
    super(reason);
    this.name = 'DiscordSignInError';
    this.outcome = outcome;
  }
}

/** Secrets of one visit to Discord, which are needed again at its end. */
export interface DiscordVisit {
  state: string;
  verifier: string;
}

export interface DiscordOAuth {
  /** Begin a visit. @returns the address to redirect the browser to */
  begin(): Promise<{ visit: DiscordVisit; url: string }>;
  /**
   * End a visit: check the state, redeem the code, and load the user.
   * @param answer the query of the callback
   * @throws DiscordSignInError
   */
  identify(answer: URLSearchParams, visit: DiscordVisit): Promise<DiscordIdentity>;
}

type Settings = Pick<Env, 'DISCORD_API_URL' | 'DISCORD_CLIENT_ID' | 'DISCORD_CLIENT_SECRET' | 'PUBLIC_URL'>;

/** True if pilots can sign in and link with Discord. */
export function offersDiscordSignIn(env: Settings): boolean {
  return env.DISCORD_CLIENT_ID !== undefined && env.DISCORD_CLIENT_SECRET !== undefined;
}

/** The outcome for an error that the library or the network threw. */
function explain(error: unknown): DiscordSignInError {
  if (error instanceof DiscordSignInError) return error;
  if (error instanceof oauth.AuthorizationResponseError) {
    return new DiscordSignInError(error.error === 'access_denied' ? 'denied' : 'refused', error.error.slice(0, 100));
  }
  if (error instanceof oauth.ResponseBodyError) {
    if (error.status >= 500 || error.status === 429) return new DiscordSignInError('away', `status ${error.status}`);
    // `invalid_grant`: the code has been used or is older than ten minutes
    return new DiscordSignInError(error.error === 'invalid_grant' ? 'over' : 'refused', error.error.slice(0, 100));
  }
  if (error instanceof oauth.OperationProcessingError) {
    const status = error.cause instanceof Response ? error.cause.status : 200;
    return new DiscordSignInError(status >= 500 || status === 429 ? 'away' : 'failed', error.code ?? error.message);
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new DiscordSignInError('failed', `status ${error.status}`);
  // no connection, connection lost, or timeout
  return new DiscordSignInError('away', error instanceof Error ? error.name : 'unknown');
}

/** @returns null without DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET */
export function createDiscordOAuth(env: Settings): DiscordOAuth | null {
  const { DISCORD_API_URL: api, DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: secret } = env;
  if (clientId === undefined || secret === undefined) return null;
  const site = api.replace(/\/api$/, '');
  const discord: oauth.AuthorizationServer = {
    issuer: new URL(api).origin,
    authorization_endpoint: `${site}/oauth2/authorize`,
    token_endpoint: `${api}/oauth2/token`,
  };
  const client: oauth.Client = { client_id: clientId };
  const authentication = oauth.ClientSecretPost(secret);
  const redirectUri = `${env.PUBLIC_URL}/api/v1${DISCORD_CALLBACK_PATH}`;
  const options = () => ({
    signal: AbortSignal.timeout(TIMEOUT_MS),
    // Discord itself uses https; only an emulator on this machine uses plain http
    [oauth.allowInsecureRequests]: isSecureOrigin(api),
  });

  async function readPerson(accessToken: string): Promise<DiscordIdentity> {
    const url = new URL(`${api}/v10/users/@me`);
    const response = await oauth.protectedResourceRequest(accessToken, 'GET', url, undefined, null, options());
    if (!response.ok) {
      await response.body?.cancel();
      throw new DiscordSignInError(response.status < 500 ? 'failed' : 'away', `users/@me ${response.status}`);
    }
    const read = person.safeParse(await response.json());
    if (!read.success) throw new DiscordSignInError('failed', 'users/@me is not a person');
    return { discordUserId: read.data.id, username: read.data.username };
  }

  return {
    async begin() {
      const visit = { state: oauth.generateRandomState(), verifier: oauth.generateRandomCodeVerifier() };
      const search = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: visit.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(visit.verifier),
        code_challenge_method: 'S256',
      });
      return { visit, url: `${site}/oauth2/authorize?${search.toString()}` };
    },
    async identify(answer, { state, verifier }) {
      try {
        const checked = oauth.validateAuthResponse(discord, client, answer, state);
        const response = await oauth.authorizationCodeGrantRequest(
          discord,
          client,
          authentication,
          checked,
          redirectUri,
          verifier,
          options(),
        );
        const { access_token: token } = await oauth.processAuthorizationCodeResponse(discord, client, response);
        return await readPerson(token);
      } catch (error) {
        throw explain(error);
      }
    },
  };
}
