/** Swaps that are accepted while one of their pilots, or an admin, changes something else: consistent rows afterwards. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDrill } from '#tests/harness/drills.ts';
import { givenAdmin, PASSWORD, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { editMission, givenSeated } from '#tests/harness/mission-edits.ts';
import { callOffMissions, respond, retirePilots } from '#tests/harness/orders.ts';
import { answerSwap, propose } from '#tests/harness/seats.ts';
import { startService, type Answer, type Service } from '#tests/harness/service.ts';

const ROUNDS = inDrill(20, 3);

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

type Round = Awaited<ReturnType<typeof givenSeated>>;
type Seated = Round['seats'][number];

const DISTURBANCES: [what: string, act: (round: Round, proposer: Seated) => Promise<Answer>][] = [
  ['the proposer gives the seat back', (_, { pilot, order }) => respond(pilot, order, 'declined')],
  ['the proposer stands down', (_, { pilot, order }) => respond(pilot, order, 'standby')],
  [
    'the proposer asks to be deleted',
    (_, { pilot }) => pilot.client.call('POST', '/auth/deletion', { password: PASSWORD }),
  ],
  ['the mission gets another radio', ({ id }) => editMission(admin, id, { notes: 'Radio silence.' })],
  ['the proposer is suspended', (_, { pilot }) => admin.client.call('DELETE', `/admin/users/${pilot.id}/roles/user`)],
  ['the proposer accepts again', (_, { pilot, order }) => respond(pilot, order, 'accepted')],
];

test.each(DISTURBANCES)('two swaps are accepted while %s', { timeout: 240_000 }, async (_what, act) => {
  const statuses: number[] = [];
  const disturbed: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const mission = await givenSeated(service, admin, 4);
    const [first, second, third, fourth] = mission.seats;
    if (!first || !second || !third || !fourth) throw new Error('four pilots were expected');
    for (const { pilot, order } of mission.seats) expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    const [one, other] = [
      await propose(first.pilot, first.order.id, second.order.id),
      await propose(third.pilot, third.order.id, fourth.order.id),
    ];
    expect([one.status, other.status]).toEqual([201, 201]);
    const [a, b, disturbance] = await Promise.all([
      answerSwap(second.pilot, one.body.id, 'agreed'),
      answerSwap(fourth.pilot, other.body.id, 'agreed'),
      act(mission, first),
    ]);
    statuses.push(a.status, b.status);
    disturbed.push(disturbance.status);
    expect(await findBreaches(service)).toEqual([]);
    await callOffMissions(service);
    await retirePilots(service);
  }
  expect([...statuses, ...disturbed].filter((status) => status >= 500)).toEqual([]);
  // the pair that nobody disturbs swaps
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(ROUNDS);
});
