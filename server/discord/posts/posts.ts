/**
 * Posts in Discord: the row of each says what Marshal shows there and where. A change of a post is a delivery, which is queued in
 * the transaction of what it reports. Deliveries in one channel or to one person are sent one after the other.
 */
import { type Expression, expressionBuilder, type ExpressionBuilder, type SqlBool } from 'kysely';
import { newId } from '#server/schema/base.ts';
import { ago, db, isOneOf, json, type Database } from '#server/schema/database.ts';
import type { DeliveryState } from '#server/schema/delivery.ts';
import { KEPT_KINDS, type PostKind, type ThreadState } from '#server/schema/discord-post.ts';
import type { Em } from '#server/schema/orm.ts';
import { takeNamedLock } from '#server/platform/transaction.queries.ts';
import { queueChanges, WAITING } from '#server/signals/outbox.ts';

const KEPT_DAYS = 90;

export interface NewPost {
  kind: PostKind;
  /** identifies the post; a second request joins a delivery that waits, or updates the kept post */
  dedupeKey: string;
  guildId: string | null;
  /** null for a direct message, whose channel Discord provides */
  channelId: string | null;
  /** the recipient of a direct message, or the person that a `mention` names */
  discordUserId: string | null;
  /** the order or mission that it is about */
  subjectId: string | null;
  payload: Record<string, unknown>;
}

/** A post, as the composing functions get it. */
export interface Post extends NewPost {
  id: string;
  /** id of the message or scheduled event to edit; null if there is none yet */
  messageId: string | null;
  /** hash of the content that Discord shows; null if that is unknown */
  shown: string | null;
  /** which of the messages that replaced one another this is */
  posting: number;
  /** it was deleted in Discord, or called off, and nothing takes its place */
  isRemoved: boolean;
  /** the thread as Discord shows it; null for other kinds */
  thread: ThreadState | null;
  /** time of the first attempt to send this message; null for none */
  firstTriedMs: number | null;
  /** language of the reader's Discord client, or of the server for posts that address nobody; null if unknown */
  locale: string | null;
}

/** The site's address for links, stored with the row, so that composing needs no configuration. */
export function publicUrlOf({ payload }: Pick<Post, 'payload'>): string {
  if (typeof payload['publicUrl'] !== 'string') throw new Error('A message does not know its site');
  return payload['publicUrl'];
}

/** True if the post is a direct message. */
export function isDirect(row: Pick<Post, 'kind' | 'discordUserId'>): boolean {
  return row.kind !== 'mention' && row.discordUserId !== null;
}

/** True if there is one such post for good, which is edited when something changes. */
export const isKept = (kind: PostKind): boolean => (KEPT_KINDS as readonly PostKind[]).includes(kind);

type WithPost = Database & { o: Database['discord_post'] };

/** The state of the latest delivery of a post `o`; null once it has been deleted, some days after it was sent. */
export const stateOf = ({ selectFrom }: ExpressionBuilder<WithPost, 'o'>) =>
  selectFrom('delivery as d')
    .select('d.state')
    .whereRef('d.post_id', '=', 'o.id')
    .orderBy('d.seq', 'desc')
    .limit(1)
    .$asScalar()
    .$castTo<DeliveryState | null>();

/** True if Discord shows a post `o`, or will soon. */
export const standsOrIsSent = (eb: ExpressionBuilder<WithPost, 'o'>) =>
  eb.or([eb('o.message_id', 'is not', null), eb(stateOf(eb), '=', 'sending')]);

/**
 * True for a server `g` that has no post of this kind about a mission: none that stands, is on its way or may have been posted, and
 * none that was deleted there.
 */
export const isWithout = (kind: PostKind, missionId: string) => {
  const { exists, not, selectFrom } = expressionBuilder<Database & { g: Database['guild'] }, 'g'>();
  return not(
    exists(
      selectFrom('discord_post as o')
        .where('o.kind', '=', kind)
        .where('o.subject_id', '=', missionId)
        .whereRef('o.guild_id', '=', 'g.id')
        .where((eb) =>
          eb.or([
            eb('o.message_id', 'is not', null),
            eb('o.removed_at', 'is not', null),
            eb(stateOf(eb), 'in', ['queued', 'sending', 'uncertain']),
          ]),
        ),
    ),
  );
};

/** A post to bring up to date. */
type Changed = Pick<NewPost, 'kind' | 'subjectId' | 'dedupeKey'> & { id: string };

/**
 * Queue bringing kept posts up to date: each is edited, or posted if it has not been. Part of the caller's transaction.
 */
export async function queueAgain(tx: Em, posts: readonly Changed[]): Promise<void> {
  await queueChanges(
    tx,
    posts.map(({ id, kind, subjectId, dedupeKey }) => ({
      kind,
      postId: id,
      dedupeKey: `discord:${dedupeKey}`,
      ...(subjectId !== null && { subjectId }),
    })),
  );
}

/** The columns of a post that `queueAgain` takes. */
export const CHANGED = ['o.id', 'o.kind', 'o.subject_id as subjectId', 'o.dedupe_key as dedupeKey'] as const;

/** Columns that a post may get as it starts over. */
interface Change {
  channel_id?: string | null;
  removed_at?: Date;
}

/**
 * Start a kept post over, because its message is gone or stands elsewhere: what is sent next is another message, and the result of
 * an attempt that is under way no longer counts.
 */
