/** The card of a mission in the missions channels of servers: posted once, edited, and answered by its buttons. */
import { PermissionFlagsBits, Routes } from 'discord-api-types/v10';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { cancelMission, publishMission } from '#server/missions/mission-cancel.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { vipers } from '#tests/harness/seats.ts';
import { callOffMissions } from '#tests/harness/orders.ts';
import { actionsOf, badgeOf, nothingLeft } from './cards.ts';
import type { StoredMessage } from './emulator/types.ts';
import {
  eventually,
  givenDiscordGuild,
  givenLinkedPilot,
  listChannels,
  readGuild,
  startDiscord,
  type DiscordWorld,
} from './given.ts';
import { linkOf, privateText, textOf } from './read.ts';

let world: DiscordWorld;
let admin: Person;
let guild: Awaited<ReturnType<typeof givenDiscordGuild>>;
let manager: string;
beforeAll(async () => {
  world = await startDiscord({ withJobs: true, cardPauseMs: 300 });
  admin = await givenAdmin(world.service);
  guild = await givenDiscordGuild(world, {
    channels: [{ name: 'general' }, { name: 'missions' }],
    roles: [{ name: 'staff', permissions: 1n << 5n }],
  });
  manager = world.emulator.addMember(guild.id, { username: 'quartermaster', roles: [guild.roleIds['staff'] ?? ''] });
  const said = await world.emulator.command(manager, guild.id, 'setup missions', { channel: channelId() });
  expect(said.reply?.content).toContain(`<#${channelId()}>`);
  await nothingLeft(world);
});
afterAll(() => world.stop());
afterEach(() => callOffMissions(world.service));

const em = () => world.service.app.orm.em.fork();
const channelId = (): string => guild.channelIds['missions'] ?? '';

const cardsOf = (missionId: string, channel = channelId()): StoredMessage[] =>
  world.emulator.messages(channel).filter(({ components }) => JSON.stringify(components).includes(missionId));

/** The one card of a mission, once it says this. */
async function cardOf(missionId: string, said: string | RegExp = ''): Promise<StoredMessage> {
  await vi.waitFor(
    () => {
      const cards = cardsOf(missionId);
      expect(cards).toHaveLength(1);
      expect(cards.map(textOf).join('\n')).toMatch(said);
    },
    { timeout: 20_000, interval: 20 },
  );
  const [card] = cardsOf(missionId);
  if (!card) throw new Error('There is no card');
  return card;
}

const tomorrow = { startLocal: hoursFromNow(40), endLocal: hoursFromNow(42) };

test('a published mission has one card, which is edited with it and says when it is cancelled', async () => {
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Iron Hound @everyone',
    notes: 'Push at **1912Z**.',
    aircraftSlots: vipers(3),
    ...tomorrow,
  });
  const card = await cardOf(mission.id, /0 of 3 seats taken/);
  expect(textOf(card)).toContain('1 open');
  expect(textOf(card)).toContain('Push at **1912Z**.');
  expect(actionsOf(card)).toEqual(['take-seat', 'join-standby', 'drop-out', 'my-order']);
  await editMission(admin, mission.id, { name: 'Op Second Thought' });
  expect((await cardOf(mission.id, /Op Second Thought/)).id).toBe(card.id);
  await cancelMission(em(), admin, mission.id, new Date());
  const over = await cardOf(mission.id, /This mission will not take place/);
  expect([over.id, badgeOf(over)]).toEqual([card.id, 'Cancelled']);
});

test('a draft has no card until it is published', async () => {
  const { mission } = await givenMission(world.service, admin, { name: 'Op Draft', publish: false, ...tomorrow });
  await editMission(admin, mission.id, { notes: 'still thinking' });
  await nothingLeft(world);
  expect(cardsOf(mission.id)).toEqual([]);
  await publishMission(em(), admin, mission.id, new Date());
  await cardOf(mission.id, /Op Draft/);
});

