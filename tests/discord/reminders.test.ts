/** Reminders in Discord, from the worker's schedule to the buttons, with the real bot. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { answerReminder } from '#server/discord/replies/reminder-replies.ts';
import { query, sql } from '#server/schema/query.ts';
import { parseButtonId } from '#shared/discord-button-ids.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { callOffMissions, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { passTime } from '#tests/harness/reminders.ts';
import { actionsOf, badgeOf, nothingLeft, textOf } from './cards.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { privateText } from './read.ts';

let world: DiscordWorld;
let admin: Person;
let guildId: string;
beforeAll(async () => {
  world = await startDiscord({ withJobs: true });
  admin = await givenAdmin(world.service);
  guildId = (await givenDiscordGuild(world)).id;
});
afterAll(() => world.stop());
afterEach(async () => {
  await callOffMissions(world.service);
  await retirePilots(world.service);
});

const em = () => world.service.app.orm.em.fork();
const WAIT = { timeout: 20_000, interval: 20 };

/** A linked pilot with an accepted seat, a day before the start. */
async function givenAsked(name: string) {
  const pilot = await givenLinkedPilot(world, guildId);
  await givenAlwaysFree(world.service, pilot.id);
  const { mission } = await givenMission(world.service, admin, {
    name,
    startLocal: hoursFromNow(25),
    endLocal: hoursFromNow(28),
  });
  const order = await orderOf(pilot);
  expect((await respond(pilot, order, 'accepted')).status).toBe(200);
  await nothingLeft(world);
  await passTime(world.service, 61);
  return { pilot, mission, order };
}

async function runJob(): Promise<void> {
  await query(em(), sql`select graphile_worker.add_job('send_reminders')`);
  await vi.waitFor(async () => {
    const waiting = await query(
      em(),
      sql`select id from graphile_worker.jobs where task_identifier = 'send_reminders' and run_at <= now()`,
    );
    expect(waiting).toEqual([]);
  }, WAIT);
  await nothingLeft(world);
}

const remindersTo = ({ discordUserId }: { discordUserId: string }) =>
  world.emulator
    .directMessages(discordUserId)
    .filter((message) => message.ephemeralFor === null && textOf(message).includes('Reminder:'));
const reminderTo = async (pilot: { discordUserId: string }, state?: string) =>
  vi.waitFor(() => {
    const [message, ...more] = remindersTo(pilot);
    expect(more).toEqual([]);
    if (!message) throw new Error('There is no reminder');
    if (state !== undefined) expect(badgeOf(message)).toBe(state);
    return message;
  }, WAIT);
const buttonOf = (message: Parameters<typeof actionsOf>[0], action: string) =>
  JSON.stringify(message.components).match(new RegExp(`v1:${action}:[\\w-]+`))?.[0] ?? '';
/** A press on a button that Discord still showed: the message has been edited in the meantime. */
const pressLate = (
  { discordUserId, discordUsername }: { discordUserId: string; discordUsername: string },
  id: string,
) =>
  answerReminder(
    em(),
    {
      actor: { discordUserId, discordUsername, guildId: null, canManageGuild: false, locale: 'en-US' },
      reminderId: parseButtonId(id)?.subject ?? '',
      isFlying: true,
    },
    world.service.url,
    new Date(),
  );
const deliveries = async (missionId: string) =>
  (await admin.client.call('GET', `/admin/missions/${missionId}/orders`)).body[0].reminders;

test('the question rings a day before, and Confirm is the Confirm of the site', async () => {
  const { pilot, mission, order } = await givenAsked('Op Lantern');
  await runJob();
  await runJob();
  const asked = await reminderTo(pilot);
  expect(textOf(asked)).toMatch(/Reminder: Op Lantern \(FRAG-\d+\)\n\*\*Still flying\?\*\* Starts <t:\d+:R>/);
  expect(actionsOf(asked)).toEqual(['confirm', 'cant-fly']);
  await world.emulator.press(pilot.discordUserId, asked.id, buttonOf(asked, 'confirm'));
  expect(await reminderTo(pilot, 'Confirmed')).toMatchObject({ id: asked.id });
  expect((await read(pilot, order)).confirmedAt).not.toBeNull();
  expect(await deliveries(mission.id)).toEqual([
    {
      leadMinutes: 1440,
      remindedAt: expect.any(String),
      deliveries: [{ channel: 'discord', state: 'sent', reason: null }],
      problem: null,
    },
  ]);
});

