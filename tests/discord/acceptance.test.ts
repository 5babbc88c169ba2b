/** A server that somebody has added the bot to: nothing of the community is shown there until an admin accepts it. */
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { botRouter } from '#server/http/routers/bot.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenPostRow, postsWithState } from '#tests/harness/discord-posts.ts';
import { createClient } from '#tests/harness/service.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { actionsOf, nothingLeft } from './cards.ts';
import {
  eventually,
  givenLinkedPilot,
  listEvents,
  listMembers,
  readGuild,
  startDiscord,
  type DiscordWorld,
} from './given.ts';
import { linkOf, privateText, textOf } from './read.ts';

const MISSION = 'Op Closed Door';

let world: DiscordWorld;
let admin: Person;
beforeAll(async () => {
  world = await startDiscord({ withJobs: true, cardPauseMs: 300, acceptsServers: false });
  admin = await givenAdmin(world.service);
  await givenMission(world.service, admin, {
    name: MISSION,
    startLocal: hoursFromNow(40),
    endLocal: hoursFromNow(42),
  });
});
afterAll(() => world.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(world.service.app.orm.em.fork(), statement);

/** A server of somebody who may manage it and has followed the install link; the bot has reported it. */
async function givenStranger(name: string) {
  const guild = world.emulator.addGuild({
    name,
    channels: [{ name: 'lounge' }],
    roles: [{ name: 'boss', permissions: PermissionFlagsBits.ManageGuild }],
  });
  const stranger = world.emulator.addMember(guild.id, { username: 'stranger', roles: [guild.roleIds['boss'] ?? ''] });
  await eventually(async () => expect(await readGuild(world, guild.id)).toMatchObject({ status: 'active' }));
  const channel = guild.channelIds['lounge'] ?? '';
  const use = async (path: string, values: Record<string, string> = {}) =>
    privateText(await world.emulator.command(stranger, guild.id, path, values), stranger);
  const said = () => world.emulator.messages(channel).filter(({ ephemeralFor }) => ephemeralFor === null);
  const eventNames = () => world.emulator.scheduledEvents(guild.id).map((event) => event.name);
  return { id: guild.id, channel, stranger, use, said, eventNames };
}

const pageOf = (guildId: string) => `${world.service.app.env.PUBLIC_URL}/admin/discord/guilds/${guildId}`;
const waitingLine = (guildId: string) =>
  `This server waits until an admin of the community accepts it: ${pageOf(guildId)}`;

const accept = (guildId: string) => admin.client.call('POST', `/discord/guilds/${guildId}/accept`);
const leave = (guildId: string) => admin.client.call('POST', `/discord/guilds/${guildId}/leave`);

test('a stranger gets one line and nothing else; an accepted server gets its welcome, events, members and cards', async () => {
  const { id, channel, use, said, eventNames } = await givenStranger('Wide Open');
  for (const [path, values] of [
    ['setup missions', { channel }],
    ['setup channel', { channel }],
    ['register', {}],
    ['help', {}],
    ['missions', {}],
  ] as const) {
    expect([path, await use(path, values)]).toEqual([path, waitingLine(id)]);
  }
  world.emulator.addMember(id, { username: 'newcomer' });
  // a change that the bot reports after the new member
  world.emulator.renameGuild(id, 'Wide Open Two');
  await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ name: 'Wide Open Two' }));
  await nothingLeft(world);
  expect(said().map((message) => textOf(message))).toEqual([]);
  expect(eventNames()).toEqual([]);
  expect(await listMembers(world, id)).toEqual([]);

  expect(await accept(id)).toMatchObject({ status: 200, body: { id, acceptedAt: expect.any(String) } });
  await eventually(async () =>
    expect((await listMembers(world, id)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['newcomer', 'stranger']),
    ),
  );
  await nothingLeft(world);
  expect(said().map((message) => textOf(message).split('.')[0])).toEqual(["Hello, I'm Marshal"]);
  expect(eventNames()).toEqual([MISSION]);
  expect(await use('setup missions', { channel })).toContain('Every mission, including upcoming ones, gets a card');
  await eventually(async () =>
    expect(said().filter((message) => actionsOf(message).includes('take-seat'))).toHaveLength(1),
  );
  // accepting once more changes nothing
  const [before] = await rows(sql`select accepted_at from guild where id = ${id}`);
  expect((await accept(id)).status).toBe(200);
  await nothingLeft(world);
  expect(await rows(sql`select accepted_at from guild where id = ${id}`)).toEqual([before]);
  expect(said()).toHaveLength(2);
  const types = (await listEvents(world, id)).map(({ type }) => type);
  expect(types.filter((type) => type === 'guild_accepted')).toHaveLength(1);
  expect(
    await rows(
      sql`select action, actor_id as "actorId" from audit_entry where subject_id = ${id} order by occurred_at`,
    ),
  ).toEqual([{ action: 'guild_accepted', actorId: admin.id }]);
});

