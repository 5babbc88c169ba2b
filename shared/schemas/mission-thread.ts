/** Schemas of a mission's thread: the comments of its pilots and admins, and what changed, in line. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { THREAD } from '#shared/limits.ts';
import { idInput, isoInstant, rowId, safeText, side, wholeNumber } from './common.ts';

const missionId = idInput.meta({ description: 'Id of the mission.' });
const commentId = idInput.meta({ description: 'Id of the comment.' });

export const threadInput = z.object({
  id: missionId,
  cursor: idInput.optional().meta({ description: '`earlier` of the page before, for the entries before its own.' }),
  pageSize: wholeNumber(1, THREAD.pageMax, copy.threadPageRange)
    .default(THREAD.pageSize)
    .meta({ description: 'Entries per page.' }),
});
export type ThreadInput = z.infer<typeof threadInput>;

/** What a pilot types. */
const commentText = safeText(THREAD.commentLength, {
  missing: copy.commentEmpty,
  tooLong: copy.commentTooLong,
  multiline: true,
})
  .refine((text) => text !== '', copy.commentEmpty)
  .meta({ description: 'The comment, in Markdown.', examples: ['Tanker track moved **north**.'] });

export const addCommentInput = z
  .object({
    id: missionId,
    text: commentText,
    side: side.nullable().optional().meta({
      description: 'Who reads it: a side, or null for all; one of `audiences` of the thread. By default its first.',
    }),
  })
  .meta({ id: 'AddComment', description: 'A comment to write.' });
export type AddCommentInput = z.infer<typeof addCommentInput>;

export const editCommentInput = z
  .object({ id: missionId, commentId, text: commentText })
  .meta({ id: 'EditComment', description: 'A new text of a comment.' });
export type EditCommentInput = z.infer<typeof editCommentInput>;

export const commentInput = z.object({ id: missionId, commentId });

const THREAD_ENTRIES = ['comment', 'change'] as const;

export const threadEntry = z
  .object({
    id: rowId.meta({ description: 'Id of the entry.' }),
    kind: z.enum(THREAD_ENTRIES).meta({ description: 'A comment, or what an admin has changed about the mission.' }),
    at: isoInstant.meta({ description: 'When it was written, or happened.' }),
    side: side.nullable().meta({ description: 'The side that reads it; null for all.' }),
    author: z
      .string()
      .nullable()
      .meta({ description: 'Call sign of the author; null for a change.', examples: ['Afterglow'] }),
    isOwn: z.boolean().meta({ description: "True for the caller's own comment, which only the caller can edit." }),
    text: z
      .string()
      .nullable()
      .meta({
        description: 'The comment in Markdown, or the change in words; null for a comment that an admin has removed.',
        examples: ['Start: Nov 21 1900Z to Nov 21 2000Z'],
      }),
    editedAt: isoInstant.nullable().meta({ description: 'Last edit of the comment; null without one.' }),
  })
  .meta({ id: 'ThreadEntry', description: 'A comment on a mission, or a change of it.' });
export type ThreadEntryDto = z.infer<typeof threadEntry>;

export const missionThread = z
  .object({
    entries: z.array(threadEntry).meta({ description: 'Entries that the caller may see, the oldest first.' }),
    earlier: rowId.nullable().meta({ description: 'The cursor for the entries before these; null if there are none.' }),
    audiences: z.array(side.nullable()).meta({
      description: 'Whom the caller can write to: a side, or null for all. Empty for a caller who can only read.',
      examples: [[null]],
    }),
    isSecret: z.boolean().meta({ description: 'True while the sides are secret from one another.' }),
  })
  .meta({ id: 'MissionThread', description: "A page of a mission's thread." });
export type MissionThreadDto = z.infer<typeof missionThread>;
