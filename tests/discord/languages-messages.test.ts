/**
 * Direct messages in the language of their reader's Discord, and posts in that of their server: in one made from English, no
 * English word is left.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { addCatalogue } from '#shared/discord-texts/catalogue.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { callOffMissions, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { englishWords, pseudoMessages } from '#tests/harness/pseudo-language.ts';
import { passTime } from '#tests/harness/reminders.ts';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { nothingLeft } from './cards.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { wordsOf } from './read.ts';

const LOCALE = 'el';

let world: DiscordWorld;
let admin: Person;
let guildId: string;
beforeAll(async () => {
  addCatalogue(LOCALE, pseudoMessages);
  world = await startDiscord({ withJobs: true, cardPauseMs: 300 });
  admin = await givenAdmin(world.service);
  guildId = (await givenDiscordGuild(world)).id;
});
afterAll(() => world.stop());
afterEach(async () => {
  await callOffMissions(world.service);
  await retirePilots(world.service);
});

const em = () => world.service.app.orm.em.fork();

/** A linked pilot who has used a command in this language. */
async function givenReader(locale = LOCALE) {
  const pilot = await givenLinkedPilot(world, guildId, { locale });
  await world.emulator.command(pilot.discordUserId, guildId, 'status show');
  return pilot;
}

type Reader = Awaited<ReturnType<typeof givenReader>>;

/** The bot's direct messages, once nothing waits to be sent. */
async function said({ discordUserId }: Reader): Promise<string[]> {
  await nothingLeft(world);
  return world.emulator.directMessages(discordUserId).map(wordsOf);
}

/** The words of an order that are data: names, and the reasons, which are sentences of the API. */
async function dataOf(pilot: Reader, order: { id: string }): Promise<string[]> {
  const { label, missionName, flightCallsign, aircraftName, reasons, package: group } = await read(pilot, order);
  const names = [label, missionName, flightCallsign, aircraftName, group.callsign, group.objective];
  return [
    ...names,
    ...reasons,
    pilot.displayName ?? '',
    'Charts of Akrotiri',
    'Two pods',
    ...MISSION_ROLES,
    ...THEATERS,
  ];
}

const DAY_AHEAD = { startLocal: hoursFromNow(25), endLocal: hoursFromNow(28) };

test('an order from the offer to its end, and its reminder', async () => {
  const pilot = await givenReader();
  await givenAlwaysFree(world.service, pilot.id);
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Lingua',
    notes: 'Two pods',
    links: [{ kind: 'chart', title: 'Charts of Akrotiri', url: 'https://charts.example/akrotiri' }],
    ...DAY_AHEAD,
  });
  const order = await orderOf(pilot);
  const data = await dataOf(pilot, order);
  const expectNoEnglish = async (message: string | undefined) => {
    const all = await said(pilot);
    expect(all.join('\n')).toContain(message);
    expect(all.flatMap((text) => englishWords(text, data))).toEqual([]);
  };
  await expectNoEnglish(pseudoMessages['order.accept']);

  await editMission(admin, mission.id, { ...DAY_AHEAD, endLocal: hoursFromNow(29), timeZone: 'UTC' });
  // the pilot is free in two parts of twelve hours, and a longer mission may need both
  data.push(...(await dataOf(pilot, order)));
  await expectNoEnglish(pseudoMessages['fact.changes']);
  expect(await said(pilot)).toHaveLength(2);

  expect((await respond(pilot, order, 'accepted')).status).toBe(200);
  await expectNoEnglish(pseudoMessages['badge.accepted']);

  await passTime(world.service, 61);
  await query(em(), sql`select graphile_worker.add_job('send_reminders')`);
  await vi.waitFor(async () => expect((await said(pilot)).join()).toContain(pseudoMessages['reminder.question']), {
    timeout: 20_000,
  });
  await expectNoEnglish(pseudoMessages['reminder.confirm']);
  const asked = world.emulator
    .directMessages(pilot.discordUserId)
    .find((message) => wordsOf(message).includes(pseudoMessages['reminder.question']));
  const confirm = pseudoMessages['reminder.confirm'];
  const { reply } = await world.emulator.press(pilot.discordUserId, asked?.id ?? '', confirm);
  expect(englishWords(wordsOf(reply), data)).toEqual([]);
  await expectNoEnglish(pseudoMessages['badge.confirmed']);

  await cancelMission(em(), admin, mission.id, new Date());
  await expectNoEnglish(pseudoMessages['order.missionCancelled'].slice(0, 20));
  await expectNoEnglish(pseudoMessages['reminder.cancelled']);
});

test('news of an open mission', async () => {
  const pilot = await givenReader();
  await query(em(), sql`update app_user set wants_global_events = true where id = ${pilot.id}`);
  await givenMission(world.service, admin, { name: 'Op Lingua', ...DAY_AHEAD });
  const [news = ''] = await said(pilot);
  expect(news).toContain(pseudoMessages['news.open']);
  expect(englishWords(news, ['Op Lingua', 'F-16C Viper', ...THEATERS])).toEqual([]);
});

