import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { setStatus } from '#server/availability/status.ts';
import { enqueueMissionBackfill } from '#server/signals/work-jobs.ts';
import { unlinkAccount } from '#server/discord/sign-in/link.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { callOffMissions, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService } from '#tests/harness/service.ts';
import { actionsOf, badgeOf, cardOf, linksOf, nothingLeft, textOf } from './cards.ts';
import type { StoredMessage } from './emulator/types.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';

let world: DiscordWorld;
let admin: Person;
let guildId: string;

beforeAll(async () => {
  world = await startDiscord({ wideLimits: ['gateway', 'requests'], withJobs: true });
  admin = await givenAdmin(world.service);
  guildId = (await givenDiscordGuild(world)).id;
});
afterAll(() => world.stop());
afterEach(async () => {
  await callOffMissions(world.service);
  await retirePilots(world.service);
});

const em = () => world.service.app.orm.em.fork();

async function givenFreePilot(displayName?: string) {
  const pilot = await givenLinkedPilot(world, guildId, displayName === undefined ? {} : { displayName });
  await givenAlwaysFree(world.service, pilot.id);
  return pilot;
}

/** The messages sent, without ephemeral answers. */
const dms = ({ discordUserId }: { discordUserId: string }) =>
  world.emulator.directMessages(discordUserId).filter(({ ephemeralFor }) => ephemeralFor === null);

/** The message is a new one, which notifies; it replies to the one before, whose buttons are gone. */
async function expectReply(message: StoredMessage, before: StoredMessage) {
  expect(message.id).not.toBe(before.id);
  await nothingLeft(world);
  const old = world.emulator.messages(before.channelId).find(({ id }) => id === before.id);
  expect(old && [badgeOf(old), ...actionsOf(old)]).toEqual(['Replaced']);
  const posted = world.emulator.requests.filter(
    ({ method, path }) => method === 'POST' && path.startsWith(`/channels/${before.channelId}/messages`),
  );
  expect(posted.at(-1)?.body).toMatchObject({
    message_reference: { message_id: before.id, fail_if_not_exists: false },
  });
}

test('an order is sent as a direct message with all its facts, and the message is updated when it is answered on the site', async () => {
  const pilot = await givenFreePilot();
  await givenMission(world.service, admin, { name: 'Op Copper Kite' });
  const order = await orderOf(pilot);
  const card = await cardOf(world, pilot);
  expect(actionsOf(card)).toEqual(['accept', 'standby', 'decline']);
  expect(linksOf(card)).toEqual([`${world.service.url}/orders/${order.id}`]);
  expect(textOf(card)).toMatch(/^\s*FRAG-\d{3}: Op Copper Kite\n/);
  expect(textOf(card)).toMatch(/\n\*\*\w+ \d-1 · F-16C.* · CAP · Blue\*\*\n/);
  expect(card.mentions).toEqual([]);
  await respond(pilot, order, 'accepted');
  const accepted = await cardOf(world, pilot, 'Accepted');
  expect(accepted.id).toBe(card.id);
  expect(actionsOf(accepted)).toEqual(['standby', 'decline']);
  await respond(pilot, order, 'declined');
  expect(actionsOf(await cardOf(world, pilot, 'Declined'))).toEqual(['accept', 'standby']);
});

test('its buttons answer it by the rules of the site', async () => {
  const pilot = await givenFreePilot();
  await givenMission(world.service, admin);
  const card = await cardOf(world, pilot);
  const order = await orderOf(pilot);
  await world.emulator.press(pilot.discordUserId, card.id, `v1:accept:${order.id}`);
  await cardOf(world, pilot, 'Accepted');
  const { body } = await pilot.client.call('GET', `/pilot/inbox/${order.id}`);
  expect(body).toMatchObject({ status: 'issued', rsvp: 'accepted' });
});

test('the message of an expired order says so and no longer takes answers', async () => {
  const pilot = await givenFreePilot();
  const { mission } = await givenMission(world.service, admin);
  await cardOf(world, pilot);
  await query(em(), sql`update frag_order set expires_at = now() where mission_id = ${mission.id}`);
  await enqueueMissionBackfill(em(), [mission.id]);
  expect(actionsOf(await cardOf(world, pilot, 'Expired'))).toEqual([]);
});

test('a cancelled mission is a new message', async () => {
  const pilot = await givenFreePilot();
  const { mission } = await givenMission(world.service, admin);
  const first = await cardOf(world, pilot);
  await cancelMission(em(), admin, mission.id, new Date());
  const card = await cardOf(world, pilot, 'Cancelled');
  await expectReply(card, first);
  expect(actionsOf(card)).toEqual([]);
  expect(textOf(card)).toContain("won't take place");
});

