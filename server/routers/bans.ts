/** Admin procedures for bans. */
import { z } from 'zod';
import { addBan, banAccount, liftBan, listBans } from '#server/accounts/bans.ts';
import { adminProcedure, replicated, router } from '#server/http/trpc.ts';
import { noAccess } from '#server/http/access.ts';
import { addBanInput, ban, banAccountInput, banInput } from '#shared/schemas/bans.ts';
import { success } from '#shared/schemas/common.ts';

export const bansRouter = router({
  list: adminProcedure
    .meta(replicated)
    .output(z.array(ban))
    .query(({ ctx }) => listBans(ctx.em)),

  banAccount: adminProcedure
    .meta(noAccess)
    .input(banAccountInput)
    .output(ban)
    .mutation(({ ctx, input }) => banAccount(ctx.em, ctx.viewer, input, ctx.now)),

  add: adminProcedure
    .meta(noAccess)
    .input(addBanInput)
    .output(z.array(ban))
    .mutation(({ ctx, input }) => addBan(ctx.em, ctx.viewer, input, ctx.now)),

  lift: adminProcedure
    .meta(noAccess)
    .input(banInput)
    .output(success)
    .mutation(({ ctx, input }) => liftBan(ctx.em, ctx.viewer, input.id)),
});
