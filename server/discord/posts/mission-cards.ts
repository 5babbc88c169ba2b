/** The cards of missions: one message per mission and server with a missions channel, edited whenever it says something else. */
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { countRows, db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { countSides, isAcceptedGuild, isLiveHold, publicName } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { leftOutCard, type MissionCardFacts, missionCard, nextCardMs } from '#server/discord/rules/mission-card.ts';
import { enqueueMissionSync, enqueueMissionSyncAt } from '#server/signals/discord-jobs.ts';
import { DAY_MS } from '#server/time/time.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { NAMELESS } from '#shared/labels.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import {
  CHANGED,
  isWithout,
  type Post,
  publicUrlOf,
  queueAgain,
  queuePost,
  queueStanding,
  startOver,
  stateOf,
} from './posts.ts';
import { isForGuild, type PublicMission } from './mission-facts.ts';

/** @returns null for an unknown mission, a draft and a practice */
export async function loadCard(
  em: Em,
  missionId: string,
  now: Date,
): Promise<(MissionCardFacts & Pick<PublicMission, 'guildIds'>) | null> {
  const mission = await db(em)
    .selectFrom('mission as m')
    .select(({ ref, selectFrom }) => [
      'm.id',
      'm.name',
      'm.theater',
      'm.status',
      'm.notes',
      'm.guild_ids as guildIds',
      'm.secret_sides as secretSides',
      countSides('m').as('sides'),
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      selectFrom('frag_order as o')
        .select(countRows().as('standby'))
        .whereRef('o.mission_id', '=', 'm.id')
        .where('o.status', '=', 'issued')
        .where('o.rsvp', '=', 'standby')
        .$asScalar()
        .$notNull()
        .as('standby'),
      jsonArrayFrom(
        selectFrom('flight as f')
          .innerJoin('package as p', 'p.id', 'f.package_id')
          .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
          .select(['f.id', 'f.callsign', 'a.name as aircraft', 'f.role', 'f.side', 'f.size_cap as sizeCap'])
          .whereRef('f.mission_id', '=', 'm.id')
          .orderBy('p.sort_order')
          .orderBy('f.sort_order')
          .orderBy('f.id'),
      ).as('flights'),
      jsonArrayFrom(
        selectFrom('seat as s')
          .innerJoin('frag_order as o', 'o.id', 's.order_id')
          .innerJoin('app_user as u', 'u.id', 's.pilot_id')
          .select(['s.flight_id as flightId', 's.seat_index as seatIndex', 'o.rsvp', 'o.attendance'])
          .select(publicName('u', NAMELESS).as('pilot'))
          .whereRef('s.mission_id', '=', 'm.id')
          .where(isLiveHold('o', now)),
      ).as('held'),
    ])
    .where('m.id', '=', missionId)
    .where('m.status', '<>', 'draft')
    .where('m.is_practice', '=', false)
    .executeTakeFirst();
  if (!mission) return null;
  const { flights, held, status, ...facts } = mission;
  const heldOf = Map.groupBy(held, ({ flightId }) => flightId);
  return {
    ...facts,
    isCancelled: status === 'cancelled',
    flights: flights.map(({ id, sizeCap, ...flight }) => ({
      ...flight,
      seats: Array.from({ length: sizeCap }, (_, index) => {
        const holder = heldOf.get(id)?.find(({ seatIndex }) => seatIndex === index);
        return {
          pilot: holder?.pilot ?? null,
          isAsked: holder?.rsvp === 'pending',
          isNoShow: holder?.attendance === 'no_show',
        };
      }),
    })),
  };
}

/** The missions channels of the servers that show a mission and have no card of it yet. */
async function findChannelsWithout(tx: Em, missionId: string) {
  return db(tx)
    .selectFrom('guild as g')
    .innerJoin('guild_channel as c', 'c.id', 'g.missions_channel_id')
    .select(['g.id as guildId', 'c.id as channelId', 'g.missions_role_id as roleId'])
    .where('g.status', '=', 'active')
    .where(isAcceptedGuild)
    .where('c.is_postable', '=', true)
    .where(isWithout('card', missionId))
    .orderBy('g.id')
    .execute();
}

/**
 * Queue the cards of a mission: new ones while it is ahead, and edits. Writes only outbox rows, in the caller's transaction;
 * safe to run twice and late.
 */
export async function queueMissionCards(tx: Em, mission: PublicMission, publicUrl: string, now: Date): Promise<void> {
  const { id, status, startMs } = mission;
  if (status === 'draft') return;
  await queueStanding(tx, 'card', id);
  const facts = await loadCard(tx, id, now);
  // a day after the end its threads are archived
  const next = facts && (nextCardMs(facts, now.getTime()) ?? facts.endMs + DAY_MS);
  if (next !== null && next > now.getTime()) await enqueueMissionSyncAt(tx, id, new Date(next));
  if (!facts || status !== 'scheduled' || startMs <= now.getTime()) return;
  for (const { guildId, channelId, roleId } of await findChannelsWithout(tx, id)) {
    if (!isForGuild(mission, guildId)) continue;
    const message = { kind: 'card', guildId, channelId, discordUserId: null, subjectId: id } as const;
    await queuePost(tx, { ...message, dedupeKey: `card:${guildId}:${id}`, payload: { publicUrl, roleId } }, now);
  }
}

