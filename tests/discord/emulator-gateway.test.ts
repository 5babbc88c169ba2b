/** The emulator's gateway with discord.js as the client: sessions, resumes and their failures. */
import { Events, GatewayIntentBits, type Client } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectClient, nextEvent, onInteraction } from './emulator/client.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator } from './emulator/types.ts';

let emulator: Emulator;
let client: Client<true>;
let guild: ReturnType<Emulator['addGuild']>;
let pilots: string[];

beforeAll(async () => {
  emulator = await startEmulator({ wideLimits: ['gateway'] });
  guild = emulator.addGuild({ name: 'Coalition Wing', channels: [{ name: 'general' }] });
  pilots = ['amber', 'brick', 'cedar'].map((username) => emulator.addMember(guild.id, { username }));
  client = await connectClient(emulator);
  // of people that it does not know discord.js tells no leave
  await client.guilds.cache.get(guild.id)?.members.fetch();
});

afterAll(async () => {
  await client.destroy();
  expect(emulator.violations).toEqual([]);
  await emulator.stop();
});

test('a resume replays a missed leave event', async () => {
  emulator.cutGateway();
  emulator.removeMember(guild.id, pilots[0] ?? '');
  expect(emulator.connections()).toBe(0);
  const [[member], [, replayed]] = await Promise.all([
    nextEvent(client, Events.GuildMemberRemove),
    nextEvent(client, Events.ShardResume),
  ]);
  expect(member.id).toBe(pilots[0]);
  expect(replayed).toBe(2);
  expect(emulator.connections()).toBe(1);
});

test.each([
  ['op 7', () => emulator.askReconnect()],
  ['close 4000', () => emulator.closeGateway(4000)],
  ['op 9 that can be resumed', () => emulator.invalidateSession(true)],
])('%s leads to a resume', async (_rule, strike) => {
  const resumed = nextEvent(client, Events.ShardResume);
  const name = `after-${_rule.replaceAll(' ', '-')}`;
  const created = nextEvent(client, Events.ChannelCreate, (channel) => channel.name === name);
  strike();
  emulator.addChannel(guild.id, { name });
  await Promise.all([resumed, created]);
});

test('the session waits while connections are refused', async () => {
  emulator.refuseConnections(true);
  emulator.cutGateway();
  emulator.renameGuild(guild.id, 'Renamed');
  const resumed = nextEvent(client, Events.ShardResume);
  const renamed = nextEvent(client, Events.GuildUpdate);
  emulator.refuseConnections(false);
  const [[, after]] = await Promise.all([renamed, resumed]);
  expect(after.name).toBe('Renamed');
});

test('events arrive as they happen, and twice when Discord repeats them', async () => {
  const joins: string[] = [];
  client.on(Events.GuildMemberAdd, (member) => joins.push(member.user.username));
  const promoted = nextEvent(client, Events.GuildMemberUpdate);
  const role = emulator.addRole(guild.id, { name: 'Lead', permissions: 0n });
  emulator.updateMember(guild.id, pilots[1] ?? '', { roles: [role] });
  expect((await promoted)[1].roles.cache.has(role)).toBe(true);
  emulator.duplicateEvents(true);
  emulator.addMember(guild.id, { username: 'delta' });
  emulator.duplicateEvents(false);
  await expect.poll(() => joins).toEqual(['delta', 'delta']);
  const gone = nextEvent(client, Events.GuildRoleDelete);
  emulator.deleteRole(guild.id, role);
  expect((await gone)[0].id).toBe(role);
});

test('an outage begins and ends; the bot is kicked and installed', async () => {
  const away = nextEvent(client, Events.GuildUnavailable);
  emulator.setOutage(guild.id, true);
  expect((await away)[0].id).toBe(guild.id);
  const back = nextEvent(client, Events.GuildAvailable);
  emulator.setOutage(guild.id, false);
  expect((await back)[0].id).toBe(guild.id);
  const other = emulator.addGuild({ name: 'Other', isInstalled: false });
  const installed = nextEvent(client, Events.GuildCreate);
  emulator.installBot(other.id);
  expect((await installed)[0].name).toBe('Other');
  const kicked = nextEvent(client, Events.GuildDelete);
  emulator.kickBot(other.id);
  expect((await kicked)[0].id).toBe(other.id);
});

test('two bots receive the same events; the first answer to an interaction wins', async () => {
  const second = await connectClient(emulator);
  expect(emulator.connections()).toBe(2);
  const codes: number[] = [];
  for (const bot of [client, second]) {
    onInteraction(bot, async (interaction) => {
      if (!interaction.isButton()) return;
      const code = await interaction.deferUpdate().then(
        () => 0,
        (error: { code: number }) => error.code,
      );
      codes.push(code);
    });
  }
  const channel = await client.channels.fetch(guild.channelIds['general'] ?? '');
  if (!channel?.isSendable()) throw new Error('The channel takes no messages');
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }];
  const { id } = await channel.send({ content: 'x', components });
  await emulator.press(pilots[1] ?? '', id, 'Go', { untilReplied: false });
  await expect.poll(() => codes.toSorted((a, b) => a - b)).toEqual([0, 40060]);
  await second.destroy();
  await emulator.until('one connection is left', () => emulator.connections() === 1);
});

test('events go to clients with the matching intents', async () => {
  const plain = await connectClient(emulator, [GatewayIntentBits.Guilds]);
  const heard: string[] = [];
  plain.on(Events.Raw, ({ t }: { t: string }) => heard.push(t));
  emulator.addMember(guild.id, { username: 'echo' });
  emulator.updateMember(guild.id, client.user.id, { nick: null });
  emulator.renameGuild(guild.id, 'Coalition Wing');
  await expect.poll(() => heard).toContain('GUILD_UPDATE');
  expect(heard).toEqual(['GUILD_MEMBER_UPDATE', 'GUILD_UPDATE']);
  await plain.destroy();
});

test('a disallowed members intent closes with 4014, and the client connects without it', async () => {
  emulator.refuseMembersIntent(true);
  await expect(connectClient(emulator)).rejects.toThrow('disallowed intents');
  const plain = await connectClient(emulator, [GatewayIntentBits.Guilds]);
  expect(plain.guilds.cache.size).toBe(1);
  await plain.destroy();
  emulator.refuseMembersIntent(false);
});

test("with Discord's rate limits, the list of members is sent once in 30 s", async () => {
  const seen = client.guilds.cache.get(guild.id);
  emulator.limitRates(true);
  await expect(seen?.members.fetch()).rejects.toThrow(/rate limit/i);
  emulator.limitRates(false);
  expect((await seen?.members.fetch())?.size).toBe(seen?.memberCount);
});

test.each([
  ['op 9: the session is gone', () => emulator.invalidateSession(false)],
  ['close 4009: it timed out', () => emulator.closeGateway(4009)],
])('%s; a second READY tells which guilds are left', async (_rule, strike) => {
  const lost = emulator.addGuild({ name: 'Lost' });
  await nextEvent(client, Events.GuildCreate);
  emulator.forgetGuild(lost.id);
  const found = emulator.addGuild({ name: 'Found', isInstalled: false });
  const ready: string[][] = [];
  const note = ({ t, d }: { t: string; d: { guilds: { id: string }[] } }) => {
    if (t === 'READY') ready.push(d.guilds.map(({ id }) => id));
  };
  client.on(Events.Raw, note);
  strike();
  emulator.installBot(found.id);
  await nextEvent(client, Events.ShardReady);
  client.off(Events.Raw, note);
  expect(ready).toEqual([[guild.id, found.id]]);
  emulator.forgetGuild(found.id);
});