test('a message is in the language that its reader used last, and in English before any', async () => {
  const pilot = await givenLinkedPilot(world, guildId, { locale: LOCALE });
  await givenAlwaysFree(world.service, pilot.id);
  const { mission } = await givenMission(world.service, admin, { name: 'Op Lingua', ...DAY_AHEAD });
  expect((await said(pilot)).join()).toContain('Answer by');
  await world.emulator.command(pilot.discordUserId, guildId, 'inbox');
  await editMission(admin, mission.id, { ...DAY_AHEAD, endLocal: hoursFromNow(30), timeZone: 'UTC' });
  expect((await said(pilot)).join()).toContain(pseudoMessages['order.accept']);
});

describe('a server in this language', () => {
  let server: Awaited<ReturnType<typeof givenDiscordGuild>>;
  let manager: Awaited<ReturnType<typeof givenLinkedPilot>>;
  beforeAll(async () => {
    server = await givenDiscordGuild(world, {
      locale: LOCALE,
      channels: [{ name: 'general' }, { name: 'missions' }],
      roles: [{ name: 'staff', permissions: 1n << 5n }],
    });
    manager = await givenLinkedPilot(world, server.id, {
      isAdmin: true,
      locale: LOCALE,
      roles: [server.roleIds['staff'] ?? ''],
    });
    // as a new server would be, for the welcome
    await query(em(), sql`update guild set accepted_at = null where id = ${server.id}`);
    expect((await admin.client.call('POST', `/discord/guilds/${server.id}/accept`)).status).toBe(200);
  });

  const channelId = (name: string): string => server.channelIds[name] ?? '';
  const postsIn = (name: string) => world.emulator.messages(channelId(name)).map(wordsOf);
  const NAMES = ['Op Lingua', 'Viper 1', 'F-16C Viper', 'Lantern Wing', ...MISSION_ROLES, ...THEATERS];
  const expectNoEnglish = (text: string, names = NAMES) => {
    expect(text).not.toBe('');
    expect(englishWords(text, names)).toEqual([]);
  };
  const use = async (path: string, values: Record<string, string> = {}) => {
    const outcome = await world.emulator.command(manager.discordUserId, server.id, path, values);
    expectNoEnglish(wordsOf(outcome.reply));
    return outcome;
  };
  const cards = async (words: string) => {
    await vi.waitFor(() => expect(postsIn('missions').join('\n')).toContain(words), { timeout: 20_000, interval: 20 });
    await nothingLeft(world);
    return postsIn('missions');
  };

  test('the welcome, the announcement, a mission with its card, event and buttons, and a language that changes', async () => {
    await use('setup channel', { channel: channelId('general') });
    await use('setup missions', { channel: channelId('missions') });
    await nothingLeft(world);
    const general = postsIn('general').join('\n');
    for (const key of ['welcome.hello', 'announcement.title'] as const) expect(general).toContain(pseudoMessages[key]);
    expectNoEnglish(general);

    const { mission } = await givenMission(world.service, admin, { name: 'Op Lingua', ...DAY_AHEAD });
    for (const card of await cards(pseudoMessages['missionCard.takeSeat'])) expectNoEnglish(card);
    const [event] = world.emulator.scheduledEvents(server.id);
    expectNoEnglish(event?.description ?? '');

    const reader = await givenLinkedPilot(world, server.id, { locale: LOCALE });
    const [post] = world.emulator.messages(channelId('missions'));
    const asked = await world.emulator.press(
      reader.discordUserId,
      post?.id ?? '',
      pseudoMessages['missionCard.myOrder'],
    );
    expect(wordsOf(asked.reply)).toBe(pseudoMessages['missionCard.noOrder']);

    world.emulator.setGuildLocale(server.id, 'en-US');
    expect((await cards('Take a seat')).join('\n')).not.toContain(pseudoMessages['missionCard.takeSeat']);
    world.emulator.setGuildLocale(server.id, LOCALE);
    await cards(pseudoMessages['missionCard.takeSeat']);
    await cancelMission(em(), admin, mission.id, new Date());
    for (const card of await cards(pseudoMessages['badge.cancelled'])) expectNoEnglish(card);
  });

  test('/mission', async () => {
    const inThreeDays = hoursFromNow(72).slice(0, 10);
    const seats = '2 F-16C CAP';
    const values = { name: 'Op Lingua', theater: 'Syria', date: inThreeDays, time: '1900Z', duration: '2h', seats };
    const outcome = await world.emulator.command(manager.discordUserId, server.id, 'mission create', values);
    const why = [...wordsOf(outcome.reply).matchAll(/^F-16C Viper: (.*)$/gm)].map(([, sentence = '']) => sentence);
    expectNoEnglish(wordsOf(outcome.reply), [...NAMES, ...why, manager.timeZone]);
    const published = await world.emulator.press(
      manager.discordUserId,
      outcome.reply?.id ?? '',
      pseudoMessages['draft.publish'],
    );
    expectNoEnglish(wordsOf(published.reply));
    const [mission] = await query<{ id: string }>(em(), sql`select id from mission where status = 'scheduled'`);
    const about = { mission: mission?.id ?? '' };
    await use('mission roster', about);
    await use('mission announce', about);
    const question = await use('mission cancel', about);
    const done = await world.emulator.press(
      manager.discordUserId,
      question.reply?.id ?? '',
      pseudoMessages['cancel.button'],
    );
    expectNoEnglish(wordsOf(done.reply));
    await use('setup missions-off');
  });
});
