/** The pilots that a mission's seating reads: nobody who could get a seat is missing, and few others are looked at. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listLikelyPilots } from '#server/availability/presences.ts';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { addRecords, loadCandidates, loadEligible, loadEligibleForAny } from '#server/orders/seating/candidates.ts';
import { isEligible } from '#server/orders/seating/rules/eligibility.ts';
import { randomCommunity } from '#tests/harness/community.ts';
import { givenCommunity } from '#tests/harness/given-community.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { createOracle } from '#tests/harness/oracle.ts';
import { seeded, type Random } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PILOTS = 60;
const DAYS = 7;
const WINDOWS = 30;
/** Clock changes of Europe, America and Australia are within a week of these, except the last. */
const WEEKS = ['2027-03-10', '2027-03-26', '2027-10-01', '2027-10-29', '2027-06-16'];

let service: Service;
let admin: Person;
const em = () => service.app.orm.em.fork();
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await query(em(), sql`delete from mission`);
  await query(em(), sql`delete from app_user where id <> ${admin.id}`);
});

const ids = (pilots: readonly { id: string }[]): string[] => pilots.map(({ id }) => id).sort();

/** A mission on any minute, up to twelve hours long, that is not stored. */
function randomMission(random: Random, fromMs: number) {
  const startMs = fromMs + random.between(0, DAYS * 96) * 15 * MINUTE_MS + random.pick([0, 0, 7]) * MINUTE_MS;
  const endMs = startMs + random.between(1, 48) * 15 * MINUTE_MS;
  return {
    id: newId(),
    name: '',
    status: 'scheduled' as const,
    startMs,
    endMs,
    aircraftIds: random.pick([[2], [4], [2, 4]]),
  };
}

test.each(WEEKS)('in the week of %s nobody is missing', async (week) => {
  const random = seeded(Date.parse(week) / DAY_MS);
  const fromMs = Date.parse(week);
  const nowMs = fromMs + 5 * HOUR_MS + 7 * MINUTE_MS;
  const now = new Date(nowMs);
  const community = randomCommunity(random, { size: PILOTS, fromMs, days: DAYS });
  await givenCommunity(service, community, nowMs, admin.id);
  const oracle = createOracle(community, nowMs, {
    fromMs: fromMs - DAY_MS,
    toMs: fromMs + (DAYS + 2) * DAY_MS,
  });
  const missions = Array.from({ length: WINDOWS }, () => randomMission(random, fromMs));
  let [found, likely] = [0, 0];
  for (const mission of missions) {
    const fly = new Set(mission.aircraftIds.flatMap((aircraftId) => oracle.fly({ ...mission, aircraftId })));
    const pilots = await loadEligible(em(), mission, mission.aircraftIds, now);
    expect(ids(pilots)).toEqual([...fly].sort());
    found += pilots.length;
    likely += (await listLikelyPilots(em(), mission, mission.aircraftIds)).length;
  }
  expect(found).toBeGreaterThan(WINDOWS);
  expect(likely).toBeLessThan((WINDOWS * PILOTS) / 2);

  // with aircraft lists, records and debts: the pilots of the whole community whom the rules let through
  await query(
    em(),
    sql`insert into proficiency (user_id, aircraft_id, level, set_by_admin, updated_at)
        select id, 2 + 2 * (ascii(right(id::text, 1)) % 2), 'proficient', false, now() from app_user
        where ascii(right(id::text, 1)) % 3 <> 0 and id <> ${admin.id}`,
  );
  for (const mission of missions) {
    const everybody = await loadCandidates(em(), mission, now);
    const facts = everybody.filter((pilot) => isEligible(pilot, mission, mission.aircraftIds, nowMs));
    const eligible = await addRecords(em(), facts, now, ids(everybody));
    const pilots = await loadEligible(em(), mission, mission.aircraftIds, now);
    expect(pilots.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(eligible);
  }
  const ofAny = new Set<string>();
  for (const mission of missions)
    for (const id of ids(await loadEligible(em(), mission, mission.aircraftIds, now))) ofAny.add(id);
  expect(ids(await loadEligibleForAny(em(), missions, { now }))).toEqual([...ofAny].sort());
});
