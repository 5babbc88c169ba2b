/** The buttons below `/status` and `/availability`: status, tonight and the weekend, and undoing what a button added. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServerCalls } from '#bot/server.ts';
import { query, sql } from '#server/schema/query.ts';
import type { InteractionOutcome } from './emulator/types.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { buttonsOf, privateText } from './read.ts';

type Pilot = Awaited<ReturnType<typeof givenLinkedPilot>>;

let world: DiscordWorld;
let guildId: string;
beforeAll(async () => {
  world = await startDiscord();
  ({ id: guildId } = await givenDiscordGuild(world));
});
afterAll(() => world.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(world.service.app.orm.em.fork(), statement);

/** A pilot for whom it is about noon on a day of this week. */
async function givenPilotAtNoon(): Promise<Pilot & { timeZone: string }> {
  const hour = new Date().getUTCHours();
  // the signs of these zones are reversed: Etc/GMT-3 is three hours ahead
  const ahead = 12 - hour;
  const timeZone = ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
  const pilot = await givenLinkedPilot(world, guildId);
  await rows(sql`update app_user set time_zone = ${timeZone} where id = ${pilot.id}`);
  return { ...pilot, timeZone };
}

const use = (pilot: Pilot, command: string) => world.emulator.command(pilot.discordUserId, guildId, command);
const press = async (pilot: Pilot, { reply }: InteractionOutcome, label: string) => {
  const pressed = await world.emulator.press(pilot.discordUserId, reply?.id ?? '', label);
  expect(pressed.answeredWith).toBe('deferred update');
  return { pressed, text: privateText(pressed, pilot.discordUserId) };
};
const labels = ({ reply }: InteractionOutcome) => buttonsOf(reply).map(({ label }) => label);
const overrides = (pilot: Pilot) =>
  rows<{ day: string; times: string; kind: string }>(
    sql`select date_local::text as day, start_local || '-' || end_local as times, kind
        from availability_override where user_id = ${pilot.id} order by date_local, start_local`,
  );
const statusOf = async (pilot: Pilot) => (await pilot.client.call('GET', `/users/${pilot.id}/status`)).body;

test('the buttons of /status set it, and show the new one in place', async () => {
  const pilot = await givenLinkedPilot(world, guildId);
  const shown = await use(pilot, 'status show');
  expect(labels(shown)).toEqual(['Idle', 'Do Not Disturb', 'Find Flight 1 h', 'Find Flight 2 h', 'Find Flight 4 h']);
  const now = await press(pilot, shown, 'Find Flight 2 h');
  expect(now.text).toMatch(/^Your status is now \*\*Find Flight\*\* until <t:\d+:t>\./);
  expect(now.pressed.reply?.id).toBe(shown.reply?.id);
  expect(await statusOf(pilot)).toMatchObject({ state: 'now', minutes: 120 });
  expect((await press(pilot, shown, 'Do Not Disturb')).text).toContain('**Do Not Disturb**');
  expect(await statusOf(pilot)).toMatchObject({ state: 'dnd' });
  expect((await press(pilot, shown, 'Idle')).text).toContain('**Idle**');
  expect(await statusOf(pilot)).toMatchObject({ state: 'available' });
});

test('"Tonight" adds the evening in the pilot’s zone once, and "Undo" removes it', async () => {
  const pilot = await givenPilotAtNoon();
  const today = Temporal.Now.plainDateISO(pilot.timeZone).toString();
  const shown = await use(pilot, 'availability');
  expect(labels(shown)).toEqual(['Tonight 19–23', 'This weekend', 'Change it on the site']);
  const [first, second] = await Promise.all([
    press(pilot, shown, 'Tonight 19–23'),
    press(pilot, shown, 'Tonight 19–23'),
  ]);
  for (const { text } of [first, second]) {
    expect(text).toMatch(/^You can fly on \w{3}, \w{3} \d+ 19:00–23:00\. You'll be asked when a mission fits\./);
  }
  const evening = { day: today, times: '19:00-23:00', kind: 'available' };
  expect(await overrides(pilot)).toEqual([evening]);
  expect(second.text.split('\n').find((line) => line.includes('19:00–23:00') && line.startsWith('**'))).toBeDefined();
  const undone = await press(pilot, shown, 'Undo');
  expect(undone.text).toMatch(/^Removed again\./);
  expect(labels(undone.pressed)).not.toContain('Undo');
  expect(await overrides(pilot)).toEqual([]);
});

test('a time that the pilot entered on the site stays, and cannot be undone here', async () => {
  const pilot = await givenPilotAtNoon();
  const dateLocal = Temporal.Now.plainDateISO(pilot.timeZone).toString();
  const own = { dateLocal, kind: 'available', startLocal: '18:00', endLocal: '23:00', aircraftCodeId: 0 };
  expect((await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, own)).status).toBe(201);
  const shown = await use(pilot, 'availability');
  const { pressed } = await press(pilot, shown, 'Tonight 19–23');
  expect(await overrides(pilot)).toEqual([{ day: dateLocal, times: '18:00-23:00', kind: 'available' }]);
  expect(labels(pressed)).not.toContain('Undo');
});

test('"This weekend" adds Saturday and Sunday, or what is left of them', async () => {
  const pilot = await givenPilotAtNoon();
  const today = Temporal.Now.plainDateISO(pilot.timeZone);
  const shown = await use(pilot, 'availability');
  await press(pilot, shown, 'This weekend');
  const added = await overrides(pilot);
  const weekdays = added.map(({ day }) => Temporal.PlainDate.from(day).dayOfWeek);
  expect(weekdays).toEqual(today.dayOfWeek === 7 ? [7] : [6, 7]);
  for (const { day, times } of added) {
    expect(times).toMatch(day === today.toString() ? /^1[23]:\d\d-00:00$/ : /^10:00-00:00$/);
  }
  await press(pilot, shown, 'Undo');
  expect(await overrides(pilot)).toEqual([]);
});

test('"Undo" of another pilot’s times changes nothing', async () => {
  const [pilot, other] = [await givenPilotAtNoon(), await givenPilotAtNoon()];
  const shown = await use(pilot, 'availability');
  const { pressed } = await press(pilot, shown, 'Tonight 19–23');
  const undo = buttonsOf(pressed.reply).find(({ label }) => label === 'Undo')?.customId ?? '';
  const { reply } = createServerCalls(world.service.url, world.service.app.botToken);
  const actor = {
    discordUserId: other.discordUserId,
    discordUsername: other.discordUsername,
    guildId,
    canManageGuild: false,
  };
  await reply.undoTimes.mutate({ actor, packed: undo.split(':').at(-1) ?? '' });
  expect(await overrides(pilot)).toHaveLength(1);
});

test('an account that waits for approval can already enter its times and status, and a suspended one cannot', async () => {
  const pilot = await givenPilotAtNoon();
  await rows(
    sql`update app_user set roles = '{}', approval = 'waiting', approval_since = now() where id = ${pilot.id}`,
  );
  await press(pilot, await use(pilot, 'availability'), 'Tonight 19–23');
  expect(await overrides(pilot)).toHaveLength(1);
  const shown = await use(pilot, 'status show');
  expect((await press(pilot, shown, 'Do Not Disturb')).text).toContain('**Do Not Disturb**');
  expect(privateText(await use(pilot, 'missions'), pilot.discordUserId)).toBe(
    'Your account is waiting for an admin to approve it.',
  );
  await rows(sql`update app_user set approval = null, approval_since = null where id = ${pilot.id}`);
  expect((await press(pilot, shown, 'Idle')).text).toBe('Your account is suspended. Please ask an admin.');
});