export async function startOver(tx: Em, postId: string, change: Change = {}): Promise<void> {
  await db(tx)
    .updateTable('discord_post')
    .set(({ eb }) => ({
      message_id: null,
      shown: null,
      thread: null,
      removed_at: null,
      first_tried_at: null,
      posting: eb('posting', '+', 1),
      ...change,
    }))
    .where('id', '=', postId)
    .execute();
  await dropChanges(tx, isOneOf('id', [postId]), ['sending']);
}

/** Drop the deliveries in these states of the posts that meet a condition. @param why for admins */
export async function dropChanges(
  tx: Em,
  posts: Expression<SqlBool>,
  states: readonly DeliveryState[] = WAITING,
  why: string | null = null,
): Promise<void> {
  await db(tx)
    .updateTable('delivery')
    .set({ state: 'dropped', next_attempt_at: null, dedupe_key: null, error_message: why })
    .where('post_id', 'in', ({ selectFrom }) => selectFrom('discord_post').select('id').where(posts))
    .where('state', 'in', states)
    .execute();
}

/** Queue again every kept post of a kind about a subject that Discord shows or that is being sent. */
export async function queueStanding(tx: Em, kind: PostKind, subjectId: string): Promise<void> {
  const standing = await db(tx)
    .selectFrom('discord_post as o')
    .select(CHANGED)
    .where('o.kind', '=', kind)
    .where('o.subject_id', '=', subjectId)
    .where(standsOrIsSent)
    .execute();
  await queueAgain(tx, standing);
}

/** Update a kept post with the new content; for another person or channel it starts over. */
async function renew(tx: Em, post: NewPost, now: Date): Promise<string | null> {
  const { kind, dedupeKey, guildId, channelId, discordUserId, subjectId, payload } = post;
  const row = await db(tx)
    .selectFrom('discord_post')
    .select(['id', 'channel_id as channelId', 'discord_user_id as discordUserId'])
    .where('dedupe_key', '=', dedupeKey)
    .where('kind', '=', kind)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return null;
  await db(tx)
    .updateTable('discord_post')
    .set({
      payload: json(payload),
      guild_id: guildId,
      subject_id: subjectId,
      discord_user_id: discordUserId,
      removed_at: null,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .execute();
  const isElsewhere = row.discordUserId !== discordUserId || (!isDirect(post) && row.channelId !== channelId);
  if (isElsewhere) {
    await startOver(tx, row.id, { channel_id: channelId });
    // its job is in the queue of the other channel or person
    await dropChanges(tx, isOneOf('id', [row.id]));
  }
  await queueAgain(tx, [{ ...post, id: row.id }]);
  return row.id;
}

/** The post with this key whose delivery waits. */
async function findWaiting(tx: Em, dedupeKey: string): Promise<string | undefined> {
  const waiting = await db(tx)
    .selectFrom('discord_post as o')
    .innerJoin('delivery as d', 'd.post_id', 'o.id')
    .select('o.id')
    .where('o.dedupe_key', '=', dedupeKey)
    .where('d.state', 'in', WAITING)
    .executeTakeFirst();
  return waiting?.id;
}

/** True if a post with this key waits to be sent. */
export const isWaiting = async (tx: Em, dedupeKey: string): Promise<boolean> =>
  (await findWaiting(tx, dedupeKey)) !== undefined;

/**
 * Queue a post in the caller's transaction: a new row, or the existing one, and its delivery.
 * @returns the post's id
 */
export async function queuePost(tx: Em, post: NewPost, now: Date): Promise<string> {
  const { kind, dedupeKey, guildId, channelId, discordUserId, subjectId, payload } = post;
  for (;;) {
    if (!isKept(kind)) {
      await takeNamedLock(tx, `discord-post:${dedupeKey}`);
      const waiting = await findWaiting(tx, dedupeKey);
      if (waiting !== undefined) return waiting;
    }
    const made = await db(tx)
      .insertInto('discord_post')
      .values({
        id: newId(),
        kind,
        dedupe_key: dedupeKey,
        guild_id: guildId,
        channel_id: channelId,
        discord_user_id: discordUserId,
        subject_id: subjectId,
        payload: json(payload),
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) {
      await queueAgain(tx, [{ ...post, id: made.id }]);
      return made.id;
    }
    const renewed = await renew(tx, post, now);
    if (renewed !== null) return renewed;
    // between the insert and the select the row was purged: try again
  }
}

/** Delete posts that were finished long ago, except for missions that are not over: they may still be edited. */
export async function purgePosts(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('discord_post as o')
    .where('o.updated_at', '<', ago(`${KEPT_DAYS} days`))
    .where(({ and, not, exists, selectFrom }) => {
      const missions = selectFrom('mission as m').where('m.ends_at', '>', ({ fn }) => fn<Date>('now'));
      const orders = missions.innerJoin('frag_order as f', 'f.mission_id', 'm.id');
      const waiting = selectFrom('delivery as d').whereRef('d.post_id', '=', 'o.id').where('d.state', 'in', WAITING);
      return and([
        not(exists(waiting)),
        not(exists(missions.where(({ eb, ref, cast }) => eb(ref('o.subject_id'), '=', cast<string>('m.id', 'text'))))),
        not(exists(orders.where(({ eb, ref, cast }) => eb(ref('o.subject_id'), '=', cast<string>('f.id', 'text'))))),
      ]);
    })
    .execute();
}
