/** The threads on the cards of missions: the pilots with a seat are in them. */
import type { APIChannel, APIThreadChannel } from 'discord-api-types/v10';
import { Routes, ThreadAutoArchiveDuration } from 'discord-api-types/v10';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild, isLiveHold } from '#server/schema/predicates.ts';
import { DiscordProblem, type DiscordClient } from '#server/discord/discord-client.ts';
import { cut } from '#server/discord/rules/mission-event.ts';
import { DAY_MS } from '#server/time/time.ts';
import { isForGuild, type PublicMission } from './mission-facts.ts';
import type { SentEvent } from './mission-events.ts';
import { type OutboxRow, queueMessage, queueStanding } from './outbox.ts';

const UNKNOWN_CHANNEL = 10003;
const UNKNOWN_MESSAGE = 10008;
const THREAD_EXISTS = 160004;
const ARCHIVED_THREAD = 50083;
/** The value of `shown` for a thread that somebody deleted, and that is not started again. */
const GONE = 'gone';
/** Discord's limit on the name of a thread. */
const NAME_LENGTH = 100;

/** A thread as Discord shows it, kept in the row. */
interface Shown {
  name: string;
  /** the members that Marshal has added; others came by themselves and stay */
  members: string[];
  isArchived: boolean;
}

const readShown = (row: OutboxRow): Shown =>
  row.shown === null || row.messageId === null
    ? { name: '', members: [], isArchived: false }
    : (JSON.parse(row.shown) as Shown);

/**
 * Queue threads for the cards of a mission that have none, and bring those that stand up to date. A mission with flights on
 * both sides gets none: everybody who sees the channel reads along. Writes only outbox rows; safe to run twice and late.
 */
export async function queueMissionThreads(tx: Em, mission: PublicMission, now: Date): Promise<void> {
  const { id, status, endMs } = mission;
  await queueStanding(tx, 'thread', id, now);
  if (status !== 'scheduled' || endMs <= now.getTime()) return;
  const sides = await db(tx).selectFrom('flight').select('side').distinct().where('mission_id', '=', id).execute();
  if (sides.length !== 1) return;
  const cards = await db(tx)
    .selectFrom('outbox_message as c')
    .innerJoin('guild as g', 'g.id', 'c.guild_id')
    .select(['g.id as guildId', 'c.channel_id as channelId'])
    .where('c.kind', '=', 'card')
    .where('c.subject_id', '=', id)
    .where('c.message_id', 'is not', null)
    .where('g.status', '=', 'active')
    .where(isAcceptedGuild)
    .where('g.has_mission_threads', '=', true)
    .where('g.can_create_threads', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox_message as o')
            .where('o.kind', '=', 'thread')
            .where('o.subject_id', '=', id)
            .whereRef('o.guild_id', '=', 'g.id')
            .where(({ eb, or }) =>
              or([
                eb('o.message_id', 'is not', null),
                eb('o.shown', '=', GONE),
                eb('o.state', 'in', ['queued', 'sending']),
              ]),
            ),
        ),
      ),
    )
    .orderBy('g.id')
    .execute();
  for (const { guildId, channelId } of cards) {
    if (!isForGuild(mission, guildId)) continue;
    const message = { kind: 'thread', guildId, channelId, discordUserId: null, subjectId: id, payload: {} } as const;
    await queueMessage(tx, { ...message, dedupeKey: `thread:${guildId}:${id}` }, now);
  }
}

/** The facts of a mission and its card in a server that decide about its thread. @returns null for an unknown mission */
async function loadFacts(em: Em, guildId: string, missionId: string) {
  const facts = await db(em)
    .selectFrom('mission as m')
    .leftJoin('outbox_message as c', (join) =>
      join
        .on('c.kind', '=', 'card')
        .on('c.guild_id', '=', guildId)
        .on('c.message_id', 'is not', null)
        .on(({ eb, cast }) => eb('c.subject_id', '=', cast<string>('m.id', 'text'))),
    )
    .select(({ ref, selectFrom }) => [
      'm.name',
      'm.status',
      'm.guild_ids as guildIds',
      ms(ref('m.ends_at')).as('endMs'),
      'c.channel_id as channelId',
      'c.message_id as cardId',
      selectFrom('flight as f')
        .select(({ fn }) => fn.count<string>('f.side').distinct().as('sides'))
        .whereRef('f.mission_id', '=', 'm.id')
        .as('sides'),
    ])
    .where('m.id', '=', missionId)
    .executeTakeFirst();
  return facts ?? null;
}
type Facts = NonNullable<Awaited<ReturnType<typeof loadFacts>>>;

/** The Discord accounts of the pilots who fly and are in the server. */
async function listPilots(em: Em, guildId: string, missionId: string, now: Date): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('discord_account as d', 'd.user_id', 's.pilot_id')
    .innerJoin('guild_member as g', 'g.discord_user_id', 'd.discord_user_id')
    .select('d.discord_user_id as id')
    .where('s.mission_id', '=', missionId)
    .where('g.guild_id', '=', guildId)
    .where('g.left_at', 'is', null)
    .where('o.rsvp', '=', 'accepted')
    .where(isLiveHold('o', now))
    .orderBy('d.discord_user_id')
    .execute();
  return rows.map(({ id }) => id);
}

