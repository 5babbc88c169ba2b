/**
 * HTTP client for Discord's REST API. `@discordjs/rest` handles the rate limits; retries are up to the caller, because only
 * the caller knows if a second post would be a second message.
 */
import type { DefaultRestOptions } from '@discordjs/rest';
import type { APIUser } from 'discord-api-types/v10';
import { Routes } from 'discord-api-types/v10';
import { z } from '#shared/zod.ts';
import type { Env } from '#server/platform/env.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { inChildSpan, SpanKind } from '#server/platform/traces.ts';

/** Time limit of a call, including the response body. */
const TIMEOUT_MS = 8_000;

/**
 * Discord bans an address after 10,000 invalid requests in ten minutes. Marshal stops long before, because others may share
 * the address, and the next process that sends begins at zero. https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const INVALID_MAX = 1_000;
const INVALID_WINDOW_MS = 10 * 60_000;
/**
 * Shortest time between two changes of a mission's card or thread; any number of changes meanwhile is one edit. Five seconds
 * as Discord sees it: a call may reach it a moment after it was noted, and the next one sooner.
 */
const CARD_PAUSE_MS = 5_250;
const INVALID_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** Counts Discord's refusals that may end in a ban. */
function createInvalidCount(most: number) {
  let countedMs: number[] = [];
  return {
    add(status: number, scope: string | null): void {
      // the limit of a resource that others use, too, is not our fault
      if (INVALID_STATUSES.has(status) && scope !== 'shared') countedMs.push(Date.now());
    },
    /** how long to make no requests; 0 for none */
    pauseMs(): number {
      const since = Date.now() - INVALID_WINDOW_MS;
      countedMs = countedMs.filter((ms) => ms > since);
      return countedMs.length < most ? 0 : (countedMs.at(-most) ?? since) - since;
    },
  };
}

/** A start without a bot need not wait for it. */
const loadLibrary = () => import('@discordjs/rest');
type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Route = `/${string}`;
type RestResponse = Awaited<ReturnType<typeof DefaultRestOptions.makeRequest>>;

const waitOfBody = z.object({ retry_after: z.number() });

/**
 * Limits of edits (published announcements, messages older than an hour) are told in the body, while the header, the only
 * thing that the library reads, names the bucket's few seconds. https://github.com/discord/discord-api-docs/issues/6109
 */
async function takeWaitOfBody({ headers, json }: RestResponse): Promise<void> {
  // a ban of Cloudflare's is a page; the library reads no body of a 429
  const said = waitOfBody.safeParse(await json().catch(() => null));
  const seconds = said.success ? Math.ceil(said.data.retry_after) : 0;
  if (seconds > Number(headers.get('retry-after') ?? 0)) headers.set('retry-after', String(seconds));
}

/** A failed call to Discord. Without a status there was no response, and Discord may have done it nevertheless. */
export class DiscordProblem extends Error {
  readonly status: number | null;
  /** Discord's own error code; null for none */
  readonly code: number | null;
  /** how long Discord asks to wait; null if it does not say */
  readonly retryAfterMs: number | null;

  constructor(
    { status, code, retryAfterMs }: { status: number | null; code: number | null; retryAfterMs: number | null },
    cause: unknown,
  ) {
    super(
      status === null ? 'Discord did not answer' : `Discord answered ${status}${code === null ? '' : ` (${code})`}`,
      {
        cause,
      },
    );
    this.name = 'DiscordProblem';
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Each call makes one request, takes at most eight seconds, and throws DiscordProblem unless the response is 2xx. */
export interface DiscordClient {
  get<T>(route: Route, query?: Record<string, string>): Promise<T>;
  post<T>(route: Route, body: unknown): Promise<T>;
  patch<T>(route: Route, body: unknown): Promise<T>;
  put<T>(route: Route): Promise<T>;
  delete<T>(route: Route): Promise<T>;
  /** id of the bot's own account; requested once per process */
  ownId(): Promise<string>;
  /** shortest time between two changes of a mission's card or of its thread */
  readonly cardPauseMs: number;
}

function problemOf(error: unknown, { DiscordAPIError, HTTPError, RateLimitError }: Library): DiscordProblem {
  if (error instanceof RateLimitError) {
    const retryAfterMs = Math.max(error.retryAfter, error.timeToReset, error.sublimitTimeout, 0);
    return new DiscordProblem({ status: 429, code: null, retryAfterMs }, null);
  }
  if (error instanceof DiscordAPIError) {
    const code = typeof error.code === 'number' && error.code !== 0 ? error.code : null;
    // the library's error text may quote the request body
    return new DiscordProblem({ status: error.status, code, retryAfterMs: null }, null);
  }
  if (error instanceof HTTPError) {
    return new DiscordProblem({ status: error.status, code: null, retryAfterMs: null }, null);
  }
  return new DiscordProblem({ status: null, code: null, retryAfterMs: null }, error);
}

/** @returns null without DISCORD_TOKEN */
export async function createDiscordClient(
  env: Pick<Env, 'DISCORD_TOKEN' | 'DISCORD_API_URL'>,
  {
    invalidMax = INVALID_MAX,
    metrics,
  }: { invalidMax?: number; metrics?: Pick<Metrics, 'discordAnswers' | 'discordWaits'> } = {},
): Promise<DiscordClient | null> {
  const token = env.DISCORD_TOKEN;
  if (token === undefined) return null;
  const library = await loadLibrary();
  const invalid = createInvalidCount(invalidMax);
  const rest = new library.REST({
    api: env.DISCORD_API_URL,
    version: '10',
    retries: 0,
    timeout: TIMEOUT_MS,
    rejectOnRateLimit: () => true,
    userAgentAppendix: 'Marshal',
    async makeRequest(url, init) {
      const response = await library.DefaultRestOptions.makeRequest(url, init);
      metrics?.discordAnswers.inc({ method: init.method ?? 'GET', status: String(response.status) });
      invalid.add(response.status, response.headers.get('x-ratelimit-scope'));
      if (response.status === 429) await takeWaitOfBody(response);
      return response;
    },
  });
  const ask = async <T>(
    method: 'get' | 'post' | 'patch' | 'put' | 'delete',
    route: Route,
    options: { body?: unknown; query?: URLSearchParams },
  ): Promise<T> => {
    const pauseMs = invalid.pauseMs();
    if (pauseMs > 0) metrics?.discordWaits.inc();
    if (pauseMs > 0) throw new DiscordProblem({ status: 429, code: null, retryAfterMs: pauseMs }, null);
    try {
      // the library drops a token after it was refused once
      rest.setToken(token);
      return await inChildSpan(`Discord ${method}`, { kind: SpanKind.CLIENT }, async () => {
        return (await rest[method](route, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) })) as T;
      });
    } catch (error) {
      const problem = problemOf(error, library);
      if (problem.status === 429) metrics?.discordWaits.inc();
      else if (problem.status === null) metrics?.discordAnswers.inc({ method: method.toUpperCase(), status: 'none' });
      throw problem;
    }
  };
  let ownId: string | null = null;
  return {
    get: (route, query) => ask('get', route, query ? { query: new URLSearchParams(query) } : {}),
    post: (route, body) => ask('post', route, { body }),
    patch: (route, body) => ask('patch', route, { body }),
    put: (route) => ask('put', route, {}),
    delete: (route) => ask('delete', route, {}),
    cardPauseMs: CARD_PAUSE_MS,
    async ownId() {
      ownId ??= (await ask<APIUser>('get', Routes.user(), {})).id;
      return ownId;
    },
  };
}
