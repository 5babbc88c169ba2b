/** The threads on the cards of missions: the pilots with a seat are in them. */
import type { APIChannel, APIThreadChannel } from 'discord-api-types/v10';
import { Routes, ThreadAutoArchiveDuration } from 'discord-api-types/v10';
import { db, ms } from '#server/schema/database.ts';
import type { ThreadState } from '#server/schema/discord-post.ts';
import type { Em } from '#server/schema/orm.ts';
import { countSides, isAcceptedGuild, isLiveHold } from '#server/schema/predicates.ts';
import { DiscordProblem, type DiscordClient } from '#server/discord/discord-client.ts';
import { cut } from '#server/discord/rules/mission-event.ts';
import { DAY_MS } from '#server/time/time.ts';
import { isForGuild, type PublicMission } from './mission-facts.ts';
import { isWithout, type Post, queuePost, queueStanding } from './posts.ts';
import { hasSecretSides } from '#shared/secret-sides.ts';
import { mayBeMember } from '#server/schema/reachability.ts';

const UNKNOWN_CHANNEL = 10003;
const UNKNOWN_MESSAGE = 10008;
const UNKNOWN_MEMBER = 10007;
const UNKNOWN_USER = 10013;
const THREAD_EXISTS = 160004;
const ARCHIVED_THREAD = 50083;
/** Discord's limit on the name of a thread. */
const NAME_LENGTH = 100;

/** The row's new values after sending. */
interface SentThread {
  /** null if there no longer is one */
  messageId: string | null;
  shown: null;
  thread: ThreadState | null;
  /** somebody has deleted it, and it is not started again */
  isRemoved?: boolean;
}

const NEW: ThreadState = { name: '', members: [], strangers: [], isArchived: false };
const NONE = { messageId: null, shown: null, thread: null } as const;

/**
 * Queue threads for the cards of a mission that have none, and bring those that stand up to date. A mission with secret sides
 * gets none: everybody who sees the channel reads along. Writes only outbox rows; safe to run twice and late.
 */
export async function queueMissionThreads(tx: Em, mission: PublicMission, now: Date): Promise<void> {
  const { id, status, endMs } = mission;
  await queueStanding(tx, 'thread', id);
  if (status !== 'scheduled' || endMs <= now.getTime()) return;
  if (hasSecretSides(mission)) return;
  const cards = await db(tx)
    .selectFrom('discord_post as c')
    .innerJoin('guild as g', 'g.id', 'c.guild_id')
    .select(['g.id as guildId', 'c.channel_id as channelId'])
    .where('c.kind', '=', 'card')
    .where('c.subject_id', '=', id)
    .where('c.message_id', 'is not', null)
    .where('g.status', '=', 'active')
    .where(isAcceptedGuild)
    .where('g.has_mission_threads', '=', true)
    .where('g.can_create_threads', '=', true)
    .where(isWithout('thread', id))
    .orderBy('g.id')
    .execute();
  for (const { guildId, channelId } of cards) {
    if (!isForGuild(mission, guildId)) continue;
    const message = { kind: 'thread', guildId, channelId, discordUserId: null, subjectId: id, payload: {} } as const;
    await queuePost(tx, { ...message, dedupeKey: `thread:${guildId}:${id}` }, now);
  }
}

/** The facts of a mission and its card in a server that decide about its thread. @returns null for an unknown mission */
async function loadFacts(em: Em, guildId: string, missionId: string) {
  const facts = await db(em)
    .selectFrom('mission as m')
    .leftJoin('discord_post as c', (join) =>
      join
        .on('c.kind', '=', 'card')
        .on('c.guild_id', '=', guildId)
        .on('c.message_id', 'is not', null)
        .on(({ eb, cast }) => eb('c.subject_id', '=', cast<string>('m.id', 'text'))),
    )
    .select(({ ref }) => [
      'm.name',
      'm.status',
      'm.guild_ids as guildIds',
      'm.secret_sides as secretSides',
      countSides('m').as('sides'),
      ms(ref('m.ends_at')).as('endMs'),
      'c.channel_id as channelId',
      'c.message_id as cardId',
    ])
    .where('m.id', '=', missionId)
    .executeTakeFirst();
  return facts ?? null;
}
type Facts = NonNullable<Awaited<ReturnType<typeof loadFacts>>>;

