/** Series of missions: create, change, split, skip a date, end, take over. */
import type { z } from 'zod';
import { newId } from '#server/schema/base.ts';
import { db, json, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { readContent } from '#server/missions/mission-content.ts';
import { readTemplate } from '#server/missions/mission-templates.ts';
import { AppError } from '#server/platform/errors.ts';
import { onceFor, type KeyedCaller } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import { addDays, localDate, localTime, weekdayOf } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { SERIES } from '#shared/limits.ts';
import type { MissionContent } from '#shared/mission-content.ts';
import type {
  adoptInput,
  createSeriesInput,
  endedSeries,
  endSeriesInput,
  skipDateInput,
  UpdateSeriesInput,
} from '#shared/schemas/series.ts';
import { seriesWords } from '#shared/labels.ts';
import {
  lockSeries,
  putOccurrence,
  refreshOccurrences,
  selectOccurrences,
  type OccurrenceRow,
  type SeriesRow,
} from './occurrences.ts';
import { isDateOf, timesOn } from './rules/due-dates.ts';

/** A series in events. */
const factsOf = ({ id, content }: Pick<SeriesRow, 'id' | 'content'>) => ({ id, name: content.name });
const wordsOf = (series: Pick<SeriesRow, 'weekdays' | 'everyWeeks' | 'content'>): string =>
  seriesWords({ ...series, ...series.content });

/** The mission as the first occurrence of its series: only a coming one, and one that belongs to no other series. */
async function linkFirst(tx: Em, missionId: string, series: SeriesRow, now: Date): Promise<void> {
  const mission = await db(tx)
    .selectFrom('mission as m')
    .leftJoin('series_occurrence as o', 'o.mission_id', 'm.id')
    .select(({ ref }) => [
      'm.status',
      'm.is_practice as isPractice',
      'o.series_id as otherId',
      ms(ref('m.starts_at')).as('startMs'),
    ])
    .where('m.id', '=', missionId)
    .executeTakeFirstOrThrow();
  if (mission.isPractice) throw new AppError('SERIES_OF_PRACTICE');
  if (mission.otherId !== null) throw new AppError('SERIES_ALREADY');
  const { startMs, status } = mission;
  const date = localDate(startMs, series.content.timeZone);
  const isItsDate = isDateOf(series, date) && timesOn(date, series.content).startMs === startMs;
  if (startMs <= now.getTime() || status === 'cancelled' || !isItsDate) return;
  await putOccurrence(tx, series.id, date, { mission_id: missionId }, series.revision);
}

function requireLast({ firstDate, lastDate }: Pick<SeriesRow, 'firstDate' | 'lastDate'>): void {
  if (lastDate !== null && lastDate < firstDate) {
    throw new AppError('VALIDATION', copy.rangeEndsBeforeStart, { field: 'lastDate' });
  }
}

/** What a change of the rule makes of a series; the wall time and the zone are part of the content. */
function changeRule<
  Row extends Pick<SeriesRow, 'content' | 'weekdays' | 'everyWeeks' | 'lastDate' | 'horizonWeeks' | 'publishDays'>,
>(series: Row, input: Omit<UpdateSeriesInput, 'id' | 'from'>): Row {
  const { content } = series;
  return {
    ...series,
    content: {
      ...content,
      startLocal: input.startLocal ?? content.startLocal,
      minutes: input.minutes ?? content.minutes,
      timeZone: input.timeZone ?? content.timeZone,
    },
    weekdays: input.weekdays ?? series.weekdays,
    everyWeeks: input.everyWeeks ?? series.everyWeeks,
    lastDate: input.lastDate === undefined ? series.lastDate : input.lastDate,
    horizonWeeks: input.horizonWeeks ?? series.horizonWeeks,
    publishDays: input.publishDays === undefined ? series.publishDays : input.publishDays,
  };
}

const columnsOf = (series: SeriesRow, now: Date) => ({
  content: json(series.content),
  weekdays: [...series.weekdays],
  every_weeks: series.everyWeeks,
  first_date: series.firstDate,
  last_date: series.lastDate,
  horizon_weeks: series.horizonWeeks,
  publish_days: series.publishDays,
  revision: series.revision,
  updated_at: now,
});

async function insertSeries(tx: Em, series: SeriesRow, now: Date): Promise<void> {
  await takeLock(tx, 'missionSeries');
  await requireRoom('series', db(tx).selectFrom('mission_series').where('ended_at', 'is', null));
  await db(tx)
    .insertInto('mission_series')
    .values({ id: series.id, created_by_id: series.createdById, created_at: now, ...columnsOf(series, now) })
    .execute();
}

/**
 * Make a series from a mission, which becomes its first one, or from a template. 404 for an unknown one; 409 for a mission
 * that belongs to a series already, a practice mission, and too many series.
 */
export async function createSeries(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof createSeriesInput>,
  caller: KeyedCaller,
): Promise<{ id: string }> {
  const { now } = caller;
  const inside = async (tx: Em): Promise<{ id: string }> => {
    const { missionId, templateId = '' } = input;
    const content =
      missionId === undefined ? (await readTemplate(tx, viewer, templateId)).content : await readContent(tx, missionId);
    const first = await findFirstDate(tx, missionId, content, now);
    const firstDate = input.firstDate ?? first;
    const start = {
      content,
      weekdays: [weekdayOf(firstDate)],
      everyWeeks: 1,
      lastDate: null,
      horizonWeeks: SERIES.horizonWeeks.initial,
      publishDays: null,
    };
    const own = { id: newId(), firstDate, revision: 1, pausedMs: null, endedMs: null, createdById: viewer.id };
    const series: SeriesRow = {
      ...changeRule<typeof start & { lastDate: string | null; publishDays: number | null }>(start, input),
      ...own,
    };
    requireLast(series);
    await insertSeries(tx, series, now);
    if (missionId !== undefined) await linkFirst(tx, missionId, series, now);
    emit(tx, { type: 'series.created', by: viewer, series: factsOf(series), rule: wordsOf(series) });
    return { id: series.id };
  };
  return transact(em, (tx) => onceFor(tx, caller, 'series', input, () => inside(tx)));
}

async function findFirstDate(
  tx: Em,
  missionId: string | undefined,
  content: MissionContent,
  now: Date,
): Promise<string> {
  if (missionId === undefined) return localDate(now.getTime(), content.timeZone);
  const { startMs } = await db(tx)
    .selectFrom('mission')
    .select(({ ref }) => ms(ref('starts_at')).as('startMs'))
    .where('id', '=', missionId)
    .executeTakeFirstOrThrow();
  return localDate(startMs, content.timeZone);
}

async function lockGoingOn(tx: Em, id: string): Promise<SeriesRow> {
  const series = await lockSeries(tx, id);
  if (series.endedMs !== null) throw new AppError('SERIES_ENDED');
  return series;
}

/**
 * Split a series at one of its dates: the earlier part ends the day before, and the rest goes on as a new series with the
 * occurrences of its dates. @returns the rest; the series itself when nothing lies before the date
 */
async function splitAt(tx: Em, series: SeriesRow, from: string, now: Date): Promise<SeriesRow> {
  if (!isDateOf(series, from)) throw new AppError('SERIES_DATE', copy.seriesDate, { field: 'from' });
  if (from === series.firstDate) return series;
  const rest = { ...series, id: newId(), firstDate: from };
  await insertSeries(tx, rest, now);
  await db(tx)
    .updateTable('mission_series')
    .set({ last_date: addDays(from, -1), updated_at: now })
    .where('id', '=', series.id)
    .execute();
  await db(tx)
    .updateTable('series_occurrence')
    .set({ series_id: rest.id })
    .where('series_id', '=', series.id)
    .where('date_local', '>=', from)
    .execute();
  return rest;
}

/** Cancel coming missions. @returns how many */
async function cancelAll(tx: Em, viewer: Viewer, rows: readonly OccurrenceRow[], now: Date): Promise<number> {
  let cancelled = 0;
  for (const { missionId } of rows) {
    if (missionId === null) continue;
    await cancelMission(tx, viewer, missionId, now);
    cancelled += 1;
  }
  return cancelled;
}

const listComing = (tx: Em, seriesId: string, now: Date) =>
  selectOccurrences(tx)
    .where('o.series_id', '=', seriesId)
    .where('m.starts_at', '>', now)
    .where('m.status', 'in', ['draft', 'scheduled'])
    .execute();

/**
 * Store a changed series. Coming drafts on dates that it no longer has are cancelled, except those edited by themselves;
 * published missions on such dates stay, on their own. The others are edited afterwards, one by one.
 */
async function storeChange(tx: Em, viewer: Viewer, series: SeriesRow, now: Date): Promise<void> {
  requireLast(series);
  await db(tx).updateTable('mission_series').set(columnsOf(series, now)).where('id', '=', series.id).execute();
  const lost = (await listComing(tx, series.id, now)).filter(({ date }) => !isDateOf(series, date));
  const drafts = lost.filter(({ status, isOwn }) => status === 'draft' && !isOwn);
  await cancelAll(tx, viewer, drafts, now);
  const dates = lost.map(({ date }) => date);
  if (dates.length === 0) return;
  await db(tx)
    .deleteFrom('series_occurrence')
    .where('series_id', '=', series.id)
    .where('date_local', 'in', dates)
    .execute();
}

/**
 * Change the rule of a series: of all coming dates, or of one date and the following ones, which become a series of their
 * own. Occurrences that were edited by themselves stay; the others are edited like any mission, so that pilots who accepted
 * are asked again when it matters. 404 for an unknown series, 409 for one that has ended, 400 for a date that it does not have.
 */
export async function updateSeries(
  em: Em,
  viewer: Viewer,
  { id, from, ...input }: UpdateSeriesInput,
  now: Date,
): Promise<{ id: string }> {
  const changed = await transact(em, async (tx) => {
    const before = await lockGoingOn(tx, id);
    const part = from === undefined ? before : await splitAt(tx, before, from, now);
    const after = { ...changeRule(part, input), revision: part.revision + 1 };
    await storeChange(tx, viewer, after, now);
    const since = part.id === id ? null : (from ?? null);
    emit(tx, { type: 'series.changed', by: viewer, series: factsOf(after), rule: wordsOf(after), from: since });
    return after.id;
  });
  await refreshOccurrences(em, changed, viewer, now);
  return { id: changed };
}

/**
 * Let a series take over one of its missions, with its time of day but not its date: for the following dates, which become
 * a series of their own, or for all coming ones. 404 for a mission that belongs to no series.
 */
export async function adoptMission(
  em: Em,
  viewer: Viewer,
  { missionId, scope }: z.infer<typeof adoptInput>,
  now: Date,
): Promise<{ id: string }> {
  const changed = await transact(em, async (tx) => {
    const row = await selectOccurrences(tx).where('o.mission_id', '=', missionId).executeTakeFirst();
    if (!row) throw new AppError('SERIES_NOT_FOUND');
    const before = await lockGoingOn(tx, row.seriesId);
    const part = scope === 'all' ? before : await splitAt(tx, before, row.date, now);
    const { timeZone } = part.content;
    const content = await readContent(tx, missionId);
    // the series keeps its zone, although admins edit missions in their own
    const startLocal = row.startMs === null ? content.startLocal : localTime(row.startMs, timeZone);
    const after = { ...part, content: { ...content, startLocal, timeZone }, revision: part.revision + 1 };
    await storeChange(tx, viewer, after, now);
    // the mission is now as the series says, unless it was moved to another date
    const isItsTime = timesOn(row.date, after.content).startMs === row.startMs;
    await putOccurrence(tx, after.id, row.date, { is_own: !isItsTime, problem: null }, after.revision);
    const since = part.id === row.seriesId ? null : row.date;
    emit(tx, { type: 'series.changed', by: viewer, series: factsOf(after), rule: wordsOf(after), from: since });
    return after.id;
  });
  await refreshOccurrences(em, changed, viewer, now);
  return { id: changed };
}

/** Skip a coming date for good; its mission is cancelled. 400 for a date that the series does not have, or has passed. */
export async function skipDate(
  em: Em,
  viewer: Viewer,
  { id, date }: z.infer<typeof skipDateInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    const series = await lockGoingOn(tx, id);
    const row = await selectOccurrences(tx)
      .where('o.series_id', '=', id)
      .where('o.date_local', '=', date)
      .executeTakeFirst();
    const startMs = row?.startMs ?? timesOn(date, series.content).startMs;
    if (!isDateOf(series, date) || startMs <= now.getTime()) {
      throw new AppError('SERIES_DATE', copy.seriesDate, { field: 'date' });
    }
    if (row?.isSkipped) return;
    if (row?.missionId && row.status !== 'cancelled') await cancelMission(tx, viewer, row.missionId, now);
    await putOccurrence(tx, id, date, { is_skipped: true, problem: null }, series.revision);
    emit(tx, { type: 'series.date_skipped', by: viewer, series: factsOf(series), date });
  });
}

