/** News of a frag order: one new message each, whatever crashes; changes that wait together are one. The test runs the jobs. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DiscordClient } from '#server/discord/discord-client.ts';
import { syncPilotOrders } from '#server/discord/posts/order-messages.ts';
import { sendDelivery } from '#server/delivery/sender.ts';
import { createDiscordChannel } from '#server/discord/posts/discord-channel.ts';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { callOffMissions, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { actionsOf, badgeOf, textOf } from './cards.ts';
import { givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { givenServer } from './posts.ts';

let world: DiscordWorld;
let admin: Person;
let guildId: string;
beforeAll(async () => {
  world = await startDiscord({ withBot: false, wideLimits: ['gateway', 'requests'] });
  admin = await givenAdmin(world.service);
  guildId = (await givenServer(world)).id;
});
afterAll(() => world.stop());
beforeEach(async () => {
  await callOffMissions(world.service);
  await retirePilots(world.service);
});

type Pilot = Awaited<ReturnType<typeof givenLinkedPilot>>;
const em = () => world.service.app.orm.em.fork();
const sync = ({ id }: Pilot) => syncPilotOrders(em(), id, world.service.url, new Date());
const messages = ({ discordUserId }: Pilot) => world.emulator.directMessages(discordUserId);
const current = (pilot: Pilot) => messages(pilot).filter((message) => badgeOf(message) !== 'Replaced');

const waiting = ({ discordUserId }: Pilot) =>
  query<{ id: string }>(
    em(),
    sql`select d.id from delivery d join discord_post o on o.id = d.post_id
        where o.discord_user_id = ${discordUserId} and d.state in ('queued', 'sending') order by d.seq`,
  );

function clientOf(): DiscordClient {
  const { discord } = world.service.app;
  if (!discord) throw new Error('There is no client');
  return discord;
}

const send = (deliveryId: string, discord: DiscordClient) =>
  sendDelivery(world.service.app, createDiscordChannel({ discord, log: world.service.app.log }), deliveryId);

/** Sends as a process that is killed after Discord has performed the call, and before it is recorded. */
async function sendAndDie(id: string): Promise<void> {
  const client = clientOf();
  const die = async (work: Promise<unknown>): Promise<never> => {
    await work;
    throw new Error('killed');
  };
  const dying: DiscordClient = {
    ...client,
    get: client.get.bind(client),
    ownId: client.ownId.bind(client),
    post: (...call) => (call[0].endsWith('/messages') ? die(client.post(...call)) : client.post(...call)),
    patch: (...call) => die(client.patch(...call)),
  };
  await send(id, dying).catch((error: Error) => expect(error.message).toBe('killed'));
  // its lease ends
  await query(em(), sql`update delivery set next_attempt_at = now() where id = ${id}`);
}

/** Sends all that waits, as the jobs do. */
async function sendAll(pilot: Pilot): Promise<void> {
  for (let [row] = await waiting(pilot); row; [row] = await waiting(pilot)) {
    await query(em(), sql`update delivery set next_attempt_at = now() where id = ${row.id}`);
    await send(row.id, clientOf());
  }
}

async function deliver(pilot: Pilot): Promise<void> {
  await sync(pilot);
  await sendAll(pilot);
}

async function givenHolder() {
  const pilot = await givenLinkedPilot(world, guildId);
  await givenAlwaysFree(world.service, pilot.id);
  const { mission } = await givenMission(world.service, admin);
  const order = await orderOf(pilot);
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(1);
  return { pilot, missionId: mission.id, order };
}

const move = (missionId: string, hours: number) =>
  editMission(admin, missionId, {
    startLocal: hoursFromNow(hours),
    endLocal: hoursFromNow(hours + 3),
    timeZone: 'UTC',
  });

