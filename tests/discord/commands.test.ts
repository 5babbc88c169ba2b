/** Every slash command as members use it: replies, changes and refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServerCalls } from '#bot/server.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { orderOf } from '#tests/harness/orders.ts';
import { createClient, type Client } from '#tests/harness/service.ts';
import type { InteractionOutcome } from './emulator/types.ts';
import {
  botOnline,
  eventually,
  givenDiscordGuild,
  givenLinkedPilot,
  listEvents,
  readGuild,
  startDiscord,
  type DiscordWorld,
} from './given.ts';
import { buttonsOf, linkOf, privateText, textOf } from './read.ts';

type Pilot = Awaited<ReturnType<typeof givenLinkedPilot>>;

let world: DiscordWorld;
let admin: Person;
let guildId: string;
let channelIds: Record<string, string>;
let pilot: Pilot;
beforeAll(async () => {
  world = await startDiscord();
  admin = await givenAdmin(world.service);
  ({ id: guildId, channelIds } = await givenDiscordGuild(world));
  pilot = await givenLinkedPilot(world, guildId);
});
afterAll(() => world.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(world.service.app.orm.em.fork(), statement);

/** Uses a command in the guild or in direct messages, and reads the ephemeral answer. */
async function use(
  { discordUserId }: { discordUserId: string },
  path: string,
  values: Record<string, string | number | boolean> = {},
  place: string | null = guildId,
): Promise<{ text: string; outcome: InteractionOutcome }> {
  const outcome = await world.emulator.command(discordUserId, place, path, values);
  expect(outcome.answeredWith).toBe('deferred');
  return { text: privateText(outcome, discordUserId), outcome };
}

let strangers = 0;
const givenStranger = (guild = guildId) => {
  strangers += 1;
  const username = `stranger.${strangers}`;
  return { username, discordUserId: world.emulator.addMember(guild, { username }) };
};

/** A pilot who is asked to fly one new mission. */
async function givenAsked(name: string, request: Parameters<typeof givenMission>[2] = {}) {
  const asked = await givenLinkedPilot(world, guildId);
  await givenAlwaysFree(world.service, asked.id);
  const { mission } = await givenMission(world.service, admin, { name, ...request });
  const order = await orderOf(asked);
  // no other pilot may be asked for the next missions
  return {
    asked,
    mission,
    order,
    retire: () => rows(sql`delete from availability_template where user_id = ${asked.id}`),
  };
}

