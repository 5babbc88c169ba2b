import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PermissionFlagsBits as Bits, Routes } from 'discord-api-types/v10';
import { query, sql } from '#server/schema/query.ts';
import { cancelMission, publishMission } from '#server/missions/mission-cancel.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { callOffMissions } from '#tests/harness/orders.ts';
import { nothingLeft } from './cards.ts';
import type { StoredScheduledEvent } from './emulator/types.ts';
import { eventually, givenDiscordGuild, listEvents, readGuild, startDiscord, type DiscordWorld } from './given.ts';

const PLAIN = Bits.ViewChannel | Bits.SendMessages | Bits.EmbedLinks | Bits.ReadMessageHistory;

let world: DiscordWorld;
let admin: Person;
let allows: string;
let refuses: string;

beforeAll(async () => {
  world = await startDiscord({ withJobs: true });
  admin = await givenAdmin(world.service);
  allows = (await givenDiscordGuild(world, { name: 'Lantern Wing' })).id;
  // Manage Events alone does not allow creating any
  const botPermissions = PLAIN | Bits.ManageEvents;
  refuses = (await givenDiscordGuild(world, { name: 'Quiet Harbour', everyone: PLAIN, botPermissions })).id;
});
afterAll(() => world.stop());
afterEach(() => callOffMissions(world.service));

const em = () => world.service.app.orm.em.fork();

const asksOf = (guildId: string) =>
  world.emulator.requests.filter(
    ({ method, path }) => method === 'POST' && path === `/guilds/${guildId}/scheduled-events`,
  ).length;
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(em(), statement);

/** An event that somebody else's code creates. */
const makeEvent = (guildId: string, body: object) =>
  fetch(`${world.emulator.apiUrl}/v10${Routes.guildScheduledEvents(guildId)}`, {
    method: 'POST',
    headers: {
      authorization: `Bot ${world.emulator.token}`,
      'user-agent': 'DiscordBot (https://marshal.example, 1)',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

/** The event of a mission in a guild, once it is so. */
async function eventOf(missionId: string, wanted: Partial<StoredScheduledEvent> = {}, guildId = allows) {
  const find = () => world.emulator.scheduledEvents(guildId).filter(({ location }) => location?.endsWith(missionId));
  await vi.waitFor(() => expect(find()).toEqual([expect.objectContaining(wanted)]), { timeout: 20_000, interval: 20 });
  const [event] = find();
  if (!event) throw new Error('The mission has no event');
  return event;
}

test('a mission has a scheduled event where the server allows it, updated and cancelled with it', async () => {
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Iron Hound @everyone',
    aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP' }],
    startLocal: '2031-03-08T19:00',
    endLocal: '2031-03-08T22:00',
  });
  const event = await eventOf(mission.id, { status: 1, name: 'Op Iron Hound @everyone' });
  expect(Date.parse(event.startsAt)).toBe(Date.parse('2031-03-08T19:00:00Z'));
  expect(Date.parse(event.endsAt ?? '')).toBe(Date.parse('2031-03-08T22:00:00Z'));
  expect(event.description).toContain('3 seats');
  expect(event.location?.startsWith(world.service.url)).toBe(true);
  await nothingLeft(world);
  expect(await listEvents(world, allows)).toContainEqual({
    type: 'scheduled_event_created',
    data: 'Op Iron Hound @everyone',
    error: null,
  });
  expect(world.emulator.scheduledEvents(refuses)).toEqual([]);

  await editMission(admin, mission.id, {
    name: 'Op Second Thought',
    startLocal: '2031-03-08T20:00',
    endLocal: '2031-03-08T23:00',
    timeZone: 'UTC',
  });
  const changed = await eventOf(mission.id, { name: 'Op Second Thought' });
  expect(changed.id).toBe(event.id);
  expect(Date.parse(changed.startsAt)).toBe(Date.parse('2031-03-08T20:00:00Z'));

  await cancelMission(em(), admin, mission.id, new Date());
  expect((await eventOf(mission.id, { status: 4 })).id).toBe(event.id);
});

test('a mission that is postponed after its event has begun gets a new event, once, and the old one ends', async () => {
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Late Start',
    startLocal: hoursFromNow(2),
    endLocal: hoursFromNow(4),
  });
  const { id } = await eventOf(mission.id, { status: 1 });
  await nothingLeft(world);
  await world.service.app.discord?.patch(Routes.guildScheduledEvent(allows, id), { status: 2 });
  // the answer to creating the new one is lost, so that the next attempt has to find it
  world.emulator.fail({ method: 'POST', path: /scheduled-events$/, kind: 'drop', when: 'after' });
  const startLocal = hoursFromNow(30);
  await editMission(admin, mission.id, { startLocal, endLocal: hoursFromNow(32), timeZone: 'UTC' });
  await nothingLeft(world);
  const events = world.emulator.scheduledEvents(allows).filter(({ location }) => location?.endsWith(mission.id));
  expect(events).toHaveLength(2);
  expect(events.find((event) => event.id === id)?.status).toBe(3);
  const next = events.find(({ status }) => status === 1);
  expect(next?.id).not.toBe(id);
  expect(Date.parse(next?.startsAt ?? '')).toBe(Date.parse(`${startLocal}:00Z`));
  // and later changes reach the new one
  await editMission(admin, mission.id, { name: 'Op Later Still' });
  await nothingLeft(world);
  const named = world.emulator.scheduledEvents(allows).filter(({ name }) => name === 'Op Later Still');
  expect(named.map((event) => event.id)).toEqual([next?.id]);
});

