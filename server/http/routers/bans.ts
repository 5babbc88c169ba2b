/** Admin procedures for bans. */
import { z } from 'zod';
import { addBan, banAccount, liftBan, listBans } from '#server/accounts/bans.ts';
import { adminProcedure, replicated, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { noAccess } from '#server/http/access.ts';
import { addBanInput, ban, banAccountInput, banInput } from '#shared/schemas/bans.ts';
import { success } from '#shared/schemas/common.ts';

export const bansRouter = router({
  list: adminProcedure
    .meta(
      rest('get', '/admin/bans', {
        id: 'listBans',
        tag: 'Users',
        summary: 'List bans',
        answer: 'Bans, the newest first.',
      }),
    )
    .meta(replicated)
    .output(z.array(ban))
    .query(({ ctx }) => listBans(ctx.em)),

  banAccount: adminProcedure
    .meta(
      rest('post', '/admin/users/:id/ban', {
        status: 201,
        id: 'banAccount',
        tag: 'Users',
        summary: 'Ban an account',
        description:
          'Bans its email and its Discord id, suspends it and ends all access to it. Its seats go to other pilots a moment later. The ban outlives the account. It says nothing of the person once the account is deleted.',
        answer: 'The new ban.',
        refusals: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'BANNED', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(banAccountInput)
    .output(ban)
    .mutation(({ ctx, input }) => banAccount(ctx.em, ctx.viewer, input, ctx.now)),

  add: adminProcedure
    .meta(
      rest('post', '/admin/bans', {
        status: 201,
        id: 'addBan',
        tag: 'Users',
        summary: 'Ban an email or a Discord id',
        description:
          'Nobody can register, be imported, sign in or be linked with it any more. Only a keyed hash is stored. An account that has it is banned whole, as by `banAccount`.',
        answer:
          'The new bans: one for each account that has the email or the Discord id, and one for what no account has.',
        refusals: ['OWN_ACCOUNT', 'BANNED', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(addBanInput)
    .output(z.array(ban))
    .mutation(({ ctx, input }) => addBan(ctx.em, ctx.viewer, input, ctx.now)),

  lift: adminProcedure
    .meta(
      rest('delete', '/admin/bans/:id', {
        id: 'liftBan',
        tag: 'Users',
        summary: 'Lift a ban',
        description: 'Its account stays suspended until an admin restores it.',
        refusals: ['BAN_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(banInput)
    .output(success)
    .mutation(({ ctx, input }) => liftBan(ctx.em, ctx.viewer, input.id)),
});
