/** The week plan: competing drafts, their figures, and publishing them together, all or nothing, as previewed. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { publishWeek } from '#server/missions/publish-week.ts';
import type { WeekSolver } from '#server/orders/seating/week-solver.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { retirePilots } from '#tests/harness/orders.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const [HORNET, VIPER] = [1, 2];
const UNKNOWN = '0192c0de-0000-7000-8000-000000000000';

let service: Service;
let admin: Person;

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  // the planning admin does not fly here
  await rows(sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await findBreaches(service)).toEqual([]);
  await retirePilots(service);
  await rows(sql`update mission set status = 'cancelled' where status = 'draft'`);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const post = (path: string, body: object) => admin.client.call('POST', `/admin/missions${path}`, body);
const plan = (missionIds: string[], request?: object) => post('/week-plan', { missionIds, request });
const publish = (...missionIds: string[]) => post('/publish-week', { missionIds });

/** The same numbers for the same seed. @returns a whole number below `n` */
function dice(seed: number): (n: number) => number {
  const { between } = seeded(seed);
  return (n) => between(0, n - 1);
}

type Slot = { aircraftId: number; slotCount: number; side: number; notes: string };
const slot = (aircraftId: number, slotCount = 1, notes = 'CAP'): Slot => ({ aircraftId, slotCount, side: 0, notes });

/** Three hours unless said otherwise. */
const request = (name: string, fromHours: number, aircraftSlots: Slot[], hours = 3) => ({
  name,
  theater: 'Syria',
  startLocal: hoursFromNow(fromHours),
  endLocal: hoursFromNow(fromHours + hours),
  timeZone: 'UTC',
  aircraftSlots,
});

async function givenDraft(...args: Parameters<typeof request>): Promise<string> {
  const { status, body } = await post('', { ...request(...args), publish: false });
  expect(status).toBe(201);
  return body.mission.id;
}