/** Bring the cards of the missions in which these pilots have orders up to date. */
export async function syncPilotCards(em: Em, pilotIds: readonly string[], now: Date): Promise<void> {
  const missions = await db(em)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .select('m.id')
    .distinct()
    .where(isOneOf('o.pilot_id', pilotIds))
    .where('m.ends_at', '>', new Date(now.getTime() - DAY_MS))
    .where('m.is_practice', '=', false)
    .orderBy('m.id')
    .execute();
  for (const { id } of missions) {
    await transact(em, async (tx) => {
      await queueStanding(tx, 'card', id);
      await queueStanding(tx, 'thread', id);
    });
  }
}

/** The current content of a card; null for a mission that is a draft again or no longer exists. */
export async function composeCard(em: Em, row: Post, now: Date): Promise<DiscordMessage | null> {
  const facts = row.subjectId === null ? null : await loadCard(em, row.subjectId, now);
  if (!facts) return null;
  const isLeftOut = row.guildId !== null && !isForGuild(facts, row.guildId);
  if (row.messageId === null && (facts.isCancelled || isLeftOut)) return null;
  if (isLeftOut) return leftOutCard(facts, textsFor(row.locale));
  const { roleId } = row.payload;
  return missionCard(
    facts,
    { publicUrl: publicUrlOf(row), roleId: typeof roleId === 'string' ? roleId : null },
    now.getTime(),
    textsFor(row.locale),
  );
}

/**
 * Note that a card is gone, with its channel or from one that was set again: the missions channel gets another one. A thread in
 * a channel that is gone is gone, too.
 */
export async function loseCard(
  tx: Em,
  row: Pick<Post, 'id' | 'subjectId' | 'guildId'>,
  isChannelGone: boolean,
): Promise<void> {
  await startOver(tx, row.id);
  if (row.subjectId === null) return;
  if (isChannelGone) {
    const threads = await db(tx)
      .selectFrom('discord_post')
      .select('id')
      .where('kind', '=', 'thread')
      .where('subject_id', '=', row.subjectId)
      .where('guild_id', '=', row.guildId)
      .execute();
    for (const { id } of threads) await startOver(tx, id);
  }
  await enqueueMissionSync(tx, row.subjectId);
}

/** Note that somebody deleted a card in Discord: it is not posted again, unless somebody asks for it. */
export async function removeCard(tx: Em, { id }: Pick<Post, 'id'>, now: Date): Promise<void> {
  await startOver(tx, id, { removed_at: now });
}

/** Cards of a server: all of them, those in a channel, or the one of a mission. */
export interface CardChoice {
  channelId?: string;
  missionId?: string;
}

/** The cards of a server's missions that are ahead. */
const selectCards = (tx: Em, guildId: string, { channelId, missionId }: CardChoice, now: Date) =>
  db(tx)
    .selectFrom('discord_post as o')
    .innerJoin('mission as m', (join) =>
      join.on(({ eb, ref, cast }) => eb(ref('o.subject_id'), '=', cast<string>('m.id', 'text'))),
    )
    .where('o.kind', '=', 'card')
    .where('o.guild_id', '=', guildId)
    .where('m.status', '=', 'scheduled')
    .where('m.starts_at', '>', now)
    .$if(channelId !== undefined, (select) => select.where('o.channel_id', '=', channelId ?? ''))
    .$if(missionId !== undefined, (select) => select.where('m.id', '=', missionId ?? ''));

/**
 * Ask Discord about cards that should stand, or may, by editing each: one that is gone is posted again. The bot does not see
 * messages being deleted, since it would have to receive all messages for that.
 */
export async function checkCards(tx: Em, guildId: string, choice: CardChoice, now: Date): Promise<void> {
  const cards = await selectCards(tx, guildId, choice, now)
    .select(CHANGED)
    .where((eb) => eb.or([eb('o.message_id', 'is not', null), eb(stateOf(eb), '=', 'uncertain')]))
    .orderBy('o.id')
    .forNoKeyUpdate('o')
    .execute();
  const ids = cards.map(({ id }) => id);
  await db(tx).updateTable('discord_post').set({ shown: null }).where(isOneOf('id', ids)).execute();
  await queueAgain(tx, cards);
}

/** Post cards again that somebody deleted; the caller enqueues a sync of their missions. */
export async function renewCards(tx: Em, guildId: string, choice: CardChoice, now: Date): Promise<void> {
  await db(tx)
    .updateTable('discord_post')
    .set({ removed_at: null })
    .where('id', 'in', selectCards(tx, guildId, choice, now).select('o.id').where('o.removed_at', 'is not', null))
    .execute();
  await checkCards(tx, guildId, choice, now);
}