/** End a series: coming drafts are cancelled, published missions stay or are cancelled too. 404 for an unknown one. */
export async function endSeries(
  em: Em,
  viewer: Viewer,
  { id, cancelPublished }: z.infer<typeof endSeriesInput>,
  now: Date,
): Promise<z.infer<typeof endedSeries>> {
  return transact(em, async (tx) => {
    const series = await lockGoingOn(tx, id);
    const coming = await listComing(tx, id, now);
    const drafts = coming.filter(({ status }) => status === 'draft');
    const published = coming.filter(({ status }) => status === 'scheduled');
    await db(tx).updateTable('mission_series').set({ ended_at: now, updated_at: now }).where('id', '=', id).execute();
    const removedDrafts = await cancelAll(tx, viewer, drafts, now);
    const cancelled = cancelPublished ? await cancelAll(tx, viewer, published, now) : 0;
    emit(tx, { type: 'series.ended', by: viewer, series: factsOf(series), removedDrafts, cancelled });
    return { removedDrafts, cancelled, kept: published.length - cancelled };
  });
}

/** Become the admin whose missions a series makes, which also lets one go on that has paused. */
export async function takeSeriesOver(em: Em, viewer: Viewer, id: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const series = await lockGoingOn(tx, id);
    await db(tx)
      .updateTable('mission_series')
      .set({ created_by_id: viewer.id, paused_at: null, updated_at: now })
      .where('id', '=', id)
      .execute();
    emit(tx, { type: 'series.taken_over', by: viewer, series: factsOf(series) });
  });
}
