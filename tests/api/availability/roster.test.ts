/**
 * The roster that each process keeps: after every change, by whatever means and on whatever process, the next answer of any
 * process includes it. The oracle counts in SQL, minute by minute, without the product's calendar.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRosterReader } from '#server/availability/roster-reader.ts';
import { countFreeThroughout, countPresence } from '#server/board/rules/indexed-counts.ts';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenLargeCommunity } from '#tests/harness/large-community/large-community.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const HOUR_MS = 3_600_000;
const SEED = 18;
const DRILL_LIMIT_MS = inDrill(1_200_000, 60_000);

let services: [Service, Service];
let ids: string[];
beforeAll(async () => {
  const first = await startService();
  services = [first, await startService({ beside: first })];
  await givenLargeCommunity(first.databaseUrl, { pilots: 60, orders: 120, seed: SEED });
  await run(sql`delete from pilot_status`);
  const rows = await query<{ id: string }>(em(), sql`select id from app_user where 'user' = any(roles) order by id`);
  ids = rows.map(({ id }) => id);
});
afterAll(async () => {
  await services[1].stop();
  await services[0].stop();
});

const em = (index = 0) => services[index === 0 ? 0 : 1].app.orm.em.fork();
const run = (statement: Parameters<typeof query>[1], index = 0) => query(em(index), statement);

/** Free pilots, and present ones, in each hour: every time of this community is on a quarter of an hour. */
async function countBySql(hours: readonly number[], now: Date): Promise<{ free: number[]; present: number[] }> {
  const rows = await query<{ free: number; present: number }>(
    em(),
    sql`with moments as (
      select h.at, m.at as moment
      from unnest(${hours.map((ms) => new Date(ms).toISOString())}::timestamptz[]) as h (at)
        cross join generate_series(h.at, h.at + interval '45 minutes', interval '15 minutes') as m (at)
    ), pilots as (
      select u.id, u.time_zone, s.state, s.expires_at from app_user as u left join pilot_status as s on s.user_id = u.id
      where 'user' = any(u.roles)
    ), walls as (
      select p.*, m.at, m.moment, m.moment at time zone p.time_zone as wall from pilots as p cross join moments as m
    ), facts as (
      select w.*,
        exists (
          select from availability_slot as s join availability_template as t on t.id = s.template_id
          where t.user_id = w.id and t.is_active and (
            (s.weekday = extract(dow from w.wall) and s.start_local::time <= w.wall::time
              and (w.wall::time < s.end_local::time or s.end_local <= s.start_local))
            or (s.weekday = extract(dow from w.wall - interval '1 day') and s.end_local < s.start_local
              and w.wall::time < s.end_local::time))
        ) as slot,
        exists (
          select from availability_override as o where o.user_id = w.id and o.kind = 'unavailable'
            and w.wall >= o.date_local + o.start_local::time
            and w.wall < o.date_local + o.end_local::time + case when o.end_local <= o.start_local then interval '1 day' else interval '0' end
        ) as away,
        exists (
          select from busy_time as b where b.user_id = w.id and b.minutes @> floor(extract(epoch from w.moment) / 60)::int
        ) as busy,
        exists (
          select from availability_override as o where o.user_id = w.id and o.kind = 'available'
            and w.wall >= o.date_local + o.start_local::time
            and w.wall < o.date_local + o.end_local::time + case when o.end_local <= o.start_local then interval '1 day' else interval '0' end
        ) as here,
        coalesce(w.state = 'now' and w.moment >= ${now} and w.moment < w.expires_at, false) as looking,
        exists (
          select from leave as l where l.user_id = w.id and w.wall::date between l.first_date and l.last_date
        ) as on_leave,
        exists (
          select from seat as s join frag_order as o on o.id = s.order_id
          where s.pilot_id = w.id and s.starts_at <= w.moment and w.moment < s.ends_at
            and not (o.rsvp = 'pending' and o.expires_at <= ${now})
        ) as seated
      from walls as w
    ), whole as (
      select at, id,
        bool_and(((slot and not away and not busy) or here or looking) and not on_leave) as present,
        bool_and(((slot and not away and not busy) or here or looking) and not on_leave and not seated) as free,
        bool_or(coalesce(state, '') = 'dnd' and at <= ${now}::timestamptz + interval '24 hours') as quiet
      from facts group by at, id
    )
    select count(*) filter (where free and not quiet)::int as free, count(*) filter (where present)::int as present
    from whole group by at order by at`,
  );
  return { free: rows.map(({ free }) => free), present: rows.map(({ present }) => present) };
}

function listHours(random: ReturnType<typeof seeded>, now: Date): number[] {
  const first = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: 4 }, () => first + random.between(0, 6 * 24) * HOUR_MS)
    .toSorted((a, b) => a - b)
    .filter((hour, index, all) => hour !== all[index - 1]);
}

const hasClockChange = (now: number): boolean =>
  TIME_ZONES.some((zone) => {
    const change = Temporal.Instant.fromEpochMilliseconds(now - 2 * 24 * HOUR_MS)
      .toZonedDateTimeISO(zone)
      .getTimeZoneTransition('next');
    return change !== null && change.epochMilliseconds < now + 9 * 24 * HOUR_MS;
  });