test('an accepted server gets one welcome, and none when it comes back', async () => {
  const { emulator } = world;
  const fresh = await givenDiscordGuild(world, { channels: [{ name: 'adults', nsfw: true }, { name: 'lobby' }] });
  await query(em(), sql`update guild set accepted_at = null where id = ${fresh.id}`);
  expect((await admin.client.call('POST', `/discord/guilds/${fresh.id}/accept`)).status).toBe(200);
  const said = () => Object.values(fresh.channelIds).flatMap((id) => emulator.messages(id));
  await emulator.until('the welcome stands', () => said().length > 0);
  emulator.kickBot(fresh.id);
  await eventually(async () => expect(await readGuild(world, fresh.id)).toMatchObject({ status: 'disabled' }));
  emulator.installBot(fresh.id);
  await eventually(async () => expect(await readGuild(world, fresh.id)).toMatchObject({ status: 'active' }));
  await nothingLeft(world);
  expect(said().map((message) => [message.channelId, textOf(message).split('.')[0]])).toEqual([
    [fresh.channelIds['lobby'], "Hello, I'm Marshal"],
  ]);
});

test('a mission published while the bot may not post there gets its card, once, when it may again', async () => {
  const { emulator } = world;
  const postable = (isPostable: boolean) =>
    eventually(async () => {
      const channels = await query<{ isPostable: boolean }>(
        em(),
        sql`select is_postable as "isPostable" from guild_channel where id = ${channelId()}`,
      );
      expect(channels).toEqual([{ isPostable }]);
    });
  emulator.updateChannel(guild.id, channelId(), {
    overwrites: [{ id: guild.id, type: 0, deny: PermissionFlagsBits.EmbedLinks }],
  });
  await postable(false);
  const { mission } = await givenMission(world.service, admin, { name: 'Op Locked Out', ...tomorrow });
  await nothingLeft(world);
  expect(cardsOf(mission.id)).toEqual([]);
  emulator.updateChannel(guild.id, channelId(), { overwrites: [] });
  await postable(true);
  const card = await cardOf(mission.id, /Op Locked Out/);
  emulator.renameGuild(guild.id, 'Lantern Wing Two');
  await eventually(async () => expect(await readGuild(world, guild.id)).toMatchObject({ name: 'Lantern Wing Two' }));
  await nothingLeft(world);
  expect((await cardOf(mission.id)).id).toBe(card.id);
});

test('a card that Discord refuses although the bot may post there is not tried at every report, and posted once later', async () => {
  const { emulator } = world;
  const path = new RegExp(`channels/${channelId()}/messages$`);
  const asks = () => emulator.requests.filter((one) => one.method === 'POST' && path.test(one.path)).length;
  const rename = async (name: string) => {
    emulator.renameGuild(guild.id, name);
    await eventually(async () => expect(await readGuild(world, guild.id)).toMatchObject({ name }));
    await nothingLeft(world);
  };
  emulator.fail({ method: 'POST', path, kind: 'status', status: 403, code: 50013 });
  const { mission } = await givenMission(world.service, admin, { name: 'Op Refused', ...tomorrow });
  await nothingLeft(world);
  expect(cardsOf(mission.id)).toEqual([]);
  const asked = asks();
  for (const name of ['Lantern Wing Three', 'Lantern Wing Four']) await rename(name);
  expect(asks()).toBe(asked);

  // the refusal was a while ago
  await query(
    em(),
    sql`update discord_post set updated_at = updated_at - interval '1 hour' where subject_id = ${mission.id}`,
  );
  await rename('Lantern Wing Five');
  const card = await cardOf(mission.id, /Op Refused/);
  await rename('Lantern Wing Six');
  expect((await cardOf(mission.id)).id).toBe(card.id);
});

