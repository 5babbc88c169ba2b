/** The tRPC setup: the guards of procedures (public, signed in, pilot, self, admin), and the error format. */
import { createHash } from 'node:crypto';
import type { Operation } from './operation.ts';
import { initTRPC } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { z } from 'zod';
import { BODY_BYTES } from '#shared/limits.ts';
import { idInput } from '#shared/schemas/common.ts';
import { noAccess, requireFreshFor, type Access } from './access.ts';
import type { RequestContext } from './context.ts';
import { answerableError, trpcCodeOf } from './errors.ts';
import { checkToken, type CallType } from './token-scope.ts';
import type { Em } from '#server/schema/orm.ts';
import { requireAllStaying } from '#server/accounts/users.ts';
import { AppError, isNotModified, NotModified } from '#server/platform/errors.ts';
import { inChildSpan } from '#server/platform/traces.ts';
import type { KeyedCaller } from '#server/platform/idempotency.ts';
import {
  asPilotOnly,
  isAdmin,
  isWaiting,
  lacksSecondFactor,
  requireAdmin,
  requirePilot,
  rolesWithin,
  type Viewer,
} from '#server/platform/viewer.ts';

/** The guards of procedures; the policy tests are generated from them. */
export const POLICIES = ['public', 'signedIn', 'pilot', 'selfPilot', 'admin'] as const;
export type Policy = (typeof POLICIES)[number];

/** A refusal in tRPC's format; `data.refusal` and `data.httpStatus` are the code and status of REST. */
export function presentTrpcError(error: unknown, path: string | undefined) {
  const { code: refusal, status, message, issues, states } = answerableError(error);
  const code = trpcCodeOf(status);
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: { code, refusal, httpStatus: status, path: path ?? null, issues: issues ?? null, states },
  };
}

/** What a procedure says of itself beside its schemas. */
export interface Meta {
  policy?: Policy;
  /** what the call gives access to; every mutation says it */
  access?: Access;
  /** the call as an operation of the REST API */
  operation?: Operation;
  /** the call runs named statements only, so it gets the process's entity manager instead of a fork, which refuses all else */
  isPolled?: true;
  /** the call may read from the replica: it writes nothing, and nothing in memory depends on what it read */
  isReplicated?: true;
  /** the call is for game servers: tokens of the scope `server` may make it, and those of the scope that its guard asks for */
  isForServers?: true;
  /** the call takes long, so an account has few of them in flight */
  isHeavy?: true;
  /** the limit of its body in bytes, where it is not that of its guard (`bodyLimitOf`) */
  bodyBytes?: number;
}

/** `.meta(polled)`: for reads that every open page repeats. */
export const polled = { isPolled: true } as const;

/** `.meta(withBody(BODY_BYTES.file))`: for writes that take more or less than others. */
export const withBody = (bodyBytes: number) => ({ bodyBytes });

/** The limit of a call's body in bytes: visitors have little to say. */
export function bodyLimitOf({ policy, bodyBytes }: Meta = {}): number {
  return bodyBytes ?? (policy === 'public' ? BODY_BYTES.visitor : BODY_BYTES.usual);
}

/** `.meta(forServers)`: for what a game server reads with a token of the scope `server`, which makes no other call. */
export const forServers = { isForServers: true } as const;

/** `.meta(heavy)`: for reads of many rows; they take turns within an account (`server/platform/read-turns.ts`). */
export const heavy = { isHeavy: true } as const;

/** `.meta(replicated)`: for lists and statistics that take the database a while. */
export const replicated = { ...heavy, isReplicated: true } as const;

const t = initTRPC
  .context<RequestContext>()
  .meta<Meta>()
  .create({
    isDev: false, // never send stack traces
    errorFormatter: ({ shape, error }) => presentTrpcError(error, shape.data.path),
  });

export const { router, createCallerFactory } = t;

const policy = (name: Policy) => ({ policy: name });

const withScope = t.middleware(({ ctx, meta, type, next }) => {
  checkToken(ctx.token, meta, type);
  return next();
});

const resultOf = (error: unknown): string => (isNotModified(error) ? 'NOT_MODIFIED' : answerableError(error).code);

/**
 * Measures every call, whichever way it came, and gives it its entity manager. There are few steps like this one, and they pass on
 * only what they change, because tRPC copies the whole context at each.
 */
const withEm = t.procedure.use(async ({ ctx, meta, path, next }) => {
  const { orm, replica, metrics, readTurns } = ctx.app;
  const on = (reader: Em) => next({ ctx: { em: reader } });
  const answer = async () => {
    // visitors are refused anyway
    if (meta?.isReplicated && replica !== null && ctx.viewer !== null) {
      const result = await replica.read(orm.em, on);
      const isAnswer =
        result?.ok || (result && (isNotModified(result.error) || answerableError(result.error).status < 500));
      if (isAnswer) {
        metrics.replicaReads.inc({ from: 'replica' });
        return result;
      }
      // it has gone, or has cancelled the read to go on replaying
      if (result) replica.rest();
      metrics.replicaReads.inc({ from: 'primary' });
    }
    return on(meta?.isPolled ? orm.em : orm.em.fork());
  };
  const end = metrics.calls.startTimer({ call: path });
  return inChildSpan(path, {}, async (span) => {
    const note = (outcome: string): void => {
      span?.setAttribute('marshal.result', outcome);
      end({ result: outcome });
    };
    try {
      const result = await (meta?.isHeavy && ctx.viewer !== null ? readTurns.run(ctx.viewer.id, answer) : answer());
      note(result.ok ? 'OK' : resultOf(result.error));
      return result;
    } catch (refusal) {
      note(resultOf(refusal));
      throw refusal;
    }
  });
});