describe('while a server waits', () => {
  let waiting: Awaited<ReturnType<typeof givenStranger>>;
  beforeAll(async () => {
    waiting = await givenStranger('Waiting Room');
  });

  test('every command and button of the bot is refused there, and none in direct messages for that reason', async () => {
    const procedures = botRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
    const replies = Object.entries(procedures).filter(([name]) => name.startsWith('reply.'));
    expect(replies.length).toBeGreaterThan(20);
    const refused = async (guildId: string | null) => {
      const actor = {
        discordUserId: waiting.stranger,
        discordUsername: 'stranger',
        guildId,
        canManageGuild: true,
        locale: 'en-US',
      };
      const answers = await Promise.all(
        replies.map(async ([name, { _def }]) => {
          const isQuery = _def.type === 'query';
          const input = isQuery ? `?input=${encodeURIComponent(JSON.stringify({ actor }))}` : '';
          const response = await fetch(`${world.service.url}/bot/${name}${input}`, {
            method: isQuery ? 'GET' : 'POST',
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${world.service.app.botToken}`,
            },
            ...(isQuery ? {} : { body: JSON.stringify({ actor }) }),
          });
          const { error } = (await response.json()) as { error?: { data: { refusal: string } } };
          return error?.data.refusal === 'GUILD_PENDING' ? [name] : [];
        }),
      );
      return answers.flat();
    };
    // `failed` only reports that something went wrong
    expect(await refused(waiting.id)).toEqual(replies.map(([name]) => name).filter((name) => name !== 'reply.failed'));
    expect(await refused(null)).toEqual([]);
    // a server that the bot has not reported yet
    expect(await refused('990000000000000001')).toHaveLength(replies.length - 1);
  });

  test('nobody can register for it or post in it, and no mission can be sent there', async () => {
    const { id, channel } = waiting;
    const anybody = createClient(world.service);
    expect(await anybody.call('POST', `/public/registration/start?guildId=${id}`)).toMatchObject({
      status: 409,
      body: { code: 'GUILD_PENDING' },
    });
    const page = { channelId: channel, registrationBaseUrl: null };
    expect(await admin.client.call('POST', `/discord/guilds/${id}/registration`, page)).toMatchObject({
      status: 200,
      body: { success: false, errorMessage: 'This server waits until an admin accepts it.' },
    });
    const settings = { channelId: channel, roleId: null, hasEvents: true };
    expect(await admin.client.call('PUT', `/discord/guilds/${id}/missions`, settings)).toMatchObject({
      status: 409,
      body: { code: 'GUILD_PENDING' },
    });
    await expect(
      givenMission(world.service, admin, {
        name: 'Op Misdirected',
        guildIds: [id],
        startLocal: hoursFromNow(60),
        endLocal: hoursFromNow(62),
      }),
    ).rejects.toMatchObject({ code: 'GUILD_PENDING' });
    // a message that was queued all the same is not sent
    const announcement = { kind: 'registration', dedupeKey: `registration:${id}:${channel}` } as const;
    const place = { guildId: id, channelId: channel };
    await rows(givenPostRow({ ...announcement, ...place, state: 'queued', minutesAgo: 1 }));
    await rows(sql`select graphile_worker.add_job('maintenance', '{}')`);
    await eventually(async () =>
      expect(await rows(sql`select state from ${postsWithState} where guild_id = ${id}`)).toEqual([
        { state: 'dropped' },
      ]),
    );
    expect(waiting.said()).toEqual([]);
  });
});

test('a server that an admin has left is gone, and waits again when it installs the bot once more', async () => {
  const { id, channel, use, said } = await givenStranger('Revolving Door');
  await accept(id);
  await nothingLeft(world);
  const pilot = await givenLinkedPilot(world, id);
  const link = await world.emulator.command(pilot.discordUserId, id, 'register', {});
  expect(privateText(link, pilot.discordUserId)).toContain('link');

  expect(await leave(id)).toMatchObject({ status: 200, body: { id, acceptedAt: null } });
  await world.emulator.until('the bot has left', () =>
    world.emulator.requests.some(({ method, path }) => method === 'DELETE' && path.endsWith(`/users/@me/guilds/${id}`)),
  );
  await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ status: 'disabled' }));
  expect(await leave(id)).toMatchObject({ status: 409, body: { code: 'BOT_NOT_IN_GUILD' } });
  expect(await accept(id)).toMatchObject({ status: 409, body: { code: 'BOT_NOT_IN_GUILD' } });
  const left = said().length;
  // a link from before
  const late = {
    discordUserId: pilot.discordUserId,
    discordUsername: pilot.discordUsername,
    guildId: id,
    callSign: 'Latecomer',
    timeZone: 'UTC',
    wantsGlobalEvents: false,
    availabilityWindows: [],
    session: linkOf(link.reply, 'Open registration').searchParams.get('session'),
  };
  expect(await createClient(world.service).call('POST', '/public/registration/complete', late)).toMatchObject({
    status: 400,
    body: { code: 'LINK_INVALID', message: 'This server waits until an admin accepts it.' },
  });

  world.emulator.installBot(id);
  await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ status: 'active' }));
  expect(await use('setup missions', { channel })).toBe(waitingLine(id));
  await nothingLeft(world);
  expect(said()).toHaveLength(left);
  expect(await rows(sql`select action from audit_entry where subject_id = ${id} order by occurred_at`)).toEqual([
    { action: 'guild_accepted' },
    { action: 'guild_left' },
  ]);
});
