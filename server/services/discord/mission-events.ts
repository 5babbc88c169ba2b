/** Missions as scheduled events of the Discord servers that allow it. */
import type { APIGuildScheduledEvent } from 'discord-api-types/v10';
import { GuildScheduledEventStatus, Routes } from 'discord-api-types/v10';
import type { Em } from '#server/db/orm.ts';
import { query, sql } from '#server/db/query.ts';
import { transact } from '#server/db/transaction.ts';
import { isEventOf, missionEvent } from '#server/domain/discord/mission-event.ts';
import { addGuildEvent } from '#server/services/guild-events.ts';
import { queueAgain, queueMessage, type OutboxRow } from '#server/services/outbox.ts';
import { loadPublicMission, type PublicMission } from './mission-facts.ts';
import { publicUrlOf } from './public-url.ts';
import { DiscordProblem, type DiscordRest } from './rest.ts';
import { hashShown } from './shown.ts';

const MISSING_PERMISSIONS = 50013;
const UNKNOWN_EVENT = 10070;
/** Stands in `shown` of an event that is over for good: somebody deleted it, or we called it off. */
const GONE = 'gone';

/** What the row holds afterwards. */
export interface SentEvent {
  /** the scheduled event; null when there is none any more */
  messageId: string | null;
  /** a hash of what it says */
  shown: string | null;
}

/** Servers that are to show a mission ahead and have no row for it, or one that failed for what they have allowed since. */
async function findGuildsWithout(tx: Em, missionId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select g.id from guild g where g.status = 'active' and g.can_create_events and not exists (
          select from outbox_message o where o.kind = 'event' and o.subject_id = ${missionId} and o.guild_id = g.id
            and (o.message_id is not null or o.shown is not null or o.state in ('queued', 'sending')))
        order by g.id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Have every server's event of a mission made, changed or cancelled. Only notes what is to be sent: in the transaction of
 * the caller, safe to run twice and late.
 */
export async function queueMissionEvents(tx: Em, mission: PublicMission, publicUrl: string, now: Date): Promise<void> {
  const { id, status, startMs } = mission;
  if (status === 'draft') return;
  const standing = await query<{ id: string }>(
    tx,
    sql`select id from outbox_message
        where kind = 'event' and subject_id = ${id} and (message_id is not null or state = 'sending')`,
  );
  for (const row of standing) await queueAgain(tx, row.id, now);
  if (status !== 'scheduled' || startMs <= now.getTime()) return;
  for (const guildId of await findGuildsWithout(tx, id)) {
    const where = { guildId, channelId: null, discordUserId: null, subjectId: id };
    await queueMessage(
      tx,
      { kind: 'event', dedupeKey: `event:${guildId}:${id}`, ...where, payload: { publicUrl } },
      now,
    );
  }
}

async function canCreate(em: Em, guildId: string): Promise<boolean> {
  const rows = await query(em, sql`select 1 as one from guild where id = ${guildId} and can_create_events`);
  return rows.length > 0;
}

/** An event that an earlier try may have made. */
async function lookBack(discord: DiscordRest, guildId: string, missionId: string) {
  const events = await discord.get<APIGuildScheduledEvent[]>(Routes.guildScheduledEvents(guildId));
  return events.find(({ entity_metadata: place }) => isEventOf(missionId, place?.location)) ?? null;
}

/** Called off while it is only announced; one that somebody has begun can only be taken away. */
async function callOff(discord: DiscordRest, guildId: string, eventId: string): Promise<SentEvent> {
  const route = Routes.guildScheduledEvent(guildId, eventId);
  const event = await discord.get<APIGuildScheduledEvent>(route);
  if (event.status === GuildScheduledEventStatus.Scheduled) {
    await discord.patch(route, { status: GuildScheduledEventStatus.Canceled });
  } else if (event.status === GuildScheduledEventStatus.Active) await discord.delete(route);
  return { messageId: null, shown: GONE };
}

async function create(
  em: Em,
  discord: DiscordRest,
  guildId: string,
  mission: PublicMission,
  publicUrl: string,
  now: Date,
) {
  const body = missionEvent(mission, publicUrl);
  const { id } = await discord.post<APIGuildScheduledEvent>(Routes.guildScheduledEvents(guildId), body);
  await transact(em, (tx) => addGuildEvent(tx, guildId, 'scheduled_event_created', body.name, null, now));
  return { messageId: id, shown: hashShown(body) };
}

/** What has to be done in one server so that its events are right. */
async function bring(
  em: Em,
  discord: DiscordRest,
  row: OutboxRow,
  guildId: string,
  now: Date,
): Promise<SentEvent | null> {
  const mission = row.subjectId === null ? null : await loadPublicMission(em, row.subjectId);
  if (!mission || row.shown === GONE) return row.shown === GONE ? { messageId: null, shown: GONE } : null;
  const isAhead = mission.status === 'scheduled' && mission.startMs > now.getTime();
  // of the first try the row says `now`
  const wasTried = row.firstTriedMs !== null && row.firstTriedMs < now.getTime();
  let { messageId } = row;
  if (messageId === null && wasTried) messageId = (await lookBack(discord, guildId, mission.id))?.id ?? null;
  if (messageId === null) {
    if (!isAhead || !(await canCreate(em, guildId))) return null;
    return create(em, discord, guildId, mission, publicUrlOf(row), now);
  }
  if (mission.status === 'cancelled') return callOff(discord, guildId, messageId);
  const body = missionEvent(mission, publicUrlOf(row));
  const shown = hashShown(body);
  // a mission that is under way is Discord's to end
  if (isAhead && shown !== row.shown) await discord.patch(Routes.guildScheduledEvent(guildId, messageId), body);
  return { messageId, shown };
}

/**
 * Make, change or cancel the scheduled event of the mission `row.subjectId` in the guild `row.guildId`. `row.firstTriedMs`
 * that is not null without a `messageId`: it was asked for before, and may be there.
 * @returns null when nothing is to be shown there, and nothing was
 * @throws DiscordProblem, which the sender judges as it does for messages
 */
export async function sendMissionEvent(
  em: Em,
  discord: DiscordRest,
  row: OutboxRow,
  now: Date,
): Promise<SentEvent | null> {
  const { guildId } = row;
  if (guildId === null) return null;
  try {
    return await bring(em, discord, row, guildId, now);
  } catch (error) {
    // somebody has deleted it there, and means it
    if (error instanceof DiscordProblem && error.code === UNKNOWN_EVENT) return { messageId: null, shown: GONE };
    if (error instanceof DiscordProblem && error.code === MISSING_PERMISSIONS) {
      await query(em, sql`update guild set can_create_events = false where id = ${guildId}`);
    }
    throw error;
  }
}
