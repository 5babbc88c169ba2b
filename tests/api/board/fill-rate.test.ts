/** The fill rate: seats with an accepted pilot at the start, by week of local days; only missions that have started. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { getFillRate } from '#server/board/fill-rate.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, inbox, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const NOW = new Date('2026-06-10T12:00:00Z');

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  await query(em(), sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
});
afterAll(() => service.stop());

const em = () => service.app.orm.em.fork();

/** A mission of four seats with an answer of each of its pilots; it starts at that moment of 2026. */
async function givenPast(startUtc: string, answers: readonly string[], columns = sql`status = 'scheduled'`) {
  await query(em(), sql`update app_user set roles = '{}' where not 'admin' = any(roles)`);
  const pilots: Person[] = [];
  for (const _answer of answers) pilots.push(await givenPilot(service));
  const { mission } = await givenMissionIn(service, admin, 40, {
    aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'CAP' }],
  });
  for (const [index, pilot] of pilots.entries()) {
    const [order] = await inbox(pilot);
    const answer = answers[index] ?? '';
    if (answer !== 'none') expect((await respond(pilot, order, answer)).status).toBe(200);
  }
  await query(
    em(),
    sql`update mission set starts_at = ${startUtc}::timestamptz, ends_at = ${startUtc}::timestamptz + interval '2 hours', ${columns} where id = ${mission.id}`,
  );
}

test('weeks of seven days end today; drafts, practice, cancelled and coming missions do not count', async () => {
  await givenPast('2026-06-10T11:00:00Z', ['Accepted', 'Accepted', 'Accepted', 'none']);
  await givenPast('2026-06-04T00:00:00Z', ['Accepted', 'Declined']);
  await givenPast('2026-06-03T23:59:00Z', ['Accepted']);
  await givenPast('2026-03-19T00:00:00Z', ['Accepted', 'Accepted', 'Accepted', 'Accepted']);
  for (const [start, columns] of [
    ['2026-03-18T23:59:00Z', sql`status = 'scheduled'`],
    ['2026-06-10T12:01:00Z', sql`status = 'scheduled'`],
    ['2026-06-09T12:00:00Z', sql`status = 'cancelled'`],
    ['2026-06-09T12:00:00Z', sql`status = 'draft'`],
    ['2026-06-09T12:00:00Z', sql`is_practice = true`],
  ] as const)
    await givenPast(start, ['Accepted'], columns);

  const { timeZone, weeks } = await getFillRate(em(), {}, NOW);
  expect([timeZone, weeks.length]).toEqual(['UTC', 12]);
  expect(weeks[0]).toEqual({ startDate: '2026-03-19', endDate: '2026-03-25', missions: 1, seats: 4, filled: 4 });
  expect(weeks[10]).toEqual({ startDate: '2026-05-28', endDate: '2026-06-03', missions: 1, seats: 4, filled: 1 });
  expect(weeks[11]).toEqual({ startDate: '2026-06-04', endDate: '2026-06-10', missions: 2, seats: 8, filled: 4 });
  for (const week of weeks.slice(1, 10)) expect(week).toMatchObject({ missions: 0, seats: 0, filled: 0 });

  // west of Greenwich, the mission of the first minute of the week is still of the day before
  const west = (await getFillRate(em(), { tz: 'America/New_York' }, NOW)).weeks;
  expect(west.slice(-2).map(({ missions }) => missions)).toEqual([2, 1]);
});
