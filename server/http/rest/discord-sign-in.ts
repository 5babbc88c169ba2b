/**
 * Sign-in with Discord (OAuth): the redirect to Discord, and the callback. Both are page loads that answer with a redirect.
 * An error becomes a code in the query of the page where the visit started, which shows its sentence.
 */
import { type Request, type Response, Router } from 'express';
import type { App, RequestContext } from '#server/http/context.ts';
import { knownReturnPath } from '#server/accounts/rules/return-path.ts';
import { AppError, publicError } from '#server/platform/errors.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { countAttempt, takeOnce } from '#server/platform/attempts.ts';
import {
  createDiscordOAuth,
  DISCORD_CALLBACK_PATH,
  DiscordSignInError,
  type DiscordOAuth,
} from '#server/discord/sign-in/oauth.ts';
import { refuseToken } from '#server/accounts/fresh-session.ts';
import { findLinkedUser, linkViewer, startRegistrationFor } from '#server/discord/sign-in/sign-in.ts';
import { createVisitCookie, type PendingVisit, type VisitCookie } from '#server/discord/sign-in/visit-cookie.ts';
import { startSession } from '#server/accounts/start-session.ts';
import { DISCORD_OUTCOME_PARAM, DISCORD_OUTCOMES, type DiscordOutcome } from '#shared/discord-sign-in.ts';
import { panelPath } from '#shared/profile-sections.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import { discordVisitInput } from '#shared/schemas/discord-link.ts';
import { readCookie } from './cookies.ts';
import { parseInput } from './files.ts';

/** The part of a visit that determines the page where it started. */
type Origin = Pick<PendingVisit, 'purpose' | 'guildId' | 'from'>;

function pageOf({ purpose, guildId, from }: Origin, outcome: DiscordOutcome): string {
  const search = new URLSearchParams({ [DISCORD_OUTCOME_PARAM]: outcome });
  if (purpose === 'link') return panelPath('discord', search);
  if (purpose === 'sign-in') {
    search.set('from', from);
    return `/login?${search.toString()}`;
  }
  search.set('guild_id', guildId ?? '');
  return `/discord/registration?${search.toString()}`;
}

/** Outcomes of expected refusals; any other error is `failed`. */
const OUTCOMES: Partial<Record<RefusalCode, DiscordOutcome>> = {
  DISCORD_ACCOUNT_UNKNOWN: 'not-linked',
  DISCORD_LINKED_ELSEWHERE: 'linked-elsewhere',
  DISCORD_OTHER_LINKED: 'linked-other',
  VIEWER_CHANGED: 'other-viewer',
  NOT_GUILD_MEMBER: 'not-member',
  GUILD_NOT_FOUND: 'no-server',
  SUSPENDED: 'suspended',
  INVITE_REQUIRED: 'invite-only',
  ACCOUNT_REFUSED: 'not-allowed',
  RATE_LIMITED: 'too-many',
  SECOND_FACTOR_REQUIRED: 'second-step',
};

function outcomeOf(error: unknown): DiscordOutcome {
  if (error instanceof DiscordSignInError) return error.outcome;
  return OUTCOMES[publicError(error).code] ?? 'failed';
}

interface Ways {
  app: App;
  discord: DiscordOAuth;
  cookie: VisitCookie;
}

async function leave(
  { app, discord, cookie }: Ways,
  context: RequestContext,
  origin: Origin,
  campaignId: string | null,
) {
  await countAttempt(app.orm.em.fork(), attemptBuckets.address(context.address), app.env.AUTH_ATTEMPTS_PER_MINUTE);
  const { visit, url } = await discord.begin();
  const viewerId = origin.purpose === 'link' ? (context.viewer?.id ?? null) : null;
  const startedMs = context.now.getTime();
  return { url, setCookie: cookie.serialize({ ...visit, ...origin, campaignId, viewerId, startedMs }) };
}

