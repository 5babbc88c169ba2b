/** Comments on a mission: writing, editing, deleting one's own, and removing another's as an admin. */
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { lockUser } from '#server/accounts/users.ts';
import { countAttempts, perMinute } from '#server/platform/attempts.ts';
import { AppError } from '#server/platform/errors.ts';
import { onceFor, type KeyedCaller } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { isAdmin, type Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { copy } from '#shared/copy.ts';
import { THREAD } from '#shared/limits.ts';
import type { AddCommentInput, EditCommentInput, ThreadEntryDto } from '#shared/schemas/mission-thread.ts';
import { presentComment, readerOfThread, selectComments, type CommentRow } from './mission-thread.ts';
import { writableAudiences } from './rules/thread-readers.ts';

/** Every comment refreshes the open pages of all. */
const countWrite = (em: Em, { id }: Viewer) =>
  countAttempts(em, [{ ...perMinute(attemptBuckets.comment(id), THREAD.perMinute), sentence: copy.tooManyComments }]);

/** A comment that the viewer may see. Others are not found, never forbidden: ids must not leak. */
async function findComment(tx: Em, viewer: Viewer, missionId: string, id: string, now: Date): Promise<CommentRow> {
  const reader = await readerOfThread(tx, viewer, missionId, now);
  const row = await selectComments(tx, missionId, reader).where('c.id', '=', id).forUpdate('c').executeTakeFirst();
  if (!row) throw new AppError('COMMENT_NOT_FOUND');
  return row;
}

/**
 * Write a comment.
 * @throws AppError 404 for a mission that the viewer may not see, 403 for a viewer who can only read, 400 for somebody else's side
 */
export async function addComment(
  em: Em,
  viewer: Viewer,
  input: AddCommentInput,
  now: Date,
  caller: KeyedCaller,
): Promise<ThreadEntryDto> {
  await countWrite(em, viewer);
  return transact(em, (tx) =>
    onceFor(tx, caller, 'comment', input, async () => {
      await lockUser(tx, viewer.id);
      const reader = await readerOfThread(tx, viewer, input.id, now);
      const audiences = writableAudiences(reader);
      const [usual] = audiences;
      if (usual === undefined) throw new AppError('FORBIDDEN', copy.threadClosed);
      const side = input.side === undefined ? usual : input.side;
      if (!audiences.includes(side)) throw new AppError('VALIDATION', copy.commentSide, { field: 'side' });
      const ofAuthor = db(tx).selectFrom('mission_comment').where('author_id', '=', viewer.id);
      await requireRoom('comments', ofAuthor.where('mission_id', '=', input.id));
      const id = newId();
      await db(tx)
        .insertInto('mission_comment')
        .values({
          id,
          mission_id: input.id,
          side,
          author_id: viewer.id,
          text: input.text,
          created_at: now,
          edited_at: null,
          removed_at: null,
        })
        .execute();
      emit(tx, { type: 'comment.written', missionId: input.id, commentId: id });
      const row = await selectComments(tx, input.id, reader).where('c.id', '=', id).executeTakeFirstOrThrow();
      return presentComment(row, viewer.id);
    }),
  );
}

/** Edit one's own comment. 404 for any other, and for one that an admin has removed. */
export async function editComment(
  em: Em,
  viewer: Viewer,
  { id: missionId, commentId, text }: EditCommentInput,
  now: Date,
): Promise<ThreadEntryDto> {
  await countWrite(em, viewer);
  return transact(em, async (tx) => {
    const row = await findComment(tx, viewer, missionId, commentId, now);
    if (row.authorId !== viewer.id || row.text === null) throw new AppError('COMMENT_NOT_FOUND');
    if (row.text === text) return presentComment(row, viewer.id);
    await db(tx).updateTable('mission_comment').set({ text, edited_at: now }).where('id', '=', commentId).execute();
    emit(tx, { type: 'comment.edited', missionId, commentId });
    return presentComment({ ...row, text, editedMs: now.getTime() }, viewer.id);
  });
}

/**
 * Delete one's own comment, of which nothing stays; as an admin also another's, in whose place stands that an admin has removed it.
 * Removing it again does nothing.
 */
export async function removeComment(
  em: Em,
  viewer: Viewer,
  { id: missionId, commentId }: { id: string; commentId: string },
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    const row = await findComment(tx, viewer, missionId, commentId, now);
    if (row.authorId === viewer.id) {
      await db(tx).deleteFrom('mission_comment').where('id', '=', commentId).execute();
      emit(tx, { type: 'comment.deleted', missionId, commentId });
      return;
    }
    if (!isAdmin(viewer)) throw new AppError('FORBIDDEN');
    if (row.text === null) return;
    await db(tx)
      .updateTable('mission_comment')
      .set({ text: null, removed_at: now })
      .where('id', '=', commentId)
      .execute();
    const mission = await db(tx)
      .selectFrom('mission')
      .select(['id', 'name'])
      .where('id', '=', missionId)
      .executeTakeFirstOrThrow();
    const { author: pilot, authorId: userId } = row;
    emit(tx, { type: 'comment.removed', by: viewer, mission, commentId, pilot, userId });
  });
}
