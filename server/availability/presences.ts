/** Pilots with their presences: the times at which they can fly, loaded in three statements for any number of pilots, and in one for one. */
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { db, isOneOf, tableOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { createExpansion, slotsAround } from '#server/availability/rules/dated-windows.ts';
import {
  type PilotAvailability,
  type PilotPresences,
  presencesOf,
  takenByCalendars,
} from '#server/availability/rules/pilot-presences.ts';
import { busyRange, selectOverrides, selectPilots, selectSlots, toPilots } from '#server/availability/pilot-rows.ts';
import { rosterReaderOf } from '#server/availability/roster-reader.ts';
import { type AircraftList, selectLevels } from '#server/accounts/pilots/proficiencies.ts';
import type { Interval } from '#server/time/intervals.ts';
import { addDays, localDate, MINUTE_MS } from '#server/time/time.ts';

/** A local date is at most a day from the UTC date of the same instant, and an override may start on the day before. */
const DATE_MARGIN_DAYS = 2;

type OfIds = { ids: readonly string[] };
type Dates = { from: string; to: string };

/** All rows of one pilot, in a single statement: pages that are read often would otherwise wait for PostgreSQL four times. */
const listOne = named(
  'presence_of_pilot',
  (source, { ids, from, to, fromMinute, toMinute }: OfIds & Dates & ReturnType<typeof busyRange>) => {
    const ofPilot = isOneOf('u.id', ids);
    return selectPilots(source, ofPilot, { fromMinute, toMinute }).select([
      jsonArrayFrom(selectSlots(source, ofPilot)).as('slots'),
      jsonArrayFrom(selectOverrides(source, ofPilot, { from, to })).as('overrides'),
      jsonArrayFrom(selectLevels(source).where(isOneOf('user_id', ids))).as('levels'),
    ]);
  },
);

/** Aircraft lists come from a roster, and with the rows of one pilot. */
export type ListedPresences = PilotPresences & { readonly levels?: AircraftList };

/**
 * @param pilotIds undefined for all active pilots
 * @param range half-open, epoch milliseconds
 * @param throughLeave true for the times that a pilot would have without the leave; for named pilots only
 * @returns with the aircraft lists, if they come from a roster; by id
 */
export async function loadPresences(
  em: Em,
  pilotIds: readonly string[] | undefined,
  range: Interval,
  now: Date,
  { throughLeave = false } = {},
): Promise<ListedPresences[]> {
  const reader = pilotIds === undefined ? rosterReaderOf(em) : null;
  if (reader) return (await reader.read(em, range.startMs, now)).presences(range);
  const expand = createExpansion(range.startMs, range.endMs);
  const ofPilot = (pilot: PilotAvailability) =>
    presencesOf(throughLeave ? { ...pilot, leaveDates: null } : pilot, expand, now.getTime());
  const [only] = pilotIds ?? [];
  if (only !== undefined && pilotIds?.length === 1) {
    const pilot = await loadOne(em, only, range);
    return pilot ? [{ ...ofPilot(pilot), levels: pilot.levels }] : [];
  }
  return (await loadMany(em, pilotIds, range)).map(ofPilot);
}

/** A pilot's presences, and when the pilot's calendars take time away. @returns undefined for an unknown id */
export async function loadWithBusy(em: Em, pilotId: string, range: Interval, now: Date) {
  const pilot = await loadOne(em, pilotId, range);
  if (!pilot) return undefined;
  const expand = createExpansion(range.startMs, range.endMs);
  return { ...presencesOf(pilot, expand, now.getTime()), busy: takenByCalendars(pilot, expand, now.getTime()) };
}

const datesAround = (range: Interval): Dates => ({
  from: addDays(localDate(range.startMs, 'UTC'), -DATE_MARGIN_DAYS),
  to: addDays(localDate(range.endMs, 'UTC'), DATE_MARGIN_DAYS),
});

// a plan that was made for one pilot would be slow for thousands
async function loadOne(em: Em, pilotId: string, range: Interval) {
  const [row] = await listOne(em, { ids: [pilotId], ...datesAround(range), ...busyRange(range) });
  if (!row) return undefined;
  const { slots, overrides, levels, ...own } = row;
  const [pilot] = toPilots({ pilots: [own], slots, overrides });
  return pilot && { ...pilot, levels: new Map(levels.map(({ aircraftId, level }) => [aircraftId, level])) };
}

async function loadMany(em: Em, pilotIds: readonly string[] | undefined, range: Interval) {
  const ofPilots = pilotIds ? isOneOf('u.id', pilotIds) : isActivePilot('u');
  return toPilots({
    pilots: await selectPilots(db(em), ofPilots, busyRange(range)).execute(),
    slots: await selectSlots(db(em), ofPilots).execute(),
    overrides: await selectOverrides(db(em), ofPilots, datesAround(range)).execute(),
  });
}

/**
 * The active pilots who matter for a mission, and the number of the others. A roster leaves out those who are neither
 * there throughout nor on leave; without one, nobody is left out.
 * @param time whole minutes, at most a day
 */
export async function loadPresencesAt(
  em: Em,
  time: Interval,
  now: Date,
): Promise<{ pilots: ListedPresences[]; absent: number }> {
  const reader = rosterReaderOf(em);
  if (reader) return (await reader.read(em, time.startMs, now)).presencesAt(time);
  return { pilots: await loadPresences(em, undefined, time, now), absent: 0 };
}

/**
 * Pilots who may be present throughout a time, whatever their leave and seats: none who is can be missing. Those with an
 * availability for the date count for that alone, because there are few of them.
 * @param aircraftIds slots for other aircraft do not count
 */
export async function listLikelyPilots(em: Em, time: Interval, aircraftIds: readonly number[]): Promise<string[]> {
  const zones = await db(em).selectFrom('app_user').select('time_zone as timeZone').distinct().execute();
  const searches = zones.flatMap(({ timeZone }) =>
    [false, true].flatMap((isEnd) =>
      slotsAround(isEnd ? time.endMs - MINUTE_MS : time.startMs, timeZone).map((search) => ({
        ...search,
        timeZone,
        isEnd,
      })),
    ),
  );
  const weekly = db(em)
    .selectFrom(
      tableOf('search', searches, {
        timeZone: 'text',
        weekday: 'smallint',
        fromLocal: 'text',
        toLocal: 'text',
        isAfterMidnight: 'boolean',
        isEnd: 'boolean',
      }),
    )
    .innerJoin('app_user as u', 'u.time_zone', 'search.timeZone')
    .innerJoin('availability_template as t', 't.user_id', 'u.id')
    .innerJoin('availability_slot as s', (join) =>
      join.onRef('s.template_id', '=', 't.id').onRef('s.weekday', '=', 'search.weekday'),
    )
    .select('u.id')
    .where(isActivePilot('u'))
    .where(({ ref }) => ref('t.is_active'))
    .where(({ eb, or }) => or([eb('s.aircraft_id', 'is', null), isOneOf('s.aircraft_id', aircraftIds)]))
    .where(({ eb, or, and, not, ref }) => {
      const isOvernight = eb('s.end_local', '<=', ref('s.start_local'));
      const endsLater = eb('s.end_local', '>', ref('search.fromLocal'));
      return or([
        and([ref('search.isAfterMidnight'), isOvernight, endsLater]),
        and([
          not(ref('search.isAfterMidnight')),
          eb('s.start_local', '<=', ref('search.toLocal')),
          or([isOvernight, endsLater]),
        ]),
      ]);
    })
    .groupBy('u.id')
    .having(({ fn }) => fn.agg<boolean>('bool_or', ['search.isEnd']))
    .having(({ not, fn }) => not(fn.agg<boolean>('bool_and', ['search.isEnd'])));
  const dated = db(em)
    .selectFrom('availability_override as o')
    .select('o.user_id as id')
    .where('o.kind', '=', 'available')
    .where('o.date_local', '>=', addDays(localDate(time.startMs, 'UTC'), -DATE_MARGIN_DAYS))
    .where('o.date_local', '<=', addDays(localDate(time.endMs, 'UTC'), DATE_MARGIN_DAYS))
    .where(({ eb, or }) => or([eb('o.aircraft_id', 'is', null), isOneOf('o.aircraft_id', aircraftIds)]));
  const ready = db(em)
    .selectFrom('pilot_status')
    .select('user_id as id')
    .where('state', '=', 'now')
    .where('expires_at', '>', new Date(time.startMs));
  const rows = await weekly.union(dated).union(ready).execute();
  return rows.map(({ id }) => id);
}