/** @returns the page to redirect to */
async function arrive({ app, discord }: Ways, context: RequestContext, visit: PendingVisit, answer: URLSearchParams) {
  const { now, viewer } = context;
  const isFirst = await takeOnce(
    app.orm.em.fork(),
    attemptBuckets.discordVisit(visit.state),
    new Date(visit.startedMs),
  );
  if (!isFirst) throw new DiscordSignInError('over', 'replayed');
  const identity = await discord.identify(answer, visit);
  const em = app.orm.em.fork();
  if (visit.purpose === 'link') {
    await linkViewer(em, viewer, visit.viewerId, identity, now);
    return pageOf(visit, 'linked');
  }
  if (visit.purpose === 'sign-in') {
    await startSession(context, 'discord', async (tx) => ({ user: await findLinkedUser(tx, identity) }));
    return visit.from;
  }
  const { guildId, campaignId } = visit;
  return startRegistrationFor(em, identity, { guildId: guildId ?? '', campaignId }, app.env.PUBLIC_URL, now);
}

/**
 * Has no routes unless sign-in with Discord is configured.
 * @param contextOf creates the request's context; rejects when the database is unavailable
 * @param onError is called with every error that is not a regular end of a visit
 */
export function createDiscordSignInRouter(
  app: App,
  contextOf: (request: Request, response: Response) => Promise<RequestContext>,
  onError: (error: unknown, request: Request) => void,
): Router {
  const router = Router();
  const discord = createDiscordOAuth(app.env);
  if (!discord) return router;
  const isHttps = app.env.PUBLIC_URL.startsWith('https:');
  const cookie = createVisitCookie(app.env.DISCORD_CLIENT_SECRET ?? '', isHttps);
  const ways = { app, discord, cookie };

  function refuse(error: unknown, request: Request, response: Response, origin: Origin): void {
    const outcome = outcomeOf(error);
    if (error instanceof DiscordSignInError) {
      app.log.info({ purpose: origin.purpose, outcome, reason: error.message }, 'sign-in with Discord failed');
    } else {
      onError(error, request);
    }
    response.redirect(303, pageOf(origin, outcome));
  }

  async function start(request: Request, response: Response): Promise<void> {
    const { purpose, guildId, campaignId, from } = parseInput(discordVisitInput, request.query);
    const origin = { purpose, guildId, from: knownReturnPath(from) };
    try {
      const context = await contextOf(request, response);
      refuseToken(context.token);
      // linking starts at our own button; another site could try to link the Discord account that happens to be signed in
      const isForeign = ['cross-site', 'same-site'].includes(request.get('sec-fetch-site') ?? '');
      if (purpose === 'link' && isForeign) throw new AppError('CROSS_ORIGIN', DISCORD_OUTCOMES.failed);
      const { url, setCookie } = await leave(ways, context, origin, campaignId);
      response.append('Set-Cookie', setCookie).redirect(303, url);
    } catch (error) {
      refuse(error, request, response, origin);
    }
  }

  async function end(request: Request, response: Response): Promise<void> {
    const answer = new URL(request.originalUrl, app.env.PUBLIC_URL).searchParams;
    const visit = cookie.read(readCookie(request.headers.cookie, cookie.name), new Date());
    const isAnswer = visit !== null && answer.get('state') === visit.state;
    let origin: Origin = visit ?? { purpose: 'sign-in', guildId: null, from: knownReturnPath(null) };
    try {
      const context = await contextOf(request, response);
      refuseToken(context.token);
      if (!visit && context.viewer) origin = { ...origin, purpose: 'link' };
      // a callback of an earlier visit, or of another browser, does not end the current visit
      if (!visit || !isAnswer) throw new DiscordSignInError('over', 'unknown state');
      const next = await arrive(ways, context, visit, answer);
      response.append('Set-Cookie', cookie.blank()).redirect(303, next);
    } catch (error) {
      if (isAnswer) response.append('Set-Cookie', cookie.blank());
      refuse(error, request, response, origin);
    }
  }

  router.get('/auth/discord', (request, response) => start(request, response));
  router.get(DISCORD_CALLBACK_PATH, (request, response) => end(request, response));
  return router;
}