describe('users without a linked account', () => {
  test.each([
    ['login', {}],
    ['status show', {}],
    ['status set', { state: 'dnd' }],
    ['missions', {}],
    ['inbox', {}],
    ['rsvp', { order: '0198c0de-0000-7000-8000-000000000000', response: 'accepted' }],
    ['availability', {}],
    ['unlink', {}],
  ])('/%s says how to register, with a button in a server and a hint in direct messages', async (path, values) => {
    const stranger = givenStranger();
    const { text, outcome } = await use(stranger, path, values);
    expect(text).toBe('Your Discord account is not linked to a pilot yet. Register first; it takes a minute.');
    expect(buttonsOf(outcome.reply)).toMatchObject([{ label: 'Register', customId: 'v1:register:reply' }]);
    const direct = await use(stranger, path, values, null);
    expect(direct.text).toBe(
      'Your Discord account is not linked to a pilot yet. Use /register in your Discord server first.',
    );
    expect(buttonsOf(direct.outcome.reply)).toEqual([]);
  });

  test('the button of that answer gives the personal link', async () => {
    const stranger = givenStranger();
    const { outcome } = await use(stranger, 'inbox');
    const pressed = await world.emulator.press(stranger.discordUserId, outcome.reply?.id ?? '', 'Register');
    expect(privateText(pressed, stranger.discordUserId)).toMatch(/^This link is for you only and expires <t:\d+:R>\.$/);
    const url = linkOf(pressed.reply, 'Open registration');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      discord_id: stranger.discordUserId,
      discord_username: stranger.username,
      guild_id: guildId,
      session: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('are offered no orders while they type', async () => {
    const { discordUserId } = givenStranger();
    expect((await world.emulator.autocomplete(discordUserId, guildId, 'rsvp', 'order', '')).choices).toEqual([]);
  });
});

describe('a suspended account', () => {
  test.each([
    ['login', {}],
    ['status set', { state: 'dnd' }],
    ['missions', {}],
    ['inbox', {}],
    ['availability', {}],
    ['unlink', {}],
  ])('/%s reads that it is', async (path, values) => {
    const suspended = await givenLinkedPilot(world, guildId);
    await rows(sql`update app_user set roles = '{}' where id = ${suspended.id}`);
    expect((await use(suspended, path, values)).text).toBe('Your account is suspended. Please ask an admin.');
  });
});

test('/help lists the commands for anybody', async () => {
  const { text, outcome } = await use(givenStranger(), 'help');
  for (const name of world.emulator.commands().map((command) => command.name)) {
    if (name !== 'help') expect(text).toContain(`/${name}`);
  }
  expect(linkOf(outcome.reply, 'Open Marshal').origin).toBe(world.service.url);
});

describe('/register', () => {
  test("in direct messages takes the user's only server, and asks for a server otherwise", async () => {
    const stranger = givenStranger();
    await eventually(async () => {
      const { outcome } = await use(stranger, 'register', {}, null);
      expect(linkOf(outcome.reply, 'Open registration').searchParams.get('guild_id')).toBe(guildId);
    });
    const other = await givenDiscordGuild(world, { name: 'Second Wing' });
    world.emulator.addMember(other.id, { id: stranger.discordUserId, username: 'stranger.two' });
    await eventually(async () => {
      expect((await use(stranger, 'register', {}, null)).text).toBe('Please use /register in your Discord server.');
    });
    world.emulator.kickBot(other.id);
  });
});

describe('/login', () => {
  test('signs in once, and says how long it is valid', async () => {
    const { text, outcome } = await use(pilot, 'login');
    const until = Number(/<t:(\d+):R>/.exec(text)?.[1]) * 1000;
    expect(Math.abs(until - Date.now() - 5 * 60_000)).toBeLessThan(60_000);
    const url = linkOf(outcome.reply, 'Sign in');
    const token = url.pathname.replace('/sign-in/', '');
    const redeem = (client: Client) => client.call('POST', '/auth/sign-in-link', { token });
    const browser = createClient(world.service);
    expect((await redeem(browser)).status).toBe(200);
    expect((await browser.call('GET', '/auth/me')).body).toMatchObject({ id: pilot.id });
    expect((await redeem(createClient(world.service))).status).toBe(400);
    const recorded = JSON.stringify(await listEvents(world, guildId));
    expect(recorded).not.toContain(token);
  });
});

describe('/status', () => {
  test('shows and sets the status as the site does', async () => {
    expect((await use(pilot, 'status show')).text).toContain('**Idle**');
    expect((await use(pilot, 'status set', { state: 'dnd' })).text).toContain('**Do Not Disturb**');
    expect((await pilot.client.call('GET', `/users/${pilot.id}/status`)).body).toMatchObject({ state: 'dnd' });
    const { text } = await use(pilot, 'status set', { state: 'now', minutes: 90 }, null);
    expect(text).toMatch(/^Your status is now \*\*Find Flight\*\* until <t:\d+:t>\./);
    expect((await pilot.client.call('GET', `/users/${pilot.id}/status`)).body).toMatchObject({
      state: 'now',
      minutes: 90,
    });
    await use(pilot, 'status set', { state: 'available' });
  });

  test('without minutes for now answers with the sentence of the form, and changes nothing', async () => {
    expect((await use(pilot, 'status set', { state: 'now' })).text).toBe('For how long? Add minutes, e.g. 60.');
    expect((await pilot.client.call('GET', `/users/${pilot.id}/status`)).body).toMatchObject({ state: 'available' });
  });
});

test('/missions lists own seats, open seats and missions closed to the pilot, but no drafts', async () => {
  const { asked, order, retire } = await givenAsked('Op **Own** Seat');
  await retire();
  await asked.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'accepted' });
  await givenMission(world.service, admin, {
    name: 'Op Draft',
    startLocal: hoursFromNow(80),
    endLocal: hoursFromNow(82),
    publish: false,
  });
  const closed = await givenMission(world.service, admin, {
    name: 'Op Elsewhere',
    startLocal: hoursFromNow(90),
    endLocal: hoursFromNow(92),
  });
  await givenAlwaysFree(world.service, asked.id);
  await givenMission(world.service, admin, {
    name: 'Op Open',
    startLocal: hoursFromNow(100),
    endLocal: hoursFromNow(102),
    aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP' }],
  });
  await retire();
  const { text, outcome } = await use(asked, 'missions');
  const [own = '', elsewhere = ''] = text.split('Other missions');
  expect(own).toMatch(/You're flying\n\*\*FRAG-\d{3,}\*\* Op \\\*\\\*Own\\\*\\\* Seat: CAP, F-16C Viper, seat 1/);
  const startSeconds = Date.parse(`${closed.mission.startLocal}Z`) / 1000;
  expect(elsewhere).toContain('Op Elsewhere');
  expect(elsewhere).toContain(`<t:${startSeconds}:F>`);
  expect(text).not.toContain('Op Draft');
  expect(linkOf(outcome.reply, 'Missions on the site').href).toBe(`${world.service.url}/missions`);
});

test('/availability shows the week in the pilot’s own zone', async () => {
  const nepali = await givenLinkedPilot(world, guildId);
  await rows(sql`update app_user set time_zone = 'Asia/Kathmandu' where id = ${nepali.id}`);
  await nepali.client.call('POST', `/users/${nepali.id}/availability/templates`, {
    name: 'Evenings',
    isActive: true,
    slots: Array.from({ length: 7 }, (_, weekday) => ({
      weekday,
      startLocal: '18:15',
      endLocal: '21:45',
      aircraftCodeId: weekday % 2 === 0 ? 2 : 0,
      notes: null,
    })),
  });
  const { text, outcome } = await use(nepali, 'availability');
  expect(text.match(/18:15–21:45/g)).toHaveLength(7);
  expect(text).toContain('18:15–21:45 (F-16C Viper)');
  expect(text).toContain('Local time in Asia/Kathmandu');
  const today = new Intl.DateTimeFormat('en-US', {
    timeZone: 'Asia/Kathmandu',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  }).format();
  expect(text.split('\n')[1]).toContain(`**${today}**`);
  expect(linkOf(outcome.reply, 'Change it on the site').pathname).toBe('/availability');
});

describe('/unlink', () => {
  test('asks first, then unlinks the account; the next command explains how to register', async () => {
    const leaver = await givenLinkedPilot(world, guildId, { displayName: '@everyone *Duke*' });
    const { text, outcome } = await use(leaver, 'unlink');
    expect(text).toContain('**@\u200beveryone \\*Duke\\***');
    const pressed = await world.emulator.press(leaver.discordUserId, outcome.reply?.id ?? '', 'Unlink');
    expect(privateText(pressed, leaver.discordUserId)).toBe('Your Discord account is no longer linked.');
    expect(buttonsOf(pressed.reply)).toEqual([]);
    expect(await rows(sql`select 1 from discord_account where user_id = ${leaver.id}`)).toEqual([]);
    expect((await use(leaver, 'inbox')).text).toContain('not linked');
  });

  test('is refused for an account that could no longer sign in', async () => {
    const leaver = await givenLinkedPilot(world, guildId);
    await rows(sql`update app_user set password_hash = null where id = ${leaver.id}`);
    const asked = await use(leaver, 'unlink');
    expect(asked.text).toMatch(/password/);
    expect(linkOf(asked.outcome.reply, 'Set a password').pathname).toBe('/credentials');
  });

  test('is refused for an account that lost its password after the question', async () => {
    const leaver = await givenLinkedPilot(world, guildId);
    const { outcome } = await use(leaver, 'unlink');
    await rows(sql`update app_user set password_hash = null where id = ${leaver.id}`);
    const pressed = await world.emulator.press(leaver.discordUserId, outcome.reply?.id ?? '', 'Unlink');
    expect(textOf(pressed.reply)).toMatch(/password/);
    expect(await rows(sql`select 1 from discord_account where user_id = ${leaver.id}`)).toHaveLength(1);
  });
});

describe('/setup channel', () => {
  const SEND_MESSAGES = 1n << 11n;
  let staffed: ReturnType<DiscordWorld['emulator']['addGuild']>;
  /** not linked to a pilot: managing the server is enough */
  let manager: { discordUserId: string; discordUsername: string };
  beforeAll(async () => {
    staffed = await givenDiscordGuild(world, {
      name: 'Staffed Wing',
      roles: [{ name: 'staff', permissions: 1n << 5n }],
      channels: [{ name: 'general' }, { name: 'briefs', type: 5 }, { name: 'closed' }, { name: 'adults', nsfw: true }],
    });
    const discordUsername = 'quartermaster';
    const roles = [staffed.roleIds['staff'] ?? ''];
    const discordUserId = world.emulator.addMember(staffed.id, { username: discordUsername, roles });
    manager = { discordUserId, discordUsername };
  });
  const choose = (channel: string | undefined) => use(manager, 'setup channel', { channel: channel ?? '' }, staffed.id);
  const chosen = async () => (await readGuild(world, staffed.id))?.defaultSplashChannelId ?? null;

  test('sets the default channel, and the audit log names the member', async () => {
    const briefs = staffed.channelIds['briefs'];
    expect((await choose(briefs)).text).toBe(
      `Announcements will go to <#${briefs}> from now on. The registration announcement is being posted there now.`,
    );
    expect(await chosen()).toBe(briefs);
    expect(await listEvents(world, staffed.id)).toContainEqual({
      type: 'guild_updated',
      data: `${manager.discordUsername} chose #briefs for announcements`,
      error: null,
    });
  });

  test('posts the registration announcement there, once while it waits', async () => {
    const briefs = staffed.channelIds['briefs'] ?? '';
    expect((await choose(briefs)).text).toContain('is being posted there now');
    expect(
      await rows(sql`select kind, channel_id as channel from discord_post
                     where guild_id = ${staffed.id} and kind = 'registration'`),
    ).toEqual([{ kind: 'registration', channel: briefs }]);
  });

  test('refuses an age-restricted channel with a sentence', async () => {
    const adults = staffed.channelIds['adults'] ?? '';
    expect((await choose(adults)).text).toBe(
      'This channel is age-restricted, so not every member can open it. Please choose another one.',
    );
    expect(await chosen()).not.toBe(adults);
  });

  test('refuses a channel of another server, and one that the bot cannot post in', async () => {
    const before = await chosen();
    expect((await choose(channelIds['general'])).text).toBe('This channel does not exist in this server');
    world.emulator.updateChannel(staffed.id, staffed.channelIds['closed'] ?? '', {
      overwrites: [{ id: world.emulator.botUserId, type: 1, deny: SEND_MESSAGES }],
    });
    const closed = staffed.channelIds['closed'] ?? '';
    await eventually(async () => {
      expect(await rows(sql`select is_postable from guild_channel where id = ${closed}`)).toEqual([
        { is_postable: false },
      ]);
    });
    expect((await choose(closed)).text).toBe(
      'The bot cannot post in this channel. Please let it view the channel, send messages and embed links there.',
    );
    expect(await chosen()).toBe(before);
  });

  test('is neither offered to nor accepted from members without Manage Server', async () => {
    const member = await givenLinkedPilot(world, staffed.id);
    const general = staffed.channelIds['general'] ?? '';
    await expect(use(member, 'setup channel', { channel: general }, staffed.id)).rejects.toThrow(
      'is offered no command',
    );
    await expect(use(manager, 'setup channel', { channel: general }, null)).rejects.toThrow('is offered no command');
    const { reply } = createServerCalls(world.service.url, world.service.app.botToken);
    const { discordUserId, discordUsername } = member;
    const actor = { discordUserId, discordUsername, guildId: staffed.id, canManageGuild: false };
    const before = await chosen();
    await expect(reply.setChannel.mutate({ actor, channelId: general })).rejects.toThrow(
      'Only members who may manage this server can do this.',
    );
    expect(await chosen()).toBe(before);
  });
});

test('the commands are registered in one request, and not again while they are unchanged', async () => {
  const asked = (method: string) =>
    world.emulator.requests.filter((one) => one.method === method && one.path.endsWith('/commands')).length;
  expect(asked('PUT')).toBe(1);
  const names = 'availability help inbox login mission missions register rsvp setup status unlink'.split(' ');
  expect(
    world.emulator
      .commands()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(names);
  const looked = asked('GET');
  await world.bot.stop();
  // a server in an outage holds up much, but not this
  world.emulator.setOutage(guildId, true);
  const second = world.startBot({ instanceId: 'second', timings: { waitGuildsMs: 3_600_000 } });
  await world.emulator.until('the next bot has looked', () => asked('GET') > looked);
  await second.stop();
  world.emulator.setOutage(guildId, false);
  world.startBot({ instanceId: 'third' });
  await botOnline(world, 'third');
  expect((await use(pilot, 'help')).text).toContain('/missions');
  expect(asked('PUT')).toBe(1);
});
