/** Occurrences of series: making their missions, bringing them to the content of the series, publishing them in time. */
import { db, ms } from '#server/schema/database.ts';
import { Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { splitOffered } from '#server/missions/mission-content.ts';
import { publishMission } from '#server/missions/mission-cancel.ts';
import { editMission } from '#server/missions/mission-edit.ts';
import { createMission } from '#server/missions/missions.ts';
import { listAcceptedGuilds } from '#server/planning/mission-request.ts';
import { listTaken } from '#server/planning/planning.ts';
import { tryEach } from '#server/platform/each.ts';
import { AppError } from '#server/platform/errors.ts';
import { isAdmin, toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';
import { isSeatRace } from '#server/orders/seats/orders.ts';
import { emit } from '#server/signals/emit.ts';
import { localDate, localDateTime, MINUTE_MS } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import type { MissionContent } from '#shared/mission-content.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import { SERIES } from '#shared/limits.ts';
import { dueDates, isDateOf, publishFromMs, timesOn, type DateRule } from './rules/due-dates.ts';
import { editToContent } from './rules/occurrence-edit.ts';

export interface SeriesRow extends DateRule {
  id: string;
  content: MissionContent;
  horizonWeeks: number;
  publishDays: number | null;
  revision: number;
  pausedMs: number | null;
  endedMs: number | null;
  createdById: string;
}

/** Selects series `s` with what their occurrences need. */
export const selectSeries = (em: Em) =>
  db(em)
    .selectFrom('mission_series as s')
    .select(({ ref }) => [
      's.id',
      's.content',
      's.weekdays',
      's.every_weeks as everyWeeks',
      's.first_date as firstDate',
      's.last_date as lastDate',
      's.horizon_weeks as horizonWeeks',
      's.publish_days as publishDays',
      's.revision',
      ms(ref('s.paused_at')).as('pausedMs'),
      ms(ref('s.ended_at')).as('endedMs'),
      's.created_by_id as createdById',
    ]);

/** Lock a series, which every change to it or its occurrences does first. Unknown id: 404. */
export async function lockSeries(tx: Em, id: string): Promise<SeriesRow> {
  const row = await selectSeries(tx).where('s.id', '=', id).forUpdate('s').executeTakeFirst();
  if (!row) throw new AppError('SERIES_NOT_FOUND');
  return row;
}

/** Selects occurrences `o` with the state of their missions. */
export const selectOccurrences = (em: Em) =>
  db(em)
    .selectFrom('series_occurrence as o')
    .leftJoin('mission as m', 'm.id', 'o.mission_id')
    .select(({ ref }) => [
      'o.series_id as seriesId',
      'o.date_local as date',
      'o.mission_id as missionId',
      'o.is_skipped as isSkipped',
      'o.is_own as isOwn',
      'o.revision',
      'o.problem',
      ms(ref('o.tried_at')).as('triedMs'),
      'm.status',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
    ])
    .orderBy('o.date_local');
export type OccurrenceRow = Awaited<ReturnType<ReturnType<typeof selectOccurrences>['execute']>>[number];

/** The account that a series acts for; null when it is no longer an admin. */
async function findOwner(em: Em, id: string): Promise<Viewer | null> {
  const row = await db(em).selectFrom('app_user as u').select(VIEWER_COLUMNS).where('u.id', '=', id).executeTakeFirst();
  const owner = row ? toViewer(row) : null;
  return owner && isAdmin(owner) && !owner.deletionDueAt ? owner : null;
}

/** Write an occurrence; a row that the date has already is changed. */
export async function putOccurrence(
  tx: Em,
  seriesId: string,
  date: string,
  values: {
    mission_id?: string | null;
    is_skipped?: boolean;
    is_own?: boolean;
    problem?: string | null;
    tried_at?: Date;
  },
  revision: number,
): Promise<void> {
  await db(tx)
    .insertInto('series_occurrence')
    .values({ series_id: seriesId, date_local: date, revision, is_skipped: false, is_own: false, ...values })
    .onConflict((conflict) => conflict.columns(['series_id', 'date_local']).doUpdateSet({ revision, ...values }))
    .execute();
}

const readOccurrence = (tx: Em, seriesId: string, date: string) =>
  selectOccurrences(tx).where('o.series_id', '=', seriesId).where('o.date_local', '=', date).executeTakeFirst();

/** Make the mission of a date as a draft, unless it has been made or skipped. */
async function makeMission(tx: Em, owner: Viewer, series: SeriesRow, date: string, now: Date): Promise<void> {
  const { content } = series;
  const times = timesOn(date, content);
  if (!isDateOf(series, date) || times.startMs <= now.getTime()) return;
  const { missingAircraft } = await splitOffered(tx, content);
  const [missing] = missingAircraft;
  if (missing !== undefined) throw new AppError('AIRCRAFT_SWITCHED_OFF', copy.aircraftSwitchedOff(missing));
  const known = await listAcceptedGuilds(tx);
  const { mission } = await createMission(
    tx,
    owner,
    {
      ...eachField(MISSION_TEXT_KEYS, (key) => content[key]),
      name: content.name,
      theater: content.theater,
      startLocal: localDateTime(times.startMs, content.timeZone),
      endLocal: localDateTime(times.endMs, content.timeZone),
      timeZone: content.timeZone,
      links: content.links,
      // a server that the bot has left, or that waits for an admin, is no reason to fail
      guildIds: content.guildIds && content.guildIds.filter((id) => known.includes(id)),
      secretSides: content.secretSides,
      aircraftSlots: content.slots.map(({ aircraftId, slotCount, side, role, additionalNotes }) => ({
        aircraftId,
        slotCount,
        side,
        notes: role,
        additionalNotes,
      })),
      publish: false,
    },
    null,
    now,
    { bySeries: { times, details: content } },
  );
  await putOccurrence(tx, series.id, date, { mission_id: mission.id, problem: null, tried_at: now }, series.revision);
}

/** Bring the mission of an occurrence to the content of its series; its orders follow the rules for every edit. */
async function editOccurrence(
  tx: Em,
  editor: Viewer,
  series: SeriesRow,
  { date, missionId }: { date: string; missionId: string },
  now: Date,
): Promise<void> {
  const { content } = series;
  const times = timesOn(date, content);
  const mission = await tx.findOneOrFail(
    Mission,
    { id: missionId },
    { populate: ['packages.flights.aircraft'], refresh: true },
  );
  const known = await listAcceptedGuilds(tx);
  const packages = mission.packages.getItems().map((one) => ({
    id: one.id,
    callsign: one.callsign,
    flights: one.flights.getItems().map((flight) => ({
      id: flight.id,
      aircraftId: flight.aircraft.id,
      role: flight.role,
      side: flight.side,
      notes: flight.notes ?? null,
      sizeCap: flight.sizeCap,
      callsign: flight.callsign,
      radioFreq: flight.radioFreq ?? null,
    })),
  }));
  const guildIds = content.guildIds && content.guildIds.filter((id) => known.includes(id));
  const taken = await listTaken(tx, times, missionId);
  const edit = editToContent(missionId, { ...content, guildIds }, packages, taken);
  await editMission(tx, editor, edit, now, { bySeries: { ...times, timeZone: content.timeZone } });
  await putOccurrence(tx, series.id, date, { is_own: false, problem: null, tried_at: now }, series.revision);
}

/** Work on one date in a transaction of its own; a refusal is kept as its problem, and the others go on. */
async function attempt(
  em: Em,
  seriesId: string,
  date: string,
  now: Date,
  work: (tx: Em, series: SeriesRow) => Promise<void>,
) {
  try {
    await transact(
      em,
      async (tx) => {
        const series = await lockSeries(tx, seriesId);
        if (series.endedMs === null && series.pausedMs === null) await work(tx, series);
      },
      isSeatRace,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await transact(em, async (tx) => {
      const { revision, endedMs } = await lockSeries(tx, seriesId);
      if (endedMs !== null) return;
      const before = await readOccurrence(tx, seriesId, date);
      // the revision stays behind, so that an edit is tried again
      const kept = before?.revision ?? revision;
      await putOccurrence(tx, seriesId, date, { problem: error.message, tried_at: now }, kept);
      if (before?.problem !== error.message) emit(tx, { type: 'series.date_failed', seriesId });
    });
  }
}

const isComing = ({ status, startMs }: OccurrenceRow, nowMs: number): boolean =>
  startMs !== null && startMs > nowMs && (status === 'draft' || status === 'scheduled');

/** Pause a series whose creator is no longer an admin, or let it go on. @returns the creator while it goes on */
async function findActor(em: Em, series: SeriesRow, now: Date): Promise<Viewer | null> {
  const owner = await findOwner(em, series.createdById);
  if ((owner === null) !== (series.pausedMs === null)) return owner;
  await transact(em, async (tx) => {
    const { pausedMs } = await lockSeries(tx, series.id);
    // another replica was first
    if ((pausedMs === null) === (owner !== null)) return;
    await db(tx)
      .updateTable('mission_series')
      .set({ paused_at: owner ? null : now })
      .where('id', '=', series.id)
      .execute();
    const about = { id: series.id, name: series.content.name };
    emit(tx, { type: owner ? 'series.resumed' : 'series.paused', series: about });
  });
  return owner;
}

/** True while an attempt that failed waits for the next one. */
function isResting(row: OccurrenceRow | undefined, now: Date): boolean {
  if (!row || row.problem === null || row.triedMs === null) return false;
  return row.triedMs > now.getTime() - SERIES.retryMinutes * MINUTE_MS;
}

/** Edit the coming occurrences of an earlier revision, except those that were edited by themselves. */
export async function refreshOccurrences(em: Em, seriesId: string, editor: Viewer | null, now: Date): Promise<void> {
  const series = await selectSeries(em).where('s.id', '=', seriesId).executeTakeFirst();
  if (!series || series.endedMs !== null) return;
  const actor = editor ?? (await findOwner(em, series.createdById));
  if (!actor) return;
  const rows = await selectOccurrences(em)
    .where('o.series_id', '=', seriesId)
    .where('o.revision', '<', series.revision)
    .where('o.is_own', '=', false)
    .where('m.starts_at', '>', now)
    .execute();
  for (const { date } of rows.filter((row) => isComing(row, now.getTime()) && (editor || !isResting(row, now)))) {
    await attempt(em, seriesId, date, now, async (tx, current) => {
      const row = await readOccurrence(tx, seriesId, date);
      if (!row?.missionId || row.isOwn || row.revision >= current.revision || !isComing(row, now.getTime())) return;
      await editOccurrence(tx, actor, current, { date, missionId: row.missionId }, now);
    });
  }
}

/** Make and publish what is due of one series. @returns how many missions it worked on */
async function runSeries(em: Em, series: SeriesRow, room: number, now: Date): Promise<number> {
  const nowMs = now.getTime();
  const owner = await findActor(em, series, now);
  if (!owner) return 0;
  await refreshOccurrences(em, series.id, null, now);
  const today = localDate(nowMs, series.content.timeZone);
  const rows = await selectOccurrences(em)
    .where('o.series_id', '=', series.id)
    .where('o.date_local', '>=', today)
    .execute();
  const rowOf = new Map(rows.map((row) => [row.date, row]));
  const missing = dueDates(series, series.content, today, nowMs)
    .filter((date) => {
      const row = rowOf.get(date);
      return !row?.missionId && !row?.isSkipped && !isResting(row, now);
    })
    .slice(0, room);
  for (const date of missing) {
    await attempt(em, series.id, date, now, async (tx, current) => {
      const row = await readOccurrence(tx, series.id, date);
      if (!row?.missionId && !row?.isSkipped) await makeMission(tx, owner, current, date, now);
    });
  }
  const { publishDays } = series;
  if (publishDays === null) return missing.length;
  const drafts = await selectOccurrences(em)
    .where('o.series_id', '=', series.id)
    .where('m.status', '=', 'draft')
    .where('m.starts_at', '>', now)
    .execute();
  const due = drafts
    .filter((row) => !isResting(row, now) && row.startMs !== null)
    .filter((row) => publishFromMs(row.startMs ?? 0, publishDays, series.content.timeZone) <= nowMs)
    .slice(0, Math.max(0, room - missing.length));
  for (const { date, missionId } of due) {
    await attempt(em, series.id, date, now, async (tx, current) => {
      const row = await readOccurrence(tx, series.id, date);
      if (!missionId || row?.missionId !== missionId || row.status !== 'draft' || current.publishDays === null) return;
      await publishMission(tx, owner, missionId, now);
      await putOccurrence(tx, series.id, date, { problem: null, tried_at: now }, row.revision);
    });
  }
  return missing.length + due.length;
}

/**
 * Make the missions of all series that are due, edit those that are behind, and publish those whose time has come: safe to
 * run at any time and on any replica. Dates that have passed meanwhile are never made.
 */
export async function runAllSeries(em: Em, now: Date): Promise<void> {
  let room: number = SERIES.missionsPerRun;
  const live = await selectSeries(em).where('s.ended_at', 'is', null).orderBy('s.created_at').execute();
  const run = async (series: SeriesRow) => {
    if (room > 0) room -= await runSeries(em, series, room, now);
  };
  await tryEach(live, run, 'Some series failed');
}