test('a nudge is a new message, which an answer edits, and what follows is news again', async () => {
  const { pilot, missionId, order } = await givenHolder();
  const nudge = async (about: string) => {
    await query(
      em(),
      sql`update frag_order set issued_at = issued_at - interval '4 hours', changed_at = changed_at - interval '4 hours',
                            nudged_at = nudged_at - interval '4 hours' where id = ${order.id}`,
    );
    expect((await admin.client.call('POST', `/admin/missions/${missionId}/nudge`, { about })).body).toEqual({
      nudged: 1,
    });
    await deliver(pilot);
  };
  await nudge('unanswered');
  expect(messages(pilot)).toHaveLength(2);
  await nudge('unanswered');
  expect(messages(pilot)).toHaveLength(3);
  expect(current(pilot)).toHaveLength(1);
  await respond(pilot, order, 'accepted');
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(3);
  expect(current(pilot).map(badgeOf)).toEqual(['Accepted']);
  await move(missionId, 33);
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(4);
});

test('two changes that wait together are one new message with the last state, and answers edit it', async () => {
  const { pilot, missionId, order } = await givenHolder();
  await respond(pilot, order, 'accepted');
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(1);
  await move(missionId, 31);
  await sync(pilot);
  await move(missionId, 33);
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(2);
  const [card] = current(pilot);
  expect(card && textOf(card)).toContain(`<t:${Date.parse((await read(pilot, order)).startUtc) / 1000}:F>`);
  await respond(pilot, order, 'accepted');
  await deliver(pilot);
  await editMission(admin, missionId, { notes: 'Bring the long tanks.' });
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(2);
  expect(current(pilot).map(badgeOf)).toEqual(['Accepted']);
  expect(current(pilot).map(textOf)).toEqual([expect.stringContaining('Bring the long tanks')]);
});

test('a change whose answer came before it was sent needs no message: the card before is up to date', async () => {
  const { pilot, missionId, order } = await givenHolder();
  await move(missionId, 31);
  await sync(pilot);
  await respond(pilot, order, 'accepted');
  await deliver(pilot);
  expect(messages(pilot).map(badgeOf)).toEqual(['Accepted']);
  expect(messages(pilot).map(actionsOf)).toEqual([['standby', 'decline']]);
});

test('a new message that Discord refuses leaves the card before in charge, and is sent once messages are open', async () => {
  const { pilot, missionId } = await givenHolder();
  world.emulator.setClosedDms(pilot.discordUserId, true);
  await move(missionId, 31);
  await deliver(pilot);
  expect(messages(pilot).map(actionsOf)).toEqual([expect.arrayContaining(['accept', 'standby', 'decline'])]);
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(1);
  world.emulator.setClosedDms(pilot.discordUserId, false);
  await query(em(), sql`update discord_account set dm_closed_at = null where discord_user_id = ${pilot.discordUserId}`);
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(2);
  expect(current(pilot)).toHaveLength(1);
});

test('killed between any post or edit and its record, each change is one new message', async () => {
  const random = seeded(20_261_123);
  const { pilot, missionId, order } = await givenHolder();
  let expected = 1;
  for (let round = 0; round < inDrill(60, 15); round += 1) {
    const isAnswer = random.chance(0.3);
    if (isAnswer) await respond(pilot, order, 'accepted');
    else await move(missionId, 31 + round);
    if (!isAnswer) expected += 1;
    await sync(pilot);
    for (let kills = random.between(0, 3); kills > 0; kills -= 1) {
      const rows = await waiting(pilot);
      const row = rows[random.between(0, Math.max(0, rows.length - 1))];
      if (row) await sendAndDie(row.id);
      if (random.chance(0.3)) world.emulator.forgetNonces();
      if (random.chance(0.5)) await sync(pilot);
    }
    await deliver(pilot);
    expect(messages(pilot), `round ${round}`).toHaveLength(expected);
    expect(current(pilot), `round ${round}`).toHaveLength(1);
  }
  await cancelMission(em(), admin, missionId, new Date());
  await deliver(pilot);
  expect(messages(pilot)).toHaveLength(expected + 1);
  expect(current(pilot).map(badgeOf)).toEqual(['Cancelled']);
});
