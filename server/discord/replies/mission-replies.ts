/** Replies to `/mission`, for admins, through the same rooms and rules as on the site. */
import type { z } from 'zod';
import type { HeavyReads } from '#server/board/heavy-reads.ts';
import { announceCard } from '#server/discord/posts/announce-card.ts';
import { loadCard } from '#server/discord/posts/mission-cards.ts';
import {
  announcedMessage,
  cancelledMessage,
  cancelQuestion,
  discardedMessage,
  missionChoice,
  missionPreview,
  publishedMessage,
  rosterMessage,
} from '#server/discord/rules/mission-admin-text.ts';
import { type Reading, readSeats, readTimes } from '#server/discord/rules/mission-request.ts';
import { sentence } from '#server/discord/rules/parts.ts';
import { cancelMission, publishMission } from '#server/missions/mission-cancel.ts';
import { createMission } from '#server/missions/missions.ts';
import { listAircraft } from '#server/accounts/pilots/aircraft.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { AppError } from '#server/platform/errors.ts';
import { countAttempts } from '#server/platform/attempts.ts';
import { isAdmin } from '#server/platform/viewer.ts';
import { countRows, db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { isInQueue, queuePlace } from '#server/orders/seats/standby-queue.ts';
import { transact } from '#server/schema/transaction.ts';
import { lockMission, selectMissions } from '#server/orders/seats/orders.ts';
import { localDate, toInstantMs } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type {
  chosenMissionInput,
  DiscordMessage,
  draftMissionInput,
  missionChoicesInput,
  orderChoices,
} from '#shared/schemas/bot.ts';
import { createMissionInput } from '#shared/schemas/missions.ts';
import { asAdmin, findLinkedPilot } from './actor.ts';

type About = z.infer<typeof chosenMissionInput>;

/** Discord's limit on autocomplete choices. */
const CHOICES_MAX = 25;
/** So many missions are searched for what an admin types. */
const SEARCHED_MAX = 500;

/** The value that was read. @throws 400 with the sentence that says what to write */
function requireRead<T>(reading: Reading<T>): T {
  if ('problem' in reading) throw new AppError('VALIDATION', reading.problem);
  return reading.value;
}

/** The instant of `YYYY-MM-DDTHH:mm` in a zone. */
const instantOf = (local: string, timeZone: string): number =>
  toInstantMs(local.slice(0, 10), local.slice(11), timeZone);

/**
 * Create a draft from text and show what publishing it does. The draft is the preview: it is stored, so that its buttons need
 * only its id, and it can be edited on the site.
 * @throws 400 for text that cannot be read, otherwise as `createMission`
 */
export async function draftMission(
  em: Em,
  { actor, interactionId, name, theater, date, time, duration, seats: text }: z.infer<typeof draftMissionInput>,
  { heavyReads, publicUrl }: { heavyReads: HeavyReads; publicUrl: string },
  now: Date,
): Promise<DiscordMessage> {
  return asAdmin(em, actor, async (viewer) => {
    const texts = textsFor(actor.locale);
    const times = requireRead(readTimes({ date, time, duration }, viewer.timeZone, now.getTime(), texts));
    const { startLocal, endLocal, timeZone, skipped } = times;
    const seats = requireRead(readSeats(text, await listAircraft(em, false), texts));
    const aircraftSlots = seats.map(({ aircraft, slotCount, role, side }) => ({
      aircraftId: aircraft.id,
      slotCount,
      side,
      notes: role,
    }));
    const parsed = createMissionInput.safeParse({ name, theater, startLocal, endLocal, timeZone, aircraftSlots });
    if (!parsed.success) throw new AppError('VALIDATION', parsed.error.issues[0]?.message ?? copy.invalidInput);
    const draft = { ...parsed.data, publish: false };
    const { mission } = await createMission(em, viewer, draft, `discord:${interactionId}`, now);
    // a preview without it is better than none while the server is busy
    const dryRun = await heavyReads.run(em, 'dryRun', viewer, parsed.data, now).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 503) return null;
      throw error;
    });
    const startMs = instantOf(startLocal, timeZone);
    const preview = {
      id: mission.id,
      name: mission.name,
      theater,
      startMs,
      endMs: instantOf(endLocal, timeZone),
      timeZone: viewer.timeZone,
      dateLocal: localDate(startMs, viewer.timeZone),
      seats,
      skipped,
      dryRun,
      publicUrl,
    };
    return missionPreview(preview, texts);
  });
}

/** The name, times and stored status of a mission. @throws 404 for an unknown one */
async function requireMission(em: Em, missionId: string) {
  const mission = await selectMissions(em).where('m.id', '=', missionId).executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  return mission;
}

const isRefusal = (error: unknown, code: AppError['code']): boolean => error instanceof AppError && error.code === code;

/** Publish a draft. A second press of the button shows the same answer. @throws as `publishMission` */
export async function publishDraft(
  em: Em,
  { actor, missionId }: About,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asAdmin(em, actor, async (viewer) => {
    await publishMission(em, viewer, missionId, now).catch((error: unknown) => {
      if (!isRefusal(error, 'MISSION_PUBLISHED')) throw error;
    });
    const facts = await loadCard(em.fork(), missionId, now);
    if (!facts) throw new AppError('MISSION_NOT_FOUND');
    return publishedMessage(facts, localDate(facts.startMs, viewer.timeZone), publicUrl, textsFor(actor.locale));
  });
}

