/** The list of series for admins, each with its coming dates. */
import type { Em } from '#server/schema/orm.ts';
import { seatsIn } from '#server/missions/rules/starters.ts';
import { addDays, localDate, toIso } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { NAMELESS } from '#shared/labels.ts';
import { AIRCRAFT_SLOT_COUNT } from '#shared/limits.ts';
import type { MissionContent } from '#shared/mission-content.ts';
import type { MissionSeriesDto, OccurrenceDto } from '#shared/schemas/series.ts';
import { formatSeatRequests, SEAT_REQUESTS_MAX } from '#shared/seat-request.ts';
import { selectOccurrences, selectSeries, type OccurrenceRow, type SeriesRow } from './occurrences.ts';
import { dueDates, publishFromMs, timesOn } from './rules/due-dates.ts';

const STATES = { draft: 'draft', scheduled: 'published', cancelled: 'cancelled' } as const;

function presentOccurrence(series: SeriesRow, date: string, row: OccurrenceRow | undefined): OccurrenceDto {
  const planned = timesOn(date, series.content);
  const startMs = row?.startMs ?? planned.startMs;
  const status = row?.status ?? null;
  const state = row?.isSkipped ? 'skipped' : status === null ? 'planned' : STATES[status];
  const isWaiting = state === 'planned' || state === 'draft';
  const { publishDays } = series;
  return {
    date,
    startUtc: toIso(startMs),
    endUtc: toIso(row?.endMs ?? planned.endMs),
    state,
    missionId: row?.missionId ?? null,
    isOwn: row?.isOwn ?? false,
    publishAt:
      isWaiting && publishDays !== null ? toIso(publishFromMs(startMs, publishDays, series.content.timeZone)) : null,
    problem: row?.problem ?? null,
  };
}

/** The seats as recommended times ask for them, which take so many types and seats of each. */
function seatRequest({ slots }: MissionContent): string {
  const requests = [...Map.groupBy(slots, ({ aircraftId }) => aircraftId)]
    .slice(0, SEAT_REQUESTS_MAX)
    .map(([aircraftId, same]) => ({ aircraftId, seats: Math.min(seatsIn(same), AIRCRAFT_SLOT_COUNT.max) }));
  return formatSeatRequests(requests) ?? '';
}

/** The series that go on, by name, each with its coming dates. */
export async function listSeries(em: Em, now: Date): Promise<MissionSeriesDto[]> {
  const nowMs = now.getTime();
  const all = await selectSeries(em)
    .innerJoin('app_user as u', 'u.id', 's.created_by_id')
    .select('u.display_name as createdByName')
    .where('s.ended_at', 'is', null)
    .execute();
  const rows = await selectOccurrences(em)
    .innerJoin('mission_series as s', 's.id', 'o.series_id')
    .where('s.ended_at', 'is', null)
    // a mission of yesterday's date can still be under way
    .where('o.date_local', '>=', addDays(localDate(nowMs, 'UTC'), -2))
    .execute();
  const rowsOf = Map.groupBy(rows, ({ seriesId }) => seriesId);
  const present = ({ createdByName, ...series }: (typeof all)[number]): MissionSeriesDto => {
    const { content } = series;
    const own = new Map((rowsOf.get(series.id) ?? []).map((row) => [row.date, row]));
    const coming = [...own.values()].filter((row) => (row.endMs ?? timesOn(row.date, content).endMs) > nowMs);
    const today = localDate(nowMs, content.timeZone);
    const dates = new Set([...coming.map(({ date }) => date), ...dueDates(series, content, today, nowMs)]);
    return {
      id: series.id,
      name: content.name,
      theater: content.theater,
      seats: seatsIn(content.slots),
      seatRequest: seatRequest(content),
      weekdays: series.weekdays,
      everyWeeks: series.everyWeeks,
      startLocal: content.startLocal,
      minutes: content.minutes,
      timeZone: content.timeZone,
      firstDate: series.firstDate,
      lastDate: series.lastDate,
      horizonWeeks: series.horizonWeeks,
      publishDays: series.publishDays,
      createdByName: createdByName ?? NAMELESS,
      pausedReason: series.pausedMs === null ? null : copy.seriesPaused,
      occurrences: [...dates].toSorted().map((date) => presentOccurrence(series, date, own.get(date))),
    };
  };
  return all.map(present).toSorted((a, b) => a.name.localeCompare(b.name) || a.firstDate.localeCompare(b.firstDate));
}