test('a seat for a pilot on standby is a new message', async () => {
  const waiting = await givenFreePilot();
  await givenMission(world.service, admin);
  const first = await cardOf(world, waiting);
  await respond(waiting, await orderOf(waiting), 'standby');
  expect(actionsOf(await cardOf(world, waiting, 'On standby'))).toEqual(['accept', 'decline']);
  const other = await givenFreePilot();
  await cardOf(world, other);
  await respond(other, await orderOf(other), 'declined');
  const seated = await cardOf(world, waiting, 'Accepted');
  expect(textOf(seated)).toContain("You're in: Viper 1, seat 1");
  await expectReply(seated, first);
  await cardOf(world, other, 'Declined');
});

test('a changed order asks again, with the old and the new values', async () => {
  const pilot = await givenFreePilot();
  const { mission } = await givenMission(world.service, admin);
  const order = await orderOf(pilot);
  const first = await cardOf(world, pilot);
  await respond(pilot, order, 'accepted');
  await cardOf(world, pilot, 'Accepted');
  await editMission(admin, mission.id, { startLocal: hoursFromNow(31), endLocal: hoursFromNow(34), timeZone: 'UTC' });
  const asked = await cardOf(world, pilot, /Please answer again by/);
  expect(actionsOf(asked)).toEqual(['accept', 'standby', 'decline']);
  expect(textOf(asked)).toMatch(/What changed\n• Start .+ to .+\./);
  await expectReply(asked, first);
  await world.emulator.press(pilot.discordUserId, asked.id, 'Accept');
  expect(textOf(await cardOf(world, pilot, 'Accepted'))).not.toContain('What changed');
});

test('a removed pilot gets a new message, and one who declined none when the mission is called off', async () => {
  const pilot = await givenFreePilot();
  const { mission } = await givenMission(world.service, admin);
  const first = await cardOf(world, pilot);
  await respond(pilot, await orderOf(pilot), 'accepted');
  await cardOf(world, pilot, 'Accepted');
  await nothingLeft(world);
  const { packages } = (await admin.client.call('GET', `/admin/missions/${mission.id}`)).body;
  await admin.client.call('DELETE', `/admin/missions/${mission.id}/seats/${packages[0].flights[0].id}/0`);
  await expectReply(await cardOf(world, pilot, 'Removed'), first);

  await callOffMissions(world.service);
  await retirePilots(world.service);
  const other = await givenFreePilot();
  const { mission: next } = await givenMission(world.service, admin, {
    startLocal: hoursFromNow(50),
    endLocal: hoursFromNow(52),
  });
  await cardOf(world, other);
  await respond(other, await orderOf(other), 'declined');
  await cardOf(world, other, 'Declined');
  await nothingLeft(world);
  await cancelMission(em(), admin, next.id, new Date());
  await cardOf(world, other, 'Cancelled');
  await nothingLeft(world);
  expect(dms(other)).toHaveLength(1);
});

