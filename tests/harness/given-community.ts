/** Stores a community of plain data in a real database, row by row, without the product's services. */
import { formatBusy, toBusy } from '#server/availability/rules/busy-minutes.ts';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Community } from './community.ts';
import type { Service } from './service.ts';

const MINUTE_MS = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * @param nowMs the time at which live statuses and orders have the community's values
 * @param creatorId creator of the missions
 */
export async function givenCommunity(
  { app }: Service,
  { pilots, missions }: Community,
  nowMs: number,
  creatorId: string,
): Promise<void> {
  const em = app.orm.em.fork();
  const insert = async (table: string, columns: string, rows: readonly Record<string, unknown>[]): Promise<void> => {
    const names = columns.replace(/ [a-z\d[\]]+(?=,|$)/g, '');
    await query(
      em,
      sql`insert into ${sql.raw(table)} (${sql.raw(names)})
          select * from json_to_recordset(${JSON.stringify(rows)}) as r (${sql.raw(columns)})`,
    );
  };
  const stamps = { created_at: iso(nowMs), updated_at: iso(nowMs) };
  const people = pilots.map((pilot) => ({ ...pilot, user_id: pilot.id, template_id: newId() }));
  await insert(
    'app_user',
    'id uuid, email text, email_key text, display_name text, time_zone text, roles text[], created_at timestamptz, updated_at timestamptz',
    people.map(({ id, user_id, name, zone, active }) => ({
      id: user_id,
      email: `c${id}@example.org`,
      email_key: `c${id}@example.org`,
      display_name: name,
      time_zone: zone,
      roles: active ? ['user'] : [],
      ...stamps,
    })),
  );
  await insert(
    'pilot_status',
    'user_id uuid, state text, minutes int, expires_at timestamptz, updated_at timestamptz',
    people
      .filter(({ state }) => state !== 'available')
      .map(({ user_id, state, minutesLeft }) => ({
        user_id,
        state,
        minutes: minutesLeft,
        expires_at: minutesLeft === null ? null : iso(nowMs + minutesLeft * MINUTE_MS),
        ...stamps,
      })),
  );
  // every other pilot has an old template too, which must not count
  const templates = people.flatMap(({ user_id, template_id }, index) => [
    { id: template_id, user_id, name: 'Week', is_active: true, ...stamps },
    ...(index % 2 === 0 ? [{ id: newId(), user_id, name: 'Old', is_active: false, ...stamps }] : []),
  ]);
  await insert(
    'availability_template',
    'id uuid, user_id uuid, name text, is_active boolean, created_at timestamptz, updated_at timestamptz',
    templates,
  );
  await insert(
    'availability_slot',
    'id uuid, template_id uuid, weekday int, start_local text, end_local text, aircraft_id int',
    [
      ...people.flatMap(({ template_id, slots }) =>
        slots.map(({ weekday, startLocal, endLocal, aircraftId }) => ({
          id: newId(),
          template_id,
          weekday,
          start_local: startLocal,
          end_local: endLocal,
          aircraft_id: aircraftId,
        })),
      ),
      ...templates
        .filter(({ is_active }) => !is_active)
        .map(({ id }, index) => ({
          id: newId(),
          template_id: id,
          weekday: index % 7,
          start_local: '00:00',
          end_local: '23:59',
          aircraft_id: null,
        })),
    ],
  );
  await insert(
    'availability_override',
    'id uuid, user_id uuid, date_local date, kind text, start_local text, end_local text, aircraft_id int, created_at timestamptz',
    people.flatMap(({ user_id, overrides }) =>
      overrides.map(({ dateLocal, kind, startLocal, endLocal, aircraftId }) => ({
        id: newId(),
        user_id,
        date_local: dateLocal,
        kind,
        start_local: startLocal,
        end_local: endLocal,
        aircraft_id: aircraftId,
        ...stamps,
      })),
    ),
  );
  const calendars = people.flatMap(({ user_id, busy }) =>
    busy.length === 0 ? [] : [{ id: newId(), user_id, minutes: formatBusy(toBusy(busy)) }],
  );
  await insert(
    'busy_calendar',
    'id uuid, user_id uuid, sealed_url text, shown_url text, counts_whole_days boolean, time_zone text, due_at timestamptz, created_at timestamptz',
    calendars.map(({ id, user_id }) => ({
      id,
      user_id,
      sealed_url: '',
      shown_url: 'calendar.example',
      counts_whole_days: true,
      time_zone: 'UTC',
      // never: these have no server
      due_at: '2100-01-01T00:00:00Z',
      ...stamps,
    })),
  );
  await insert(
    'busy_time',
    'calendar_id uuid, user_id uuid, minutes int4multirange',
    calendars.map(({ id, user_id, minutes }) => ({ calendar_id: id, user_id, minutes })),
  );
  await insert(
    'leave',
    'user_id uuid, first_date date, last_date date, updated_at timestamptz',
    people.flatMap(({ user_id, leave }) =>
      leave === null ? [] : [{ user_id, first_date: leave.firstDate, last_date: leave.lastDate, ...stamps }],
    ),
  );
  await insertMissions();

  async function insertMissions(): Promise<void> {
    const planned = missions.map((mission) => ({
      ...mission,
      id: newId(),
      packageId: newId(),
      flights: mission.flights.map((flight) => ({ ...flight, id: newId() })),
    }));
    await insert(
      'mission',
      'id uuid, name text, theater text, status text, starts_at timestamptz, ends_at timestamptz, time_zone text, created_by_id uuid, created_at timestamptz, updated_at timestamptz',
      planned.map(({ id, status, startMs, endMs }, index) => ({
        id,
        name: `Op ${index}`,
        theater: 'Syria',
        status,
        starts_at: iso(startMs),
        ends_at: iso(endMs),
        time_zone: 'UTC',
        created_by_id: creatorId,
        ...stamps,
      })),
    );
    await insert(
      'package',
      'id uuid, mission_id uuid, callsign text, objective text, side int, sort_order int',
      planned.map(({ id, packageId }) => ({
        id: packageId,
        mission_id: id,
        callsign: 'ALPHA',
        objective: 'CAP, Syria',
        side: 0,
        sort_order: 0,
      })),
    );
    await insert(
      'flight',
      'id uuid, mission_id uuid, package_id uuid, slot_index int, callsign text, aircraft_id int, role text, side int, launch_at timestamptz, size_cap int, sort_order int',
      planned.flatMap(({ id, packageId, flights }) =>
        flights.map((flight, index) => ({
          id: flight.id,
          mission_id: id,
          package_id: packageId,
          slot_index: 0,
          callsign: `COLT ${index + 1}`,
          aircraft_id: 2,
          role: 'CAP',
          side: 0,
          launch_at: iso(flight.launchMs),
          size_cap: flight.sizeCap,
          sort_order: index,
        })),
      ),
    );
    const held = planned.flatMap(({ id, startMs, endMs, flights, seats }) => {
      const places = flights.flatMap((flight) =>
        Array.from({ length: flight.sizeCap }, (_, seat_index) => ({ flight_id: flight.id, seat_index })),
      );
      return seats.flatMap(({ pilotId, kind }, index) => {
        const place = places[index];
        return place
          ? [
              {
                ...place,
                order_id: newId(),
                pilot_id: pilotId,
                mission_id: id,
                starts_at: iso(startMs),
                ends_at: iso(endMs),
                rsvp: kind === 'accepted' ? 'accepted' : 'pending',
                // the time limit of an accepted order is long over and no longer matters
                expires_at: iso(kind === 'pending' ? nowMs + 30 * MINUTE_MS : nowMs - 30 * MINUTE_MS),
              },
            ]
          : [];
      });
    });
    await insert(
      'frag_order',
      'id uuid, mission_id uuid, flight_id uuid, seat_index int, pilot_id uuid, status text, rsvp text, is_shared_offer boolean, reasons text[], issued_at timestamptz, expires_at timestamptz, created_at timestamptz',
      held.map(({ order_id, ...order }) => ({
        ...order,
        id: order_id,
        status: 'issued',
        is_shared_offer: false,
        reasons: [],
        issued_at: iso(nowMs - 60 * MINUTE_MS),
        ...stamps,
      })),
    );
    await insert(
      'seat',
      'flight_id uuid, seat_index int, pilot_id uuid, mission_id uuid, order_id uuid, starts_at timestamptz, ends_at timestamptz',
      held,
    );
  }
}