test('a practice mission has no card, and a card shows no frequency', async () => {
  const practice = await admin.client.call('POST', '/admin/practice-missions', {});
  expect(practice.status).toBe(201);
  const { mission } = await givenMission(world.service, admin, { ...tomorrow });
  expect(textOf(await cardOf(mission.id))).not.toMatch(/\d{3}\.\d{3}/);
  await nothingLeft(world);
  expect(world.emulator.messages(channelId()).map(textOf).join('\n')).not.toContain('Practice');
});

test('a card whose answer was lost is found again, and a deleted one stays deleted until the channel is set', async () => {
  const { emulator, service } = world;
  emulator.fail({ method: 'POST', path: new RegExp(`${channelId()}/messages$`), kind: 'drop', when: 'after' });
  const { mission } = await givenMission(service, admin, { name: 'Op Lost Answer', ...tomorrow });
  const card = await cardOf(mission.id, /Op Lost Answer/);
  await nothingLeft(world);
  expect((await cardOf(mission.id)).id).toBe(card.id);
  await service.app.discord?.delete(Routes.channelMessage(channelId(), card.id));
  for (const name of ['Op Gone', 'Op Still Gone']) {
    await editMission(admin, mission.id, { name });
    await nothingLeft(world);
  }
  expect(cardsOf(mission.id)).toEqual([]);
  await emulator.command(manager, guild.id, 'setup missions', {
    channel: channelId(),
    mention: guild.roleIds['staff'] ?? '',
  });
  const again = await cardOf(mission.id, /Op Still Gone/);
  expect([again.id === card.id, again.content]).toEqual([false, `<@&${guild.roleIds['staff']}>`]);
  const post = emulator.requests.findLast(({ method, path }) => method === 'POST' && path.endsWith('/messages'));
  expect(post?.body).toMatchObject({ allowed_mentions: { parse: [], roles: [guild.roleIds['staff']] } });
  await nothingLeft(world);
  expect(cardsOf(mission.id)).toHaveLength(1);
});

/** The nonces of the posts of a mission's cards. */
const noncesOf = (missionId: string): string[] =>
  world.emulator.requests
    .filter(({ method, path, body }) => method === 'POST' && path.endsWith('/messages') && isAbout(body, missionId))
    .map(({ body }) => (body as { nonce: string }).nonce);
const isAbout = (body: unknown, missionId: string) => (JSON.stringify(body) ?? '').includes(missionId);

const setChannel = (channel: string) => world.emulator.command(manager, guild.id, 'setup missions', { channel });

test('the cards of a channel that is deleted are posted in the next one, each once and with a nonce of its own', async () => {
  const { emulator } = world;
  const old = emulator.addChannel(guild.id, { name: 'old-missions' });
  await eventually(async () => expect((await listChannels(world, guild.id)).map(({ id }) => id)).toContain(old));
  await setChannel(old);
  const names = ['Op First', 'Op Second'];
  const missions = [];
  for (const name of names) missions.push((await givenMission(world.service, admin, { name, ...tomorrow })).mission);
  await vi.waitFor(() => expect(emulator.messages(old)).toHaveLength(2), { timeout: 20_000, interval: 20 });
  await nothingLeft(world);
  emulator.deleteChannel(guild.id, old);
  await eventually(async () => expect((await listChannels(world, guild.id)).map(({ id }) => id)).not.toContain(old));
  await nothingLeft(world);
  await setChannel(channelId());
  for (const { id } of missions) await cardOf(id);
  await nothingLeft(world);
  for (const { id } of missions) {
    await cardOf(id);
    expect(new Set(noncesOf(id)).size).toBe(2);
  }
});

test('a card that somebody deleted is posted again when its channel is set, also if nothing has changed since', async () => {
  const { mission } = await givenMission(world.service, admin, { name: 'Op Unnoticed', ...tomorrow });
  const card = await cardOf(mission.id);
  await nothingLeft(world);
  world.emulator.deleteMessage(channelId(), card.id);
  await setChannel(channelId());
  expect((await cardOf(mission.id)).id).not.toBe(card.id);
  await nothingLeft(world);
  expect((await cardOf(mission.id)).id).not.toBe(card.id);
});

