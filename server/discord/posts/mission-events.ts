/** Scheduled events for missions, in the Discord servers that allow them. */
import type { APIGuildScheduledEvent } from 'discord-api-types/v10';
import { GuildScheduledEventStatus, Routes } from 'discord-api-types/v10';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { type EventBody, isEventOf, missionEvent } from '#server/discord/rules/mission-event.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { isWithout, type Post, publicUrlOf, queuePost, queueStanding } from './posts.ts';
import { isForGuild, loadPublicMission, type PublicMission } from './mission-facts.ts';
import { DiscordProblem, type DiscordClient } from '#server/discord/discord-client.ts';
import { hashShown } from './content-hash.ts';

const MISSING_PERMISSIONS = 50013;
const UNKNOWN_EVENT = 10070;

/** The row's new values after sending. */
interface SentEvent {
  /** id of the scheduled event; null if there no longer is one */
  messageId: string | null;
  /** hash of its content */
  shown: string | null;
  /** somebody has deleted it or Marshal has cancelled it, and it is not created again */
  isRemoved?: boolean;
}

const REMOVED: SentEvent = { messageId: null, shown: null, isRemoved: true };

/** Servers that should show a mission and have no row for it, or one that failed for a permission they have granted since. */
async function findGuildsWithout(tx: Em, missionId: string): Promise<string[]> {
  const rows = await db(tx)
    .selectFrom('guild as g')
    .select('g.id')
    .where('g.status', '=', 'active')
    .where(isAcceptedGuild)
    .where('g.can_create_events', '=', true)
    .where('g.has_mission_events', '=', true)
    .where(isWithout('event', missionId))
    .orderBy('g.id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Queue creating, changing or cancelling a mission's event in every server. Writes only outbox rows, in the caller's
 * transaction; safe to run twice and late.
 */
export async function queueMissionEvents(tx: Em, mission: PublicMission, publicUrl: string, now: Date): Promise<void> {
  const { id } = mission;
  if (mission.status === 'draft') return;
  await queueStanding(tx, 'event', id);
  if (!isAhead(mission, now)) return;
  for (const guildId of await findGuildsWithout(tx, id)) {
    if (!isForGuild(mission, guildId)) continue;
    const where = { guildId, channelId: null, discordUserId: null, subjectId: id };
    await queuePost(tx, { kind: 'event', dedupeKey: `event:${guildId}:${id}`, ...where, payload: { publicUrl } }, now);
  }
}

const isAhead = ({ status, startMs }: PublicMission, now: Date) => status === 'scheduled' && startMs > now.getTime();

async function canCreate(em: Em, guildId: string): Promise<boolean> {
  const guild = await db(em)
    .selectFrom('guild as g')
    .select('g.id')
    .where('g.id', '=', guildId)
    .where(isAcceptedGuild)
    .where('g.can_create_events', '=', true)
    .where('g.has_mission_events', '=', true)
    .executeTakeFirst();
  return guild !== undefined;
}

/** Finds an event that an earlier attempt may have created, other than the known one. */
async function findSentEvent(
  discord: DiscordClient,
  guildId: string,
  missionId: string,
  known: string | null = null,
): Promise<APIGuildScheduledEvent | null> {
  const events = await discord.get<APIGuildScheduledEvent[]>(Routes.guildScheduledEvents(guildId));
  const isSent = ({ id, entity_metadata: place }: APIGuildScheduledEvent) =>
    id !== known && isEventOf(missionId, place?.location);
  return events.find(isSent) ?? null;
}

/** Cancels an event that has not started; one that somebody has started can only be deleted. */
async function callOff(discord: DiscordClient, guildId: string, eventId: string): Promise<void> {
  const route = Routes.guildScheduledEvent(guildId, eventId);
  const event = await discord.get<APIGuildScheduledEvent>(route);
  if (event.status === GuildScheduledEventStatus.Scheduled) {
    await discord.patch(route, { status: GuildScheduledEventStatus.Canceled });
  } else if (event.status === GuildScheduledEventStatus.Active) await discord.delete(route);
}

/** Creates the event, or adopts the one that an earlier attempt has created. */
async function begin(
  em: Em,
  discord: DiscordClient,
  row: Post & { guildId: string },
  mission: PublicMission,
  now: Date,
): Promise<SentEvent | null> {
  const { guildId } = row;
  const body = missionEvent(mission, publicUrlOf(row), textsFor(row.locale));
  const found = row.firstTriedMs !== null ? await findSentEvent(discord, guildId, mission.id) : null;
  const isWanted = isAhead(mission, now) && isForGuild(mission, guildId);
  if (!found && !(isWanted && (await canCreate(em, guildId)))) return null;
  const { id } = found ?? (await discord.post<APIGuildScheduledEvent>(Routes.guildScheduledEvents(guildId), body));
  await transact(em, (tx) => recordGuildEvent(tx, guildId, 'scheduled_event_created', body.name, null, now));
  // an adopted event may be out of date, so it is updated
  return found
    ? bring(em, discord, { ...row, messageId: id }, mission, now)
    : { messageId: id, shown: hashShown(body) };
}

/**
 * Changes an event. One that has started cannot be moved to a later time: a new one takes its place, and is created before
 * the old one ends, so that an attempt that breaks off in between leaves something to find.
 * @throws DiscordProblem if the event was deleted and none has taken its place
 */
async function change(
  discord: DiscordClient,
  { guildId, messageId }: { guildId: string; messageId: string },
  missionId: string,
  body: EventBody,
): Promise<string> {
  const route = (id: string) => Routes.guildScheduledEvent(guildId, id);
  const event = await discord.get<APIGuildScheduledEvent>(route(messageId));
  if (event.status === GuildScheduledEventStatus.Scheduled) {
    await discord.patch(route(messageId), body);
    return messageId;
  }
  const found = await findSentEvent(discord, guildId, missionId, messageId);
  if (found) await discord.patch(route(found.id), body);
  const next = found ?? (await discord.post<APIGuildScheduledEvent>(Routes.guildScheduledEvents(guildId), body));
  if (event.status === GuildScheduledEventStatus.Active) {
    await discord.patch(route(messageId), { status: GuildScheduledEventStatus.Completed });
  }
  return next.id;
}

/** Updates the event in one server. */
async function bring(
  em: Em,
  discord: DiscordClient,
  row: Post & { guildId: string },
  mission: PublicMission,
  now: Date,
): Promise<SentEvent | null> {
  const { guildId, messageId } = row;
  if (messageId === null) return begin(em, discord, row, mission, now);
  const isLeftOut = !isForGuild(mission, guildId);
  if (mission.isCancelled || isLeftOut) {
    await callOff(discord, guildId, messageId);
    // a server that is chosen again gets another event
    return mission.isCancelled ? REMOVED : { messageId: null, shown: null };
  }
  const body = missionEvent(mission, publicUrlOf(row), textsFor(row.locale));
  const shown = hashShown(body);
  // once the mission has started, Discord ends the event
  if (!isAhead(mission, now) || shown === row.shown) return { messageId, shown };
  return { messageId: await change(discord, { guildId, messageId }, mission.id, body), shown };
}

/**
 * Create, change or cancel the scheduled event of the mission `row.subjectId` in the guild `row.guildId`. If
 * `row.firstTriedMs` is set without a `messageId`, an earlier attempt may have created it.
 * @returns null if there is nothing to show and nothing was shown
 * @throws DiscordProblem, which the sender handles as for messages
 */
export async function sendMissionEvent(
  em: Em,
  discord: DiscordClient,
  row: Post,
  now: Date,
): Promise<SentEvent | null> {
  const { guildId, subjectId } = row;
  if (row.isRemoved) return REMOVED;
  const mission = guildId === null || subjectId === null ? null : await loadPublicMission(em, subjectId);
  if (guildId === null || !mission) return null;
  try {
    return await bring(em, discord, { ...row, guildId }, mission, now);
  } catch (error) {
    // somebody deleted the event in Discord on purpose, so it is not created again
    if (error instanceof DiscordProblem && error.code === UNKNOWN_EVENT) return REMOVED;
    if (error instanceof DiscordProblem && error.code === MISSING_PERMISSIONS) {
      await db(em).updateTable('guild').set({ can_create_events: false }).where('id', '=', guildId).execute();
    }
    throw error;
  }
}
