/** `/mission` as admins use it: from text to a preview, published missions, the roster, cancelling and the card. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createServerCalls } from '#bot/server.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAlwaysFree, givenMission, hoursFromNow } from '#tests/harness/given.ts';
import { callOffMissions, orderOf } from '#tests/harness/orders.ts';
import { vipers } from '#tests/harness/seats.ts';
import { nothingLeft } from './cards.ts';
import type { InteractionOutcome } from './emulator/types.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { buttonsOf, linkOf, privateText, textOf } from './read.ts';

let world: DiscordWorld;
let guild: Awaited<ReturnType<typeof givenDiscordGuild>>;
let admin: Awaited<ReturnType<typeof givenLinkedPilot>>;
beforeAll(async () => {
  world = await startDiscord({ withJobs: true, cardPauseMs: 300 });
  guild = await givenDiscordGuild(world, {
    channels: [{ name: 'general' }, { name: 'missions' }],
    roles: [{ name: 'staff', permissions: 1n << 5n }],
  });
  admin = await givenLinkedPilot(world, guild.id, { isAdmin: true, ...staff() });
  await rows(sql`update app_user set time_zone = 'Europe/Berlin' where id = ${admin.id}`);
});
afterAll(() => world.stop());

/** May manage the server, so that Discord offers `/mission`. */
const staff = () => ({ roles: [guild.roleIds['staff'] ?? ''] });
afterEach(() => callOffMissions(world.service));

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(world.service.app.orm.em.fork(), statement);

type Values = Record<string, string>;
const use = async (path: string, values: Values, who = admin, place: string | null = guild.id) => {
  const outcome = await world.emulator.command(who.discordUserId, place, path, values);
  expect(outcome.answeredWith).toBe('deferred');
  return { outcome, text: privateText(outcome, who.discordUserId) };
};
const press = (outcome: InteractionOutcome, label: string, who = admin) =>
  world.emulator.press(who.discordUserId, outcome.reply?.id ?? '', label);

/** The date in Berlin, some days from now. */
const dateIn = (days: number): string => Temporal.Now.plainDateISO('Europe/Berlin').add({ days }).toString();

const request = (changes: Values = {}): Values => ({
  name: 'Op *Iron* Hound',
  theater: 'Syria',
  date: dateIn(3),
  time: '20:00',
  duration: '2h',
  seats: '2 F-16C CAP, 1 A-10C CAS red',
  ...changes,
});

const missions = () =>
  rows<{ id: string; name: string; status: string; startsAt: string; zone: string }>(
    sql`select id, name, status, starts_at::text as "startsAt", time_zone as zone from mission
        where status <> 'cancelled' order by created_at`,
  );
const audits = (action: string, missionId: string) =>
  rows(sql`select 1 as one from audit_entry where action = ${action} and subject_id = ${missionId}`);

/** The id of the only mission that is not cancelled. */
async function onlyMission(): Promise<string> {
  const all = await missions();
  expect(all).toHaveLength(1);
  return all[0]?.id ?? '';
}