test('a card names the crew of its flight, and follows their answers without a new message', async () => {
  const pilot = await givenFreePilot();
  const mate = await givenFreePilot('Wolfman');
  await givenMission(world.service, admin, {
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  await cardOf(world, pilot);
  await respond(pilot, await orderOf(pilot), 'accepted');
  await cardOf(world, pilot, 'Accepted');
  const order = await orderOf(mate);
  await respond(mate, order, 'accepted');
  await cardOf(world, pilot, /\nCrew\n(.*\n)*\d Wolfman/);
  await respond(mate, order, 'declined');
  await cardOf(world, pilot, /\nCrew\n(.*\n)*\d open/);
  await nothingLeft(world);
  expect(dms(pilot)).toHaveLength(1);
});

test('a renamed mission updates cards of otherwise unchanged orders', async () => {
  const pilot = await givenFreePilot();
  const { mission } = await givenMission(world.service, admin);
  await cardOf(world, pilot);
  await respond(pilot, await orderOf(pilot), 'declined');
  await cardOf(world, pilot, 'Declined');
  await editMission(admin, mission.id, { name: 'Op Second Thought' });
  await cardOf(world, pilot, /Op Second Thought/);
});

test('a pilot who turned off direct messages gets none, and old ones stay up to date', async () => {
  const pilot = await givenFreePilot();
  const { mission } = await givenMission(world.service, admin);
  await cardOf(world, pilot);
  const { reply } = await world.emulator.command(pilot.discordUserId, guildId, 'help');
  await world.emulator.press(pilot.discordUserId, reply?.id ?? '', 'No more direct messages');
  await givenMission(world.service, admin, { startLocal: hoursFromNow(50), endLocal: hoursFromNow(52) });
  expect(await orderOf(pilot)).toBeDefined();
  await nothingLeft(world);
  expect(dms(pilot)).toHaveLength(1);
  await cancelMission(em(), admin, mission.id, new Date());
  await cardOf(world, pilot, 'Cancelled');
});

/** An order for a mission in 20 hours, from an admin: the automatic seating asks nobody on Do Not Disturb so late. */
async function assignSoon(pilot: Person) {
  const times = { startLocal: hoursFromNow(20), endLocal: hoursFromNow(22) };
  const { mission } = await givenMission(world.service, admin, times);
  const { packages } = (await admin.client.call('GET', `/admin/missions/${mission.id}`)).body;
  const flightId = packages[0].flights[0].id;
  const path = `/admin/missions/${mission.id}/seats/${flightId}/0`;
  expect((await admin.client.call('PUT', path, { userId: pilot.id })).status).toBe(200);
}

test('Do Not Disturb holds back orders for the next 24 hours until it ends, and no later ones', async () => {
  const pilot = await givenFreePilot();
  await setStatus(em(), { id: pilot.id, state: 'dnd' }, new Date());
  await givenMission(world.service, admin);
  await cardOf(world, pilot);
  await assignSoon(pilot);
  await nothingLeft(world);
  expect(dms(pilot)).toHaveLength(1);
  await setStatus(em(), { id: pilot.id, state: 'available' }, new Date());
  await expect.poll(() => dms(pilot).length).toBe(2);
});

test('an order that ended while it was held back is never sent', async () => {
  const pilot = await givenFreePilot();
  await setStatus(em(), { id: pilot.id, state: 'dnd' }, new Date());
  await assignSoon(pilot);
  await respond(pilot, await orderOf(pilot), 'declined');
  await setStatus(em(), { id: pilot.id, state: 'available' }, new Date());
  await nothingLeft(world);
  expect(dms(pilot)).toEqual([]);
});

test('only linked pilots get messages; linking later sends pending orders, and unlinking stops them', async () => {
  const pilot = await givenFreePilot();
  const { discordUserId, discordUsername: username } = pilot;
  await unlinkAccount(em(), pilot.id, new Date());
  await givenMission(world.service, admin);
  const order = await orderOf(pilot);
  await nothingLeft(world);
  expect(dms(pilot)).toEqual([]);
  await query(
    em(),
    sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                        values (${discordUserId}, ${pilot.id}, ${username}, now())`,
  );
  await setStatus(em(), { id: pilot.id, state: 'available' }, new Date());
  await cardOf(world, pilot);
  await unlinkAccount(em(), pilot.id, new Date());
  await respond(pilot, order, 'accepted');
  await nothingLeft(world);
  expect(badgeOf(await cardOf(world, pilot))).toBeUndefined();
});

test('names of users format nothing and mention nobody', async () => {
  const names = { name: '@everyone **free** <@&123456> `beer`' };
  const pilot = await givenFreePilot('@here <@99999>');
  await givenMission(world.service, admin, names);
  const card = await cardOf(world, pilot);
  expect(card).toMatchObject({ mentions: [], mentionsEveryone: false });
  // the first line is bold, and nothing else
  expect(textOf(card).replace(/\n\*\*.*\*\*\n/, '')).not.toMatch(/@everyone|@here|<@|(?<!\\)\*\*/);
});

test('two services at once send each order once', async () => {
  const { service, emulator } = world;
  const second = await startService({
    beside: service,
    withJobs: true,
    env: { DISCORD_TOKEN: emulator.token, DISCORD_API_URL: emulator.apiUrl },
  });
  try {
    const pilots = await Promise.all(Array.from({ length: 4 }, () => givenFreePilot()));
    const aircraftSlots = [{ aircraftId: 2, slotCount: 4, side: 0 as const, notes: 'CAP' as const }];
    for (const hours of [30, 40, 50]) {
      await givenMission(service, admin, {
        startLocal: hoursFromNow(hours),
        endLocal: hoursFromNow(hours + 2),
        aircraftSlots,
      });
    }
    await nothingLeft(world);
    for (const pilot of pilots) {
      const titles = dms(pilot).map(({ embeds }) => embeds[0]?.title);
      expect(titles).toHaveLength(3);
      expect(new Set(titles).size).toBe(3);
    }
  } finally {
    await second.stop();
  }
});