/** Today, or a later week in which no clock changes: the oracle's wall times would be ambiguous. */
function plainNow(): Date {
  let ms = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  while (hasClockChange(ms)) ms += 7 * 24 * HOUR_MS;
  return new Date(ms);
}

describe('the rosters of two processes', () => {
  const readers = [createRosterReader(), createRosterReader()] as const;

  async function countByRosters(hours: readonly number[], now: Date) {
    return Promise.all(
      readers.map(async (reader, index) => {
        const roster = await reader.read(em(index), hours[0] ?? 0, now);
        const presence = roster.presence();
        return {
          free: hours.map((ms) => countFreeThroughout(roster.free(), Float64Array.of(ms, ms + HOUR_MS))[0]),
          present: hours.map((ms) => countPresence(presence, { from: ms / 60_000, buckets: 1, bucket: 60 }).whole[0]),
        };
      }),
    );
  }

  test(
    'count after every random edit what SQL counts',
    async () => {
      const random = seeded(SEED);
      const now = plainNow();
      const quarter = (first: number, last: number) => {
        const at = random.between(first, last);
        return `${String(Math.floor((at % 96) / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`;
      };
      const date = () => new Date(now.getTime() + random.between(-2, 8) * 24 * HOUR_MS).toISOString().slice(0, 10);
      const pilot = () => random.pick(ids as [string, ...string[]]);
      const busyRange = () => {
        const from = now.getTime() / 60_000 + random.between(-96, 8 * 96) * 15;
        return `[${from},${from + random.between(1, 32) * 15})`;
      };
      const edits = [
        () => sql`insert into availability_slot (id, template_id, weekday, start_local, end_local)
          select gen_random_uuid(), id, ${random.between(0, 6)}, ${quarter(0, 47)}, ${quarter(48, 95)} from availability_template where user_id = ${pilot()}`,
        () => sql`insert into availability_slot (id, template_id, weekday, start_local, end_local)
          select gen_random_uuid(), id, ${random.between(0, 6)}, ${quarter(60, 95)}, ${quarter(0, 30)} from availability_template where user_id = ${pilot()}`,
        () => sql`delete from availability_slot where id in (select s.id from availability_slot as s
          join availability_template as t on t.id = s.template_id where t.user_id = ${pilot()} order by s.id limit 2)`,
        () => sql`update availability_template set is_active = false where user_id = ${pilot()}`,
        () =>
          sql`update availability_template as t set is_active = true where user_id = ${pilot()}
            and not exists (select from availability_template as o where o.user_id = t.user_id and (o.is_active or o.id < t.id))`,
        () => sql`insert into availability_override (id, user_id, date_local, kind, start_local, end_local, created_at)
          values (${newId()}, ${pilot()}, ${date()}, ${random.pick(['available', 'unavailable'])}, ${quarter(0, 47)}, ${quarter(48, 95)}, now())`,
        () => sql`delete from availability_override where user_id in (${pilot()}, ${pilot()})`,
        () => sql`with calendar as (
            insert into busy_calendar (id, user_id, sealed_url, shown_url, counts_whole_days, time_zone, due_at, created_at)
            values (${newId()}, ${pilot()}, '', '', true, 'UTC', '2100-01-01', now()) returning id, user_id
          ) insert into busy_time (calendar_id, user_id, minutes)
          select id, user_id, int4multirange(${busyRange()}::int4range, ${busyRange()}::int4range) from calendar`,
        () =>
          sql`update busy_time set minutes = minutes + int4multirange(${busyRange()}::int4range) where user_id = ${pilot()}`,
        () => sql`delete from busy_calendar where user_id in (${pilot()}, ${pilot()})`,
        () => sql`insert into leave (user_id, first_date, last_date, updated_at) values (${pilot()}, ${date()}::date, ${date()}::date + 10, now())
          on conflict (user_id) do update set first_date = excluded.first_date, last_date = excluded.last_date`,
        () => sql`delete from leave where user_id in (${pilot()}, ${pilot()}, ${pilot()})`,
        () => sql`insert into pilot_status (user_id, state, minutes, expires_at, updated_at)
          values (${pilot()}, 'now', 120, ${new Date(now.getTime() + 2 * HOUR_MS)}, now())
          on conflict (user_id) do update set state = 'now', minutes = 120, expires_at = excluded.expires_at`,
        () => sql`insert into pilot_status (user_id, state, updated_at) values (${pilot()}, ${random.pick(['dnd', 'available'])}, now())
          on conflict (user_id) do update set state = excluded.state, minutes = null, expires_at = null`,
        () =>
          sql`update app_user set roles = case when 'user' = any(roles) then '{}'::text[] else '{user}'::text[] end where id = ${pilot()}`,
        () => sql`update app_user set time_zone = ${random.pick(TIME_ZONES)} where id = ${pilot()}`,
        () =>
          sql`update frag_order set expires_at = ${new Date(now.getTime() + random.between(-1, 1) * HOUR_MS)} where pilot_id = ${pilot()}`,
        () => sql`update frag_order set confirmed_at = null, gave_up_at = null, rsvp = ${random.pick(['pending', 'accepted'])}
          where id in (select order_id from seat where pilot_id in (${pilot()}, ${pilot()}))`,
        () => sql`delete from seat where pilot_id = ${pilot()}`,
        () => sql`insert into seat (flight_id, seat_index, pilot_id, mission_id, order_id, starts_at, ends_at)
          select o.flight_id, o.seat_index, o.pilot_id, o.mission_id, o.id, m.starts_at, m.ends_at
          from frag_order as o join mission as m on m.id = o.mission_id where o.pilot_id in (${pilot()}, ${pilot()})
          on conflict do nothing`,
        () => sql`delete from frag_order where id in (select order_id from seat where pilot_id = ${pilot()} limit 1)`,
      ];
      for (let edit = 0; edit < inDrill(10_000, 60); edit += 1) {
        await run(random.pick(edits as [() => ReturnType<(typeof edits)[0]>])(), random.between(0, 1));
        const hours = listHours(random, now);
        const expected = await countBySql(hours, now);
        expect(await countByRosters(hours, now), `edit ${edit}, seed ${SEED}`).toEqual([expected, expected]);
      }
      for (const reader of readers) expect(await reader.check(em())).toMatchObject({ different: [] });
    },
    DRILL_LIMIT_MS,
  );

  test('do not read pilots again for orders that hold no seat', async () => {
    const now = plainNow();
    const [held] = await query<{ id: string; pilotId: string }>(
      em(),
      sql`select order_id as id, pilot_id as "pilotId" from seat limit 1`,
    );
    const concerned = async (change: Parameters<typeof query>[1]) => {
      const [last] = await query<{ id: string }>(em(), sql`select coalesce(max(id), 0) as id from roster_change`);
      await run(change);
      const rows = await query<{ id: string }>(
        em(),
        sql`select user_id as id from roster_change where id > ${last?.id}`,
      );
      return rows.map(({ id }) => id);
    };
    expect(
      await concerned(sql`update frag_order set expires_at = ${now} where id not in (select order_id from seat)`),
    ).toEqual([]);
    expect(await concerned(sql`update frag_order set expires_at = ${now} where id = ${held?.id}`)).toEqual([
      held?.pilotId,
    ]);
  });

  test('are compared with the database: a change that no trigger saw is found, and then read', async () => {
    const now = plainNow();
    const reader = createRosterReader();
    expect(await reader.check(em())).toBeNull();
    await reader.read(em(), now.getTime(), now);
    expect(await reader.check(em())).toEqual({ checked: expect.any(Number), behind: 0, different: [] });
    const [id = ''] = ids;
    const date = new Date(now.getTime() + 24 * HOUR_MS).toISOString().slice(0, 10);
    await run(sql`alter table availability_override disable trigger user`);
    await run(sql`insert into availability_override (id, user_id, date_local, kind, start_local, end_local, created_at)
      values (${newId()}, ${id}, ${date}, 'unavailable', '01:00', '02:00', now())`);
    await run(sql`alter table availability_override enable trigger user`);
    const missed = (await reader.read(em(), now.getTime(), now)).get(id)?.overrides ?? [];
    expect((await reader.check(em()))?.different).toEqual([id]);
    const known = (await reader.read(em(), now.getTime(), now)).get(id)?.overrides ?? [];
    expect(known).toHaveLength(missed.length + 1);
    expect((await reader.check(em()))?.different).toEqual([]);
  });

  test('see a transaction that began early and committed late', async () => {
    const now = plainNow();
    const hour = now.getTime() + 30 * HOUR_MS;
    const [early = '', late = ''] = ids;
    const free = async () => (await countByRosters([hour], now)).map((count) => count.free[0]);
    await run(sql`delete from leave`);
    await run(sql`update app_user set roles = '{}' where id in (${early}, ${late})`);
    const from = new Date(hour - 24 * HOUR_MS).toISOString().slice(0, 10);
    for (const id of [early, late]) {
      await run(sql`delete from availability_override where user_id = ${id}`);
      await run(sql`delete from seat where pilot_id = ${id}`);
      for (const days of [0, 1, 2]) {
        await run(sql`insert into availability_override (id, user_id, date_local, kind, start_local, end_local, created_at)
          values (${newId()}, ${id}, ${from}::date + ${days}::int, 'available', '00:00', '00:00', now())`);
      }
      await run(sql`delete from pilot_status where user_id = ${id}`);
    }
    const [before = 0] = await free();
    await transact(em(), async (first) => {
      await query(first, sql`update app_user set roles = '{user}' where id = ${early}`);
      await transact(em(1), async (second) => {
        await query(second, sql`update app_user set roles = '{user}' where id = ${late}`);
      });
      expect(await free(), 'the later transaction has committed').toEqual([before + 1, before + 1]);
    });
    expect(await free(), 'the earlier one too').toEqual([before + 2, before + 2]);
  });
});