describe('/mission create', () => {
  test('shows a preview that asks nobody, and Publish asks pilots, once', async () => {
    const pilot = await givenLinkedPilot(world, guild.id, { displayName: 'Vesper' });
    await givenAlwaysFree(world.service, pilot.id);
    const { text, outcome } = await use('mission create', request());
    const start = Temporal.PlainDateTime.from(`${dateIn(3)}T20:00`).toZonedDateTime('Europe/Berlin').epochMilliseconds;
    expect(text).toContain('This is a draft. Nobody has been asked yet.');
    expect(text).toContain('Op \\*Iron\\* Hound');
    expect(text).toContain(`<t:${start / 1000}:F>`);
    expect(text).toContain('20:00 in Europe/Berlin');
    expect(text).toContain('**3 seats**\n2 × F-16C Viper · CAP · Blue\n1 × A-10C II Warthog · CAS · Red');
    expect(text).toContain('If you publish it now, 1 pilot would be asked; 2 of 3 seats would stay open.');
    const id = await onlyMission();
    expect(await missions()).toMatchObject([{ status: 'draft', zone: 'Europe/Berlin', name: 'Op *Iron* Hound' }]);
    expect(buttonsOf(outcome.reply).map(({ label, customId }) => [label, customId])).toEqual([
      ['Publish', `v1:publish:${id}`],
      ['Discard', `v1:discard:${id}`],
      ['Open on the site', null],
    ]);
    expect(linkOf(outcome.reply, 'Open on the site').pathname).toBe(`/admin/missions/${dateIn(3)}`);

    // a double click
    const [first, second] = await Promise.all([press(outcome, 'Publish'), press(outcome, 'Publish')]);
    for (const pressed of [first, second]) {
      expect(privateText(pressed, admin.discordUserId)).toContain(
        '**Op \\*Iron\\* Hound** is published. 1 pilot asked, 2 seats open.',
      );
    }
    expect(buttonsOf(second.reply).map(({ label }) => label)).toEqual(['Open on the site']);
    expect(await missions()).toMatchObject([{ id, status: 'scheduled' }]);
    expect((await orderOf(pilot)).id).toEqual(expect.any(String));
    expect(await rows(sql`select 1 from frag_order where mission_id = ${id}`)).toHaveLength(1);
    expect(await audits('mission_published', id)).toHaveLength(1);
    await rows(sql`delete from availability_template where user_id = ${pilot.id}`);
  });

  test('Discard cancels the draft, but not a mission that was published in the meantime', async () => {
    const { outcome } = await use('mission create', request());
    const discarded = await press(outcome, 'Discard');
    expect(privateText(discarded, admin.discordUserId)).toBe('The draft is discarded. Nobody was asked.');
    expect(await missions()).toEqual([]);

    const { outcome: other } = await use('mission create', request());
    const id = await onlyMission();
    expect((await admin.client.call('POST', `/admin/missions/${id}/publish`)).status).toBe(200);
    const refused = await press(other, 'Discard');
    expect(textOf(refused.reply)).toBe('This mission has already been published.');
    expect(await missions()).toMatchObject([{ status: 'scheduled' }]);
  });

  test.each([
    [{ seats: '2 F-14C CAP' }, 'Did you mean F-14B?'],
    [{ seats: 'many' }, 'Write seats like this: 4 F-16C CAP, 2 A-10C CAS red.'],
    [{ seats: '65 F-16C CAP' }, 'from 1 to 64'],
    [{ date: 'someday' }, 'Write the date as 2026-11-28'],
    [{ date: '2020-01-01' }, 'past'],
    [{ time: 'late' }, 'Write the time as 19:00'],
    [{ duration: '25h' }, '24 hours'],
    [{ name: '   ' }, 'name'],
  ])('answers %j with a sentence and stores nothing', async (changes, sentence) => {
    expect((await use('mission create', request(changes as Values))).text).toContain(sentence);
    expect(await missions()).toEqual([]);
  });

  test('makes one draft of one command, also when the bot has not heard the answer', async () => {
    const { reply } = createServerCalls(world.service.url, world.service.app.botToken);
    const { discordUserId, discordUsername } = admin;
    const { name = '', date = '', time = '', duration = '', seats = '' } = request();
    const draft = {
      actor: { discordUserId, discordUsername, guildId: guild.id, canManageGuild: false },
      interactionId: '1234567890123456789',
      theater: 'Syria' as const,
      name,
      date,
      time,
      duration,
      seats,
    };
    const [first, second] = await Promise.all([reply.mission.draft.mutate(draft), reply.mission.draft.mutate(draft)]);
    const id = await onlyMission();
    for (const { components } of [first, second]) expect(JSON.stringify(components)).toContain(`v1:publish:${id}`);
    await reply.mission.draft.mutate({ ...draft, interactionId: '1234567890123456790' });
    expect(await missions()).toHaveLength(2);
  });

  test('refuses a draft whose start has passed, and keeps the preview', async () => {
    const { outcome } = await use('mission create', request());
    const id = await onlyMission();
    await rows(
      sql`update mission set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour' where id = ${id}`,
    );
    const pressed = await press(outcome, 'Publish');
    expect(textOf(pressed.reply)).toMatch(/past/);
    expect(await missions()).toMatchObject([{ status: 'draft' }]);
  });
});

