/** Comments of a mission's thread. */
import { defineEntity } from '@mikro-orm/core';
import { THREAD } from '#shared/limits.ts';
import type { Side } from '#shared/vocabulary.ts';
import { createdAt, id } from './base.ts';
import { freeText, p } from './columns.ts';
import { Mission } from './mission.ts';
import { own, owner, personal, shown } from './personal.ts';
import { User } from './user.ts';

export const MissionCommentSchema = defineEntity({
  name: 'MissionComment',
  properties: {
    id: id(),
    mission: () => p.manyToOne(Mission).deleteRule('cascade'),
    /** the side whose plan it belongs to; null: for all who see who flies (`server/missions/rules/thread-readers.ts`) */
    side: p.smallint().$type<Side>().nullable(),
    author: () =>
      personal(p.manyToOne(User).deleteRule('cascade').index('mission_comment_author_idx'), owner('account')),
    /** null once an admin has removed it */
    text: freeText(THREAD.commentLength, own('text')).nullable(),
    createdAt: personal(createdAt(), shown('writtenAt')),
    editedAt: personal(p.datetime().nullable(), shown('editedAt')),
    removedAt: personal(p.datetime().nullable(), shown('removedAt')),
  },
  indexes: [{ name: 'mission_comment_thread_idx', properties: ['mission', 'id'] }],
  checks: [
    { name: 'mission_comment_side_known', expression: '((side >= 0) and (side <= 1))' },
    { name: 'mission_comment_text_or_removed', expression: '((text is null) = (removed_at is not null))' },
  ],
});
export class MissionComment extends MissionCommentSchema.class {}
MissionCommentSchema.setClass(MissionComment);