const nameOf = ({ name }: Facts): string => cut(name.replaceAll(/\s+/g, ' ').trim(), NAME_LENGTH) || 'Mission';

/** True while pilots may talk in it: until a day after the end. */
const isLive = (facts: Facts, guildId: string, now: Date): boolean =>
  facts.status === 'scheduled' &&
  facts.endMs + DAY_MS > now.getTime() &&
  Number(facts.sides) === 1 &&
  isForGuild(facts, guildId);

const isProblem = (error: unknown, ...codes: number[]): boolean =>
  error instanceof DiscordProblem && error.code !== null && codes.includes(error.code);

/** Starts the thread on the card; one that an earlier attempt has started has the card's id, too. @returns null if the card is gone */
async function start(discord: DiscordClient, facts: Facts): Promise<string | null> {
  const { channelId, cardId } = facts;
  if (channelId === null || cardId === null) return null;
  const body = { name: nameOf(facts), auto_archive_duration: ThreadAutoArchiveDuration.OneWeek };
  try {
    const { id } = await discord.post<APIChannel>(Routes.threads(channelId, cardId), body);
    return id;
  } catch (error) {
    if (isProblem(error, THREAD_EXISTS)) return cardId;
    if (isProblem(error, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE)) return null;
    throw error;
  }
}

/** One call about a member. @returns false if Discord refuses it: who is not in the server, or a permission that is missing */
async function tryMember(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof DiscordProblem && (error.status === 403 || error.status === 404)) return false;
    throw error;
  }
}

async function bringMembers(
  discord: DiscordClient,
  threadId: string,
  shown: Shown,
  pilots: string[],
): Promise<string[]> {
  const members = new Set(shown.members);
  for (const id of pilots) {
    if (members.has(id)) continue;
    if (await tryMember(discord.put(Routes.threadMembers(threadId, id)))) members.add(id);
  }
  for (const id of shown.members) {
    if (pilots.includes(id)) continue;
    // without Manage Threads they stay in it
    await tryMember(discord.delete(Routes.threadMembers(threadId, id)));
    members.delete(id);
  }
  return [...members].toSorted();
}

/** Archives a thread; one that Discord has archived already takes no changes. */
async function archive(discord: DiscordClient, threadId: string): Promise<void> {
  try {
    await discord.patch(Routes.channel(threadId), { archived: true });
  } catch (error) {
    if (!isProblem(error, ARCHIVED_THREAD)) throw error;
  }
}

/** Brings a thread up to date. @throws DiscordProblem 10003 if somebody has deleted it */
async function bring(
  discord: DiscordClient,
  threadId: string,
  { before, name, pilots }: { before: Shown; name: string; pilots: string[] },
): Promise<Shown> {
  const isSame =
    !before.isArchived && before.name === name && JSON.stringify(before.members) === JSON.stringify(pilots.toSorted());
  if (isSame) return before;
  // Discord archives a thread in which nobody writes, and takes no changes then
  const { thread_metadata: state } = await discord.get<APIThreadChannel>(Routes.channel(threadId));
  if (state?.archived === true) await discord.patch(Routes.channel(threadId), { archived: false });
  if (before.name !== name) await discord.patch(Routes.channel(threadId), { name });
  return { name, members: await bringMembers(discord, threadId, before, pilots), isArchived: false };
}

/**
 * Start the thread of the mission `row.subjectId` on its card in the guild `row.guildId`, keep its name and its pilots up to
 * date, and archive it a day after the end, or when the mission is called off.
 * @returns null if there is nothing to show and nothing was shown
 * @throws DiscordProblem, which the sender handles as for messages
 */
export async function sendMissionThread(
  em: Em,
  discord: DiscordClient,
  row: OutboxRow,
  now: Date,
): Promise<SentEvent | null> {
  const { guildId, subjectId } = row;
  if (row.shown === GONE) return { messageId: null, shown: GONE };
  const facts = guildId === null || subjectId === null ? null : await loadFacts(em, guildId, subjectId);
  if (guildId === null || subjectId === null || facts === null) return null;
  const before = readShown(row);
  const isOpen = isLive(facts, guildId, now);
  const threadId = row.messageId ?? (isOpen ? await start(discord, facts) : null);
  if (threadId === null) return null;
  if (before.isArchived && !isOpen) return { messageId: threadId, shown: row.shown };
  try {
    const pilots = await listPilots(em, guildId, subjectId, now);
    const known = row.messageId === null ? { ...before, name: nameOf(facts) } : before;
    const after = isOpen
      ? await bring(discord, threadId, { before: known, name: nameOf(facts), pilots })
      : { ...before, isArchived: true };
    if (after.isArchived) await archive(discord, threadId);
    return { messageId: threadId, shown: JSON.stringify(after) };
  } catch (error) {
    // somebody deleted it on purpose, so it is not started again
    if (isProblem(error, UNKNOWN_CHANNEL)) return { messageId: null, shown: GONE };
    throw error;
  }
}
