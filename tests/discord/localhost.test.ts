/** Marshal on somebody's own machine: Discord takes no links to `localhost`, and gets none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenAdmin, givenAlwaysFree, givenMission, type Person } from '#tests/harness/given.ts';
import { callOffMissions, orderOf } from '#tests/harness/orders.ts';
import { actionsOf, cardOf, linksOf } from './cards.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';

let world: DiscordWorld;
let admin: Person;
let guildId: string;

beforeAll(async () => {
  world = await startDiscord({ withJobs: true, host: 'localhost' });
  admin = await givenAdmin(world.service);
  guildId = (await givenDiscordGuild(world)).id;
});
afterAll(async () => {
  await callOffMissions(world.service);
  await world.stop();
});

test('an order arrives with its buttons, and with its link as text', async () => {
  const pilot = await givenLinkedPilot(world, guildId);
  await givenAlwaysFree(world.service, pilot.id);
  await givenMission(world.service, admin);
  const card = await cardOf(world, pilot);
  const order = await orderOf(pilot);
  expect(actionsOf(card)).toContain('accept');
  expect(linksOf(card)).toEqual([]);
  expect(card.embeds.flatMap(({ url }) => url ?? [])).toEqual([]);
  expect(card.content).toContain(`<${world.service.url}/orders/${order.id}>`);
});

test('a command is answered with its link as text', async () => {
  const person = world.emulator.addMember(guildId, { username: 'newcomer' });
  const { reply } = await world.emulator.command(person, guildId, 'register');
  expect(reply?.content).toContain(`<${world.service.url}/discord/registration?`);
  expect(reply && linksOf(reply)).toEqual([]);
});
