/** Pilots with their presences: the times at which they can fly, loaded in three statements for any number of pilots. */
import type { Expression, Kysely, SqlBool } from 'kysely';
import { type Database, db, isOneOf, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { createExpansion } from '#server/availability/rules/dated-windows.ts';
import { type PilotPresences, presencesOf } from '#server/availability/rules/pilot-presences.ts';
import { rosterReaderOf } from '#server/availability/roster-reader.ts';
import type { Roster } from '#server/availability/rules/roster.ts';
import type { Interval } from '#server/time/intervals.ts';
import { addDays, localDate } from '#server/time/time.ts';

/** A local date is at most a day from the UTC date of the same instant, and an override may start on the day before. */
const DATE_MARGIN_DAYS = 2;

type Of = Expression<SqlBool>;
type OfIds = { ids: readonly string[] };
type Dates = { from: string; to: string };

const selectPilots = (source: Kysely<Database>, ofPilots: Of) =>
  source
    .selectFrom('app_user as u')
    .leftJoin('pilot_status as s', 's.user_id', 'u.id')
    .leftJoin('leave as l', 'l.user_id', 'u.id')
    .select(({ ref, cast }) => [
      'u.id',
      'u.time_zone as timeZone',
      isActivePilot('u').as('isActive'),
      's.state',
      's.minutes',
      ms(ref('s.expires_at')).as('expiresMs'),
      cast<string | null>('l.first_date', 'text').as('firstDate'),
      cast<string | null>('l.last_date', 'text').as('lastDate'),
    ])
    .where(ofPilots)
    .orderBy('u.id');

const selectSlots = (source: Kysely<Database>, ofPilots: Of) =>
  source
    .selectFrom('availability_slot as s')
    .innerJoin('availability_template as t', 't.id', 's.template_id')
    .innerJoin('app_user as u', 'u.id', 't.user_id')
    .select([
      't.user_id as userId',
      's.weekday',
      's.start_local as startLocal',
      's.end_local as endLocal',
      's.aircraft_id as aircraftId',
      's.notes',
    ])
    .where(({ ref }) => ref('t.is_active'))
    .where(ofPilots);

const selectOverrides = (source: Kysely<Database>, ofPilots: Of, { from, to }: Dates) =>
  source
    .selectFrom('availability_override as o')
    .innerJoin('app_user as u', 'u.id', 'o.user_id')
    .select(({ cast }) => [
      'o.user_id as userId',
      cast<string>('o.date_local', 'text').as('dateLocal'),
      'o.kind',
      'o.start_local as startLocal',
      'o.end_local as endLocal',
      'o.aircraft_id as aircraftId',
      'o.notes',
    ])
    .where(ofPilots)
    .where('o.date_local', '>=', from)
    .where('o.date_local', '<=', to);

const listPilots = named('presence_pilots', (source, { ids }: OfIds) => selectPilots(source, isOneOf('u.id', ids)));
const listSlots = named('presence_slots', (source, { ids }: OfIds) => selectSlots(source, isOneOf('u.id', ids)));
const listOverrides = named('presence_overrides', (source, { ids, from, to }: OfIds & Dates) =>
  selectOverrides(source, isOneOf('u.id', ids), { from, to }),
);

/**
 * @param pilotIds undefined for all active pilots
 * @param range half-open, epoch milliseconds
 */
export async function loadPresences(
  em: Em,
  pilotIds: readonly string[] | undefined,
  range: Interval,
  now: Date,
): Promise<PilotPresences[]> {
  const reader = pilotIds === undefined ? rosterReaderOf(em) : null;
  if (reader) return listPresences(await reader.read(em, range.startMs, now), range);
  const dates = {
    from: addDays(localDate(range.startMs, 'UTC'), -DATE_MARGIN_DAYS),
    to: addDays(localDate(range.endMs, 'UTC'), DATE_MARGIN_DAYS),
  };
  const ofPilots = pilotIds ? isOneOf('u.id', pilotIds) : isActivePilot('u');
  // a plan that was made for one pilot would be slow for thousands
  const [pilots, slots, overrides] =
    pilotIds?.length === 1
      ? [
          await listPilots(em, { ids: pilotIds }),
          await listSlots(em, { ids: pilotIds }),
          await listOverrides(em, { ids: pilotIds, ...dates }),
        ]
      : [
          await selectPilots(db(em), ofPilots).execute(),
          await selectSlots(db(em), ofPilots).execute(),
          await selectOverrides(db(em), ofPilots, dates).execute(),
        ];
  const slotsOf = Map.groupBy(slots, ({ userId }) => userId);
  const overridesOf = Map.groupBy(overrides, ({ userId }) => userId);
  const nowMs = now.getTime();
  const expand = createExpansion(range.startMs, range.endMs);
  return pilots.map((row) => {
    const { id, timeZone, isActive, firstDate, lastDate } = row;
    const pilot = {
      id,
      timeZone,
      isActive,
      status: { state: row.state ?? 'available', minutes: row.minutes, expiresAtMs: row.expiresMs },
      leaveDates: firstDate === null || lastDate === null ? null : { firstDate, lastDate },
      slots: slotsOf.get(id) ?? [],
      overrides: overridesOf.get(id) ?? [],
    };
    return presencesOf(pilot, expand, nowMs);
  });
}

/** All active pilots of a roster, by id. */
function listPresences(roster: Roster, range: Interval): PilotPresences[] {
  const active = Array.from(roster.all()).filter(({ isActive }) => isActive);
  active.sort((a, b) => (a.id < b.id ? -1 : 1));
  return roster.presences(active, range);
}
