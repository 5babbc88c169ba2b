import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { setStatus } from '#server/availability/status.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { callOffMissions, retirePilots } from '#tests/harness/orders.ts';
import { actionsOf, badgeOf, cardOf, nothingLeft, textOf } from './cards.ts';
import {
  givenDiscordGuild,
  givenLinkedPilot,
  listEvents,
  readGuild,
  startDiscord,
  type DiscordWorld,
} from './given.ts';

let world: DiscordWorld;
let admin: Person;
let guild: Awaited<ReturnType<typeof givenDiscordGuild>>;

beforeAll(async () => {
  world = await startDiscord({ withJobs: true });
  admin = await givenAdmin(world.service);
  guild = await givenDiscordGuild(world);
});
afterAll(() => world.stop());
afterEach(async () => {
  await callOffMissions(world.service);
  await retirePilots(world.service);
});

const em = () => world.service.app.orm.em.fork();
/** All posts in the guild but the welcome. */
const posts = () =>
  Object.values(guild.channelIds)
    .flatMap((id) => [...world.emulator.messages(id)])
    .filter(({ content }) => !content.startsWith("Hello, I'm Marshal."));
const orders = ({ discordUserId }: { discordUserId: string }) => world.emulator.directMessages(discordUserId);

/** Waits until the bot has reported this user as a member of the guild; only members are mentioned there. */
async function givenMember() {
  const pilot = await givenLinkedPilot(world, guild.id);
  await vi.waitFor(
    async () => {
      const here = await query(em(), sql`select 1 from guild_member where discord_user_id = ${pilot.discordUserId}`);
      expect(here).toHaveLength(1);
    },
    { timeout: 20_000, interval: 20 },
  );
  return pilot;
}

test('a pilot with closed direct messages is mentioned once in public, without details of the order', async () => {
  const pilot = await givenMember();
  world.emulator.setClosedDms(pilot.discordUserId, true);
  await givenAlwaysFree(world.service, pilot.id);
  await givenMission(world.service, admin, { name: 'Op Secret Garden' });
  await vi.waitFor(() => expect(posts()).toHaveLength(1), { timeout: 20_000, interval: 20 });
  const [call] = posts();
  if (!call) throw new Error('Nobody was called');
  expect(call).toMatchObject({ mentions: [pilot.discordUserId], mentionsEveryone: false, embeds: [] });
  expect(call.content).toContain(`<@${pilot.discordUserId}>, Marshal has an order for you`);
  expect(textOf(call)).not.toMatch(/FRAG|Secret|F-16|Viper/);
  expect(actionsOf(call)).toEqual(['inbox']);
  expect(await listEvents(world, guild.id)).toContainEqual({
    type: 'dm_failed',
    data: pilot.discordUsername,
    error: 'Direct messages are closed',
  });

  // another order on the same day mentions nobody again
  await givenMission(world.service, admin, { startLocal: hoursFromNow(50), endLocal: hoursFromNow(52) });
  await nothingLeft(world);
  expect(posts()).toHaveLength(1);
  expect(orders(pilot)).toEqual([]);

  // the next one that arrives shows that they are open, and those that were refused follow
  world.emulator.setClosedDms(pilot.discordUserId, false);
  await givenMission(world.service, admin, { startLocal: hoursFromNow(60), endLocal: hoursFromNow(62) });
  await vi.waitFor(() => expect(orders(pilot)).toHaveLength(1), { timeout: 20_000, interval: 20 });
  await nothingLeft(world);
  const [account] = await query<{ closed: boolean }>(
    em(),
    sql`select dm_closed_at is not null as closed from discord_account where user_id = ${pilot.id}`,
  );
  expect(account).toEqual({ closed: false });
  await setStatus(em(), { id: pilot.id, state: 'available' }, new Date());
  await vi.waitFor(() => expect(orders(pilot)).toHaveLength(3), { timeout: 20_000, interval: 20 });
});

test('a pilot in no server of the bot gets no messages, and gets pending orders on coming back', async () => {
  const pilot = await givenMember();
  world.emulator.removeMember(guild.id, pilot.discordUserId);
  await vi.waitFor(
    async () => {
      const left = await query(
        em(),
        sql`select 1 from guild_member where discord_user_id = ${pilot.discordUserId} and left_at is not null`,
      );
      expect(left).toHaveLength(1);
    },
    { timeout: 20_000, interval: 20 },
  );
  await givenAlwaysFree(world.service, pilot.id);
  await givenMission(world.service, admin);
  await nothingLeft(world);
  const asked = () =>
    world.emulator.requests.filter(({ body }) => JSON.stringify(body ?? null).includes(pilot.discordUserId));
  expect(asked()).toEqual([]);
  world.emulator.addMember(guild.id, { id: pilot.discordUserId, username: pilot.discordUsername });
  expect(actionsOf(await cardOf(world, pilot))).toContain('accept');
});

test('when a server reinstalls the bot, its pilots get their orders', async () => {
  const pilot = await givenMember();
  const become = (status: string) =>
    vi.waitFor(async () => expect(await readGuild(world, guild.id)).toMatchObject({ status }), {
      timeout: 20_000,
      interval: 20,
    });
  world.emulator.kickBot(guild.id);
  await become('disabled');
  await givenAlwaysFree(world.service, pilot.id);
  await givenMission(world.service, admin);
  await nothingLeft(world);
  expect(orders(pilot)).toEqual([]);
  world.emulator.installBot(guild.id);
  await become('active');
  await cardOf(world, pilot);
});

test('open missions are announced to pilots who opted in, and nobody else', async () => {
  const wants = await givenMember();
  const wantsNot = await givenMember();
  const flies = await givenMember();
  await givenAlwaysFree(world.service, flies.id, 2);
  await query(
    em(),
    sql`update app_user set wants_global_events = true where id = any(${[wants.id, flies.id]}::uuid[])`,
  );
  const before = posts().length;
  const { mission } = await givenMission(world.service, admin, {
    name: '@everyone Op Open Door',
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  const news = await cardOf(world, wants);
  expect(textOf(news)).toContain('Op Open Door');
  expect(textOf(news)).not.toContain('@everyone');
  expect(news).toMatchObject({ mentions: [], mentionsEveryone: false });
  await nothingLeft(world);
  expect(orders(wantsNot)).toEqual([]);
  // an order of their own is all they get
  expect(actionsOf(await cardOf(world, flies))).toContain('accept');
  expect(posts()).toHaveLength(before);

  await cancelMission(em(), admin, mission.id, new Date());
  expect(badgeOf(await cardOf(world, wants, 'Cancelled'))).toBe('Cancelled');
});

test('full missions, missions within the hour and pilots on Do Not Disturb get no announcement', async () => {
  const wants = await givenMember();
  const away = await givenMember();
  await query(em(), sql`update app_user set wants_global_events = true where id = any(${[wants.id, away.id]}::uuid[])`);
  await setStatus(em(), { id: away.id, state: 'dnd' }, new Date());
  await givenMission(world.service, admin, { startLocal: hoursFromNow(0.9), endLocal: hoursFromNow(2) });
  const flies = await givenMember();
  await givenAlwaysFree(world.service, flies.id, 2);
  await givenMission(world.service, admin);
  await cardOf(world, flies);
  await nothingLeft(world);
  expect(orders(wants)).toEqual([]);
  await givenMission(world.service, admin, { startLocal: hoursFromNow(30), endLocal: hoursFromNow(32) });
  await cardOf(world, wants);
  await nothingLeft(world);
  expect(orders(away)).toEqual([]);
});