test('a draft has no event until it is published', async () => {
  const { mission } = await givenMission(world.service, admin, { name: 'Op Draft', publish: false });
  await editMission(admin, mission.id, { notes: 'still thinking' });
  await nothingLeft(world);
  expect(world.emulator.scheduledEvents(allows).map(({ name }) => name)).not.toContain('Op Draft');
  await publishMission(em(), admin, mission.id, new Date());
  await eventOf(mission.id, { status: 1, name: 'Op Draft' });
});

test('an event that somebody deleted in Discord stays deleted', async () => {
  const { emulator } = world;
  const { mission } = await givenMission(world.service, admin, { name: 'Op Unwanted' });
  const { id } = await eventOf(mission.id);
  await nothingLeft(world);
  await world.service.app.discord?.delete(Routes.guildScheduledEvent(allows, id));
  expect(emulator.scheduledEvents(allows).map((event) => event.id)).not.toContain(id);
  for (const name of ['Op Still Unwanted', 'Op Forgotten']) {
    await editMission(admin, mission.id, { name });
    await nothingLeft(world);
  }
  expect(emulator.scheduledEvents(allows).filter(({ location }) => location?.endsWith(mission.id))).toEqual([]);
});

test('a post whose answer was lost is found again, not made twice', async () => {
  world.emulator.fail({ method: 'POST', path: /scheduled-events$/, kind: 'drop', when: 'after' });
  const { mission } = await givenMission(world.service, admin, { name: 'Op Lost Answer' });
  await eventOf(mission.id, { status: 1 });
  await nothingLeft(world);
  await eventOf(mission.id, { status: 1 });
  // and it is the one that later changes reach
  await editMission(admin, mission.id, { name: 'Op Found Answer' });
  await eventOf(mission.id, { name: 'Op Found Answer' });
});

test('a server that refuses is not tried again, and one that allows it later gets the upcoming missions', async () => {
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Patience',
    startLocal: hoursFromNow(40),
    endLocal: hoursFromNow(42),
  });
  await eventOf(mission.id);
  await nothingLeft(world);
  const asked = world.emulator.requests.filter(({ path }) => path === `/guilds/${refuses}/scheduled-events`);
  expect(asked).toEqual([]);

  world.emulator.updateRole(refuses, refuses, { permissions: PLAIN | Bits.CreateEvents });
  await eventually(async () => expect(await readGuild(world, refuses)).toMatchObject({ canCreateEvents: true }));
  await eventOf(mission.id, { status: 1, name: 'Op Patience' }, refuses);

  world.emulator.fail({
    method: 'POST',
    path: /scheduled-events$/,
    kind: 'status',
    status: 403,
    code: 50013,
    times: 2,
  });
  const { mission: next } = await givenMission(world.service, admin, {
    startLocal: hoursFromNow(50),
    endLocal: hoursFromNow(52),
  });
  await nothingLeft(world);
  for (const id of [allows, refuses]) {
    expect(world.emulator.scheduledEvents(id).filter(({ location }) => location?.endsWith(next.id))).toEqual([]);
    expect(await readGuild(world, id)).toMatchObject({ canCreateEvents: false });
    expect(await listEvents(world, id)).toContainEqual({
      type: 'scheduled_event_failed',
      data: null,
      error: 'The bot cannot create events in this server. It lacks the permission Create Events.',
    });
  }
  // the bot goes on reporting the permission, which is no reason to try again and again
  const before = asksOf(allows);
  world.emulator.renameGuild(allows, 'Lantern Wing II');
  await eventually(async () => expect(await readGuild(world, allows)).toMatchObject({ name: 'Lantern Wing II' }));
  await nothingLeft(world);
  expect(await readGuild(world, allows)).toMatchObject({ canCreateEvents: false });
  expect(asksOf(allows)).toBe(before);
});

test('a server with 100 events takes no more, and admins read why', async () => {
  const { id } = await givenDiscordGuild(world, { name: 'Full House' });
  world.emulator.setRate('POST /guilds/{guild_id}/scheduled-events', { count: 200, perMs: 1000 });
  world.emulator.setRate('global', { count: 200, perMs: 1000 });
  const upcoming = await rows<{ count: number }>(
    sql`select count(*)::int as count from mission where status = 'scheduled' and starts_at > now()`,
  );
  await vi.waitFor(() => expect(world.emulator.scheduledEvents(id)).toHaveLength(upcoming[0]?.count ?? -1));
  for (let left = 100 - world.emulator.scheduledEvents(id).length; left > 0; left -= 1) {
    const made = await makeEvent(id, {
      name: `Film night ${left}`,
      privacy_level: 2,
      entity_type: 3,
      entity_metadata: { location: 'The mess' },
      scheduled_start_time: new Date(Date.now() + 3_600_000).toISOString(),
      scheduled_end_time: new Date(Date.now() + 7_200_000).toISOString(),
    });
    expect(made.status).toBe(200);
  }
  await givenMission(world.service, admin, { startLocal: hoursFromNow(60), endLocal: hoursFromNow(62) });
  await eventually(async () =>
    expect(await listEvents(world, id)).toContainEqual({
      type: 'scheduled_event_failed',
      data: null,
      error: 'This server already has 100 scheduled events, the most that Discord allows.',
    }),
  );
});