/** The Discord accounts of the pilots who fly and are in the server, or may be. */
async function listPilots(em: Em, guildId: string, missionId: string, now: Date): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('discord_account as d', 'd.user_id', 's.pilot_id')
    .select('d.discord_user_id as id')
    .where('s.mission_id', '=', missionId)
    .where(mayBeMember(guildId))
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
  !hasSecretSides(facts) &&
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

type Answer = 'done' | 'not a member' | 'refused';

/** One call about a member. `refused`: a permission is missing */
async function tryMember(call: Promise<unknown>): Promise<Answer> {
  try {
    await call;
    return 'done';
  } catch (error) {
    if (isProblem(error, UNKNOWN_MEMBER, UNKNOWN_USER)) return 'not a member';
    if (error instanceof DiscordProblem && (error.status === 403 || error.status === 404)) return 'refused';
    throw error;
  }
}

/** Adds the pilots who are not in the thread, and removes those who no longer fly. */
async function bringMembers(
  discord: DiscordClient,
  threadId: string,
  before: ThreadState,
  pilots: string[],
): Promise<Pick<ThreadState, 'members' | 'strangers'>> {
  const members = new Set(before.members);
  const strangers: string[] = [];
  for (const id of pilots) {
    if (members.has(id)) continue;
    const answer = await tryMember(discord.put(Routes.threadMembers(threadId, id)));
    if (answer === 'done') members.add(id);
    if (answer === 'not a member') strangers.push(id);
  }
  for (const id of before.members) {
    if (pilots.includes(id)) continue;
    // without Manage Threads they stay in it
    await tryMember(discord.delete(Routes.threadMembers(threadId, id)));
    members.delete(id);
  }
  return { members: [...members].toSorted(), strangers };
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
  { before, name, pilots }: { before: ThreadState; name: string; pilots: string[] },
): Promise<ThreadState> {
  const known = [...before.members, ...before.strangers].toSorted();
  const isSame =
    !before.isArchived && before.name === name && JSON.stringify(known) === JSON.stringify(pilots.toSorted());
  if (isSame) return before;
  // Discord archives a thread in which nobody writes, and takes no changes then
  const { thread_metadata: state } = await discord.get<APIThreadChannel>(Routes.channel(threadId));
  if (state?.archived === true) await discord.patch(Routes.channel(threadId), { archived: false });
  if (before.name !== name) await discord.patch(Routes.channel(threadId), { name });
  return { name, ...(await bringMembers(discord, threadId, before, pilots)), isArchived: false };
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
  row: Post,
  now: Date,
): Promise<SentThread | null> {
  const { guildId, subjectId } = row;
  if (row.isRemoved) return { ...NONE, isRemoved: true };
  const facts = guildId === null || subjectId === null ? null : await loadFacts(em, guildId, subjectId);
  if (guildId === null || subjectId === null || facts === null) return null;
  const isOpen = isLive(facts, guildId, now);
  const threadId = row.messageId ?? (isOpen ? await start(discord, facts) : null);
  if (threadId === null) return null;
  const before = row.messageId === null ? { ...NEW, name: nameOf(facts) } : (row.thread ?? NEW);
  if (before.isArchived && !isOpen) return { messageId: threadId, shown: null, thread: before };
  try {
    const pilots = await listPilots(em, guildId, subjectId, now);
    const thread = isOpen
      ? await bring(discord, threadId, { before, name: nameOf(facts), pilots })
      : { ...before, isArchived: true };
    if (thread.isArchived) await archive(discord, threadId);
    return { messageId: threadId, shown: null, thread };
  } catch (error) {
    if (!isProblem(error, UNKNOWN_CHANNEL)) throw error;
    // somebody deleted it on purpose, unless it went with the channel of a card that now stands elsewhere
    return { ...NONE, isRemoved: facts.channelId === row.channelId };
  }
}