/** The caller of a write that an Idempotency-Key makes safe to repeat. */
export function keyedCaller({ viewer, idempotencyKey, now }: RequestContext & { viewer: Viewer }): KeyedCaller {
  return { userId: viewer.id, key: idempotencyKey, now };
}

/** Counts mutations against the write limit before any other check, because refused calls cost time too. */
function requireViewer({ app, viewer, now, setLimitUse }: RequestContext, type: CallType) {
  if (!viewer) throw new AppError('NOT_AUTHENTICATED');
  const use = type === 'mutation' ? app.writeLimit.count(viewer.id, now) : null;
  if (use) setLimitUse(use);
  return viewer;
}

const TAG_LENGTH = 32;

/**
 * Give an answer an ETag, and end the call here if the caller has that version. Call it after the guard and the input.
 * @param readVersion cheaper than the answer, and different for every change of it
 */
export async function tagAnswer(
  { knownTags, setTag }: Pick<RequestContext, 'knownTags' | 'setTag'>,
  readVersion: () => Promise<string>,
): Promise<void> {
  if (knownTags === null) return;
  const tag = `W/"${await readVersion()}"`;
  setTag(tag);
  if (knownTags.includes(tag)) throw new NotModified();
}

/** Give an answer an ETag computed from its content. For answers that are as cheap as a version of them would be. */
export async function tagged<Answer>(
  context: Pick<RequestContext, 'knownTags' | 'setTag'>,
  answer: Answer,
): Promise<Answer> {
  const digest = () => createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, TAG_LENGTH);
  await tagAnswer(context, async () => digest());
  return answer;
}

/** The bot: the route has already checked its credential. */
export const botProcedure = withEm;

/** Anybody. */
export const publicProcedure = withEm.meta(policy('public')).use(withScope);

/** Anybody with a session, suspended or not: 401 otherwise. */
export const signedInProcedure = withEm.meta(policy('signedIn')).use(async ({ ctx, meta, type, getRawInput, next }) => {
  const viewer = requireViewer(ctx, type);
  checkToken(ctx.token, meta, type);
  await requireFreshFor(ctx, meta?.access, getRawInput);
  return next({ ctx: { viewer } });
});

/** A pilot: 403 for a suspended account, and for one that waits for approval. */
export const pilotProcedure = withEm.meta(policy('pilot')).use(async ({ ctx, meta, type, getRawInput, next }) => {
  const viewer = requireViewer(ctx, type);
  requirePilot(viewer);
  checkToken(ctx.token, meta, type);
  await requireFreshFor(ctx, meta?.access, getRawInput);
  const isLimited = lacksSecondFactor(viewer, ctx.app.env.REQUIRE_ADMIN_2FA);
  return next({ ctx: { viewer: isLimited ? asPilotOnly(viewer) : viewer } });
});

/** An admin: 403 for anybody else, and for an admin who has to set up a second factor first. */
export const adminProcedure = withEm.meta(policy('admin')).use(async ({ ctx, meta, type, getRawInput, next }) => {
  const viewer = requireViewer(ctx, type);
  requireAdmin(viewer, ctx.app.env.REQUIRE_ADMIN_2FA);
  checkToken(ctx.token, meta, type);
  await requireFreshFor(ctx, meta?.access, getRawInput);
  return next({ ctx: { viewer } });
});

/** The same guard as `adminProcedure`, for calls outside tRPC, which give nobody access. @param type a mutation counts against the write limit */
export function requireAdminCall(context: RequestContext, type: 'query' | 'mutation'): Viewer {
  const viewer = requireViewer(context, type);
  requireAdmin(viewer, context.app.env.REQUIRE_ADMIN_2FA);
  checkToken(context.token, { ...policy('admin'), ...noAccess }, type);
  return viewer;
}

/**
 * A pilot's own data, or any user's for an admin; the input has the `id`. Suspended accounts get 403 for their own data;
 * accounts that wait for approval may already enter it. Admins cannot change an account that is being deleted.
 */
export const selfPilotProcedure = withEm
  .meta(policy('selfPilot'))
  // before the input: a visitor learns nothing about it
  .use(({ ctx, type, next }) => next({ ctx: { viewer: requireViewer(ctx, type) } }))
  .input(z.object({ id: idInput }))
  .use(async ({ ctx, input, meta, type, getRawInput, next }) => {
    const { token } = ctx;
    const isFactorRequired = ctx.app.env.REQUIRE_ADMIN_2FA;
    const isForAnother = input.id !== ctx.viewer.id;
    if (isForAnother && !isAdmin(ctx.viewer)) throw new AppError('FORBIDDEN');
    if (isForAnother) requireAdmin(ctx.viewer, isFactorRequired);
    const viewer = lacksSecondFactor(ctx.viewer, isFactorRequired) ? asPilotOnly(ctx.viewer) : ctx.viewer;
    if (!isForAnother && !isWaiting(viewer)) requirePilot(viewer);
    checkToken(token, meta, type, isForAnother);
    await requireFreshFor(ctx, meta?.access, getRawInput);
    if (isForAnother && type === 'mutation') await requireAllStaying(ctx.em, [input.id]);
    const roles = token ? rolesWithin(viewer.roles, token.scopes) : viewer.roles;
    return next({ ctx: { viewer: { ...viewer, roles } } });
  });
