/** Messages of admins to all pilots who want community news, by Discord and by notifications. */
import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import { countRows, db, ms, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { newId } from '#server/schema/base.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { communityNews } from '#server/discord/rules/news-text.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { takeNamedLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { wantsNews } from '#server/orders/seats/news-audience.ts';
import { emit } from '#server/signals/emit.ts';
import { queueMessagePushes } from '#server/signals/pushes.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { OWNED_MAX } from '#shared/limits.ts';
import { shorten } from '#shared/order-changes.ts';
import type { CommunityMessageInput, CommunityMessagesDto } from '#shared/schemas/community.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { type Post, publicUrlOf, queuePost } from './posts.ts';
import { isReachable } from '#server/schema/reachability.ts';

const LISTED = 10;

type Aliases = { u: Database['app_user']; d: Database['discord_account'] };
const { and, eb, exists, selectFrom, or } = expressionBuilder<Database & Aliases, keyof Aliases>();

/** True for a linked account `d` that takes direct messages. */
const takesMessages = and([eb('d.wants_orders', '=', true), isReachable]);
const hasDevice = exists(selectFrom('push_subscription as s').whereRef('s.user_id', '=', 'u.id'));

/** How many pilots a message reaches. @param isDiscordOn false where the server has no bot */
async function countRecipients(em: Em, isDiscordOn: boolean) {
  return db(em)
    .selectFrom('app_user as u')
    .leftJoin('discord_account as d', 'd.user_id', 'u.id')
    .select(({ fn, lit, cast }) => {
      const countOf = (those: Expression<SqlBool>) => cast<number>(fn.countAll().filterWhere(those), 'integer');
      const byDiscord = and([lit(isDiscordOn), eb('d.user_id', 'is not', null), takesMessages]);
      return [
        countOf(or([byDiscord, hasDevice])).as('recipients'),
        countOf(byDiscord).as('byDiscord'),
        countOf(hasDevice).as('byPush'),
      ];
    })
    .where(wantsNews)
    .executeTakeFirstOrThrow();
}

const ofToday = (em: Em, now: Date) =>
  db(em)
    .selectFrom('community_message')
    .where('created_at', '>', new Date(now.getTime() - DAY_MS));

/** The number of pilots that a message would reach, of messages that may still be sent today, and the last ones. */
export async function readCommunityMessages(em: Em, isDiscordOn: boolean, now: Date): Promise<CommunityMessagesDto> {
  const counts = await countRecipients(em, isDiscordOn);
  const { count } = await ofToday(em, now).select(countRows().as('count')).executeTakeFirstOrThrow();
  const rows = await db(em)
    .selectFrom('community_message as m')
    .leftJoin('app_user as u', 'u.id', 'm.created_by_id')
    .select(({ ref }) => [
      'm.id',
      'm.text',
      'm.recipients',
      nameForAdmins('u').$castTo<string | null>().as('sentBy'),
      ms(ref('m.created_at')).as('sentMs'),
    ])
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(LISTED)
    .execute();
  return {
    ...counts,
    left: Math.max(0, OWNED_MAX.communityMessages - count),
    messages: rows.map(({ sentMs, ...message }) => ({ ...message, sentAt: toIso(sentMs) })),
  };
}

/**
 * Send a message to all pilots who want community news. Repeating an Idempotency-Key sends nothing more.
 * @throws AppError 409 beyond three within 24 hours
 */
export async function sendCommunityMessage(
  em: Em,
  viewer: Viewer,
  input: CommunityMessageInput,
  caller: KeyedCaller,
  isDiscordOn: boolean,
): Promise<CommunityMessagesDto> {
  const { now } = caller;
  await transact(em, (tx) =>
    onceFor(tx, caller, 'community-message', input, async () => {
      await takeNamedLock(tx, 'community-message');
      await requireRoom('communityMessages', ofToday(tx, now));
      const id = newId();
      const { recipients } = await countRecipients(tx, isDiscordOn);
      await db(tx)
        .insertInto('community_message')
        .values({ id, text: input.text, recipients, created_by_id: viewer.id, created_at: now })
        .execute();
      emit(tx, { type: 'community.messaged', by: viewer, messageId: id, text: shorten(input.text), recipients });
      return id;
    }),
  );
  return readCommunityMessages(em.fork(), isDiscordOn, now);
}

/** The linked pilots who get messages, with the message. */
const selectReaders = (em: Em, messageId: string) =>
  db(em)
    .selectFrom(['community_message as m', 'app_user as u'])
    .innerJoin('discord_account as d', 'd.user_id', 'u.id')
    .where('m.id', '=', messageId)
    .where(wantsNews)
    .where(takesMessages);

/** Queue a message for every pilot who wants it, once however often it runs. @param publicUrl null without a bot */
export async function queueCommunityMessage(
  em: Em,
  messageId: string,
  publicUrl: string | null,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    await queueMessagePushes(tx, messageId, now);
    if (publicUrl === null) return;
    const readers = await selectReaders(tx, messageId)
      .select('d.discord_user_id as discordUserId')
      .where(({ not }) =>
        not(
          exists(
            selectFrom('discord_post as o')
              .where('o.kind', '=', 'community')
              .where('o.subject_id', '=', messageId)
              .whereRef('o.discord_user_id', '=', 'd.discord_user_id'),
          ),
        ),
      )
      .orderBy('d.discord_user_id')
      .execute();
    for (const { discordUserId } of readers) {
      const to = { guildId: null, channelId: null, discordUserId, subjectId: messageId };
      const dedupeKey = `community:${messageId}:${discordUserId}`;
      await queuePost(tx, { kind: 'community', dedupeKey, ...to, payload: { publicUrl } }, now);
    }
  });
}

/** The content; null for a pilot who no longer wants it. */
export async function composeCommunityMessage(em: Em, row: Post): Promise<DiscordMessage | null> {
  const message =
    row.subjectId === null
      ? undefined
      : await selectReaders(em, row.subjectId)
          .select(({ selectFrom: select }) => ['m.text', select('community').select('name').as('community')])
          .where('d.discord_user_id', '=', row.discordUserId)
          .executeTakeFirst();
  return message ? communityNews(message, publicUrlOf(row), row.id, textsFor(row.locale)) : null;
}
