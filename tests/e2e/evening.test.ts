/**
 * An evening of the squadron: a mission published on the site has a card in two servers; pilots take a seat, stand by and
 * drop out there, and every other place says the same within five seconds. Then the start moves, and those asked again hear it.
 */
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test';
import { DiscordAccount } from '#server/schema/guild.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Emulator, StoredMessage } from '#tests/discord/emulator/types.ts';
import { textOf } from '#tests/discord/read.ts';
import type { World, WorldGuild } from '#tests/discord/sandbox/world.ts';
import { givenAlwaysFree, givenPerson, type Person } from '#tests/harness/given.ts';
import type { Service } from '#tests/harness/service.ts';
import { openAs } from '#tests/ui/pages.ts';
import { button, createMission, type DiscordSite, startDiscordSite } from './discord-site.ts';

const AGREE = { timeout: 5_000, intervals: [50] };
const PATIENT = { timeout: 40_000 };
/** A card is edited at most this often; after a pause of it an edit leaves at once. */
const CARD_PAUSE_MS = 5_000;

let site: DiscordSite;
let emulator: Emulator;
let service: Service;
let world: World;
let admin: Person;

test.beforeAll(async () => {
  site = await startDiscordSite();
  ({ emulator, service, world, admin } = site);
});
test.afterAll(() => site.stop());

const em = () => service.app.orm.em.fork();

/** A server of the sample and the channel in which it wants its missions. */
interface Place {
  guild: WorldGuild;
  channel: { id: string; name: string };
}

async function setUp(name: string, channelName: string): Promise<Place> {
  const guild = world.guilds.find((one) => one.name === name);
  const channel = guild?.channels.find((one) => one.name === channelName);
  const moderator = guild?.moderatorIds[0];
  if (!guild || !channel || moderator === undefined) throw new Error(`The sample has no ${name}`);
  await expect(async () => {
    const { reply } = await emulator.command(moderator, guild.id, 'setup missions', { channel: channel.id });
    expect(reply?.content).toContain(`<#${channel.id}>`);
  }).toPass(PATIENT);
  return { guild, channel };
}

interface Pilot extends Person {
  discordId: string;
  name: string;
}

/** A member of the sample's servers with an account that is linked. */
async function givenMember(username: string): Promise<Pilot> {
  const found = [...world.people.values()].find((person) => person.username === username);
  if (!found) throw new Error(`The sample has no ${username}`);
  const { name } = found;
  const person = await givenPerson(service, { displayName: name });
  const own = em();
  own.create(DiscordAccount, {
    discordUserId: found.id,
    user: person.id,
    username: found.username,
    linkedAt: new Date(),
  });
  await own.flush();
  return { ...person, discordId: found.id, name };
}

const cardsIn = ({ channel }: Place): StoredMessage[] =>
  emulator
    .messages(channel.id)
    .filter((message) => message.ephemeralFor === null && textOf(message).includes('Op Quiet Harbour'));

/** What the cards of all places say; each has exactly one. */
function cardTexts(places: readonly Place[]): string[] {
  return places.map((place) => {
    const [card, ...others] = cardsIn(place);
    if (!card || others.length > 0) throw new Error(`${place.guild.name} has ${others.length + (card ? 1 : 0)} cards`);
    return textOf(card);
  });
}

/** Waits until every card says this, with these names and without those. */
const everyCard = (
  places: readonly Place[],
  said: RegExp,
  { shows, hides }: { shows: readonly Pilot[]; hides: readonly Pilot[] },
): Promise<void> =>
  expect(() => {
    for (const text of cardTexts(places)) {
      expect(text).toMatch(said);
      for (const { name } of shows) expect(text).toContain(name);
      for (const { name } of hides) expect(text).not.toContain(name);
    }
  }).toPass(AGREE);

/** All that the bot has told this person in direct messages. */
const heard = ({ discordId }: Pilot): string => emulator.directMessages(discordId).map(textOf).join('\n');

/** Waits until the last edit of every card is so long ago that the next one leaves at once. */
async function cardsRested(places: readonly Place[]): Promise<void> {
  await expect
    .poll(() => {
      const calls = emulator.requests.filter(
        ({ method, path }) =>
          method !== 'GET' && places.some(({ channel }) => path.startsWith(`/channels/${channel.id}/messages`)),
      );
      return performance.timeOrigin + performance.now() - Math.max(...calls.map(({ atMs }) => atMs));
    }, PATIENT)
    .toBeGreaterThan(CARD_PAUSE_MS + 500);
}

async function openDiscord(browser: Browser, { guild, channel }: Place, pilot: Pilot): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.sandbox.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByLabel('You are').selectOption({ label: pilot.name });
  await button(page.getByRole('region', { name: guild.name }), `# ${channel.name}`).click();
  return page;
}

const messages = (discord: Page): Locator => discord.getByRole('list', { name: 'Messages' }).getByRole('article');
const cardOn = (discord: Page): Locator =>
  messages(discord)
    .filter({ hasText: 'Op Quiet Harbour' })
    .filter({ has: button(discord, 'Take a seat') });