describe('who may use it', () => {
  test.each(['create', 'roster', 'cancel', 'announce'])('/mission %s is for admins', async (name) => {
    const { mission } = await givenMission(world.service, admin, { publish: false });
    const values = name === 'create' ? request() : { mission: mission.id };
    const pilot = await givenLinkedPilot(world, guild.id, staff());
    expect((await use(`mission ${name}`, values, pilot)).text).toBe('Only admins can do this');
    const discordUserId = world.emulator.addMember(guild.id, { username: `passer.by.${name}`, ...staff() });
    expect((await use(`mission ${name}`, values, { ...pilot, discordUserId })).text).toContain('not linked');
    expect(await missions()).toHaveLength(1);
  });

  test('a button counts for the person who presses it, as they are then', async () => {
    const other = await givenLinkedPilot(world, guild.id, { isAdmin: true, ...staff() });
    const { outcome } = await use('mission create', request(), other);
    await rows(sql`update app_user set roles = '{user}' where id = ${other.id}`);
    const pressed = await press(outcome, 'Publish', other);
    expect(textOf(pressed.reply)).toBe('Only admins can do this');
    expect(await missions()).toMatchObject([{ status: 'draft' }]);
  });

  test('only admins are offered missions while they type', async () => {
    await givenMission(world.service, admin, {
      name: 'Op Lantern',
      startLocal: hoursFromNow(40),
      endLocal: hoursFromNow(42),
    });
    await givenMission(world.service, admin, {
      name: 'Op Draft',
      publish: false,
      startLocal: hoursFromNow(50),
      endLocal: hoursFromNow(52),
    });
    const offered = async (who: { discordUserId: string }, command: string, text: string) => {
      const { choices } = await world.emulator.autocomplete(who.discordUserId, guild.id, command, 'mission', text);
      return choices.map(({ name }) => name.split(' · ').at(-1));
    };
    expect(await offered(admin, 'mission roster', '')).toEqual(['Op Lantern']);
    expect(await offered(admin, 'mission cancel', '')).toEqual(['Op Lantern', 'Op Draft']);
    expect(await offered(admin, 'mission cancel', 'DRAFT')).toEqual(['Op Draft']);
    expect(await offered(await givenLinkedPilot(world, guild.id, staff()), 'mission cancel', '')).toEqual([]);
  });

  test('Discord offers it to members who may manage the server, and to nobody in direct messages', async () => {
    const about = { mission: 'Op Nothing' };
    const pilot = await givenLinkedPilot(world, guild.id);
    await expect(use('mission roster', about, pilot)).rejects.toThrow('is offered no command /mission');
    await expect(use('mission roster', about, admin, null)).rejects.toThrow('is offered no command /mission');
    expect((await use('mission roster', about)).text).toBe('Please choose a mission from the list.');
  });
});

test('/mission roster shows seats, asked and accepted pilots, and the queue', async () => {
  const pilots = [];
  for (const displayName of ['Vesper', 'Quill', 'Ember']) {
    const pilot = await givenLinkedPilot(world, guild.id, { displayName });
    await givenAlwaysFree(world.service, pilot.id);
    pilots.push(pilot);
  }
  const { mission } = await givenMission(world.service, admin, { name: 'Op Roster', aircraftSlots: vipers(4) });
  const [first, , third] = pilots;
  if (!first || !third) throw new Error('no pilots');
  const answer = async (who: typeof first, response: string) => {
    const { id } = await orderOf(who);
    expect((await who.client.call('POST', `/pilot/inbox/${id}/rsvp`, { response })).status).toBe(200);
  };
  await answer(first, 'accepted');
  await answer(third, 'standby');
  const { text, outcome } = await use('mission roster', { mission: mission.id });
  expect(text).toContain('Op Roster');
  expect(text).toMatch(/\d Vesper\n/);
  expect(text).toContain('Quill (asked)');
  expect(text).toMatch(/\d open/);
  expect(text).toContain('On standby\n1 Ember');
  expect(linkOf(outcome.reply, 'Open on the site').searchParams.get('mission')).toBe(mission.id);
  for (const pilot of pilots) await rows(sql`delete from availability_template where user_id = ${pilot.id}`);

  expect((await use('mission roster', { mission: 'Op Roster' })).text).toBe('Please choose a mission from the list.');
});

