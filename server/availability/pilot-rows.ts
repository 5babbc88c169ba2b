/** The rows that say when pilots can fly: statements for any set of pilots, and the pilots that they make. */
import type { Expression, InferResult, Kysely, SqlBool } from 'kysely';
import { type Database, ms } from '#server/schema/database.ts';
import { isActivePilot, nameForAdmins } from '#server/schema/predicates.ts';
import { parseBusy } from '#server/availability/rules/busy-minutes.ts';
import type { PilotAvailability } from '#server/availability/rules/pilot-presences.ts';
import { MINUTE_MS } from '#server/time/time.ts';

/** A condition on the account `u`. */
type Of = Expression<SqlBool>;
/** Local dates, both included; without an end for all later ones. */
type Dates = { from: string; to?: string };
/** Of the busy times, in minutes since 1970. */
type BusyRange = { fromMinute: number; toMinute: number };

const MINUTE_MAX = 2 ** 31 - 1;

/** @param endMs all later ones without it */
export const busyRange = ({ startMs, endMs }: { startMs: number; endMs?: number }): BusyRange => ({
  fromMinute: Math.floor(startMs / MINUTE_MS),
  toMinute: endMs === undefined ? MINUTE_MAX : Math.ceil(endMs / MINUTE_MS),
});

export const selectPilots = (source: Kysely<Database>, ofPilots: Of, { fromMinute, toMinute }: BusyRange) =>
  source
    .selectFrom('app_user as u')
    .leftJoin('pilot_status as s', 's.user_id', 'u.id')
    .leftJoin('leave as l', 'l.user_id', 'u.id')
    .select(({ ref, cast }) => [
      'u.id',
      nameForAdmins('u').as('name'),
      'u.time_zone as timeZone',
      isActivePilot('u').as('isActive'),
      's.state',
      's.minutes',
      ms(ref('s.expires_at')).as('expiresMs'),
      cast<string | null>('l.first_date', 'text').as('firstDate'),
      cast<string | null>('l.last_date', 'text').as('lastDate'),
    ])
    // of all calendars, as PostgreSQL writes ranges; null for none
    .select(({ selectFrom, fn, cast, val }) => {
      const [from, to] = [cast(val(fromMinute), 'integer'), cast(val(toMinute), 'integer')];
      const asked = fn<string>('int4multirange', [fn('int4range', [from, to])]);
      return selectFrom('busy_time as b')
        .select(({ eb, fn: { agg } }) =>
          cast<string | null>(eb(agg<string>('range_agg', ['b.minutes']), '*', asked), 'text').as('busy'),
        )
        .whereRef('b.user_id', '=', 'u.id')
        .$asScalar()
        .as('busy');
    })
    .where(ofPilots)
    .orderBy('u.id');

export const selectSlots = (source: Kysely<Database>, ofPilots: Of) =>
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

export const selectOverrides = (source: Kysely<Database>, ofPilots: Of, { from, to }: Dates) =>
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
    .where((eb) => (to === undefined ? eb.lit(true) : eb('o.date_local', '<=', to)));

type PilotRows = {
  readonly pilots: InferResult<ReturnType<typeof selectPilots>>;
  readonly slots: InferResult<ReturnType<typeof selectSlots>>;
  readonly overrides: InferResult<ReturnType<typeof selectOverrides>>;
};

/** @returns the pilots in the order of their rows */
export function toPilots({ pilots, slots, overrides }: PilotRows): (PilotAvailability & { readonly name: string })[] {
  const slotsOf = Map.groupBy(slots, ({ userId }) => userId);
  const overridesOf = Map.groupBy(overrides, ({ userId }) => userId);
  return pilots.map(({ id, name, timeZone, isActive, state, minutes, expiresMs, firstDate, lastDate, busy }) => ({
    id,
    name,
    timeZone,
    isActive,
    status: { state: state ?? 'available', minutes, expiresAtMs: expiresMs },
    leaveDates: firstDate === null || lastDate === null ? null : { firstDate, lastDate },
    slots: slotsOf.get(id) ?? [],
    overrides: overridesOf.get(id) ?? [],
    busy: parseBusy(busy),
  }));
}