/** Cancel a mission; repeated, with the same answer. @param onlyDraft refuses one that has been published with 409 */
async function cancelOnce(
  em: Em,
  { actor, missionId }: About,
  now: Date,
  { onlyDraft }: { onlyDraft: boolean },
): Promise<DiscordMessage> {
  return asAdmin(em, actor, async (viewer) => {
    const { name } = await requireMission(em, missionId);
    await transact(em, async (tx) => {
      const mission = await lockMission(tx, missionId);
      if (mission?.status === 'cancelled') return;
      if (onlyDraft && mission?.status !== 'draft') throw new AppError('MISSION_PUBLISHED');
      await cancelMission(tx, viewer, missionId, now);
    });
    return onlyDraft ? discardedMessage(textsFor(actor.locale)) : cancelledMessage(name, textsFor(actor.locale));
  });
}

/** Discard a draft that nobody has published in the meantime. */
export const discardDraft = (em: Em, about: About, now: Date): Promise<DiscordMessage> =>
  cancelOnce(em, about, now, { onlyDraft: true });

export const cancelFromDiscord = (em: Em, about: About, now: Date): Promise<DiscordMessage> =>
  cancelOnce(em, about, now, { onlyDraft: false });

/** Ask before a mission is cancelled. @throws 404, and 409 for one that is over or cancelled */
export async function askToCancel(em: Em, { actor, missionId }: About, now: Date): Promise<DiscordMessage> {
  return asAdmin(em, actor, async () => {
    const mission = await requireMission(em, missionId);
    const { status, startMs, endMs } = mission;
    const isFinal = ['cancelled', 'completed'].includes(missionStatus(status, startMs, endMs, now.getTime()));
    if (isFinal) throw new AppError('MISSION_FINAL');
    const held = await db(em)
      .selectFrom('seat')
      .select(countRows().as('seats'))
      .where('mission_id', '=', missionId)
      .executeTakeFirstOrThrow();
    return cancelQuestion(mission, held.seats, textsFor(actor.locale));
  });
}

/** Who sits where, and the names of those on standby. */
export async function showRoster(
  em: Em,
  { actor, missionId }: About,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asAdmin(em, actor, async (viewer) => {
    const { status } = await requireMission(em, missionId);
    const facts = await loadCard(em, missionId, now);
    const texts = textsFor(actor.locale);
    if (!facts) return sentence(status === 'draft' ? texts('roster.isDraft') : copy.missionNotFound);
    const standby = await db(em)
      .selectFrom('frag_order as o')
      .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
      .select(nameForAdmins('u').as('name'))
      .where('o.mission_id', '=', missionId)
      .where(isInQueue('o'))
      .orderBy(queuePlace('o'))
      .execute();
    const names = standby.map(({ name }) => name);
    const shownTo = { publicUrl, nowMs: now.getTime() };
    return rosterMessage(facts, names, localDate(facts.startMs, viewer.timeZone), shownTo, texts);
  });
}

/** Post the mission's card in the server of the command. @throws 429 within a minute; 400 outside a server */
export async function announceMission(em: Em, { actor, missionId }: About, now: Date): Promise<DiscordMessage> {
  return asAdmin(em, actor, async () => {
    const { guildId } = actor;
    const texts = textsFor(actor.locale);
    if (guildId === null) throw new AppError('GUILD_REQUIRED', copy.missionCommandInServer);
    const { name, status, startMs } = await requireMission(em, missionId);
    if (status !== 'scheduled' || startMs <= now.getTime()) return sentence(texts('announce.notAhead'));
    const bucket = `announce:${guildId}:${missionId}`;
    await countAttempts(em, [{ bucket, most: 1, minutes: 1, sentence: copy.announcedTooSoon }]);
    const place = await transact(em, async (tx) => {
      await lockMission(tx, missionId);
      return announceCard(tx, missionId, guildId, now);
    });
    if (!place) return sentence(texts('announce.noChannel'));
    const { channelId, messageId } = place;
    const url = messageId === null ? null : `https://discord.com/channels/${guildId}/${channelId}/${messageId}`;
    return announcedMessage(name, channelId, url, texts);
  });
}

/** Missions that are not over and whose name contains the text, by start; no practices. [] for everybody who is not an admin. */
export async function listMissionChoices(
  em: Em,
  { actor, text, withDrafts }: z.infer<typeof missionChoicesInput>,
  now: Date,
): Promise<z.infer<typeof orderChoices>> {
  const viewer = await findLinkedPilot(em, actor.discordUserId);
  if (!viewer || !isAdmin(viewer)) return [];
  const typed = text.trim().toLowerCase();
  const missions = await selectMissions(em)
    .where('m.ends_at', '>', now)
    .where('m.is_practice', '=', false)
    .where(isOneOf('m.status', withDrafts ? ['scheduled', 'draft'] : ['scheduled']))
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .limit(SEARCHED_MAX)
    .execute();
  return missions
    .map(({ status, ...mission }) =>
      missionChoice({ ...mission, isDraft: status === 'draft' }, viewer.timeZone, textsFor(actor.locale)),
    )
    .filter(({ name }) => name.toLowerCase().includes(typed))
    .slice(0, CHOICES_MAX);
}