test('a card that one channel refuses has another nonce in the next one', async () => {
  const { emulator } = world;
  const path = new RegExp(`channels/${channelId()}/messages$`);
  emulator.fail({ method: 'POST', path, kind: 'status', status: 403, code: 50013 });
  const { mission } = await givenMission(world.service, admin, { name: 'Op Moved', ...tomorrow });
  await nothingLeft(world);
  expect(cardsOf(mission.id)).toEqual([]);
  const next = guild.channelIds['general'] ?? '';
  await setChannel(next);
  await vi.waitFor(() => expect(cardsOf(mission.id, next)).toHaveLength(1), { timeout: 20_000, interval: 20 });
  expect(noncesOf(mission.id)).toHaveLength(2);
  expect(new Set(noncesOf(mission.id)).size).toBe(2);
  // as the bot reports it once it looks again
  await query(em(), sql`update guild_channel set is_postable = true where id = ${channelId()}`);
  await setChannel(channelId());
  await nothingLeft(world);
});

test('a card in an announcement channel that may not be edited just now is edited later', async () => {
  const { mission } = await givenMission(world.service, admin, { name: 'Op Announced', ...tomorrow });
  const card = await cardOf(mission.id, /Op Announced/);
  await nothingLeft(world);
  world.emulator.fail({ method: 'PATCH', path: /\/messages\//, kind: 'status', status: 403, code: 20022, times: 2 });
  await editMission(admin, mission.id, { name: 'Op Announced Again' });
  expect((await cardOf(mission.id, /Op Announced Again/)).id).toBe(card.id);
});

test('a pilot answers by the buttons of the card and takes a seat from its menu, and the card follows', async () => {
  const { emulator } = world;
  const pilot = await givenLinkedPilot(world, guild.id, { displayName: 'Vesper*' });
  await givenAlwaysFree(world.service, pilot.id);
  const { mission } = await givenMission(world.service, admin, { aircraftSlots: vipers(2), ...tomorrow });
  const card = await cardOf(mission.id, /1 asked, 1 open/);
  // nobody is named before they have accepted
  expect(textOf(card)).toContain('1 asked\n2 open');
  expect(textOf(card)).not.toContain('Vesper');
  const press = (label: string) => emulator.press(pilot.discordUserId, card.id, label);

  const out = await press("Can't make it");
  expect(privateText(out, pilot.discordUserId)).toMatch(/^You declined:/);
  await cardOf(mission.id, /0 of 2 seats taken.*2 open/);

  const menu = await press('Take a seat');
  expect(menu.reply?.content).toBe('Open seats for you in **Op Iron Hound**:');
  const choice = await emulator.choose(pilot.discordUserId, menu.reply?.id ?? '', /seat 2$/);
  expect(privateText(choice, pilot.discordUserId)).toMatch(/^You're in: Viper 1, seat \d \(FRAG-/);
  expect(textOf(await cardOf(mission.id, /1 of 2 seats taken.*1 open/))).toContain(String.raw`2 Vesper\*`);
  expect(textOf((await press('My order')).reply)).toContain('This seat is yours.');

  expect(privateText(await press('Standby'), pilot.discordUserId)).toMatch(/^You're on standby/);
  await cardOf(mission.id, /0 of 2 seats taken.*2 open · 1 on standby/);
});

test('a pilot without times reads why, in times of the own zone, and flies it anyway from the menu', async () => {
  const pilot = await givenLinkedPilot(world, guild.id, { displayName: 'Rook' });
  const { mission } = await givenMission(world.service, admin, { aircraftSlots: vipers(2), ...tomorrow });
  const [start, end] = [tomorrow.startLocal, tomorrow.endLocal].map((local) => Date.parse(`${local}Z`) / 1000);
  const card = await cardOf(mission.id);
  const refused = await world.emulator.press(pilot.discordUserId, card.id, 'Take a seat');
  expect(refused.reply?.content).toBe(
    [
      `You're not available from <t:${start}:F> to <t:${end}:t>.`,
      `Flying it anyway makes you available from <t:${start}:F> to <t:${end}:t>, for this date only.`,
    ].join('\n'),
  );
  const choice = await world.emulator.choose(pilot.discordUserId, refused.reply?.id ?? '', /seat 2$/);
  expect(privateText(choice, pilot.discordUserId)).toMatch(/^You're in: Viper 1, seat \d \(FRAG-/);
  expect(textOf(await cardOf(mission.id, /1 of 2 seats taken/))).toContain('2 Rook');
  const windows = await query<{ kind: string }>(
    em(),
    sql`select kind from availability_override where user_id = ${pilot.id}`,
  );
  expect(windows).toEqual([{ kind: 'available' }]);
});

test('a pilot whose seat somebody else takes first is told, and chooses another from the menu below', async () => {
  const { emulator } = world;
  const slow = await givenLinkedPilot(world, guild.id, { displayName: 'Slow' });
  const quick = await givenLinkedPilot(world, guild.id, { displayName: 'Quick' });
  const { mission } = await givenMission(world.service, admin, { aircraftSlots: vipers(4), ...tomorrow });
  const card = await cardOf(mission.id);
  const [first, second] = await Promise.all(
    [slow, quick].map(({ discordUserId }) => emulator.press(discordUserId, card.id, 'Take a seat')),
  );
  await emulator.choose(quick.discordUserId, second?.reply?.id ?? '', /seat 4$/);
  const late = await emulator.choose(slow.discordUserId, first?.reply?.id ?? '', /seat 4$/);
  expect(privateText(late, slow.discordUserId)).toMatch(/^This seat has been taken by another pilot\.\n/);
  const choice = await emulator.choose(slow.discordUserId, late.reply?.id ?? '', /seat \d$/);
  expect(privateText(choice, slow.discordUserId)).toMatch(/^You're in: Viper 1, seat \d \(FRAG-/);
});

test('somebody who is not linked gets the personal registration link', async () => {
  const { mission } = await givenMission(world.service, admin, { aircraftSlots: vipers(1), ...tomorrow });
  const card = await cardOf(mission.id);
  const stranger = world.emulator.addMember(guild.id, { username: 'stranger' });
  const outcome = await world.emulator.press(stranger, card.id, 'Take a seat');
  expect(privateText(outcome, stranger)).toMatch(/^Register first; it takes a minute\. This link is for you only/);
  expect(linkOf(outcome.reply, 'Open registration').pathname).toBe('/discord/registration');
});

test('a pilot without times stands by for a full mission after the changes that the reply names', async () => {
  const { emulator } = world;
  const asked = await givenLinkedPilot(world, guild.id, { displayName: 'Asked' });
  await givenAlwaysFree(world.service, asked.id);
  const pilot = await givenLinkedPilot(world, guild.id, { displayName: 'Late' });
  const { mission } = await givenMission(world.service, admin, { aircraftSlots: vipers(1), ...tomorrow });
  const card = await cardOf(mission.id, /1 asked/);
  const refused = await emulator.press(pilot.discordUserId, card.id, 'Standby');
  expect(refused.reply?.content).toMatch(
    /^You're not available from <t:\d+:F> to <t:\d+:t>\.\nStanding by anyway makes you available from /,
  );
  const joined = await emulator.press(pilot.discordUserId, refused.reply?.id ?? '', 'Stand by anyway');
  expect(privateText(joined, pilot.discordUserId)).toMatch(/^You're on standby/);
  expect(await query(em(), sql`select kind from availability_override where user_id = ${pilot.id}`)).toEqual([
    { kind: 'available' },
  ]);
});