test("Can't make it gives the seat back, the next pilot gets it, and the old button changes nothing any more", async () => {
  const { pilot, order } = await givenAsked('Op Second');
  await runJob();
  const asked = await reminderTo(pilot);
  const next = await givenLinkedPilot(world, guildId);
  await givenAlwaysFree(world.service, next.id);
  const confirm = buttonOf(asked, 'confirm');
  await world.emulator.press(pilot.discordUserId, asked.id, buttonOf(asked, 'cant-fly'));
  expect(textOf(await reminderTo(pilot, 'Over'))).toContain('You gave this seat back.');
  expect((await read(pilot, order)).rsvp).toBe('declined');
  await vi.waitFor(async () => expect(await orderOf(next)).toBeDefined(), WAIT);
  expect(await pressLate(pilot, confirm)).toMatchObject({
    isRefused: true,
    reply: { content: 'You gave this seat back.' },
  });
  expect((await read(pilot, order)).rsvp).toBe('declined');
});

test("another pilot's button is refused, and an answer on the site takes the buttons away", async () => {
  const { pilot, order } = await givenAsked('Op Third');
  await runJob();
  const asked = await reminderTo(pilot);
  const other = await givenLinkedPilot(world, guildId);
  const confirm = buttonOf(asked, 'confirm');
  const refused = await world.emulator.press(other.discordUserId, asked.id, confirm).catch(() => null);
  if (refused) expect(privateText(refused, other.discordUserId)).toContain('Frag order not found');
  expect((await read(pilot, order)).confirmedAt).toBeNull();
  await respond(pilot, order, 'accepted');
  expect(actionsOf(await reminderTo(pilot, 'Confirmed'))).toEqual([]);
});

test('a mission that moves is not confirmed for a time that the pilot has not seen', async () => {
  const { pilot, mission, order } = await givenAsked('Op Fourth');
  await runJob();
  const asked = await reminderTo(pilot);
  const confirm = buttonOf(asked, 'confirm');
  const edited = await admin.client.call('PUT', `/admin/missions/${mission.id}`, {
    startLocal: hoursFromNow(50),
    endLocal: hoursFromNow(53),
    timeZone: 'UTC',
  });
  expect(edited.status).toBe(200);
  expect(textOf(await reminderTo(pilot, 'Over'))).toContain('This mission has changed. Your order has the new times.');
  expect(await pressLate(pilot, confirm)).toMatchObject({
    isRefused: true,
    reply: { content: 'This mission has changed. Your order has the new times.' },
  });
  expect(await read(pilot, order)).toMatchObject({ rsvp: 'pending', confirmedAt: null });
});

test('Do Not Disturb holds no reminder back; closed direct messages are shown to admins with the reason', async () => {
  const { pilot, mission } = await givenAsked('Op Fifth');
  expect((await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' })).status).toBe(200);
  await runJob();
  await reminderTo(pilot);
  world.emulator.setClosedDms(pilot.discordUserId, true);
  await passTime(world.service, 23 * 60);
  await runJob();
  expect(await deliveries(mission.id)).toMatchObject([
    { leadMinutes: 1440, deliveries: [{ state: 'sent' }] },
    {
      leadMinutes: 60,
      deliveries: [{ channel: 'discord', state: 'failed', reason: expect.stringMatching(/direct messages/i) }],
    },
  ]);
});

test('a pilot who wants no reminders in Discord gets none there', async () => {
  const { pilot, mission } = await givenAsked('Op Sixth');
  const choices = { notifyOrders: true, notifyChanges: true, wantsGlobalEvents: false, remindByDiscord: false };
  expect((await pilot.client.call('PUT', `/users/${pilot.id}/notifications`, choices)).status).toBe(200);
  await runJob();
  expect(remindersTo(pilot)).toEqual([]);
  expect(await deliveries(mission.id)).toMatchObject([
    { deliveries: [], problem: expect.stringContaining('No way to reach this pilot') },
  ]);
});

test("a mission's creator is told of too few pilots in Discord, once for a stage, and not after a cancellation", async () => {
  const creator = await givenLinkedPilot(world, guildId, { isAdmin: true });
  const warnings = () =>
    world.emulator.directMessages(creator.discordUserId).filter((message) => textOf(message).includes('Go or no-go'));
  const publish = (name: string) =>
    givenMission(world.service, creator, { name, startLocal: hoursFromNow(49), endLocal: hoursFromNow(52) });
  await publish('Op *Thin*');
  await passTime(world.service, 61);
  for (let run = 0; run < 3; run += 1) await runJob();
  expect(warnings()).toHaveLength(1);
  const [message] = warnings();
  const text = message ? textOf(message) : '';
  expect(text).toContain(String.raw`Op \*Thin\*`);
  expect(text).toContain('48 hours before the start, the chance of having enough pilots is 0 %.');
  const { mission } = await publish('Op Called Off');
  expect((await creator.client.call('POST', `/admin/missions/${mission.id}/cancel`, {})).status).toBe(200);
  await passTime(world.service, 61);
  await runJob();
  expect(warnings()).toHaveLength(1);
});
