/**
 * Sizes and random draws of a large community. Everything about the nth pilot, mission or order is a function of n and the
 * seed, so the parts can be inserted in any chunks, refer to each other without lookups, and come out the same again.
 */
import { SIGN_IN_AUDIT_DAYS } from '#shared/limits.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';

export interface CommunitySize {
  pilots: number;
  /** frag orders, of past and coming missions; 0: no missions */
  orders?: number;
  /** entries of the audit log */
  audit?: number;
  seed?: number;
  /** weekly slots on any minute instead of quarter hours */
  isAnyMinute?: boolean;
  /** the time at which live states and open orders have the community's values */
  now?: Date;
}

/** A table's rows, by a statement that makes those of the units from $1 to $2. It may select their number as `rows`. */
export interface Part {
  table: string;
  /** units are numbered from `first`, and one of them can be several rows */
  first: number;
  last: number;
  /** units of a statement */
  chunk: number;
  sql: string;
}

export interface Shape extends Required<CommunitySize> {
  /** the first ones; the others are suspended or wait for approval, and fly nothing */
  activePilots: number;
  admins: number;
  missions: number;
  /** the first missions, which have started; the others are ahead */
  pastMissions: number;
  flightsEach: number;
  ordersEach: number;
}

/** Pilots with a seat in every tenth mission, so that some histories are long. */
const VETERANS = 10;
const FLIGHTS_MAX = 16;
const MISSIONS_AHEAD_MAX = 56;
export const MISSION_HOURS = 3;
const YEARS = 3;
const DAY_S = 86_400;

/** An order for each seat of a flight, and one for somebody who waits or declined. */
const ORDERS_PER_FLIGHT = 5;

export function shapeOf({
  pilots,
  orders = 0,
  audit = 0,
  seed = 2026,
  isAnyMinute = false,
  now = new Date(),
}: CommunitySize): Shape {
  const activePilots = Math.ceil(pilots * 0.98);
  const flightsEach = Math.max(1, Math.min(FLIGHTS_MAX, Math.floor(activePilots / 25)));
  const ordersEach = flightsEach * ORDERS_PER_FLIGHT;
  if (orders > 0 && activePilots - VETERANS < 4 * ordersEach) {
    throw new Error('Missions overlap, so they need 35 pilots or more');
  }
  const missions = Math.ceil(orders / ordersEach);
  const ahead = Math.min(MISSIONS_AHEAD_MAX, Math.ceil(missions * 0.1));
  return {
    pilots,
    orders,
    audit,
    seed,
    isAnyMinute,
    now,
    activePilots,
    admins: Math.max(1, Math.floor(pilots / 2_000)),
    missions,
    pastMissions: missions - ahead,
    flightsEach,
    ordersEach,
  };
}

function coprimeTo(count: number): number {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  let factor = 7_919;
  while (gcd(factor, count) !== 1) factor += 2;
  return factor;
}

/** SQL list of texts without quotes. */
export const texts = (values: readonly string[]): string => `array[${values.map((value) => `'${value}'`).join(', ')}]`;

const WORDS =
  'Viper Hawk Raven Cobra Falcon Jester Maverick Ghost Talon Saber Lancer Comet Nomad Rogue Wolf Bandit'.split(' ');
const OPERATIONS = 'Iron Desert Silent Northern Crimson Broken Rising Golden Frozen Distant'.split(' ');

