/** Admins, pilots and the clock in any order: after every step the rows agree, and no step is a bug's answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { givenMissionIn, givenPilot, inbox, respond } from '#tests/harness/orders.ts';
import { startService, type Answer, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** The same numbers in [0, 1) for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Around the rules' borders: 2 h and 24 h before the start, and far from both; both missions meet and part. */
const HOURS = [1, 1.8, 3, 12, 23, 26, 27, 40, 41, 60];
const STEPS = 50;

test.each([1, 2])('walk %i', async (seed) => {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  };
  await rows(sql`update app_user set roles = '{}' where not 'admin' = any(roles)`);
  const pilots = await Promise.all([0, 2, 3, 0, 2].map((aircraftId) => givenPilot(service, aircraftId)));
  const missions: string[] = [];
  for (const hours of [40, 60]) {
    const { mission } = await givenMissionIn(service, admin, hours, {
      name: `Walk ${hours}`,
      aircraftSlots: [
        { aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' },
        { aircraftId: 3, slotCount: 1, side: 0, notes: 'SEAD' },
      ],
    });
    missions.push(mission.id);
  }

  const flightsOf = async (id: string): Promise<{ id: string; sizeCap: number }[]> =>
    (await admin.client.call('GET', `/admin/missions/${id}`)).body.packages.flatMap(
      (one: { flights: { id: string; sizeCap: number }[] }) => one.flights,
    );
  const put = (id: string, changes: object) => admin.client.call('PUT', `/admin/missions/${id}`, changes);
  const onFlight = async (id: string, change: () => object) =>
    put(id, { flights: [{ id: pick(await flightsOf(id)).id, ...change() }] });
  const seat = async (id: string) => {
    const flight = pick(await flightsOf(id));
    return `/admin/missions/${id}/seats/${flight.id}/${Math.floor(random() * flight.sizeCap)}`;
  };
  const steps: Record<string, (id: string) => Promise<Answer | undefined>> = {
    time: (id) => {
      const hours = pick(HOURS);
      return put(id, { startLocal: hoursFromNow(hours), endLocal: hoursFromNow(hours + 2) });
    },
    size: (id) => onFlight(id, () => ({ sizeCap: pick([1, 2, 3]) })),
    nature: (id) =>
      onFlight(id, () =>
        pick([{ role: 'Strike' }, { role: 'CAP' }, { side: 1 }, { side: 0 }, { aircraftId: pick([2, 3]) }]),
      ),
    rename: (id) => onFlight(id, () => ({ callsign: `${pick(['Dodge', 'Uzi', 'Enfield'])} ${pick([7, 8, 9])}` })),
    brief: (id) => put(id, { notes: pick(['Low', 'High', null]) }),
    drop: async (id) => put(id, { removeFlightIds: [pick(await flightsOf(id)).id] }),
    add: (id) => put(id, { addAircraftSlots: [{ aircraftId: pick([2, 3]), slotCount: 1, side: 0, notes: 'CAS' }] }),
    assign: async (id) =>
      admin.client.call('PUT', await seat(id), { userId: pick(pilots).id, replace: random() < 0.6 }),
    remove: async (id) => admin.client.call('DELETE', await seat(id)),
    status: () => {
      const { client, id } = pick(pilots);
      return client.call('PUT', `/users/${id}/status`, pick([{ state: 'now', minutes: 480 }, { state: 'available' }]));
    },
    async answer() {
      const pilot = pick(pilots);
      const orders: { id: string }[] = await inbox(pilot, true);
      return orders.length === 0
        ? undefined
        : respond(pilot, pick(orders), pick(['accepted', 'accepted', 'standby', 'declined']));
    },
    async expire(id) {
      await rows(sql`update frag_order set expires_at = now() - interval '1 second'
                     where mission_id = ${id} and rsvp = 'pending' and seat_index = 0`);
      return undefined;
    },
  };
  const names = [...Object.keys(steps), 'answer', 'answer', 'time', 'assign'];
  const statuses = new Map<number, number>();
  const trail: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const name = pick(names);
    const answer = await steps[name]?.(pick(missions));
    trail.push(`${name} ${answer?.status ?? ''}`.trim());
    if (answer) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    expect([(answer?.status ?? 200) < 500, await findBreaches(service)], trail.join(', ')).toEqual([true, []]);
  }
  expect(statuses.get(200) ?? 0).toBeGreaterThan(STEPS / 3);
});
