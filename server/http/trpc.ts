/** The tRPC setup: the guards of procedures (public, signed in, pilot, self, admin), and the error format. */
import { initTRPC } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { z } from 'zod';
import { copy } from '#shared/copy.ts';
import { idInput } from '#shared/schemas/common.ts';
import type { ProcedureContext, RequestContext } from './context.ts';
import { answerableError, trpcCodeOf } from './errors.ts';
import { AppError } from '#server/platform/errors.ts';
import { isAdmin, isPilot, type Viewer } from '#server/platform/viewer.ts';

/** The guards of procedures; the policy tests are generated from them. */
export const POLICIES = ['public', 'signedIn', 'pilot', 'selfPilot', 'admin'] as const;
export type Policy = (typeof POLICIES)[number];

/** A refusal in tRPC's format; `data.refusal` and `data.httpStatus` are the code and status of REST. */
export function presentTrpcError(error: unknown, path: string | undefined) {
  const { code: refusal, status, message, issues } = answerableError(error);
  const code = trpcCodeOf(status);
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: { code, refusal, httpStatus: status, path: path ?? null, issues: issues ?? null },
  };
}

const t = initTRPC
  .context<RequestContext>()
  .meta<{ policy: Policy }>()
  .create({
    isDev: false, // never send stack traces
    errorFormatter: ({ shape, error }) => presentTrpcError(error, shape.data.path),
  });

export const { router, createCallerFactory } = t;

const policy = (name: Policy) => ({ policy: name });

const withEm = t.procedure.use(({ ctx, next }) => {
  const context: ProcedureContext = { ...ctx, em: ctx.app.orm.em.fork() };
  return next({ ctx: context });
});

function requirePilot(viewer: Viewer): void {
  if (!isPilot(viewer)) throw new AppError('SUSPENDED', copy.suspended);
}

/** Counts mutations against the write limit before any other check, because refused calls cost time too. */
const withViewer = withEm.use(({ ctx, type, next }) => {
  const { viewer } = ctx;
  if (!viewer) throw new AppError('NOT_AUTHENTICATED', copy.notAuthenticated);
  if (type === 'mutation') ctx.app.writeLimit.count(viewer.id, ctx.now);
  return next({ ctx: { ...ctx, viewer } });
});

/** The bot: the route has already checked its credential. */
export const botProcedure = withEm;

/** Anybody. */
export const publicProcedure = withEm.meta(policy('public'));

/** Anybody with a session, suspended or not: 401 otherwise. */
export const signedInProcedure = withViewer.meta(policy('signedIn'));

/** A pilot: 403 for a suspended account. */
export const pilotProcedure = withViewer.meta(policy('pilot')).use(({ ctx, next }) => {
  requirePilot(ctx.viewer);
  return next();
});

/** An admin: 403 for anybody else. */
export const adminProcedure = withViewer.meta(policy('admin')).use(({ ctx, next }) => {
  if (!isAdmin(ctx.viewer)) throw new AppError('ADMINS_ONLY', copy.adminsOnly);
  return next();
});

/** A pilot's own data, or any user's for an admin; the input has the `id`. Suspended accounts get 403 for their own data. */
export const selfPilotProcedure = withViewer
  .meta(policy('selfPilot'))
  .input(z.object({ id: idInput }))
  .use(({ ctx, input, next }) => {
    if (input.id !== ctx.viewer.id && !isAdmin(ctx.viewer)) throw new AppError('FORBIDDEN', copy.notAllowed);
    if (input.id === ctx.viewer.id) requirePilot(ctx.viewer);
    return next();
  });
