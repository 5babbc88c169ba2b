/** A mission's thread: its comments, and what its admins have changed, in the order in which they came. */
import type { Em } from '#server/schema/orm.ts';
import { db, ms } from '#server/schema/database.ts';
import { publicName } from '#server/schema/predicates.ts';
import { auditWords, type AuditDetail } from '#server/board/rules/audit-text.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { toIso } from '#server/time/time.ts';
import { NAMELESS } from '#shared/labels.ts';
import type { MissionThreadDto, ThreadEntryDto, ThreadInput } from '#shared/schemas/mission-thread.ts';
import type { AuditAction, Side } from '#shared/vocabulary.ts';
import { viewSides } from './pilot-missions.ts';
import { readableAudiences, toldChanges, writableAudiences, type ThreadReader } from './rules/thread-readers.ts';

/** Audit actions that a thread shows. Seats that admins give and take are left out: they would name pilots to others. */
const TOLD: readonly AuditAction[] = ['mission_published', 'mission_edited', 'mission_cancelled'];

/** The viewer as a reader of the thread. 404 for a mission that the viewer may not see. */
export async function readerOfThread(em: Em, viewer: Viewer, missionId: string, now: Date): Promise<ThreadReader> {
  const { reader, views, isSecret } = await viewSides(em, viewer, missionId, now);
  return { isAdmin: reader.isAdmin, seatSide: reader.seatSide, views, isSecret };
}

/** Comments of a mission with their authors, the newest first: those that the reader may see. */
export function selectComments(em: Em, missionId: string, reader: ThreadReader) {
  const readable = readableAudiences(reader);
  const sides = readable.filter((side): side is Side => side !== null);
  return db(em)
    .selectFrom('mission_comment as c')
    .innerJoin('app_user as u', 'u.id', 'c.author_id')
    .select(({ ref }) => [
      'c.id',
      'c.side',
      'c.author_id as authorId',
      publicName('u', NAMELESS).as('author'),
      'c.text',
      ms(ref('c.created_at')).as('createdMs'),
      ms(ref('c.edited_at')).as('editedMs'),
    ])
    .where('c.mission_id', '=', missionId)
    .where(({ eb, or }) =>
      or([
        ...(readable.includes(null) ? [eb('c.side', 'is', null)] : []),
        ...(sides.length > 0 ? [eb('c.side', 'in', sides)] : []),
      ]),
    )
    .orderBy('c.id', 'desc');
}

export type CommentRow = Awaited<ReturnType<ReturnType<typeof selectComments>['execute']>>[number];

export const presentComment = (row: CommentRow, viewerId: string): ThreadEntryDto => ({
  id: row.id,
  kind: 'comment',
  at: toIso(row.createdMs),
  side: row.side,
  author: row.author,
  isOwn: row.authorId === viewerId,
  text: row.text,
  editedAt: row.editedMs === null ? null : toIso(row.editedMs),
});

/**
 * A comment as webhooks get it. Receivers pass events on to channels that anybody reads, so the text of a comment for one side stays
 * here. All but the id is null once the comment is deleted.
 */
export async function readCommentForWebhooks(em: Em, id: string) {
  const row = await db(em)
    .selectFrom('mission_comment as c')
    .innerJoin('app_user as u', 'u.id', 'c.author_id')
    .select(({ ref }) => [
      'c.side',
      'c.author_id as userId',
      publicName('u', NAMELESS).as('userDisplayName'),
      'c.text',
      ms(ref('c.created_at')).as('createdMs'),
    ])
    .where('c.id', '=', id)
    .executeTakeFirst();
  return {
    id,
    side: row?.side ?? null,
    userId: row?.userId ?? null,
    userDisplayName: row?.userDisplayName ?? null,
    text: row?.side === null ? row.text : null,
    writtenAt: row ? toIso(row.createdMs) : null,
  };
}

const NO_NAMES = { aircraft: () => undefined, pilot: () => undefined };
const isDetail = (value: unknown): value is AuditDetail => typeof value === 'object' && value !== null;

/** The change in words; null for an edit of which the reader is told nothing. */
function changeText(action: AuditAction, detail: unknown, reader: ThreadReader): string | null {
  if (action !== 'mission_edited') return auditWords(action, {}, NO_NAMES);
  const changes = toldChanges(isDetail(detail) ? detail['changes'] : [], reader);
  return changes.length === 0 ? null : auditWords(action, { changes }, NO_NAMES);
}

/** A page of the thread. The ids of comments and audit entries ascend with time, so both are ordered by them. */
export async function readThread(
  em: Em,
  viewer: Viewer,
  { id, cursor, pageSize }: ThreadInput,
  now: Date,
): Promise<MissionThreadDto> {
  const reader = await readerOfThread(em, viewer, id, now);
  const isReader = readableAudiences(reader).length > 0;
  const comments = !isReader
    ? []
    : await selectComments(em, id, reader)
        .$if(cursor !== undefined, (select) => select.where('c.id', '<', cursor ?? ''))
        .limit(pageSize + 1)
        .execute();
  const changes = !isReader
    ? []
    : await db(em)
        .selectFrom('audit_entry')
        .select(({ ref }) => ['id', 'action', 'detail', ms(ref('occurred_at')).as('occurredMs')])
        .where('subject_type', '=', 'mission')
        .where('subject_id', '=', id)
        .where('action', 'in', TOLD)
        .$if(cursor !== undefined, (select) => select.where('id', '<', cursor ?? ''))
        .orderBy('id', 'desc')
        .limit(pageSize + 1)
        .$castTo<{ id: string; action: AuditAction; detail: unknown; occurredMs: number }>()
        .execute();
  const entries: { id: string; entry: ThreadEntryDto | null }[] = [
    ...comments.map((row) => ({ id: row.id, entry: presentComment(row, viewer.id) })),
    ...changes.map(({ id: entryId, action, detail, occurredMs }) => {
      const text = changeText(action, detail, reader);
      const blank = { side: null, author: null, isOwn: false, editedAt: null };
      const at = toIso(occurredMs);
      return {
        id: entryId,
        entry: text === null ? null : { id: entryId, kind: 'change' as const, at, text, ...blank },
      };
    }),
  ].sort((one, other) => (one.id < other.id ? 1 : -1));
  const page = entries.slice(0, pageSize);
  return {
    entries: page.flatMap(({ entry }) => entry ?? []).toReversed(),
    earlier: entries.length > pageSize ? (page.at(-1)?.id ?? null) : null,
    audiences: isReader ? writableAudiences(reader) : [],
    isSecret: reader.isSecret,
  };
}
