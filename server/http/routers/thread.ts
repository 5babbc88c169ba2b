/** Procedures for a mission's thread, for its pilots and for admins. */
import { addComment, editComment, removeComment } from '#server/missions/mission-comments.ts';
import { readThread } from '#server/missions/mission-thread.ts';
import { noAccess } from '#server/http/access.ts';
import { rest } from '#server/http/operation.ts';
import { heavy, keyedCaller, pilotProcedure, router } from '#server/http/trpc.ts';
import { success } from '#shared/schemas/common.ts';
import {
  addCommentInput,
  commentInput,
  editCommentInput,
  missionThread,
  threadEntry,
  threadInput,
} from '#shared/schemas/mission-thread.ts';

export const threadRouter = router({
  list: pilotProcedure
    .meta(
      rest('get', '/missions/:id/thread', {
        id: 'readThread',
        tag: 'Calendar',
        summary: "Read a mission's thread",
        description:
          'Comments, and changes of the mission. With secret sides a comment is for a side, and only its pilots and admins read it.',
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(threadInput)
    .output(missionThread)
    .query(({ ctx, input }) => readThread(ctx.em, ctx.viewer, input, ctx.now)),

  add: pilotProcedure
    .meta(
      rest('post', '/missions/:id/thread', {
        status: 201,
        id: 'addComment',
        tag: 'Calendar',
        summary: 'Comment on a mission',
        refusals: ['MISSION_NOT_FOUND', 'FORBIDDEN', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(addCommentInput)
    .output(threadEntry)
    .mutation(({ ctx, input }) => addComment(ctx.em, ctx.viewer, input, ctx.now, keyedCaller(ctx))),

  edit: pilotProcedure
    .meta(
      rest('put', '/missions/:id/thread/:commentId', {
        id: 'editComment',
        tag: 'Calendar',
        summary: "Edit one's own comment",
        refusals: ['MISSION_NOT_FOUND', 'COMMENT_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(editCommentInput)
    .output(threadEntry)
    .mutation(({ ctx, input }) => editComment(ctx.em, ctx.viewer, input, ctx.now)),

  remove: pilotProcedure
    .meta(
      rest('delete', '/missions/:id/thread/:commentId', {
        id: 'removeComment',
        tag: 'Calendar',
        summary: 'Remove a comment',
        description: "One's own is deleted. Of another's, which only admins remove, the entry stays without its text.",
        refusals: ['MISSION_NOT_FOUND', 'COMMENT_NOT_FOUND', 'FORBIDDEN'],
      }),
    )
    .meta(noAccess)
    .input(commentInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removeComment(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),
});
