/** Posts a mission's card in one server on request, unless it is already there. */
import { db } from '#server/schema/database.ts';
import { Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { renewCards } from './mission-cards.ts';
import { isForGuild } from './mission-facts.ts';
import { enqueueMissionSync } from '#server/signals/discord-jobs.ts';

export interface CardPlace {
  channelId: string;
  /** null while the card is on its way */
  messageId: string | null;
}

/**
 * Post the card of a mission in a server, also one that somebody deleted there; one that stands is brought up to date. A
 * mission that is limited to other servers is shown in this one, too. In the caller's transaction, which has locked the mission.
 * @returns where the card is or will be; null for a server without a missions channel
 */
export async function announceCard(tx: Em, missionId: string, guildId: string, now: Date): Promise<CardPlace | null> {
  const guild = await db(tx)
    .selectFrom('guild as g')
    .select('g.missions_channel_id as channelId')
    .where('g.id', '=', guildId)
    .where('g.status', '=', 'active')
    .where(isAcceptedGuild)
    .executeTakeFirst();
  if (!guild || guild.channelId === null) return null;
  const mission = await db(tx)
    .selectFrom('mission')
    .select('guild_ids as guildIds')
    .where('id', '=', missionId)
    .executeTakeFirstOrThrow();
  if (!isForGuild(mission, guildId)) {
    const guildIds = [...(mission.guildIds ?? []), guildId].toSorted();
    await tx.nativeUpdate(Mission, { id: missionId }, { guildIds });
  }
  await renewCards(tx, guildId, { missionId }, now);
  await enqueueMissionSync(tx, missionId);
  const card = await db(tx)
    .selectFrom('discord_post')
    .select(['channel_id as channelId', 'message_id as messageId'])
    .where('kind', '=', 'card')
    .where('guild_id', '=', guildId)
    .where('subject_id', '=', missionId)
    .where('message_id', 'is not', null)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { channelId: card?.channelId ?? guild.channelId, messageId: card?.messageId ?? null };
}
