/** The lists of a seat's candidates and of pilots without a seat: from a roster they say what they say without one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRosterReader } from '#server/availability/roster-reader.ts';
import { readHere } from '#server/board/heavy-reads-worker.ts';
import { query, sql } from '#server/schema/query.ts';
import { listIneligible } from '#server/orders/seating/ineligibility.ts';
import { listSeatCandidates } from '#server/orders/seating/seat-candidates.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { SeatCandidateDto } from '#shared/schemas/mission-admin.ts';
import type { IneligiblePilotDto } from '#shared/schemas/mission-plan.ts';
import { randomCommunity } from '#tests/harness/community.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { givenCommunity } from '#tests/harness/given-community.ts';
import { givenAdmin, givenMission, type Person } from '#tests/harness/given.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PILOTS = 90;
const MISSIONS = 20;
const FROM = '2027-03-26';
const NOW = new Date(Date.parse(FROM) + 5 * HOUR_MS);

let service: Service;
let admin: Person;
const em = () => service.app.orm.em.fork();
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const wall = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const throughRoster = (name: 'seatCandidates' | 'ineligible', input: unknown) =>
  readHere({ em: em(), rosters: createRosterReader() }, { name, rest: [input, NOW] });

async function givenSeat(startMs: number, hours: number) {
  const { mission } = await givenMission(
    service,
    admin,
    { startLocal: wall(startMs), endLocal: wall(startMs + hours * HOUR_MS) },
    NOW,
  );
  const [flight] = await query(em(), sql<{ id: string }>`select id from flight where mission_id = ${mission.id}`);
  return { id: mission.id, flightId: flight?.id ?? '', seatIndex: 0 };
}

test('at random times the lists from a roster are those of a community without one', async () => {
  const random = seeded(20_270_326);
  const fromMs = Date.parse(FROM);
  const community = randomCommunity(random, { size: PILOTS, fromMs, days: 7 });
  await givenCommunity(service, community, NOW.getTime(), admin.id);
  let [near, eligible] = [0, 0];
  for (let turn = 0; turn < MISSIONS; turn += 1) {
    const seat = await givenSeat(fromMs + DAY_MS + random.between(0, 5 * 24) * HOUR_MS, random.between(1, 6));
    const candidates = await listSeatCandidates(em(), seat, NOW);
    expect(await throughRoster('seatCandidates', seat)).toEqual(candidates);
    const ineligible = await listIneligible(em(), seat.id, NOW);
    expect(await throughRoster('ineligible', seat.id)).toEqual(ineligible);
    near += ineligible.filter(({ isNearMiss }) => isNearMiss).length;
    eligible += candidates.filter(({ reason }) => reason === null).length;
  }
  // the comparison was about something
  expect(near).toBeGreaterThan(MISSIONS);
  expect(eligible).toBeGreaterThan(MISSIONS);
});

test('of a large community the first are listed, and a search finds every other', async () => {
  await givenCrowd(service, LISTED_MAX.candidates + 100);
  const seat = await givenSeat(Date.parse(FROM) + 3 * DAY_MS, 3);
  const candidates = (await throughRoster('seatCandidates', seat)) as SeatCandidateDto[];
  expect(candidates).toHaveLength(LISTED_MAX.candidates);
  const [last] = await query(
    em(),
    sql<{ name: string }>`select display_name as name from app_user where 'user' = any (roles)
      and display_name <> all (${candidates.map(({ userDisplayName }) => userDisplayName)}) limit 1`,
  );
  const name = last?.name ?? '';
  const found = (await throughRoster('seatCandidates', {
    ...seat,
    query: ` ${name.toUpperCase()} `,
  })) as SeatCandidateDto[];
  expect(found.map(({ userDisplayName }) => userDisplayName)).toContain(name);
  const ineligible = (await throughRoster('ineligible', seat.id)) as IneligiblePilotDto[];
  const absent = ineligible.filter(({ reason, isNearMiss }) => reason === 'NOT_AVAILABLE' && !isNearMiss);
  expect(absent).toHaveLength(LISTED_MAX.ineligible);
});