test('a long roster is cut with a sentence', async () => {
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Crowd',
    aircraftSlots: [64, 64, 64, 64].flatMap(vipers),
  });
  const { text } = await use('mission roster', { mission: mission.id });
  expect(text).toContain('0 of 256 seats taken');
  expect(text).toMatch(/more flights? (are|is) on the site\./);
});

test('/mission cancel asks, then cancels for everybody, once', async () => {
  const { mission } = await givenMission(world.service, admin, { name: 'Op Folly' });
  const { text, outcome } = await use('mission cancel', { mission: mission.id });
  expect(text).toMatch(/^Cancel \*\*Op Folly\*\*, which starts <t:\d+:F>\? Nobody has a seat in it\./);
  expect(await missions()).toHaveLength(1);
  const [first, second] = await Promise.all([
    press(outcome, 'Cancel this mission'),
    press(outcome, 'Cancel this mission'),
  ]);
  for (const pressed of [first, second]) {
    expect(privateText(pressed, admin.discordUserId)).toBe(
      '**Op Folly** is cancelled. Every pilot with an order for it is told.',
    );
  }
  expect(await missions()).toEqual([]);
  expect(await audits('mission_cancelled', mission.id)).toHaveLength(1);
  expect((await use('mission cancel', { mission: mission.id })).text).toBe(
    'This mission is over or cancelled and can no longer be changed.',
  );
});

describe('/mission announce', () => {
  const channelId = () => guild.channelIds['missions'] ?? '';
  const cardsOf = (missionId: string) =>
    world.emulator.messages(channelId()).filter(({ components }) => JSON.stringify(components).includes(missionId));
  const anotherMinute = () => rows(sql`delete from attempt where bucket like 'announce:%'`);

  test('needs a server with a missions channel, and a published mission', async () => {
    const { mission } = await givenMission(world.service, admin, { name: 'Op Quiet', publish: false });
    const about = { mission: mission.id };
    expect((await use('mission announce', about)).text).toBe(
      'Only published missions that have not started can be announced.',
    );
    await admin.client.call('POST', `/admin/missions/${mission.id}/publish`);
    expect((await use('mission announce', about)).text).toBe(
      'This server has no channel for missions yet. /setup missions chooses one.',
    );
    await anotherMinute();
  });

  test('shows the card that stands, posts a deleted one again, and not twice in a minute', async () => {
    const manager = world.emulator.addMember(guild.id, {
      username: 'quartermaster',
      roles: [guild.roleIds['staff'] ?? ''],
    });
    await world.emulator.command(manager, guild.id, 'setup missions', { channel: channelId() });
    const { mission } = await givenMission(world.service, admin, { name: 'Op Beacon' });
    const about = { mission: mission.id };
    await nothingLeft(world);
    const [card] = cardsOf(mission.id);
    const { text, outcome } = await use('mission announce', about);
    expect(text).toBe(
      `The card for **Op Beacon** is already in <#${channelId()}>. If somebody has deleted it, use the command again in a minute.`,
    );
    expect(linkOf(outcome.reply, 'Show the card').pathname).toBe(`/channels/${guild.id}/${channelId()}/${card?.id}`);
    expect((await use('mission announce', about)).text).toBe(
      'This mission was announced here a moment ago. Please wait a minute.',
    );
    await nothingLeft(world);
    expect(cardsOf(mission.id)).toHaveLength(1);

    world.emulator.deleteMessage(channelId(), card?.id ?? '');
    // the next edit finds that it is gone, and somebody asks for it
    await rows(sql`update mission set name = 'Op Beacon Two' where id = ${mission.id}`);
    await anotherMinute();
    await use('mission announce', about);
    await nothingLeft(world);
    expect(cardsOf(mission.id)).toHaveLength(1);
    await anotherMinute();
    expect((await use('mission announce', about)).text).toContain('already');
    await nothingLeft(world);
    expect(cardsOf(mission.id)).toHaveLength(1);
  });
});