/** Statements that make the functions of a session: draws, and the facts that several parts share. */
export function functionsOf(shape: Shape): string[] {
  const { now, seed, pilots, activePilots, pastMissions, missions, ordersEach } = shape;
  const clock = `'${now.toISOString()}'::timestamptz`;
  const flying = Math.max(1, activePilots - VETERANS);
  // an hour apart or more, so that the seats of a pilot never overlap
  const pastSeconds = Math.max(3_600, Math.floor((YEARS * 365 * DAY_S) / Math.max(1, pastMissions)));
  const aheadSeconds = Math.floor((28 * DAY_S) / Math.max(1, missions - pastMissions));
  const make = (head: string, returns: string, body: string) =>
    `create or replace function pg_temp.${head} returns ${returns} language sql stable as $$ select ${body} $$`;
  return [
    make('clock_now()', 'timestamptz', clock),
    // from 0 up to, not including, 1
    make(
      'draw(kind text, n bigint)',
      'float8',
      `(hashtextextended(kind || ':' || n::text, ${seed}) & 4503599627370495) / 4503599627370496.0::float8`,
    ),
    make('pick(list text[], drawn float8)', 'text', 'list[1 + floor(drawn * cardinality(list))::int]'),
    // a version 7 UUID: ids ascend with time, as the product's do
    make(
      'id_of(kind text, n bigint, made_at timestamptz)',
      'uuid',
      `overlay(overlay(overlay(md5('${seed}:' || kind || ':' || n::text)
         placing lpad(to_hex((extract(epoch from made_at) * 1000)::bigint), 12, '0') from 1 for 12)
         placing '7' from 13 for 1) placing '8' from 17 for 1)::uuid`,
    ),
    make(
      'pilot_at(n bigint)',
      'timestamptz',
      `${clock} - make_interval(secs => (${pilots} - n) * ${(YEARS * 365 * DAY_S) / pilots})`,
    ),
    make('pilot_id(n bigint)', 'uuid', `pg_temp.id_of('pilot', n, pg_temp.pilot_at(n))`),
    make('pilot_name(n bigint)', 'text', `pg_temp.pick(${texts(WORDS)}, pg_temp.draw('name', n)) || ' ' || n::text`),
    make('pilot_zone(n bigint)', 'text', `pg_temp.pick(${texts(TIME_ZONES)}, pg_temp.draw('zone', n))`),
    make('template_id(n bigint)', 'uuid', `pg_temp.id_of('template', n, pg_temp.pilot_at(n))`),
    make('clock_text(minutes int)', 'text', `to_char(time '00:00' + make_interval(mins => minutes % 1440), 'HH24:MI')`),
    make(
      'mission_start(m bigint)',
      'timestamptz',
      `date_bin('15 minutes', ${clock} + case when m <= ${pastMissions}
         then make_interval(secs => ${pastSeconds} * (m - ${pastMissions + 1})::float8 + 3600)
         else make_interval(secs => ${aheadSeconds} * (m - ${pastMissions})::float8) end, 'epoch'::timestamptz)`,
    ),
    make(
      'mission_status(m bigint)',
      'text',
      `case when pg_temp.draw('mission', m) < 0.05 then 'cancelled'
            when m > ${pastMissions} and pg_temp.draw('mission', m) > 0.85 then 'draft' else 'scheduled' end`,
    ),
    make('mission_id(m bigint)', 'uuid', `pg_temp.id_of('mission', m, pg_temp.mission_start(m) - interval '10 days')`),
    make(
      'mission_name(m bigint)',
      'text',
      `'Op ' || pg_temp.pick(${texts(OPERATIONS)}, pg_temp.draw('operation', m)) || ' ' || m::text`,
    ),
    make('package_id(m bigint, p bigint)', 'uuid', `pg_temp.id_of('package', m * 100 + p, pg_temp.mission_start(m))`),
    make('flight_id(m bigint, f bigint)', 'uuid', `pg_temp.id_of('flight', m * 100 + f, pg_temp.mission_start(m))`),
    // the number of a mission's kth pilot: missions in a row have different ones, except for the veterans
    make(
      'mission_pilot(m bigint, k bigint)',
      'bigint',
      `case when k = 0 then 1 + m % ${VETERANS}
            else ${VETERANS + 1} + ((m * ${ordersEach} + k) * ${coprimeTo(flying)}) % ${flying} end`,
    ),
    make(
      'audit_at(n bigint)',
      'timestamptz',
      `${clock} - make_interval(secs => (${shape.audit} - n) * ${(SIGN_IN_AUDIT_DAYS * DAY_S) / Math.max(1, shape.audit)})`,
    ),
  ];
}
