/** From the announcement's button to the roster, and every way in which a personal link is not good. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { createClient, type Client } from '#tests/harness/service.ts';
import type { StoredMessage } from './emulator/types.ts';
import { eventually, givenDiscordGuild, listEvents, startDiscord, type DiscordWorld } from './given.ts';
import { linkOf, privateText, textOf } from './read.ts';

const INVALID = 'Invalid registration link. Please start the registration process from Discord.';
const OVER = `${INVALID} Ask the bot for a new link.`;

let world: DiscordWorld;
let admin: Person;
let guildId: string;
let announcement: StoredMessage;
beforeAll(async () => {
  world = await startDiscord({ withJobs: true });
  admin = await givenAdmin(world.service);
  const guild = await givenDiscordGuild(world, { name: 'Lantern @everyone Wing' });
  guildId = guild.id;
  const resent = await admin.client.call('POST', `/discord/guilds/${guildId}/registration`, {});
  expect([resent.status, resent.body]).toMatchObject([200, { success: true }]);
  const posted = () =>
    Object.values(guild.channelIds)
      .flatMap((id) => world.emulator.messages(id))
      // the welcome has no embed
      .filter(({ embeds }) => embeds.length > 0);
  await world.emulator.until('the announcement stands', () => posted().length > 0);
  const [first] = posted();
  if (!first) throw new Error('no announcement');
  announcement = first;
});
afterAll(() => world.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(world.service.app.orm.em.fork(), statement);

let count = 0;

/** A member who presses the announcement's button, and the input that the page then sends. */
async function pressRegister(discordUserId?: string) {
  count += 1;
  const username = `newcomer.${count}`;
  const userId = discordUserId ?? world.emulator.addMember(guildId, { username });
  const outcome = await world.emulator.press(userId, announcement.id, 'Register');
  expect(outcome.answeredWith).toBe('deferred');
  const text = privateText(outcome, userId);
  const { searchParams, origin, pathname } = linkOf(outcome.reply, 'Open registration');
  expect(`${origin}${pathname}`).toBe(`${world.service.url}/discord/registration`);
  const body = {
    discordUserId: searchParams.get('discord_id'),
    discordUsername: username,
    guildId: searchParams.get('guild_id'),
    session: searchParams.get('session'),
    callSign: `Newcomer ${count}`,
    timeZone: 'Europe/Oslo',
    wantsGlobalEvents: false,
    availabilityWindows: [],
  };
  return { userId, username, text, body };
}

const complete = (body: object, client: Client = createClient(world.service)) =>
  client.call('POST', '/public/registration/complete', body);

const rosterOf = async () => (await admin.client.call('GET', `/discord/guilds/${guildId}`)).body;

const rejections = async (username: string): Promise<(string | null)[]> =>
  (await listEvents(world, guildId))
    .filter(({ type, data }) => type === 'registration_rejected' && data === username)
    .map(({ error }) => error);

test('the button leads to an account, and the roster shows it as registered and linked', async () => {
  const { userId, username, text, body } = await pressRegister();
  expect(text).toMatch(/^This link is for you only and expires <t:\d+:R>\.$/);
  const { status, body: done } = await complete(body);
  expect([status, done.message]).toEqual([200, `Registration complete. Welcome, ${body.callSign}!`]);
  // the bot tells of new members together, a moment later
  await eventually(async () => {
    const roster = await rosterOf();
    expect(roster.members).toContainEqual(
      expect.objectContaining({ discordUserId: userId, isRegistered: true, fightClubUserId: done.fightClubUserId }),
    );
    expect(roster.registeredMemberCount).toBe(1);
  });
  const kinds = (await listEvents(world, guildId)).filter(({ data }) => data === username).map(({ type }) => type);
  expect(kinds).toEqual(expect.arrayContaining(['registration_link_issued', 'registration_completed']));
});

test('the guild’s name pings nobody in the announcement', () => {
  expect(textOf(announcement)).toContain('Lantern @\u200beveryone Wing');
  expect([announcement.mentions, announcement.mentionsEveryone]).toEqual([[], false]);
});

describe('a link is refused', () => {
  test('when it is used again with different input; the same input has the same answer', async () => {
    const { username, body } = await pressRegister();
    const first = await complete(body);
    expect((await complete(body)).body).toEqual(first.body);
    const replay = await complete({ ...body, callSign: 'Somebody else' });
    expect([replay.status, replay.body.message]).toEqual([400, OVER]);
    expect(await rejections(username)).toEqual(['The link had been used']);
  });

  test('when it names another Discord account', async () => {
    const { username, body } = await pressRegister();
    const other = await complete({ ...body, discordUserId: '123456789012345678' });
    expect([other.status, other.body.message]).toEqual([400, INVALID]);
    expect(await rejections(username)).toEqual(['The link belongs to another Discord account or server']);
    expect((await complete(body)).status).toBe(200);
  });

  test('when it names another server', async () => {
    const elsewhere = await givenDiscordGuild(world, { name: 'Elsewhere' });
    const { body } = await pressRegister();
    const other = await complete({ ...body, guildId: elsewhere.id });
    expect([other.status, other.body.message]).toEqual([400, INVALID]);
    expect((await complete(body)).status).toBe(200);
  });

  test('after twenty minutes', async () => {
    const { userId, body } = await pressRegister();
    await rows(sql`update registration_session set expires_at = expires_at - interval '20 minutes'
                   where discord_user_id = ${userId}`);
    const late = await complete(body);
    expect([late.status, late.body.message]).toEqual([400, OVER]);
  });

  test('when a newer one was requested: of two tabs the second counts', async () => {
    const first = await pressRegister();
    const second = await pressRegister(first.userId);
    expect((await complete(first.body)).body.message).toBe(OVER);
    expect((await complete(second.body)).status).toBe(200);
  });
});

test('two tabs with the same link send at once: one account, one answer', async () => {
  const { userId, body } = await pressRegister();
  const [one, two] = await Promise.all([complete(body), complete(body)]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body).toEqual(two.body);
  expect(await rows(sql`select 1 from discord_account where discord_user_id = ${userId}`)).toHaveLength(1);
});

test('a link opened by a signed-in user registers the member who requested it', async () => {
  const bystander = await givenPerson(world.service, { displayName: 'Bystander' });
  const { userId, body } = await pressRegister();
  const { body: done } = await complete(body, bystander.client);
  expect(done.fightClubUserId).not.toBe(bystander.id);
  expect(await rows(sql`select user_id from discord_account where discord_user_id = ${userId}`)).toEqual([
    { user_id: done.fightClubUserId },
  ]);
  expect(await rows(sql`select display_name from app_user where id = ${bystander.id}`)).toEqual([
    { display_name: 'Bystander' },
  ]);
});

test('a linked member who registers again changes the profile and keeps the account', async () => {
  const first = await pressRegister();
  const { body: done } = await complete(first.body);
  const second = await pressRegister(first.userId);
  const again = await complete({ ...second.body, callSign: 'Renamed' });
  expect(again.body).toMatchObject({ success: true, fightClubUserId: done.fightClubUserId });
  expect(await rows(sql`select display_name from app_user where id = ${done.fightClubUserId}`)).toEqual([
    { display_name: 'Renamed' },
  ]);
});

test('a link from /register in direct messages works the same', async () => {
  const userId = world.emulator.addMember(guildId, { username: 'direct.one' });
  await eventually(async () => {
    const outcome = await world.emulator.command(userId, null, 'register');
    const { searchParams } = linkOf(outcome.reply, 'Open registration');
    expect(searchParams.get('guild_id')).toBe(guildId);
  });
});