async function givenPilot(displayName: string, aircraftId = 0, levels: Record<number, string> = {}): Promise<Person> {
  const pilot = await givenPerson(service, { displayName });
  await givenAlwaysFree(service, pilot.id, aircraftId);
  for (const [id, own] of Object.entries(levels))
    await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/${id}`, { level: own });
  return pilot;
}

/** One pilot flies everything and leads the Viper better than the other, who flies only the Viper. */
async function givenPair(): Promise<void> {
  await givenPilot('Everything', 0, { [VIPER]: 'expert', [HORNET]: 'basic' });
  await givenPilot('Viper only', VIPER);
}

const statusOf = async (id: string) =>
  (await rows<{ status: string }>(sql`select status from mission where id = ${id}`))[0]?.status;
const seatsOf = async (id: string) =>
  (
    await rows<{ seat: string }>(
      sql`select p.sort_order || '/' || f.sort_order || '/' || s.seat_index || ' ' || s.pilot_id as seat
          from seat s join flight f on f.id = s.flight_id join package p on p.id = f.package_id
          where s.mission_id = ${id} order by 1`,
    )
  ).map(({ seat }) => seat);

type Rival = { missionId: string; missionName: string; startUtc: string; sharedPilots: number };

describe('competing drafts', () => {
  const rivalsOf = async (input: object): Promise<Rival[]> => (await post('/dry-run', input)).body.rivals;
  const wants = (rivals: Rival[]) => rivals.map(({ missionId, sharedPilots }) => [missionId, sharedPilots]);

  test('are the drafts that overlap and share pilots, directly or through other drafts', async () => {
    await givenPair();
    await givenPilot('Hornet only', HORNET);
    const ask = request('Op Asked', 50, [slot(VIPER, 4)]);
    expect(await rivalsOf(ask)).toEqual([]);
    const later = await givenDraft('Op Later', 52, [slot(HORNET, 2)]);
    const same = await givenDraft('Op Same', 50, [slot(VIPER, 2)]);
    const chained = await givenDraft('Op Chained', 54, [slot(VIPER), slot(HORNET)]);
    await givenDraft('Op Apart', 60, [slot(VIPER)]);
    await givenDraft('Op Back to Back', 47, [slot(VIPER)]);
    const off = await givenDraft('Op Called Off', 51, [slot(VIPER)]);
    expect((await post(`/${off}/cancel`, {})).status).toBe(200);
    const found = await rivalsOf(ask);
    expect(wants(found)).toEqual([
      [same, 2],
      [later, 1],
      [chained, 2],
    ]);
    expect(found[0]).toMatchObject({ missionName: 'Op Same', startUtc: `${ask.startLocal}:00.000Z` });
    // a stored draft has the same rivals as its form
    const stored = await givenDraft('Op Asked', 50, [slot(VIPER, 4)]);
    const { body } = await admin.client.call('GET', `/admin/missions/${stored}/rivals`);
    expect(wants(body)).toEqual(wants(found));
    expect((await post(`/${stored}/publish`, {})).status).toBe(200);
    expect((await admin.client.call('GET', `/admin/missions/${stored}/rivals`)).body).toEqual([]);
  });

  test('share pilots who are free for both: neither other admins’ drafts nor what only they connect', async () => {
    await givenPilot('Viper only', VIPER);
    await givenPilot('Hornet only', HORNET);
    await givenDraft('Op Hornets', 51, [slot(HORNET)]);
    await givenDraft('Op Beyond', 53, [slot(VIPER)]);
    expect(await rivalsOf(request('Op Asked', 50, [slot(VIPER)]))).toEqual([]);
    // together with a direct one it does hang together
    const direct = await givenDraft('Op Direct', 52, [slot(VIPER)]);
    const found = await rivalsOf(request('Op Asked', 50, [slot(VIPER)]));
    expect(found.map(({ missionName }) => missionName)).toEqual(['Op Direct', 'Op Beyond']);
    expect(found[0]?.missionId).toBe(direct);
  });

  test('do not share a pilot who flies elsewhere at that time', async () => {
    await givenPilot('Busy', VIPER);
    await givenMission(service, admin, request('Op Elsewhere', 53, [slot(VIPER)], 1) as never);
    await givenDraft('Op Rival', 51, [slot(VIPER)]);
    expect(await rivalsOf(request('Op Asked', 49, [slot(VIPER)]))).toEqual([]);
  });
});

describe('the plan', () => {
  test('counts seats filled together and one after the other, and publishing fills as many', async () => {
    await givenPair();
    // seated first, the Viper gets the better lead, and no pilot is left for the Hornet
    const vipers = await givenDraft('Op Vipers', 70, [slot(VIPER)]);
    const hornets = request('Op Hornets', 71, [slot(HORNET)]);
    const shown = await plan([vipers], hornets);
    expect(shown.status).toBe(200);
    expect(shown.body).toEqual({
      missions: [
        expect.objectContaining({ missionId: vipers, missionName: 'Op Vipers', seats: 1, filled: 1, filledAlone: 1 }),
        expect.objectContaining({ missionId: null, missionName: null, seats: 1, filled: 1, filledAlone: 0 }),
      ],
      seats: 2,
      filled: 2,
      filledAlone: 1,
      isBest: true,
    });
    const { status, body } = await publish(vipers, await givenDraft('Op Hornets', 71, [slot(HORNET)]));
    expect(status).toBe(200);
    expect(body.missions.map(({ orders, openSeats }: Record<string, number>) => [orders, openSeats])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  test('counts one after the other what publishing one after the other fills', async () => {
    await givenPair();
    const vipers = await givenDraft('Op Vipers', 80, [slot(VIPER)]);
    const hornets = await givenDraft('Op Hornets', 81, [slot(HORNET)]);
    const { body } = await plan([hornets, vipers]);
    const issued = [];
    for (const id of [vipers, hornets]) issued.push((await post(`/${id}/publish`, {})).body.issued.orders);
    expect(body.missions.map(({ filledAlone }: { filledAlone: number }) => filledAlone)).toEqual(issued);
    expect(issued).toEqual([1, 0]);
  });

  test.each([1, 2, 3, 4, 5, 6])('community %i: publishing fills the seats that were shown', async (seed) => {
    const pick = dice(seed);
    for (const { id } of await givenCrowd(service, 8 + pick(10))) {
      const kind = pick(5);
      if (kind > 0) await givenAlwaysFree(service, id, kind === 1 ? 0 : kind);
      if (pick(2) === 0) {
        await rows(
          sql`insert into proficiency (user_id, aircraft_id, level, set_by_admin, updated_at)
              values (${id}, ${VIPER}, 'expert', false, now())`,
        );
      }
    }
    const hours = 100 + 20 * seed;
    const forms = Array.from({ length: 2 + pick(3) }, (_, index) =>
      request(
        `Op ${seed}-${index}`,
        hours + pick(5),
        Array.from({ length: 1 + pick(3) }, () => slot(1 + pick(4), 1 + pick(5))),
      ),
    );
    const last = forms.at(-1);
    const drafts: string[] = [];
    for (const form of forms.slice(0, -1)) drafts.push((await post('', { ...form, publish: false })).body.mission.id);
    const withForm = (await plan(drafts, last)).body;
    drafts.push((await post('', { ...last, publish: false })).body.mission.id);
    const stored = (await plan(drafts.toReversed())).body;
    const published = await publish(...drafts);
    expect(published.status).toBe(200);
    const shown = stored.missions.map(({ missionId, filled, seats }: Record<string, number>) => ({
      id: missionId,
      orders: filled,
      openSeats: Number(seats) - Number(filled),
    }));
    expect(published.body.missions).toEqual(shown);
    const figures = ({ missions }: { missions: object[] }) =>
      missions.map((mission) => ({ ...mission, missionId: null, missionName: null }));
    expect(figures(withForm)).toEqual(figures(stored));
    expect(stored.filled).toBeGreaterThanOrEqual(stored.filledAlone);
    expect(stored.filled).toBeGreaterThan(0);
    for (const { id, orders } of shown) expect(await seatsOf(id)).toHaveLength(orders);
  });

  test('leaves no trace, and waits for nobody', async () => {
    await givenPair();
    const drafts = [await givenDraft('Op One', 90, [slot(VIPER)]), await givenDraft('Op Two', 91, [slot(HORNET)])];
    const before = await takeDigest(service);
    const em = service.app.orm.em.fork();
    await em.transactional(async (tx) => {
      await query(tx, sql`lock table mission, flight, seat, frag_order in exclusive mode`);
      expect((await plan(drafts)).status).toBe(200);
    });
    expect(await takeDigest(service)).toEqual(before);
  });
});

describe('refused together', () => {
  test.each([
    ['a mission that is published', 409, 'This mission has already been published.', `status = 'scheduled'`],
    [
      'one that was cancelled',
      409,
      'This mission is over or cancelled and can no longer be changed.',
      `status = 'cancelled'`,
    ],
    [
      'one whose start has passed',
      400,
      'The mission cannot start in the past',
      `starts_at = now() - interval '6 minutes', ends_at = now() + interval '1 hour'`,
    ],
  ])('%s is refused, and the other draft stays one', async (_what, status, sentence, change) => {
    await givenPair();
    const good = await givenDraft('Op Good', 60, [slot(VIPER)]);
    const bad = await givenDraft('Op Bad', 60, [slot(HORNET)]);
    await rows(sql`update mission set ${sql.raw(change)} where id = ${bad}`);
    for (const answer of [await plan([good, bad]), await publish(good, bad)]) {
      expect([answer.status, answer.body.message]).toEqual([status, sentence]);
    }
    expect([await statusOf(good), await seatsOf(good)]).toEqual(['draft', []]);
    await rows(sql`update mission set status = 'cancelled' where id = ${bad}`);
  });

  test('a mission that is not there, none at all, and too many', async () => {
    const good = await givenDraft('Op Good', 60, [slot(VIPER)]);
    for (const answer of [await plan([good, UNKNOWN]), await publish(UNKNOWN, good)]) {
      expect([answer.status, answer.body.message]).toEqual([404, 'Mission not found']);
    }
    const many = Array.from({ length: 20 }, (_, index) => UNKNOWN.slice(0, -2) + String(10 + index));
    expect((await plan([...many, good])).body.message).toBe('At most 20 missions can be seated together');
    expect((await plan(many, request('Op', 60, [slot(VIPER)]))).body.message).toBe(
      'At most 20 missions can be seated together',
    );
    expect((await publish(...many, good)).body.message).toBe('At most 20 missions can be seated together');
    const past = { ...request('Op', 60, [slot(VIPER)]), startLocal: '2026-01-01T19:00', endLocal: '2026-01-01T22:00' };
    expect((await plan([good], past)).body.message).toBe('The mission cannot start in the past');
    expect(await statusOf(good)).toBe('draft');
  });
});

describe('at the same moment', () => {
  const outcome = (answers: { status: number; body: { message?: string } }[]) =>
    answers.map(({ status, body }) => [status, body.message]).toSorted(([a], [b]) => Number(a) - Number(b));
  const PUBLISHED = [409, 'This mission has already been published.'];
  const givenDrafts = (hours: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => givenDraft(`Op ${hours}-${n}`, hours + n / 2, [slot(VIPER)])));

  test('two admins publish the same drafts: one of them does', async () => {
    await givenPair();
    const [a = '', b = ''] = await givenDrafts(300, 2);
    const answers = await Promise.all([publish(a, b), publish(b, a)]);
    expect(outcome(answers)).toEqual([[200, undefined], PUBLISHED]);
    expect([(await seatsOf(a)).length, (await seatsOf(b)).length]).toEqual([1, 1]);
    const audit = await rows(
      sql`select 1 from audit_entry where action = 'mission_published' and subject_id in (${a}, ${b})`,
    );
    expect(audit).toHaveLength(2);
  });

  test('publications with a common draft: one is complete, the other publishes nothing', async () => {
    await givenPair();
    const [a = '', b = '', c = ''] = await givenDrafts(320, 3);
    const answers = await Promise.all([publish(a, b), publish(b, c)]);
    expect(outcome(answers)).toEqual([[200, undefined], PUBLISHED]);
    const states = await Promise.all([a, b, c].map(statusOf));
    expect([
      ['scheduled', 'scheduled', 'draft'],
      ['draft', 'scheduled', 'scheduled'],
    ]).toContainEqual(states);
  });

  test('a draft that is published on its own meanwhile', async () => {
    await givenPair();
    const [a = '', b = ''] = await givenDrafts(340, 2);
    const answers = await Promise.all([publish(a, b), post(`/${b}/publish`, {})]);
    expect(outcome(answers)).toEqual([[200, undefined], PUBLISHED]);
    expect(await statusOf(b)).toBe('scheduled');
    expect(await statusOf(a)).toBe(answers[0]?.status === 200 ? 'scheduled' : 'draft');
  });

  test('publications of other drafts that want the same pilots: nobody flies two', async () => {
    await givenPair();
    const [a = '', b = '', c = '', d = ''] = await givenDrafts(360, 4);
    const answers = await Promise.all([publish(a, c), publish(b, d)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const seats = await Promise.all([a, b, c, d].map(seatsOf));
    expect(seats.flat()).toHaveLength(2);
  });
});

test(
  'a seating that takes longer than a transaction may otherwise idle is published all the same',
  { timeout: 60_000 },
  async () => {
    const pilot = await givenPerson(service);
    await givenAlwaysFree(service, pilot.id);
    const id = await givenDraft('Op Slow', 40, [slot(VIPER)]);
    const { weekSolver, orm } = service.app;
    const idleFor = async () => {
      const [{ seconds } = { seconds: 0 }] = await rows<{ seconds: number }>(
        sql`select coalesce(max(extract(epoch from clock_timestamp() - state_change)), 0)::float8 as seconds
          from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
      );
      return seconds;
    };
    const slow: WeekSolver = {
      stop: () => weekSolver.stop(),
      async solve(...problem) {
        let longest = 0;
        const look = async () => {
          const seconds = await idleFor();
          const isOver = seconds < longest || seconds > 10.5;
          longest = seconds;
          return isOver;
        };
        await expect.poll(look, { timeout: 30_000, interval: 250 }).toBe(true);
        return weekSolver.solve(...problem);
      },
    };
    const { missions } = await publishWeek(orm.em.fork(), admin, slow, { missionIds: [id] }, new Date());
    expect(missions).toEqual([{ id, orders: 1, openSeats: 0 }]);
  },
);