test('cards, home page, board and direct messages agree within five seconds, and a new start rings', async ({
  browser,
}) => {
  test.setTimeout(150_000);
  const places = [await setUp('Lantern Wing', 'ready-room'), await setUp('Southern Cross Virtual', 'operations')];
  const [lantern, southern] = places;
  if (!lantern || !southern) throw new Error('There are two servers');
  const holder = await givenMember('mara');
  const leaver = await givenMember('kessel');
  const taker = await givenMember('ostara');
  for (const pilot of [holder, leaver, taker]) await givenAlwaysFree(service, pilot.id);
  // has no time yet, and is not asked
  const reserve = await givenMember('saltbush');

  const ops = await openAs(browser, service, admin);
  const date = Temporal.Now.plainDateISO('UTC').add({ days: 3 }).toString();
  await createMission(ops, 'Op Quiet Harbour', date, 3);
  await expect(() => {
    for (const text of cardTexts(places)) expect(text).toMatch(/3 asked/);
  }).toPass(PATIENT);

  // two accept in their direct messages, and the third declines
  for (const pilot of [holder, leaver, taker]) {
    await expect.poll(() => emulator.directMessages(pilot.discordId).length, PATIENT).toBe(1);
    const [order] = emulator.directMessages(pilot.discordId);
    await emulator.press(pilot.discordId, order?.id ?? '', pilot === taker ? 'Decline' : 'Accept');
  }
  await expect(() => {
    for (const text of cardTexts(places)) expect(text).toMatch(/2 of 3 seats taken.*1 open/s);
  }).toPass(PATIENT);

  // the third thinks better of it, and takes the open seat from the menu of the card
  const near = await openDiscord(browser, lantern, taker);
  const menu = messages(near).getByRole('combobox').last();
  await expect(async () => {
    await button(cardOn(near), 'Take a seat').click();
    await expect(menu).toBeVisible({ timeout: 4_000 });
  }).toPass(PATIENT);
  const home = await openAs(browser, service, taker);
  await home.goto('/home');
  await ops.goto(`/admin/missions/${date}?mission=${await missionId()}`);
  await cardsRested(places);
  await menu.selectOption({ index: 1 });
  await Promise.all([
    everyCard(places, /3 of 3 seats taken/, { shows: [holder, leaver, taker], hides: [] }),
    expect(home.getByRole('region', { name: 'Accepted Missions' })).toContainText('Op Quiet Harbour', AGREE),
    expect(ops.getByText(taker.name).first()).toBeVisible(AGREE),
    expect.poll(() => heard(taker), AGREE).toContain('This seat is yours.'),
  ]);

  // the mission is full, and the next stands by from the card of the other server
  await givenAlwaysFree(service, reserve.id);
  const far = await openDiscord(browser, southern, reserve);
  const waiting = await openAs(browser, service, reserve);
  await waiting.goto('/home');
  await cardsRested(places);
  await expect(async () => {
    await button(cardOn(far), 'Standby').click();
    await expect(messages(far).filter({ hasText: "You're on standby" })).toBeVisible({ timeout: 4_000 });
  }).toPass(PATIENT);
  await Promise.all([
    everyCard(places, /3 of 3 seats taken.*1 on standby/s, { shows: [holder, leaver, taker], hides: [reserve] }),
    expect(waiting.getByRole('region', { name: 'On standby' })).toContainText('Op Quiet Harbour', AGREE),
    expect(
      ops
        .getByRole('listitem')
        .filter({ hasText: /^1 on standby/ })
        .first(),
    ).toBeVisible(AGREE),
  ]);

  // one drops out by the card, and whoever stands by gets the seat and a message that rings
  await cardsRested(places);
  const dms = emulator.directMessages(reserve.discordId).length;
  const out = await emulator.press(leaver.discordId, cardsIn(lantern)[0]?.id ?? '', "Can't make it");
  expect(out.reply?.content ?? '').toMatch(/declined/);
  await Promise.all([
    everyCard(places, /3 of 3 seats taken/, { shows: [holder, taker, reserve], hides: [leaver] }),
    expect(waiting.getByRole('region', { name: 'Accepted Missions' })).toContainText('Op Quiet Harbour', AGREE),
    expect(ops.getByText(reserve.name).first()).toBeVisible(AGREE),
    expect.poll(() => heard(reserve), AGREE).toMatch(/You're in: Viper 1, seat [1-3]/),
    expect.poll(() => emulator.directMessages(reserve.discordId).length, AGREE).toBe(dms + 1),
  ]);

  // the start moves by two hours: whoever holds a seat is asked by a new message
  const before = new Map(
    [holder, taker, reserve].map((pilot) => [pilot.name, emulator.directMessages(pilot.discordId).length]),
  );
  const moved = await admin.client.call('PUT', `/admin/missions/${await missionId()}`, {
    startLocal: `${date}T17:00`,
    endLocal: `${date}T20:00`,
    timeZone: 'UTC',
  });
  expect(moved.status).toBe(200);
  for (const pilot of [holder, taker, reserve]) {
    await expect
      .poll(() => emulator.directMessages(pilot.discordId).length, PATIENT)
      .toBe((before.get(pilot.name) ?? 0) + 1);
    const newest = emulator.directMessages(pilot.discordId).at(-1);
    expect(newest && textOf(newest)).toContain(`<t:${Date.parse(`${date}T17:00:00Z`) / 1000}:F>`);
  }
  await expect(() => {
    for (const text of cardTexts(places)) expect(text).toContain(`${Date.parse(`${date}T17:00:00Z`) / 1000}`);
  }).toPass(PATIENT);
});

async function missionId(): Promise<string> {
  const [row] = await query<{ id: string }>(em(), sql`select id from mission where name = 'Op Quiet Harbour'`);
  return row?.id ?? '';
}
