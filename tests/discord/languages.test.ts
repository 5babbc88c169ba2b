/** Everything that a user of another language reads, in a language made from English: no English word is left. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { addCatalogue } from '#shared/discord-texts/catalogue.ts';
import { givenAdmin, givenAlwaysFree, givenMission } from '#tests/harness/given.ts';
import { orderOf } from '#tests/harness/orders.ts';
import { englishWords, pseudoMessages } from '#tests/harness/pseudo-language.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { THEATERS } from '#shared/vocabulary.ts';
import { botOnline, givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { privateText, wordsOf } from './read.ts';

const LOCALE = 'el';

let world: DiscordWorld;
let staff: string;
let guildId: string;
beforeAll(async () => {
  addCatalogue(LOCALE, pseudoMessages);
  world = await startDiscord();
  const guild = await givenDiscordGuild(world, { roles: [{ name: 'staff', permissions: 1n << 5n }] });
  ({ id: guildId } = guild);
  staff = guild.roleIds['staff'] ?? '';
});
afterAll(() => world.stop());

interface Described {
  description?: string;
  description_localizations?: Partial<Record<string, string | null>> | null;
  name_localizations?: Partial<Record<string, string | null>> | null;
  options?: readonly Described[];
  choices?: readonly { name: string; name_localizations?: Partial<Record<string, string | null>> | null }[];
}

/** The texts of an option and all within it, as a user of the locale reads them. */
function textsOf({
  description = '',
  description_localizations: localised,
  options = [],
  choices = [],
}: Described): string[] {
  return [
    localised?.[LOCALE] ?? description,
    ...choices.map(({ name, name_localizations: names }) => names?.[LOCALE] ?? name),
    ...options.flatMap(textsOf),
  ];
}

test("the commands' descriptions and choices, which are registered once", async () => {
  const commands = world.emulator.commands();
  const texts = commands.flatMap(({ descriptionLocalizations, ...command }) =>
    textsOf({ ...command, description_localizations: descriptionLocalizations }),
  );
  expect(texts.length).toBeGreaterThan(40);
  expect(texts.flatMap((text) => englishWords(text, THEATERS))).toEqual([]);
  expect(commands.find(({ name }) => name === 'login')?.description).toBe(
    'Get a one-time link that signs you in on the site',
  );

  const asked = (method: string) =>
    world.emulator.requests.filter((one) => one.method === method && one.path.endsWith('/commands')).length;
  const looked = asked('GET');
  await world.bot.stop();
  world.startBot({ instanceId: 'second' });
  await botOnline(world, 'second');
  await world.emulator.until('the next bot has looked', () => asked('GET') > looked);
  expect(asked('PUT')).toBe(1);
});

test('a sentence of the bot itself', async () => {
  const person = world.emulator.addMember(guildId, { username: 'xenos', locale: LOCALE });
  const ask = (user: string) => world.emulator.command(user, guildId, 'status set', { state: 'now' });
  expect(privateText(await ask(person), person)).toBe(pseudoMessages['bot.minutesRequired']);
  const english = world.emulator.addMember(guildId, { username: 'anglos', locale: 'en-GB' });
  expect(privateText(await ask(english), english)).toBe('For how long? Add minutes, e.g. 60.');
});

describe('replies', () => {
  const USES: [string, Record<string, string>][] = [
    ['help', {}],
    ['register', {}],
    ['login', {}],
    ['status show', {}],
    ['status set', { state: 'available' }],
    ['missions', {}],
    ['inbox', {}],
    ['availability', {}],
    ['unlink', {}],
  ];

  test.each(USES)('/%s', async (path, values) => {
    const pilot = await givenLinkedPilot(world, guildId, { locale: LOCALE });
    const { reply } = await world.emulator.command(pilot.discordUserId, guildId, path, values);
    expect(wordsOf(reply)).not.toBe('');
    expect(englishWords(wordsOf(reply), [pilot.timeZone, pilot.displayName ?? ''])).toEqual([]);
  });

  test.each(USES.slice(1, 3))('/%s of somebody without a pilot', async (path, values) => {
    const person = world.emulator.addMember(guildId, { username: `xenos.${path}`, locale: LOCALE });
    const { reply } = await world.emulator.command(person, guildId, path, values);
    expect(wordsOf(reply)).not.toBe('');
    expect(englishWords(wordsOf(reply), [])).toEqual([]);
  });

  test('an order in the inbox, its choice, and the answer', async () => {
    const pilot = await givenLinkedPilot(world, guildId, { locale: LOCALE });
    await givenAlwaysFree(world.service, pilot.id);
    await givenMission(world.service, await givenAdmin(world.service), { name: 'Op Lingua' });
    const order = (await orderOf(pilot)) as FragOrderDto;
    const data = [order.label, order.role, order.aircraftName, order.missionName, order.flightCallsign];
    const use = (path: string, values = {}) => world.emulator.command(pilot.discordUserId, guildId, path, values);

    const inbox = wordsOf((await use('inbox')).reply);
    expect(inbox).toContain('Op Lingua');
    expect(englishWords(inbox, data)).toEqual([]);
    const answered = wordsOf((await use('rsvp', { order: order.id, response: 'accepted' })).reply);
    expect(answered).toContain(
      pseudoMessages['answered.accepted']?.replace('{flight}', order.flightCallsign).replace('{seat}', '1'),
    );
    expect(englishWords(answered, data)).toEqual([]);
    const flying = wordsOf((await use('missions')).reply);
    expect(flying).toContain('Op Lingua');
    expect(englishWords(flying, data)).toEqual([]);
  });
});

test('a refusal, by its code', async () => {
  const pilot = await givenLinkedPilot(world, guildId, { locale: LOCALE, roles: [staff] });
  const use = (path: string, values: Record<string, string>) =>
    world.emulator.command(pilot.discordUserId, guildId, path, values);
  const refused = await use('mission roster', { mission: randomUUID() });
  expect(wordsOf(refused.reply)).toBe(pseudoMessages['refusal.ADMINS_ONLY']);
  await givenAlwaysFree(world.service, pilot.id);
  const { mission } = await givenMission(world.service, await givenAdmin(world.service), { name: 'Op Vetita' });
  const order = await orderOf(pilot);
  await cancelMission(world.service.app.orm.em.fork(), await givenAdmin(world.service), mission.id, new Date());
  const late = await use('rsvp', { order: order.id, response: 'accepted' });
  expect(wordsOf(late.reply)).toBe(`${pseudoMessages['refusal.ORDER_CANCELLED']}\n${pseudoMessages['way.otherSeats']}`);
});

test('an English word is found', () => {
  expect(englishWords('Get a seat in Viper: /help', ['Viper'])).toEqual(['Get', 'seat', 'in']);
});
